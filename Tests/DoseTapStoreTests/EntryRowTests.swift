import DoseTapDomain
import DoseTapTestSupport
import GRDB
import Testing

@testable import DoseTapStore

/// The rows of the tables for every sample of every kind of entry.
@Suite struct EntryRowTests {
    /// A store in which a sample was recorded.
    private struct Played {
        let scratch: Scratch
        let store: Store
        var nights = Nights(start: Instant(seconds: 1_768_446_000))
        var events: [EventID] = []
        var entry = EventID("none")
        /// Every row from before the sample was recorded.
        var before: [String: [[DatabaseValue]]] = [:]

        init(_ sample: EntrySample) async throws {
            scratch = try Scratch()
            store = try scratch.open()
            for act in sample.before {
                let batch = try await commit(act)
                events.append(try #require(Self.action(batch)).id)
                nights.pass(.seconds(11))
            }
            _ = try await store.commit(nights.settle())
            before = try await dump()
            entry = EventID(try #require(Self.action(try await commit(sample.act))).entityID)
            events.append(entry)
            nights.pass(.seconds(1))
        }

        private static func action(_ batch: CommitBatch) -> Event? { batch.events.last { $0.payload.request != nil } }

        mutating func commit(_ act: Act) async throws -> CommitBatch {
            let (now, ids) = (nights.now, events)
            let batch = try nights.act(act.ask.command(ids)) { act.fill(&$0, now: now) }
            _ = try await store.commit(batch)
            return batch
        }

        /// Every row, without the time of the last change.
        func dump() async throws -> [String: [[DatabaseValue]]] {
            var dump = try await store.dump()
            for (table, rows) in dump {
                let columns = ProjectionTable.all.first { $0.name == table }?.columns
                guard let place = columns?.firstIndex(of: "updated_at") else {
                    continue
                }
                dump[table] = rows.map { row in row.enumerated().map { $0 == place ? .null : $1 } }
            }
            return dump
        }

        /// The tables with a row of the entry.
        func tables() async throws -> [String] {
            try await store.dump().filter { $1.contains { $0.first == entry.text.databaseValue } }.keys.sorted()
        }

        /// The tables agree with the log, and a newly loaded log state equals the present one.
        func expectSound(_ what: String) async throws {
            let check = try await store.check()
            #expect(check.isSound, "\(what): \(check.findings)")
            let live = try await store.dump()
            let report = try await store.rebuild()
            #expect(report.isSound && report.repairs.isEmpty, "\(what): \(report)")
            #expect(try await store.dump() == live, "\(what)")
            #expect(LogState(try await store.load(now: nights.now)) == nights.logState, "\(what)")
        }
    }

    @Test(arguments: EntrySample.all)
    func `its row follows from the log through every correction`(sample: EntrySample) async throws {
        var played = try await Played(sample)
        #expect(try await played.tables() == [sample.table])
        try await played.expectSound("recorded")
        let recorded = try await played.dump()
        #expect(recorded != played.before)
        for act in sample.amendments {
            _ = try await played.commit(act)
            #expect(try await played.tables() == [sample.table])
            #expect(try await played.dump()[sample.table] != recorded[sample.table], "\(act)")
            try await played.expectSound("\(act)")
            _ = try await played.commit(Act(.undo))
            #expect(try await played.dump() == recorded, "\(act) undone")
        }
        _ = try await played.commit(Act(.delete(sample.before.count)))
        #expect(try await played.tables() == [])
        try await played.expectSound("deleted")
        _ = try await played.commit(Act(.undo))
        #expect(try await played.dump() == recorded)
        _ = try await played.commit(Act(.undo))
        #expect(try await played.dump() == played.before)
        try await played.expectSound("undone")
        try await played.store.close()
    }

    @Test(arguments: EntrySample.all)
    func `a column changed by hand is found and made anew, by a rebuild and while the service runs`(
        sample: EntrySample
    ) async throws {
        let played = try await Played(sample)
        let store = played.store
        let sound = try await store.dump()
        let table = try #require(ProjectionTable.all.first { $0.name == sample.table })
        var changes = ["DELETE FROM \(sample.table)"]
        for column in table.columns.dropFirst() {
            changes.append("UPDATE \(sample.table) SET \(column) = coalesce(\(column), '') || '7'")
        }
        for sql in changes {
            // A column may have constraints of its own, which SQLite enforces for this statement, too.
            guard (try? await store.run(sql)) != nil else { continue }
            #expect(try await store.check().isSound == false, "\(sql)")
            var page: TableAudit? = try await store.audit(.start, only: nil)
            var audit = TableAudit()
            while let found = page {
                audit.add(found)
                page = nil
                if let next = found.next { page = try await store.audit(next, only: nil) }
            }
            #expect(audit.mended[sample.table, default: 0] > 0, "\(sql)")
            #expect(try await store.dump() == sound, "\(sql)")
            try await store.run(sql)
            _ = try await store.rebuild()
            #expect(try await store.dump() == sound, "\(sql)")
        }
        try await store.close()
    }

    /// The history has events in any order, and targets that do not exist. Any such log is folded, kept and rebuilt.
    @Test func `everything that a log can hold is read back as it was recorded`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        var history = RandomHistory(seed: 5)
        for _ in 0..<20 { for batch in history.step() { _ = try await store.commit(batch) } }
        for payload in PayloadSamples.all {
            let stored = try await store.commit(history.record(payload))
            #expect(stored.map(\.event.payload) == [payload])
        }
        let log = try await store.events(after: 0, limit: 10_000)
        #expect(log.suffix(PayloadSamples.all.count).map(\.event.payload) == PayloadSamples.all)
        #expect(try await store.verify().isSound)
        #expect(try await store.check().isSound)
        try await store.close()
    }
}
