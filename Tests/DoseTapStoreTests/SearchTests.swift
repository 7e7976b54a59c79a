import DoseTapDomain
import DoseTapTestSupport
import Testing

@testable import DoseTapStore

@Suite struct SearchTests {
    private static func history(_ seed: UInt64) async throws -> (Scratch, Store) {
        let scratch = try Scratch()
        let store = try scratch.open()
        var history = RandomHistory(seed: seed)
        for _ in 0..<60 { for batch in history.step() { _ = try await store.commit(batch) } }
        return (scratch, store)
    }

    private static func isOf(_ kind: NightKind, _ night: NightSummary) -> Bool {
        switch kind {
        case .extra: night.extraDoses > 0
        case .snoozed: night.snoozeCount > 0
        case .open: night.end == nil
        default: night.outcome.map(kind.outcomes.contains) == true
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `a search finds the nights of its kinds and dates and no other, page by page`(seed: UInt64) async throws {
        let (scratch, store) = try await Self.history(seed)
        let all = try await store.summaries(SessionQuery(limit: 1_000)).nights
        #expect(all.count > 3, "\(scratch.folder)")
        var wishes = NightKind.allCases.map { Set([$0]) }
        wishes += [[], [.late, .open], [.snoozed, .onTime, .notRecorded], Set(NightKind.allCases)]
        let spans = [NightSpan(), NightSpan(first: all.last?.sessionDate, last: all[all.count / 2].sessionDate)]
        for (kinds, span) in wishes.flatMap({ kinds in spans.map { (kinds, $0) } }) {
            let wanted = all.filter { night in
                span.contains(night.sessionDate)
                    && (kinds.isEmpty || kinds.contains { Self.isOf($0, night) })
            }
            var found: [NightSummary] = []
            var cursor = ""
            repeat {
                let page = try await store.summaries(span.query(limit: 2, cursor: cursor, kinds: kinds))
                found += page.nights
                cursor = page.next
            } while !cursor.isEmpty
            #expect(found == wanted, "seed \(seed), \(kinds), \(span)")
        }
        try await store.close()
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>, Grouping.allCases)
    func `the kept intervals give the same means as the nights themselves`(
        seed: UInt64, grouping: Grouping
    ) async throws {
        let (scratch, store) = try await Self.history(seed)
        let nights = try await store.measuredNights(SessionQuery(limit: 1_000)).nights
        let groups = NightStatistics(nights, targetMinutes: 165, by: grouping).groups.filter {
            $0.figures.intervals.average.count > 0
        }
        let means = try await store.intervalMeans(NightSpan(), by: grouping)
        #expect(means.map(\.key) == groups.map(\.key), "\(scratch.folder)")
        for (mean, group) in zip(means, groups) {
            let figures = group.figures.intervals
            #expect(mean.count == figures.average.count && mean.meanMinutes == figures.average.mean, "\(group.key)")
            #expect(mean.shortestMinutes == figures.least && mean.longestMinutes == figures.most, "\(group.key)")
        }
        let newest = nights.map(\.night.sessionDate).max()
        let last = try await store.intervalMeans(NightSpan(first: newest, last: newest), by: grouping)
        #expect(last.map(\.count).reduce(0, +) <= nights.count { $0.night.sessionDate == newest })
        try await store.close()
    }
}
