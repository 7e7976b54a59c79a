import DoseTapDomain
import DoseTapTestSupport
import GRDB
import Testing

@testable import DoseTapStore

/// The rows of the tables for recorded sleep, and the nights that the sleep belongs to there.
@Suite struct SleepRowTests {
    private static func sleep(
        _ start: Instant, _ minutes: Int, _ stages: [(ImportedSleep.Stage, Int, Int)] = [],
        part: ImportedSleep.Part = .main, device: String? = nil
    ) -> ImportedSleep {
        ImportedSleep(
            row: "", device: device, start: start, end: start + .minutes(minutes), part: part, grade: .estimated,
            course: stages.isEmpty
                ? .durations([.asleep: minutes * 50, .inBed: minutes * 60])
                : .stages(stages.map { .init($0.0, start + .minutes($0.1), start + .minutes($0.2)) }))
    }

    @Test func `stages stand a row each in their order, and go with their record`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        var nights = Nights()
        let start = nights.now - .hours(10)
        let batch = try nights.act(
            .recordSleep(Self.sleep(start, 60, [(.inBed, 0, 60), (.light, 5, 30), (.awake, 30, 31)]), source: "oura"))
        _ = try await store.commit(batch)
        _ = try await store.commit(try nights.act(.recordSleep(Self.sleep(start, 30), source: "x")))
        let sql = "SELECT group_concat(stage || ' ' || coalesce(start_utc, '-') || ' ' || seconds, ', ') FROM "
        let rows = try await store.value(String.self, sql + "(SELECT * FROM sleep_stages ORDER BY stage_id)")
        func at(_ minutes: Int) -> String { (start + .minutes(minutes)).iso8601 }
        #expect(
            rows == "in_bed \(at(0)) 3600, light \(at(5)) 1500, awake \(at(30)) 60, asleep - 1500, in_bed - 1800")
        for change in [
            "DELETE FROM sleep_stages WHERE stage = 'light'", "UPDATE sleep_stages SET seconds = 7",
            "INSERT INTO sleep_stages VALUES ('a/1', 'nobody', '2025-07-01', 'deep', NULL, NULL, 1)",
        ] {
            try await store.run(change)
            #expect(try await store.check().isSound == false, "\(change)")
            _ = try await store.rebuild()
            #expect(try await store.check().isSound, "\(change)")
        }
        _ = try await store.commit(try nights.act(.delete(EventID(batch.events[0].entityID))))
        #expect(try await store.value(Int.self, "SELECT count(*) FROM sleep_stages") == 2)
        try await store.close()
    }

    @Test func `R30.4 of two parts of a night the tables know where the sleep of the first ended`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        var nights = Nights()
        let start = nights.now
        try await store.commit(all: try nights.night())
        nights.pass(.hours(12))
        for (from, stages) in [
            (30, [(.inBed, 0, 60), (.light, 5, 40), (.awake, 40, 60)]), (90, [(.awake, 0, 10), (.rem, 10, 60)]),
        ] as [(Int, [(ImportedSleep.Stage, Int, Int)])] {
            let sleep = Self.sleep(start + .minutes(from), 60, stages)
            _ = try await store.commit(try nights.act(.recordSleep(sleep, source: "oura")))
            nights.pass(.seconds(11))
        }
        let night = try #require(try await store.measuredNights(SessionQuery(limit: 1)).nights.first?.recorded)
        #expect(night.records == 2 && night.measures.totalSleepMinutes == 35 + 50)
        #expect((night.measures.wakeAfterSleepOnsetMinutes, night.measures.awakenings) == (20 + 10, 1))
        try await store.close()
    }

    /// The values that the tables give for a page of nights equal the values of each night's own entries.
    @Test(arguments: [1, 2, 3] as [UInt64], [[], ["watch"]] as [[String]])
    func `R30.3 R30.4 R30.6 a list of nights has the sleep and the score that each night has by itself`(
        seed: UInt64, order: [String]
    ) async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        var nights = Nights(seed: seed)
        var random = SplitMix64(seed: seed)
        for _ in 0..<12 {
            // The history includes nights without sleep, sleep between nights, and sleep recorded before its night.
            let start = nights.now + .minutes(Int.random(in: -300...300, using: &random))
            if Int.random(in: 0..<3, using: &random) > 0 { try await store.commit(all: try nights.night()) }
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let from = start + .minutes(Int.random(in: -200...400, using: &random))
                let length = Int.random(in: 10...700, using: &random)
                let stages: [(ImportedSleep.Stage, Int, Int)] =
                    Bool.random(using: &random) ? [(.light, 0, length / 2), (.deep, length / 2, length - 3)] : []
                let sleep = Self.sleep(
                    from, length, stages, part: Int.random(in: 0..<4, using: &random) == 0 ? .nap : .main,
                    device: Bool.random(using: &random) ? "Watch" : nil)
                let source = ["oura", "fitbit"].randomElement(using: &random) ?? ""
                if let batch = try? nights.act(.recordSleep(sleep, source: source)) {
                    _ = try await store.commit(batch)
                }
                nights.pass(.seconds(11))
                // A second part of the same night, which begins awake.
                guard !stages.isEmpty, Bool.random(using: &random) else { continue }
                let rest = Self.sleep(
                    from + .minutes(length), 60, [(.awake, 0, 7), (.rem, 7, 50), (.awake, 50, 60)],
                    device: sleep.device)
                if let batch = try? nights.act(.recordSleep(rest, source: source)) {
                    _ = try await store.commit(batch)
                }
                nights.pass(.seconds(11))
            }
            nights.pass(.minutes(Int.random(in: 0...900, using: &random)))
        }
        let sources = SleepSources(order: order, dates: try await store.sleepDates())
        var query = SessionQuery(limit: 1_000)
        query.sleepOrder = order
        let measured = try await store.measuredNights(query).nights
        let listed = try await store.summaries(query).nights
        #expect(measured.map(\.night) == listed)
        var recorded = 0
        var known = LogState()
        for night in measured {
            let events = try #require(try await store.session(named: night.night.sessionID.text))
            known.merge([try #require(Session(events: events))])
        }
        for night in measured {
            let events = try #require(try await store.session(named: night.night.sessionID.text))
            let session = try #require(Session(events: events))
            let entries = try await store.entries(EntityType.shownInNight, .night(session.id, session.date))
            let shown = NightRecord(
                session, behind: known.night(behind: session),
                standalone: entries.compactMap(StandaloneEntry.init(events:)), sources: sources)
            #expect(shown.recordedSleep == night.recorded && shown.summary.nightScore == night.night.nightScore)
            #expect(shown.sleepDiary == night.sleep)
            recorded += shown.recordedSleep == nil ? 0 : 1
        }
        #expect(recorded > 0 && measured.count > 2)
        // Each active record belongs to one night, or to no night and then to its day.
        var seen: [String] = []
        for night in listed {
            let own = try await store.entries([.sleepRecord], .night(night.sessionID, night.sessionDate))
            seen += own.compactMap(\.first?.entityID)
        }
        let dates = Set(nights.logState.sleepRecords.map(\.now.date))
        for date in dates { seen += try await store.entries([.sleepRecord], .day(date)).compactMap(\.first?.entityID) }
        let all = try await store.entries([.sleepRecord], .newest(1_000)).compactMap(\.first?.entityID)
        #expect(seen.sorted() == all.sorted() && !all.isEmpty)
        try await store.close()
    }
}
