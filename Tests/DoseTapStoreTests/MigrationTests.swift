import DoseTapDomain
import DoseTapTestSupport
import Foundation
import GRDB
import Testing

@testable import DoseTapStore

@Suite struct MigrationTests {
    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures")

    /// The rows as text: a line for each, with the tables in the order of their names.
    private static func text(_ log: [[DatabaseValue]], _ tables: [String: [[DatabaseValue]]]) -> String {
        var lines = log.map { "events " + $0.map(word).joined(separator: "|") }
        for (name, rows) in tables.sorted(by: { $0.key < $1.key }) {
            lines += rows.map { "\(name) " + $0.map(word).joined(separator: "|") }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func word(_ value: DatabaseValue) -> String {
        switch value.storage {
        case .null: "NULL"
        case .int64(let number): String(number)
        case .double(let number): "real \(number)"
        case .string(let text): JSONValue.string(text).serialized()
        case .blob(let data): "blob \(data.count)"
        }
    }

    /// Without it each start would make the schema anew, to compare the store with it.
    @Test func `the fingerprint of the schema is that of what the steps make`() throws {
        let made = SchemaCheck.fingerprint(try SchemaCheck.reference(Migrator()))
        #expect(Migrator.fingerprint == made)
    }

    /// Every released schema has a database that the code of that version made. The database is never made again.
    @Test(arguments: 1...Int(Migrator().latest))
    func `a database of an earlier version opens with its schema brought up and every row as it was`(
        version: Int
    ) async throws {
        let scratch = try Scratch()
        let file = Self.fixtures.appendingPathComponent("v\(version).db")
        try scratch.write([UInt8](try Data(contentsOf: file)))
        let rows = try String(contentsOf: Self.fixtures.appendingPathComponent("v\(version).rows"), encoding: .utf8)
        let store = try scratch.open()
        // Tables that a later version added or rebuilt are made from the log. `check` compares those with the log.
        let remade = Migrator.released.filter { $0.version > version }.flatMap(\.fills).map(\.name)
        let isAsItWas = { (table: String) in rows.contains("\n\(table) ") && !remade.contains(table) }
        let tables = try await store.dump().filter { isAsItWas($0.key) }
        let kept = rows.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { line in !remade.contains { line.hasPrefix($0 + " ") } }.joined(separator: "\n")
        // Schema 5 added two columns. Rows from before have NULL there.
        let (log, added) = (try await store.logDump(), version < 5 ? 2 : 0)
        #expect(log.allSatisfy { $0.suffix(added).allSatisfy(\.isNull) })
        #expect(Self.text(log.map { $0.dropLast(added) }, tables) == kept)
        #expect(try await store.value(Int.self, "PRAGMA user_version") == Int(Migrator().latest))
        #expect(try await store.verify().isSound)
        let check = try await store.check()
        #expect(check.isSound, "\(check.findings)")
        #expect(
            try await store.load(now: Instant(milliseconds: 1_760_000_000_000)).cursors == ["journal": 12, "bell": 9])
        try await store.close()
    }

    /// Objects of another program in a record of schema 1, and a query that finds their row after the proposed statement.
    @Test(arguments: [
        ("CREATE TABLE sleep_records(a); INSERT INTO sleep_records VALUES (7)", "SELECT a FROM sleep_records_other"),
        (
            "CREATE TABLE regimens(id TEXT PRIMARY KEY); INSERT INTO regimens VALUES (7)",
            "SELECT CAST(id AS INTEGER) FROM regimens_other"
        ),
        ("CREATE TABLE Regimens(a); INSERT INTO Regimens VALUES (7)", "SELECT a FROM Regimens_other"),
        (
            "CREATE TABLE regimens(a); CREATE TABLE regimens_other(b); INSERT INTO regimens VALUES (7)",
            "SELECT a FROM regimens_other_"
        ),
        (
            "CREATE TABLE theirs(a); CREATE INDEX regimens ON theirs(a); INSERT INTO theirs VALUES (7)",
            "SELECT a FROM theirs"
        ),
    ])
    func `H1 a name of another program that a later schema needs is told before anything is changed`(
        sql: String, query: String
    ) async throws {
        let scratch = try Scratch()
        try scratch.write([UInt8](try Data(contentsOf: Self.fixtures.appendingPathComponent("v1.db"))))
        #expect(try Command.sqlite(scratch.path, sql).status == 0)
        let before = try scratch.bytes()
        let refusal = #expect(throws: StoreError.self) { try scratch.open() }
        #expect(refusal?.code == .altered && refusal?.context.contains("of another program") == true)
        #expect(throws: StoreError.self) { try LogSummary.check(scratch.path, nil, migrator: Migrator()) }
        #expect(try scratch.bytes() == before)
        #expect(try Command.sqlite(scratch.path, refusal?.underlying ?? "").output == "")
        let store = try scratch.open()
        #expect(try await store.value(Int.self, query) == 7)
        try await store.close()
    }

    @Test func `R24.7 a table of another program that SQLite cannot check keeps no older record shut`() async throws {
        let scratch = try Scratch()
        try scratch.write([UInt8](try Data(contentsOf: Self.fixtures.appendingPathComponent("v1.db"))))
        try scratch.addForeignTables()
        let store = try scratch.open()
        #expect(try await store.value(Int.self, "PRAGMA user_version") == Int(Migrator().latest))
        let backups = try await store.backups()
        #expect(backups.map(\.kind) == [.migration] && backups.map(\.isVerified) == [true], "\(backups)")
        #expect(try await store.value(Int.self, "SELECT count(*) FROM sly") == 2)
        try await store.close()
    }

    @Test func `schema 11 forgets the awakenings of sources that know of none`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        var nights = Nights(start: Instant(milliseconds: 1_760_000_000_000))
        let start = nights.now - .hours(9)
        func sleep(_ stage: ImportedSleep.Stage) -> ImportedSleep {
            let course = ImportedSleep.Course.stages([.init(stage, start, start + .hours(8))])
            return ImportedSleep(
                row: "1", start: start, end: start + .hours(8), part: .main, grade: .estimated, course: course)
        }
        _ = try await store.commit(try nights.act(.recordSleep(sleep(.asleep), source: "plees")))
        _ = try await store.commit(try nights.act(.recordSleep(sleep(.light), source: "oura")))
        let query = "SELECT group_concat(source || ifnull(awake_s, '?') || ifnull(awakenings, '?')) FROM sleep_records"
        let wanted = try await store.value(String.self, query)
        #expect(wanted == "plees??,oura00")
        try await store.close()
        // The table gets the state of the version before. Only this step runs, because later steps may each make a
        // table once.
        let old = try DatabaseQueue(path: scratch.path)
        try await old.write { database in
            try database.execute(sql: "UPDATE sleep_records SET awake_s = 0, awakenings = 0")
            try database.execute(sql: Migration.eleventh.sql)
        }
        try old.close()
        let again = try scratch.open()
        #expect(try await again.value(String.self, query) == wanted)
        #expect(try await again.check().isSound)
        try await again.close()
    }

    /// Run by hand when a schema is released: `DOSETAP_MAKE_FIXTURE=1 swift test --filter MigrationTests`.
    @Test(
        .enabled(if: ProcessInfo.processInfo.environment["DOSETAP_MAKE_FIXTURE"] != nil, "makes a fixture, when asked"))
    func `make the database of this version`() async throws {
        let scratch = try Scratch(storeID: "01977420-dc00-7001-8000-0000000000f1")
        let store = try scratch.open()
        var history = RandomHistory(seed: 41)
        for _ in 0..<40 { for batch in history.step() { _ = try await store.commit(batch) } }
        for payload in [
            EventPayload.storeRestored(StoreRestored(expectedSequence: 9, foundSequence: 4, finding: "an older copy")),
            .settingChanged(SettingChanged(rules: .standard)),
        ] { _ = try await store.commit(history.record(payload)) }
        var nights = Nights(start: history.now + .hours(60))
        try await store.commit(all: try nights.night())
        for sample in EntrySample.all where [.sleepRecorded, .labRegistered, .labPlanned].contains(sample.type) {
            _ = try await store.commit(try nights.act(sample.act.ask.command([])))
        }
        _ = try await store.commit(try nights.act(.logDose(.dose1), key: "fixture", note: RandomHistory.words[5]))
        _ = try await store.commit(CommitBatch(events: [], changes: [], cursors: ["journal": 12, "bell": 9]))
        let text = Self.text(try await store.logDump(), try await store.dump())
        try await store.close()
        let version = Migrator().latest
        try Data(try scratch.bytes()).write(to: Self.fixtures.appendingPathComponent("v\(version).db"))
        try text.write(to: Self.fixtures.appendingPathComponent("v\(version).rows"), atomically: true, encoding: .utf8)
    }

    private static let later = Migration(
        version: Migrator().latest + 1,
        sql: "ALTER TABLE sleep_events ADD COLUMN later TEXT; CREATE TABLE later(id TEXT PRIMARY KEY)")

    @Test func `a later step is applied once, and the earlier version then refuses the file untouched`() async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 2)
        let migrator = Migrator(steps: Migrator.released + [Self.later])
        for _ in 0..<2 {
            let store = try Store.open(scratch.configuration(), migrator: migrator)
            #expect(try await store.value(Int.self, "PRAGMA user_version") == Int(Self.later.version))
            #expect(try await store.verify().isSound)
            #expect(try await store.check().isSound)
            try await store.close()
        }
        let bytes = try scratch.bytes()
        #expect { try scratch.open() } throws: { ($0 as? StoreError)?.code == .newer }
        #expect(try scratch.bytes() == bytes)
    }

    @Test func `A6 a step that fails half way leaves the earlier schema`() async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 1)
        let broken = Migration(version: Self.later.version, sql: Self.later.sql + "; INSERT INTO nowhere VALUES (1)")
        #expect(throws: StoreError.self) {
            try Store.open(scratch.configuration(), migrator: Migrator(steps: Migrator.released + [broken]))
        }
        let store = try scratch.open()
        #expect(try await store.value(Int.self, "PRAGMA user_version") == Int(Migrator().latest))
        #expect(try await store.check().isSound)
        try await store.close()
    }

    @Test func `a newer version that was never checkpointed is refused, too`() async throws {
        let (scratch, copy) = (try Scratch(), try Scratch())
        _ = try await scratch.filled(nights: 1)
        let migrator = Migrator(steps: Migrator.released + [Self.later])
        let store = try Store.open(scratch.configuration(), migrator: migrator)
        for name in ["dosetap.db", "dosetap.db-wal", "dosetap.db.head"] {
            #expect(try Command.run("/bin/cp", [scratch.folder + "/" + name, copy.folder + "/" + name]).status == 0)
        }
        try await store.close()
        #expect { try copy.open() } throws: { ($0 as? StoreError)?.code == .newer }
        let later = try Store.open(copy.configuration(), migrator: migrator)
        #expect(try await later.verify().isSound)
        try await later.close()
    }

    @Test
    func `a table made later is filled from the log, and a night that cannot be read does not keep it from opening`()
        async throws
    {
        let file = Self.fixtures.appendingPathComponent("v1.db")
        for spoilt in [false, true] {
            let scratch = try Scratch()
            try scratch.write([UInt8](try Data(contentsOf: file)))
            if spoilt {
                let sql =
                    "UPDATE events SET payload = '{}' WHERE seq = (SELECT min(seq) FROM events "
                    + "WHERE session_id IS NOT NULL)"
                #expect(try Command.run("/usr/bin/sqlite3", [scratch.path, sql]).status == 0)
            }
            let store = try scratch.open()
            let nights = try await store.value(Int.self, "SELECT count(*) FROM sleep_sessions") ?? 0
            let measured = try await store.value(Int.self, "SELECT count(*) FROM night_measures") ?? 0
            #expect(nights > 1 && measured == nights - (spoilt ? 1 : 0))
            let page = try await store.measuredNights(SessionQuery(limit: 1_000))
            #expect(page.nights.count == nights && page.nights.count { $0.night.outcome == nil } == nights - measured)
            #expect(try await store.check().isSound == !spoilt)
            try await store.close()
        }
    }

    @Test func `the tables have their columns in order, and the base tables their defaults`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        for table in ProjectionTable.all {
            let columns = try await store.columns(of: table.name)
            #expect(columns.map(\.name) == table.columns, "\(table)")
        }
        let checkin = try await store.columns(of: "morning_checkins")
        let defaults = Dictionary(uniqueKeysWithValues: checkin.map { ($0.name, $0.defaultValue) })
        #expect(defaults["sleep_quality"] == "3")
        #expect(defaults["feel_rested"] == "'moderate'")
        #expect(defaults["grogginess"] == "'mild'")
        #expect(defaults["sleep_inertia_duration"] == "'fiveToFifteen'")
        #expect(defaults["mental_clarity"] == "5")
        #expect(defaults["notes"] == .some(nil))
        let medication = try await store.columns(of: "medication_events")
        #expect(medication.first { $0.name == "dose_unit" }?.defaultValue == "'mg'")
        #expect(medication.first { $0.name == "formulation" }?.defaultValue == "'ir'")
        try await store.close()
    }
}

extension Store {
    struct Column: Sendable {
        var name: String
        var defaultValue: String?
    }

    func columns(of table: String) throws -> [Column] {
        try read("looking at a table") { database in
            try Row.fetchAll(database, sql: "SELECT name, dflt_value FROM pragma_table_info('\(table)')").map { row in
                Column(name: row[0], defaultValue: row[1])
            }
        }
    }
}
