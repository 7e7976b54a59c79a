import CSQLite
import DoseTapDomain
import DoseTapTestSupport
import Foundation
import GRDB
import Testing

@testable import DoseTapStore

/// Files in the place of the store that somebody made on purpose, with the program sqlite3.
@Suite(.enabled(if: Command.exists("sqlite3"), "needs sqlite3: run Contrib/test"))
struct HostileFileTests {
    /// A statement that is run on a whole record, and the word that the refusal has.
    struct Attack: Sendable, CustomTestStringConvertible {
        let what: String
        let sql: String
        var code: StoreError.Code = .altered
        var testDescription: String { what }
    }

    /// Changes the definition of an object of ours behind SQLite's back.
    private static func redefine(_ name: String, _ old: String, _ new: String) -> String {
        "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = replace(sql, '\(old)', '\(new)') "
            + "WHERE name = '\(name)'; PRAGMA writable_schema=RESET;"
    }

    static let attacks: [Attack] = [
        Attack(what: "a trigger", sql: "CREATE TRIGGER sly AFTER INSERT ON events BEGIN DELETE FROM events; END"),
        Attack(
            what: "a trigger in place of an insert",
            sql: "CREATE VIEW v AS SELECT 1; CREATE TRIGGER sly INSTEAD OF INSERT ON v BEGIN SELECT 1; END"),
        Attack(
            what: "a view",
            sql: "CREATE VIEW sly AS WITH RECURSIVE n(x) AS (VALUES(1) UNION ALL SELECT x+1 FROM n) SELECT x FROM n"),
        Attack(what: "a generated column", sql: "ALTER TABLE dose_events ADD COLUMN sly AS (length(id)) VIRTUAL"),
        Attack(what: "a full text table", sql: "CREATE VIRTUAL TABLE sly USING fts5(x)"),
        Attack(what: "an r-tree", sql: "CREATE VIRTUAL TABLE sly USING rtree(id, a, b)"),
        Attack(what: "an index over a function", sql: "CREATE INDEX sly ON events(length(hex(payload)))"),
        Attack(
            what: "an index that calculates for some rows", sql: "CREATE INDEX sly ON events(seq) WHERE abs(seq) > 1"),
        Attack(what: "an index that forbids a second dose", sql: "CREATE UNIQUE INDEX sly ON events(seq % 1000)"),
        Attack(
            what: "an index in an order that SQLite does not have",
            sql: "CREATE INDEX sly ON events(type); "
                + redefine("sly", "(type)", "(type COLLATE nowhere)")),
        Attack(
            what: "a table that keeps rows from being deleted",
            sql: "CREATE TABLE sly(a REFERENCES dose_events(id) ON DELETE RESTRICT)"),
        Attack(
            what: "a check of ours that calls a function",
            sql: redefine("dose_events", "id TEXT PRIMARY KEY", "id TEXT PRIMARY KEY CHECK (length(id) < 0)"),
            code: .damaged),
        Attack(
            what: "a default that calls a function",
            sql: redefine(
                "dose_events", "session_date TEXT NOT NULL", "session_date TEXT NOT NULL DEFAULT (hex(zeroblob(99)))"),
            code: .damaged),
        Attack(
            what: "a definition that is none",
            sql: redefine("dose_events", "CREATE TABLE dose_events(", "CREATE TABLE dose_events(("),
            code: .damaged),
        Attack(
            what: "an index in the place of a table",
            sql: "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema "
                + "WHERE name = 'events_session') WHERE name = 'events';",
            code: .damaged),
        Attack(
            what: "a page far beyond the end",
            sql: "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET rootpage = 999999 WHERE name = 'events';",
            code: .damaged),
        Attack(
            what: "an unknown kind of object",
            sql: "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET type = 'trigger' WHERE name = 'dose_events';",
            code: .damaged),
    ]

    @Test(arguments: attacks)
    func `R21.13 H1 code in the file never runs, and the refusal has a name`(attack: Attack) async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 2)
        let made = try Command.sqlite(scratch.path, attack.sql)
        #expect(made.status == 0, "\(made.output)")
        let before = try scratch.bytes()
        var refusal: StoreError?
        do {
            let store = try scratch.open()
            _ = try await store.load(now: Instant(milliseconds: 1_751_400_000_000))
            Issue.record("it was opened: \(attack.what)")
            try await store.close()
        } catch let error as StoreError { refusal = error }
        #expect(refusal?.code == attack.code, "\(String(describing: refusal))")
        #expect(refusal?.context.isEmpty == false)
        #expect(try scratch.bytes() == before, "nothing is written")
        guard attack.code == .altered, let statement = refusal?.underlying, !statement.isEmpty else { return }
        // The statement that the error proposes removes the object that the error names.
        #expect(try Command.sqlite(scratch.path, statement).output.isEmpty, "\(statement)")
        if attack.what != "a trigger in place of an insert" { #expect(throws: Never.self) { try scratch.open() } }
    }

    @Test(arguments: [512, 65_536])
    func `H1 pages of another size are read`(bytes: Int) async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 2)
        let sql = "PRAGMA journal_mode=DELETE; PRAGMA page_size=\(bytes); VACUUM; PRAGMA journal_mode=WAL;"
        #expect(try Command.sqlite(scratch.path, sql).status == 0)
        let store = try scratch.open()
        #expect(try await store.value(Int.self, "PRAGMA page_size") == bytes)
        #expect(try await store.verify().isSound)
        try await store.close()
    }

    @Test(arguments: [
        "UPDATE events SET payload = zeroblob(40000000) WHERE seq = 2",
        "UPDATE events SET payload = CAST(zeroblob(40000000) AS TEXT) WHERE seq = 2",
        "UPDATE events SET seq = 'text' WHERE seq = -1; UPDATE events SET payload = 7 WHERE seq = 2",
        "UPDATE events SET occurred_at = x'00ff', type = 12.5 WHERE seq = 2",
        "UPDATE store_meta SET store_id = 5", "UPDATE store_meta SET store_id = zeroblob(30000000)",
        "DELETE FROM store_meta",
    ])
    func `H1 huge cells and values of other types are damage, and memory stays flat`(sql: String) async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 2)
        #expect(try Command.sqlite(scratch.path, sql).status == 0)
        let before = Self.resident()
        do {
            let store = try scratch.open()
            let isSound = try await store.verify().isSound
            let isRead = (try? await store.load(now: Instant(milliseconds: 1_751_400_000_000))) != nil
            #expect(!isSound || !isRead, "\(sql)")
            try await store.close()
        } catch let error as StoreError { #expect([.damaged, .altered].contains(error.code), "\(sql): \(error)") }
        #expect(Self.resident() - before < 120_000, "kB")
    }

    /// A column with a number, and how a row takes another one.
    static let numbers: [(column: String, set: @Sendable (inout LogRow, Int64) -> Void)] = [
        ("seq", { $0.sequence = $1 }), ("boot_time_us", { $0.counterMicroseconds = $1 }),
        ("local_offset_minutes", { $0.localOffsetMinutes = $1 }), ("synchronised", { $0.synchronised = $1 }),
    ]

    @Test(arguments: numbers.indices, [true, false])
    func `H1 a number at the end of its range in an event, also with a right hash, is damage or harmless`(
        index: Int, isSealed: Bool
    ) async throws {
        let (column, set) = Self.numbers[index]
        for (value, order) in [Int64.max, .min, 0, 1 << 53].flatMap({ [($0, "ASC"), ($0, "DESC")] }) {
            let scratch = try Scratch()
            var nights = try await scratch.filled(nights: 2)
            try await DatabaseQueue(path: scratch.path).write { database in
                let sql = "SELECT \(LogRow.columns) FROM events ORDER BY seq \(order) LIMIT 1"
                let before = try LogRow(#require(try Row.fetchOne(database, sql: sql)))
                var after = before
                set(&after, value)
                if isSealed { after.hash = after.computedHash() }
                try database.execute(
                    sql: "UPDATE events SET \(column) = ?, hash = ? WHERE seq = ?",
                    arguments: [value, after.hash, before.sequence])
            }
            do {
                let store = try Store.openForTheNight(scratch.configuration())
                let state = LogState(try await store.load(now: nights.now))
                #expect(!state.sessions.isEmpty)
                _ = try? await store.verify()
                _ = try await store.commit(nights.restored())
                try await store.close()
            } catch let error as StoreError {
                #expect(error.code == .damaged, "\(column) = \(value), \(order): \(error)")
            }
        }
    }

    @Test func `H1 a connection trusts nothing of the file from its first statement on`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        #expect(try await store.isDistrustful())
        await #expect(throws: (any Error).self) {
            try await store.execute("PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = ''")
        }
        try await store.close()
    }

    private static func resident() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0
    }

    private static let beside = [
        "", "-wal", "-journal", "-shm", ".head", ".night", ".reserve", ".lease", ".wipe", ".switch", ".new", ".key-id",
        ".beside", ".beside-wal", ".beside.head", ".beside.night", ".beside-2", ".prepared", ".restored", ".repaired",
        ".imported", ".switch-new", ".wipe-new", ".forget", ".forget-new", ".checkin",
    ]
    /// The suffixes where an obstacle must keep the record from opening.
    private static let used: Set<String> = ["", "-wal", "-journal", "-shm", ".lease"]

    private func put(_ obstacle: Obstacle, _ path: String, in scratch: Scratch) throws {
        try scratch.write(Array("theirs".utf8), "theirs")
        obstacle.put(at: path, theirs: scratch.folder + "/theirs")
    }

    @Test(arguments: Obstacle.all(), beside)
    func `G6 nothing in the place of a file holds the start up, and it is named or harmless`(
        obstacle: Obstacle, suffix: String
    ) async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 1)
        let path = scratch.path + suffix
        unlink(path)
        try put(obstacle, path, in: scratch)
        let clock = ContinuousClock()
        let begun = clock.now
        do {
            let store = try Store.openForTheNight(scratch.configuration())
            _ = try await store.load(now: Instant(milliseconds: 1_751_400_000_000))
            var nights = Nights(start: Instant(milliseconds: 1_753_400_000_000), seed: 3)
            _ = try await store.commit(try nights.act(.logDose(.dose1)))
            try await store.close()
            #expect(!Self.used.contains(suffix), "\(suffix) was used")
        } catch let error as StoreError {
            #expect([.unavailable, .damaged].contains(error.code), "\(error)")
            #expect((error.context + error.underlying).contains("dosetap.db"), "\(error)")
        }
        #expect(clock.now - begun < .seconds(20))
        #expect(try scratch.bytes("theirs") == Array("theirs".utf8))
    }

    /// An action that makes a file beside the store, with the suffix of that file.
    enum Work: String, CaseIterable {
        case restore = ".restored"
        case repair = ".repaired"
        case importing = ".imported"
        case beside = ".beside"
        case wipe = ".wipe-new"
        case keys = ".forget-new"
        case replacing = ".switch-new"
    }

    @Test(arguments: Obstacle.all(), Work.allCases)
    func
        `G6 what lies in the place of a file that is prepared is neither followed nor changed, and the record is whole`(
            obstacle: Obstacle, work: Work
        ) async throws
    {
        let scratch = try Scratch()
        var nights = try await scratch.filled(nights: 2)
        let store = try scratch.open()
        let backup = try #require(try await store.backUp(.manual, at: nights.now)).path
        let before = try await store.events(after: 0, limit: 1_000)
        try put(obstacle, scratch.path + work.rawValue, in: scratch)
        do {
            switch work {
            case .restore, .replacing:
                let descriptor = open(backup, O_RDONLY | O_CLOEXEC)
                defer { close(descriptor) }
                let prepared = try await store.prepareRestore(from: descriptor, now: nights.now, tonight: nil)
                let fact = try nights.restored().events[0]
                _ = try await store.restore(prepared, fact, keeping: ".replaced-2026-01-15T080000Z")
            case .repair:
                while try await store.prepareRepair(now: nights.now, isAsked: true) == nil {}
                try await store.replaceByRepaired()
            case .importing:
                let descriptor = open(scratch.folder + "/log", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
                defer { close(descriptor) }
                _ = try await store.export(ExportRequest(.log), into: descriptor, timeout: .seconds(30)) { _ in nil }
                lseek(descriptor, 0, SEEK_SET)
                let log = try await store.readLog(
                    from: descriptor, timeout: .seconds(30), now: Instant(milliseconds: 1_900_000_000_000))
                await store.drop(log)
            case .beside:
                try await store.continueBeside([], because: StoreError(code: .damaged, context: "a test"))
            case .wipe, .keys:
                if work == .keys {
                    try KeyIDFile.write(try #require(StoreKeyID("0123456789abcdef")), to: scratch.path)
                }
                _ = try await store.wipe(includingBackups: false)
            }
        } catch let error as StoreError {
            #expect([.unavailable, .damaged, .readOnly, .interrupted].contains(error.code), "\(error)")
        }
        #expect(try scratch.bytes("theirs") == Array("theirs".utf8))
        try? await store.close()
        guard work != .wipe, work != .keys, work != .beside else { return }
        let again = try Store.openForTheNight(scratch.configuration())
        let after = try await again.events(after: 0, limit: 1_000)
        #expect(after.prefix(before.count).map(\.event.id) == before.map(\.event.id))
        #expect(try await again.verify().isSound)
        try await again.close()
    }

    @Test(arguments: Obstacle.all())
    func `G6 in the place of the folder of backups nothing is followed, and the record goes on`(obstacle: Obstacle)
        async throws
    {
        let scratch = try Scratch()
        var nights = try await scratch.filled(nights: 1)
        try put(obstacle, scratch.folder + "/backups", in: scratch)
        let store = try scratch.open()
        // A folder at this path is a usable backups folder.
        if obstacle == .folder {
            #expect(try await store.backUp(.manual, at: nights.now) != nil)
        } else {
            await #expect { _ = try await store.backUp(.manual, at: nights.now) } throws: {
                ($0 as? StoreError)?.code == .unavailable
            }
        }
        _ = try? await store.backups()
        _ = try await store.commit(try nights.act(.logDose(.dose1)))
        let report = try await store.wipe(includingBackups: true)
        #expect(report.isFinished)
        #expect(try scratch.bytes("theirs") == Array("theirs".utf8))
        try await store.close()
    }
}

extension Store {
    fileprivate func isDistrustful() throws -> Bool {
        try read("asking") { csqlite_is_distrustful($0.sqliteConnection) == 1 }
    }

    fileprivate func execute(_ sql: String) throws { try read("trying") { try $0.execute(sql: sql) } }
}
