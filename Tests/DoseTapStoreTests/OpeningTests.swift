import DoseTapDomain
import DoseTapTestSupport
import Foundation
import GRDB
import Testing

@testable import DoseTapStore

@Suite struct OpeningTests {
    private func code(_ scratch: Scratch) -> StoreError.Code? {
        do {
            _ = try scratch.open()
            return nil
        } catch {
            return (error as? StoreError)?.code
        }
    }

    @Test func `a new store is private, exclusive, write-ahead and fully synchronous`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        #expect(try await store.value(String.self, "PRAGMA locking_mode") == "exclusive")
        #expect(try await store.value(String.self, "PRAGMA journal_mode") == "wal")
        #expect(try await store.value(Int.self, "PRAGMA synchronous") == 2)
        #expect(try await store.value(Int.self, "PRAGMA trusted_schema") == 0)
        #expect(try await store.value(Int.self, "PRAGMA cell_size_check") == 1)
        #expect(try await store.value(Int.self, "PRAGMA foreign_keys") == 1)
        #expect(try await store.value(Int.self, "PRAGMA journal_size_limit") == -1)
        #expect(try await store.value(Int.self, "PRAGMA application_id") == 0x4454_6170)
        #expect(try await store.value(Int.self, "PRAGMA user_version") == Int(Migrator().latest))
        var nights = Nights()
        _ = try await store.commit(try nights.act(.logDose(.dose1)))
        let names = try scratch.names()
        #expect(
            names == [
                "dosetap.db", "dosetap.db-wal", "dosetap.db.head", "dosetap.db.lease", "dosetap.db.night",
                "dosetap.db.reserve",
            ])
        for name in names { #expect(try scratch.mode(name) == 0o600, "\(name)") }
        #expect(await store.openFindings.isEmpty)
        try await store.close()
        #expect(
            try scratch.names() == [
                "dosetap.db", "dosetap.db.head", "dosetap.db.lease", "dosetap.db.night", "dosetap.db.reserve",
            ])
    }

    @Test func `a store keeps its identity and the machine it was made on`() async throws {
        let scratch = try Scratch()
        let first = try scratch.open()
        let (storeID, deviceID) = (first.storeID, first.deviceID)
        try await first.close()
        let second = try scratch.open()
        #expect(second.storeID == storeID && second.deviceID == deviceID)
        #expect(storeID.utf8.count == 36 && storeID != deviceID)
        try await second.close()
    }

    @Test func `a missing folder is named`() throws {
        let scratch = try Scratch()
        #expect {
            try Store.open(
                StoreConfiguration(path: scratch.folder + "/none/x.db", surface: "test", now: Instant(milliseconds: 0)))
        } throws: {
            ($0 as? StoreError)?.code == .unavailable
        }
    }

    @Test(arguments: [
        (ENOLCK, StoreError.Code.unavailable), (EMFILE, .unavailable), (ENFILE, .unavailable), (ENOMEM, .unavailable),
        (EIO, .unavailable), (EOPNOTSUPP, .unavailable), (ENOSPC, .noSpace), (EDQUOT, .noSpace), (EROFS, .readOnly),
        (EBADF, .internal),
    ])
    func `B7 J4 what the machine lacks is told with its reason, and is no fault of the program`(
        number: CInt, code: StoreError.Code
    ) {
        let error = SystemCall.failure("fcntl", "x.lease", number, context: "the store's folder does not support locks")
        let reason = String(cString: strerror(number))
        #expect(error.code == code && error.context == "the store's folder does not support locks (x.lease: \(reason))")
        #expect(error.underlying.contains("error \(number)"))
    }

    @Test func `J3 a database without memory is told as unavailable, so that a dose is kept`() {
        let error = StoreError(DatabaseError(resultCode: .SQLITE_NOMEM), doing: "recording")
        #expect(error.code == .unavailable)
    }

    @Test func `a folder others may write to is refused`() throws {
        let scratch = try Scratch()
        chmod(scratch.folder, 0o777)
        #expect(code(scratch) == .unavailable)
        #expect(try !scratch.names().contains("dosetap.db"))
    }

    @Test(arguments: ["dosetap.db", "dosetap.db.lease", "dosetap.db-wal"])
    func `a symbolic link in place of a file is refused`(name: String) async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 1)
        scratch.remove(name)
        try scratch.write([UInt8](repeating: 65, count: 10), "target")
        try FileManager.default.createSymbolicLink(
            atPath: scratch.folder + "/" + name, withDestinationPath: scratch.folder + "/target")
        #expect(code(scratch) == .unavailable)
        #expect(try scratch.bytes("target") == [UInt8](repeating: 65, count: 10))
    }

    @Test func `a symbolic link in place of the head file only makes the head unknown`() async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 1)
        scratch.remove("dosetap.db.head")
        try scratch.write([1, 2, 3], "target")
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path + ".head", withDestinationPath: scratch.folder + "/target")
        let store = try scratch.open()
        #expect(await store.openFindings.map(\.kind) == [.unknownHead])
        try await store.close()
        #expect(try scratch.bytes("target") == [1, 2, 3])
    }

    enum Spoiling: CaseIterable {
        case empty, zeros, halved, shortHeader, text, otherProgram, newer, versionLost

        var expected: StoreError.Code {
            switch self {
            case .empty, .zeros, .halved, .shortHeader, .versionLost: .damaged
            case .text, .otherProgram: .foreign
            case .newer: .newer
            }
        }

        func apply(_ bytes: [UInt8]) -> [UInt8] {
            var bytes = bytes
            switch self {
            case .empty: return []
            case .zeros: return [UInt8](repeating: 0, count: bytes.count)
            case .halved: return Array(bytes.prefix(bytes.count / 2))
            case .shortHeader: return Array(bytes.prefix(57))
            case .text: return Array(repeating: UInt8(ascii: "x"), count: 5_000)
            case .otherProgram: bytes.replaceSubrange(68..<72, with: [0, 0, 0, 7])
            case .newer: bytes.replaceSubrange(60..<64, with: [0, 0, 3, 231])
            case .versionLost: bytes.replaceSubrange(60..<64, with: [0, 0, 0, 0])
            }
            return bytes
        }
    }

    @Test(arguments: Spoiling.allCases)
    func `C3 C7 a file that is not a whole store of ours is refused and left untouched`(spoiling: Spoiling) async throws
    {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 2)
        let spoiled = spoiling.apply(try scratch.bytes())
        try scratch.write(spoiled)
        #expect(code(scratch) == spoiling.expected)
        #expect(try scratch.bytes() == spoiled)
        #expect(
            try scratch.names() == [
                "dosetap.db", "dosetap.db.head", "dosetap.db.lease", "dosetap.db.night", "dosetap.db.reserve",
            ])
    }

    @Test func `C3 a write-ahead log without its file is never overwritten`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        var nights = Nights()
        try await store.commit(all: try nights.night())
        try scratch.copy("dosetap.db-wal", to: "kept")
        try await store.close()
        scratch.remove("dosetap.db")
        try scratch.copy("kept", to: "dosetap.db-wal")
        let before = try scratch.bytes("dosetap.db-wal")
        #expect(code(scratch) == .damaged)
        #expect(try scratch.bytes("dosetap.db-wal") == before)
        #expect(!scratch.exists("dosetap.db"))
    }

    @Test func `a file gone while the head remembers events is told`() async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 1)
        scratch.remove("dosetap.db")
        let store = try scratch.open()
        let finding = try #require(await store.openFindings.first)
        #expect(finding.kind == .otherStore && finding.expectedSequence == 6 && finding.foundSequence == 0)
        try await store.close()
    }

    @Test func `an interrupted first creation is repeated`() async throws {
        let scratch = try Scratch()
        try scratch.write([1, 2, 3], "dosetap.db.new")
        try scratch.write([], "dosetap.db.new-wal")
        let store = try scratch.open()
        #expect(try await store.verify().isSound)
        try await store.close()
        #expect(
            try scratch.names() == [
                "dosetap.db", "dosetap.db.head", "dosetap.db.lease", "dosetap.db.night", "dosetap.db.reserve",
            ])
    }

    @Test func `D5 a second opener in the same process is told who holds the store`() async throws {
        let scratch = try Scratch()
        let store = try Store.open(scratch.configuration(surface: "service"))
        #expect {
            try scratch.open()
        } throws: { error in
            guard let error = error as? StoreError else { return false }
            return error.code == .locked && error.context.contains("process \(getpid()) (service")
        }
        try await store.close()
        try await scratch.open().close()
    }

    @Test(.enabled(if: Command.exists("python3"), "needs python3: run Contrib/test"))
    func `D5 a lease held by another process keeps the store shut until that process ends`() async throws {
        let scratch = try Scratch()
        let script = """
            import fcntl, os, struct, sys
            f = open(sys.argv[1], "w")
            fcntl.fcntl(f, 37, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0))
            f.write("pid=%d start=1 surface=other\\n" % os.getpid()); f.flush()
            print("held", flush=True)
            sys.stdin.read()
            """
        let child = try Child(Command.path(of: "python3") ?? "", ["-c", script, scratch.path + ".lease"])
        #expect(child.read(until: "held").contains("held"))
        #expect {
            try scratch.open()
        } throws: { error in
            guard let error = error as? StoreError else { return false }
            return error.code == .locked
                && error.context.contains("process \(child.processID) (other, started at tick 1)")
        }
        #expect(!scratch.exists("dosetap.db"))
        try child.closeInput()
        _ = try child.finish()
        try await scratch.open().close()
    }

    @Test(.enabled(if: Command.exists("sqlite3"), "needs sqlite3: run Contrib/test"))
    func `A10 another program finds the open store busy, and we notice nothing`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        var nights = Nights()
        _ = try await store.commit(try nights.act(.logDose(.dose1)))
        for sql in ["SELECT count(*) FROM events;", "DELETE FROM events;", "PRAGMA wal_checkpoint(TRUNCATE);"] {
            let result = try Command.sqlite(scratch.path, sql)
            #expect(result.output.contains("locked") || result.output.contains("1|"), "\(sql): \(result)")
        }
        nights.pass(.minutes(160))
        _ = try await store.commit(try nights.act(.logDose(.dose2)))
        #expect(try await store.verify().isSound)
        try await store.close()
        let result = try Command.sqlite(scratch.path, "SELECT count(*) FROM dose_events;")
        #expect(result.output == "2\n")
    }

    @Test(.enabled(if: Command.exists("sqlite3"), "needs sqlite3: run Contrib/test"))
    func `a store that another program holds is locked for us`() async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 1)
        let child = try Child(Command.path(of: "sqlite3") ?? "", ["-batch", scratch.path])
        try child.write("PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; SELECT 'held';\n")
        #expect(child.read(until: "held").contains("held"))
        #expect(code(scratch) == .locked)
        try child.closeInput()
        _ = try child.finish()
        try await scratch.open().close()
    }

    @Test func `a store readable by others is made private again`() async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 1)
        chmod(scratch.path, 0o644)
        try await scratch.open().close()
        #expect(try scratch.mode("dosetap.db") == 0o600)
    }

    @Test func `after closing every method says so, and reopening serves again`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        var nights = Nights()
        _ = try await store.commit(try nights.act(.logDose(.dose1)))
        try await store.close(cursors: ["bell": 2])
        await #expect { try await store.events(after: 0, limit: 1) } throws: {
            ($0 as? StoreError)?.code == .unavailable
        }
        try await store.reopen()
        #expect(try await store.load(now: nights.now).cursors == ["bell": 2])
        #expect(try await store.events(after: 0, limit: 10).count == 2)
        try await store.close()
    }

    @Test func `reopening in place of another store is refused`() async throws {
        let (scratch, other) = (try Scratch(), try Scratch())
        _ = try await other.filled(nights: 1)
        let store = try scratch.open()
        try await store.close()
        try scratch.write(try other.bytes())
        await #expect { try await store.reopen() } throws: { ($0 as? StoreError)?.code == .foreign }
    }

    @Test(arguments: ["dosetap.db-journal", "dosetap.db.lease", "dosetap.db-shm"])
    func `a pipe in place of a file is refused by name and holds nothing up`(name: String) async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 1)
        scratch.remove(name)
        #expect(mkfifo(scratch.folder + "/" + name, 0o600) == 0)
        #expect(code(scratch) == .unavailable)
    }

    @Test(arguments: ["dosetap.db", "dosetap.db.lease"])
    func `a file with a second name is refused by name`(name: String) async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 1)
        #expect(link(scratch.folder + "/" + name, scratch.folder + "/other") == 0)
        #expect(code(scratch) == .unavailable)
    }

    @Test func `a folder that others may replace is refused by name`() async throws {
        let scratch = try Scratch()
        let inner = scratch.folder + "/inner"
        mkdir(inner, 0o700)
        chmod(scratch.folder, 0o777)
        #expect {
            try Store.open(
                StoreConfiguration(path: inner + "/x.db", surface: "test", now: Instant(milliseconds: 0)))
        } throws: {
            ($0 as? StoreError)?.code == .unavailable
        }
    }
}
