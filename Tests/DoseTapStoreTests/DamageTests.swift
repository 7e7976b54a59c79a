import DoseTapDomain
import Foundation
import GRDB
import Testing

@testable import DoseTapStore

extension Store {
    /// Every value of the log, whatever its kind, read past all indexes.
    func logDump() throws -> [[DatabaseValue]] {
        try read("dumping") { database in
            let sql = "SELECT \(LogRow.columns) FROM events NOT INDEXED ORDER BY seq"
            return try Row.fetchAll(database, sql: sql).map { Array($0.databaseValues) }
        }
    }
}

@Suite struct DamageTests {
    enum Outcome: String, CaseIterable {
        case refused = "refused at open"
        case found = "found at open"
        case verified = "found by verifying the chain"
        case checked = "found by checking tables and indexes"
        case harmless = "no effect"
        case silent = "SILENT"
    }

    struct Original {
        let bytes: [UInt8]
        let head: [UInt8]
        let log: [[DatabaseValue]]
        let tables: [String: [[DatabaseValue]]]
    }

    private func original(_ scratch: Scratch) async throws -> Original {
        _ = try await scratch.filled(nights: 12)
        let store = try scratch.open()
        let (log, tables) = (try await store.logDump(), try await store.dump())
        try await store.close()
        return Original(
            bytes: try scratch.bytes(), head: try scratch.bytes("dosetap.db.head"), log: log, tables: tables)
    }

    private func judge(_ scratch: Scratch, _ original: Original) async throws -> (Outcome, logChanged: Bool) {
        let store: Store
        do { store = try scratch.open() } catch { return (.refused, false) }
        // SQLite checks the cells of a page only when it is first read: verifying comes first, as it would for a person.
        let verified = try? await store.verify()
        let checked = try? await store.check()
        let log = try? await store.logDump()
        let tables = try? await store.dump()
        let logChanged = log != original.log
        var outcome = Outcome.harmless
        if await !store.openFindings.isEmpty {
            outcome = .found
        } else if verified?.isSound != true {
            outcome = .verified
        } else if logChanged {
            outcome = .silent
        } else if checked?.isSound != true {
            outcome = .checked
        } else if tables != original.tables {
            outcome = .silent
        }
        try? await store.close()
        return (outcome, logChanged)
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `C1 a flipped bit in a closed store never changes anything unnoticed`(group: UInt64) async throws {
        let scratch = try Scratch(storeID: "01977420-dc00-7002-8000-000000000001")
        let original = try await original(scratch)
        let seed = ProjectionTests.seed &+ group
        var random = SplitMix64(seed: seed)
        var counts: [Outcome: Int] = [:]
        var changes = 0
        for _ in 0..<60 {
            var flipped = original.bytes
            let place = Int.random(in: 0..<flipped.count, using: &random)
            flipped[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            try scratch.write(flipped)
            try scratch.write(original.head, "dosetap.db.head")
            let (outcome, logChanged) = try await judge(scratch, original)
            counts[outcome, default: 0] += 1
            if logChanged { changes += 1 }
            #expect(outcome != .silent, "seed \(seed), byte \(place)")
            if logChanged {
                #expect(outcome == .found || outcome == .verified, "seed \(seed), byte \(place): \(outcome)")
            }
        }
        #expect(changes > 0)
        let classes = Outcome.allCases.map { "\($0.rawValue) \(counts[$0] ?? 0)" }.joined(separator: ", ")
        print("60 flips, seed \(seed), \(original.bytes.count) bytes: \(classes); log changed \(changes)")
    }

    @Test func `a table of another program that SQLite cannot check is told, and is no damage`() async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 2)
        try scratch.addForeignTables()
        let store = try scratch.open()
        let foreign = ["index plain_x", "index sly_x", "table plain", "table sly"]
            .map { "\($0) does not belong to the schema" }
        #expect(try await store.check().findings == foreign)
        #expect(try await store.verify().findings.isEmpty)
        #expect(try await store.rebuild().findings.isEmpty)
        #expect(try await store.check().findings == foreign)
        try await store.close()
    }

    /// - Parameter hasForeign: true with a table of another program for which SQLite refuses to check the whole file.
    @Test(.enabled(if: Command.exists("sqlite3"), "needs sqlite3: run Contrib/test"), arguments: [false, true])
    func `C6 an index that disagrees with its table is found and rebuilt`(hasForeign: Bool) async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 3)
        if hasForeign { try scratch.addForeignTables() }
        let saved = "/* kept in a table */ CREATE TABLE kept AS SELECT * FROM sqlite_schema WHERE name = "
        for sql in [
            saved + "'dose_events_session'; PRAGMA writable_schema=ON; "
                + "DELETE FROM sqlite_schema WHERE name = 'dose_events_session';",
            "UPDATE dose_events SET rowid = rowid + 100;",
            "PRAGMA writable_schema=ON; INSERT INTO sqlite_schema SELECT * FROM kept; "
                + "DELETE FROM sqlite_schema WHERE name = 'kept';",
        ] {
            let result = try Command.sqlite(scratch.path, sql)
            #expect(result.output.isEmpty, "\(result)")
        }
        let store = try scratch.open()
        let report = try await store.check()
        #expect(report.findings.contains { $0.contains("dose_events_session") }, "\(report)")
        #expect(try await store.verify().isSound == false)
        let told = try await Self.audited(store).page.findings
        #expect(told.contains { $0.contains("damaged") && $0.contains("dose_events_session") }, "\(told)")
        let rebuilt = try await store.rebuild()
        #expect(!rebuilt.findings.contains { $0.contains("dose_events_session") }, "\(rebuilt)")
        let after = try await store.check()
        #expect(!after.findings.contains { $0.contains("dose_events_session") }, "\(after)")
        try await store.close()
    }

    @Test(.enabled(if: Command.exists("sqlite3"), "needs sqlite3: run Contrib/test"))
    func `a missing index is rebuilt, a foreign table is told`() async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 2)
        #expect(try Command.sqlite(scratch.path, "DROP INDEX events_session; CREATE TABLE sly(x)").output.isEmpty)
        let store = try scratch.open()
        let before = try await store.check().findings
        #expect(before.contains { $0.contains("events_session") } && before.contains { $0.contains("sly") })
        #expect(try await store.rebuild().repairs.contains { $0.contains("events_session") })
        #expect(try await store.check().findings == ["table sly does not belong to the schema"])
        try await store.close()
    }

    @Test(
        .enabled(if: Command.exists("sqlite3"), "needs sqlite3: run Contrib/test"),
        arguments: [
            "CREATE TRIGGER sly AFTER INSERT ON events BEGIN SELECT 1; END", "CREATE VIEW sly AS SELECT 1",
            "ALTER TABLE dose_events ADD COLUMN sly AS (session_id) VIRTUAL",
        ])
    func `R21.13 what could change rows is refused, and the error says what takes it away`(sql: String) async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 2)
        #expect(try Command.sqlite(scratch.path, sql).output.isEmpty)
        let before = try scratch.bytes()
        var refusal: StoreError?
        do { _ = try Store.openForTheNight(scratch.configuration()) } catch let error as StoreError { refusal = error }
        let error = try #require(refusal)
        #expect(error.code == .altered && error.context.contains("'sly'"), "\(error)")
        #expect(try scratch.bytes() == before && !scratch.exists("dosetap.db.beside"))
        let mended = try Command.sqlite(scratch.path, error.underlying)
        #expect(mended.status == 0 && mended.output.isEmpty, "\(mended)")
        let store = try scratch.open()
        #expect(try await store.check().isSound)
        try await store.close()
    }

    /// Changes of the tables by another program, which the log does not have.
    static let spoilings = [
        "UPDATE dose_events SET timestamp = '2020-01-01T00:00:00.000Z' WHERE rowid = 1",
        "DELETE FROM dose_events WHERE rowid = 2",
        "DELETE FROM sleep_sessions WHERE rowid = 1",
        "UPDATE sleep_sessions SET end_utc = NULL",
        "UPDATE sleep_events SET notes = 'not mine'",
        "INSERT INTO medication_events(id, session_date, medication_id, dose_mg, taken_at_utc) VALUES ('a','b','c',1,'d')",
        "INSERT INTO current_session(id, session_date) VALUES (1, '2025-01-01')",
        "UPDATE dose_events SET id = CAST(id AS BLOB) WHERE rowid = 1",
    ]

    @Test(.enabled(if: Command.exists("sqlite3"), "needs sqlite3: run Contrib/test"), arguments: spoilings)
    func `a table that does not say what the log says is found and put right`(sql: String) async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 3)
        let clean = try scratch.open()
        let before = try await clean.dump()
        try await clean.close()
        #expect(try Command.sqlite(scratch.path, sql).output.isEmpty)
        let store = try scratch.open()
        #expect(try await store.check().isSound == false)
        #expect(try await store.verify().isSound)
        #expect(try await !store.rebuild().repairs.isEmpty)
        #expect(try await store.check().isSound)
        #expect(try await store.dump() == before)
        try await store.close()
    }

    @Test(.enabled(if: Command.exists("sqlite3"), "needs sqlite3: run Contrib/test"), arguments: spoilings)
    func `R21.14 rows that do not say what the log says are rebuilt page by page`(sql: String) async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 20)
        let clean = try scratch.open()
        let before = try await clean.dump()
        #expect(try await Self.audited(clean).page.mended.isEmpty)
        #expect(try await clean.dump() == before)
        try await clean.close()
        #expect(try Command.sqlite(scratch.path, sql).output.isEmpty)
        let store = try scratch.open()
        let (page, pages) = try await Self.audited(store)
        #expect(!page.mended.isEmpty && page.findings.isEmpty && pages > 5, "\(page)")
        #expect(try await store.dump() == before)
        #expect(try await store.check().isSound)
        try await store.close()
    }

    // Triggers of the file never run. A temporary trigger stands for any cause that takes a write away.
    @Test(arguments: ["events", "dose_events"])
    func `R21.11 what a trigger takes away is not acknowledged`(table: String) async throws {
        let scratch = try Scratch()
        var nights = try await scratch.filled(nights: 1)
        let store = try scratch.open()
        let sql =
            "CREATE TEMP TRIGGER sly BEFORE INSERT ON \(table) WHEN NEW.session_id IS NOT NULL BEGIN SELECT RAISE(IGNORE); END"
        _ = try await store.value(Int.self, sql)
        let before = try await store.events(after: 0, limit: 1_000).count
        let batch = try nights.act(.logDose(.dose1))
        await #expect { try await store.commit(batch) } throws: { ($0 as? StoreError)?.code == .damaged }
        #expect(try await store.events(after: 0, limit: 1_000).count == before)
        try await store.close()
    }

    @Test func `R21.11 neither a rebuild nor a cursor is taken for written where a trigger prevents it`() async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 1)
        let store = try scratch.open()
        func forbid(_ what: String) async throws {
            _ = try await store.value(
                Int.self, "CREATE TEMP TRIGGER sly BEFORE \(what) BEGIN SELECT RAISE(IGNORE); END")
        }
        try await forbid("DELETE ON dose_events")
        await #expect { try await store.rebuild() } throws: { ($0 as? StoreError)?.code == .damaged }
        _ = try await store.value(Int.self, "DROP TRIGGER sly")
        try await forbid("INSERT ON plugin_cursors")
        await #expect { try await store.close(cursors: ["journal": 1]) } throws: {
            ($0 as? StoreError)?.code == .damaged
        }
    }

    @Test(arguments: [
        "DELETE ON dose_events BEGIN SELECT RAISE(IGNORE)",
        "UPDATE ON sleep_sessions BEGIN SELECT RAISE(IGNORE)",
    ])
    func `R21.11 a change or a removal that a trigger prevents is not acknowledged, or stands`(
        trigger: String
    ) async throws {
        let scratch = try Scratch()
        var nights = Nights()
        let store = try scratch.open()
        _ = try await store.commit(try nights.act(.logDose(.dose1)))
        _ = try await store.value(Int.self, "CREATE TEMP TRIGGER sly BEFORE \(trigger); END")
        nights.pass(.minutes(160))
        var refused = 0
        for command in [DoseTapDomain.Command.logDose(.dose2), .undo] {
            let before = try await store.events(after: 0, limit: 1_000).count
            do {
                _ = try await store.commit(try nights.act(command))
                // A write that the trigger prevented without an error would leave a difference for the audit to find.
                let page = try await Self.audited(store).page
                #expect(page.mended.isEmpty && page.findings.isEmpty, "\(page)")
            } catch let error as StoreError {
                refused += 1
                #expect(error.code == .damaged)
                #expect(try await store.events(after: 0, limit: 1_000).count == before)
            }
        }
        // The row that cannot be changed is written anew. The row that cannot be removed makes the undo fail.
        #expect(refused == (trigger.hasPrefix("DELETE") ? 1 : 0))
        try await store.close()
    }

    @Test func `R21.14 a row that does not become right is told as a fault, not as rebuilt`() async throws {
        let scratch = try Scratch()
        var nights = Nights()
        let store = try scratch.open()
        _ = try await store.commit(try nights.act(.logDose(.dose1)))
        let spoil = "UPDATE dose_events SET timestamp = '2020-01-01T00:00:00.000Z'"
        _ = try await store.value(Int.self, "CREATE TEMP TRIGGER sly AFTER UPDATE ON dose_events BEGIN \(spoil); END")
        _ = try await store.value(Int.self, spoil)
        for _ in 0..<2 {
            let page = try await Self.audited(store).page
            #expect(page.mended.isEmpty && page.findings.count == 1, "\(page)")
            #expect(page.findings.first?.contains("1 row of dose_events") == true, "\(page)")
        }
        try await store.close()
    }

    @Test(.enabled(if: Command.exists("sqlite3"), "needs sqlite3: run Contrib/test"))
    func `R21.14 nothing is rebuilt by an event that is not what was recorded`() async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 3)
        let sql = "UPDATE events SET effective_at = '2025-06-15T22:00:00.000Z' WHERE seq = 2"
        #expect(try Command.sqlite(scratch.path, sql).output.isEmpty)
        let store = try scratch.open()
        let before = try await store.dump()
        let page = try await Self.audited(store).page
        #expect(page.mended.isEmpty && page.findings == ["event 2 is not what was recorded"], "\(page)")
        #expect(try await store.dump() == before)
        try await store.close()
    }

    private static func audited(_ store: Store) async throws -> (page: TableAudit, pages: Int) {
        var (whole, pages) = (TableAudit(next: .start), 0)
        while let place = whole.next, pages < 1_000 {
            do { whole.add(try await store.audit(place, only: nil)) } catch let error as StoreError {
                #expect(error.code == .damaged)
                whole.next = nil
            }
            pages += 1
        }
        return (whole, pages)
    }

    @Test(.enabled(if: Command.exists("sqlite3"), "needs sqlite3: run Contrib/test"))
    func `a log that cannot be read is not rebuilt over`() async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 2)
        #expect(try Command.sqlite(scratch.path, "UPDATE events SET payload = '{' WHERE seq = 3").output.isEmpty)
        let store = try scratch.open()
        let before = try await store.dump()
        await #expect { try await store.rebuild() } throws: { ($0 as? StoreError)?.code == .damaged }
        #expect(try await store.dump() == before)
        #expect(try await store.check().isSound == false)
        #expect(try await store.verify().findings.first == "event 3 is not what was recorded")
        try await store.close()
    }

    @Test func `R21.9 the copy of the last nights is kept up for as long as the service runs`() throws {
        let scratch = try Scratch()
        var nights = Nights()
        let early = try nights.night().flatMap(\.events)
        let file = NightFile.open(besides: scratch.path, nil)
        while (try scratch.bytes("dosetap.db.night").count) < 1 << 20 { file.append(early) }
        try scratch.write(try scratch.bytes("dosetap.db.night") + Array("torn".utf8), "dosetap.db.night")
        let late = try nights.night().flatMap(\.events)
        for event in late { file.append([event]) }
        #expect(try NightFile.events(besides: scratch.path, nil).suffix(late.count) == late[...])
        #expect(try scratch.bytes("dosetap.db.night").count < 1 << 20)
    }

    @Test func `R21.9 what was found wrong with the damaged store is not taken for the fresh log's own`() async throws {
        let scratch = try Scratch()
        var nights = Nights()
        let store = try scratch.open()
        try await store.commit(all: [try nights.restored()] + (try nights.night()))
        try await store.close()
        try scratch.write([UInt8](repeating: 0xA7, count: try scratch.bytes().count))
        let beside = try Store.openForTheNight(scratch.configuration())
        let taken = try NightFile.events(besides: scratch.path, nil).filter { $0.type != .storeRestored }
        let log = try #require(await beside.beside)
        #expect(log.takenOver == Int64(taken.count) && !taken.isEmpty && log.entries == 0 && log.isNew, "\(log)")
        _ = try await beside.commit(try nights.restored())
        _ = try await beside.commit(try nights.act(.logDose(.dose1)))
        try await beside.close()
        let again = try Store.openForTheNight(scratch.configuration())
        let later = try #require(await again.beside)
        #expect(later.takenOver == log.takenOver && later.entries == 1 && !later.isNew, "\(later)")
        try await again.close()
    }
}
