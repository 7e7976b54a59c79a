import DoseTapDomain
import Foundation
import GRDB
import Testing

@testable import DoseTapStore

@Suite struct BackupTests {
    private static let now = Instant(milliseconds: 1_768_464_000_123)

    private static func log(_ path: String) throws -> (rows: [LogRow], version: Int, application: Int) {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer {
            ClosedQueues.keep(queue)
            try? queue.close()
        }
        return try queue.writeWithoutTransaction { database in
            (
                try Store.rows(database, "SELECT \(LogRow.columns) FROM events ORDER BY seq", []),
                try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0,
                try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
            )
        }
    }

    @Test func `R24.1 a backup is one private file with the whole log, and opens as a record elsewhere`() async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 3)
        let store = try scratch.open()
        let events = try await store.events(after: 0, limit: 1_000)
        let backup = try #require(try await store.backUp(.manual, at: Self.now))
        #expect(backup.events == Int64(events.count) && backup.isVerified && backup.notes.isEmpty)
        #expect(backup.path == scratch.folder + "/backups/" + backup.name)
        let files = try FileManager.default.contentsOfDirectory(atPath: scratch.folder + "/backups")
        #expect(files == [backup.name])
        #expect(try scratch.mode("backups") == 0o700 && scratch.mode("backups/" + backup.name) == 0o600)
        let found = try Self.log(backup.path)
        #expect(found.rows.map(\.hash) == events.map(\.hash))
        #expect(found.version == Int(Migrator().latest) && found.application == Int(Migrator.applicationID))
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder + "/backups") == [backup.name])
        #expect(Int64(try Data(contentsOf: URL(fileURLWithPath: backup.path)).count) == backup.bytes)
        var listed = backup
        listed.at = Instant(milliseconds: 1_768_464_000_000)
        #expect(try await store.backups() == [listed])
        try await store.close()
        let other = try Scratch()
        try other.write([UInt8](try Data(contentsOf: URL(fileURLWithPath: backup.path))))
        let opened = try other.open()
        #expect(try await opened.verify().isSound)
        #expect(try await opened.check().isSound)
        #expect(opened.storeID == store.storeID)
        try await opened.close()
    }

    @Test func `R24.1 backups that are as they were are not opened again, and a changed one is`() async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 2)
        let store = try scratch.open()
        let backup = try #require(try await store.backUp(.manual, at: Self.now))
        // A file that changed within the last two seconds is always read, and a test cannot date a change back.
        try await Task.sleep(for: .seconds(2.1))
        let listed = try await store.backups()
        #expect(listed.map(\.problem) == [""])
        let kept = ClosedQueues.count
        for _ in 0..<100 { #expect(try await store.backups() == listed) }
        // Other tests of this process may close stores meanwhile, but not fifty.
        #expect(ClosedQueues.count - kept < 50)
        let file = try #require(FileHandle(forUpdatingAtPath: backup.path))
        try file.write(contentsOf: Data(repeating: 0, count: 100))
        try file.close()
        #expect(try await store.backups().map(\.problem) != [""])
        try await store.close()
    }

    private static func draft(_ scratch: Scratch) throws -> String {
        try scratch.write([], "draft.db")
        return scratch.folder + "/draft.db"
    }

    @Test func `R24.1 what is recorded between two steps of a backup is in it`() async throws {
        let scratch = try Scratch()
        var nights = try await scratch.filled(nights: 60)
        let store = try scratch.open()
        let draft = try Self.draft(scratch)
        try await store.beginCopy(7, to: draft)
        var (head, committed) = (ChainHead?.none, 0)
        nights.pass(.hours(30))
        while head == nil {
            head = try await store.stepCopy(7)
            guard head == nil else { break }
            _ = try await store.commit(try nights.act(.logSleepEvent("bathroom")))
            nights.pass(.minutes(2))
            committed += 1
        }
        #expect(committed > 1)
        let events = try await store.events(after: 0, limit: 100_000)
        #expect(try Self.log(draft).rows.map(\.hash) == events.map(\.hash))
        #expect(try await store.verify().isSound)
        try await store.close()
    }

    @Test func `R24.1 a store that is opened anew ends a backup that is being made`() async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 60)
        let store = try scratch.open()
        try await store.beginCopy(7, to: try Self.draft(scratch))
        #expect(try await store.stepCopy(7) == nil)
        try await store.reopen()
        await #expect(throws: StoreError.self) { try await store.stepCopy(7) }
        #expect(try await store.verify().isSound)
        try await store.close()
    }

    @Test func `R24.1 doses go in while backups are made, and a backup that nobody waits for leaves nothing`()
        async throws
    {
        let scratch = try Scratch()
        var nights = try await scratch.filled(nights: 30)
        let store = try scratch.open()
        nights.pass(.hours(30))
        let backups = (0..<3).map { _ in
            Task(priority: .utility) { try await store.backUp(.manual, at: Self.now)?.events }
        }
        let given = Task(priority: .utility) { try await store.backUp(.daily, at: Self.now) }
        given.cancel()
        for _ in 0..<50 {
            _ = try await store.commit(try nights.act(.logSleepEvent("bathroom")))
            nights.pass(.minutes(2))
        }
        for backup in backups { #expect(try await backup.value ?? 0 > 100) }
        _ = try? await given.value
        let files = try FileManager.default.contentsOfDirectory(atPath: scratch.folder + "/backups")
        #expect(files.allSatisfy { Backup(name: $0) != nil }, "\(files)")
        #expect(try await store.backups().allSatisfy(\.isVerified))
        #expect(try await store.verify().isSound)
        try await store.close()
    }

    @Test func `R24.1 into a caller's file goes what is verified, and nothing but an empty plain file is written`()
        async throws
    {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 2)
        let store = try scratch.open()
        func attempt(_ path: String, _ flags: Int32) async -> Result<Backup?, any Error> {
            let descriptor = open(path, flags | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return .failure(POSIXError(.EBADF)) }
            defer { close(descriptor) }
            do { return .success(try await store.backUp(into: descriptor, at: Self.now)) } catch {
                return .failure(error)
            }
        }
        let target = scratch.folder + "/copy.db"
        let made = try #require(try await attempt(target, O_RDWR | O_CREAT).get())
        #expect(try Self.log(target).rows.count == Int(made.events) && made.path.isEmpty)
        #expect(Int64(try scratch.bytes("copy.db").count) == made.bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder + "/backups").isEmpty)
        #expect(mkfifo(scratch.folder + "/pipe", 0o600) == 0)
        for (path, flags) in [
            (target, O_RDWR), (scratch.folder + "/a", O_WRONLY | O_CREAT | O_APPEND),
            (scratch.folder + "/b", O_RDONLY | O_CREAT), (scratch.folder + "/pipe", O_RDWR), ("/dev/null", O_RDWR),
            (scratch.folder, O_RDONLY | O_DIRECTORY),
        ] {
            guard case .failure(let error as StoreError) = await attempt(path, flags) else {
                Issue.record("\(path) was taken")
                continue
            }
            #expect(error.code == .unfit, "\(path): \(error)")
        }
        #expect(try await store.verify().isSound)
        try await store.close()
    }

    @Test func `R24.1 with a fresh log in use that is what is backed up, and it is told`() async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 1)
        try scratch.write([UInt8](repeating: 0xA7, count: 9_000))
        let store = try Store.openForTheNight(scratch.configuration())
        let backup = try #require(try await store.backUp(.manual, at: Self.now))
        #expect(backup.notes.contains { $0.contains("is damaged and is not in the backup") })
        #expect(backup.path.hasPrefix(scratch.folder + "/backups/manual-"))
        try await store.close()
    }

    @Test func `R24.3 a file in the folder that is cut off or changed is listed as not verified`() async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 2)
        let store = try scratch.open()
        let backup = try #require(try await store.backUp(.manual, at: Self.now))
        let name = "backups/" + backup.name
        let whole = try scratch.bytes(name)
        for spoilt in [
            Array(whole.prefix(whole.count / 2)), [], [UInt8](repeating: 0, count: 5_000), Array("text".utf8),
        ] {
            try scratch.write(spoilt, name)
            let listed = try await store.backups()
            #expect(listed.count == 1 && !listed[0].isVerified, "\(listed)")
        }
        try scratch.write(whole, name)
        try scratch.write(whole, "backups/other.db")
        #expect(try await store.backups().map(\.isVerified) == [true])
        try await store.close()
    }

    @Test func `R24.4 a backup that cannot be read is nobody's, and one that cannot be removed is told`() async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 1)
        let store = try scratch.open()
        let made = try #require(try await store.backUp(.daily, at: Self.now))
        let whole = try scratch.bytes("backups/" + made.name)
        try scratch.write(Array(whole.prefix(1_000)), "backups/" + made.name)
        #expect(try await store.backups().map(\.isOwn) == [false])
        try await store.remove([made])
        #expect(try await store.backups().isEmpty)
        // Removing a backup that is already gone is no error.
        try await store.remove([made])
        try FileManager.default.createDirectory(atPath: made.path, withIntermediateDirectories: false)
        await #expect(throws: StoreError.self) { try await store.remove([made]) }
        try await store.close()
    }

    @Test func `R24.5 only as many automatic backups give way as are needed, and none where that is not enough`()
        async throws
    {
        let scratch = try Scratch()
        guard try scratch.mount(size: "64m") else {
            try Test.cancel("needs to mount a file system: run Contrib/test as root")
        }
        defer { scratch.unmount() }
        _ = try await scratch.filled(nights: 2)
        let store = try scratch.open()
        var made: [Backup] = []
        for day in 0..<3 {
            made.insert(try #require(try await store.backUp(.daily, at: Self.now + .hours(24 * day))), at: 0)
        }
        let folder = await store.backupFolder
        let filler = scratch.folder + "/filler"
        func fill(missing: Int64, for bytes: Int64? = nil) throws {
            scratch.remove("filler")
            let size = Int(missing - folder.missing(for: bytes ?? made[0].bytes))
            #expect(FileManager.default.createFile(atPath: filler, contents: Data(count: size)))
        }
        try fill(missing: 4 << 20)
        await #expect(throws: StoreError.self) { try await store.backUp(.daily, at: Self.now + .hours(96)) }
        #expect(try await store.backups().map(\.name) == made.map(\.name))
        try fill(missing: 4_096)
        let last = try #require(try await store.backUp(.daily, at: Self.now + .hours(96)))
        #expect(try await store.backups().map(\.name) == [last.name, made[0].name, made[1].name])
        // They give way to a backup that the person asks for, too.
        try fill(missing: 4_096)
        let asked = try #require(try await store.backUp(.manual, at: Self.now + .hours(97)))
        #expect(try await store.backups().map(\.name) == [asked.name, last.name, made[0].name])
        try await store.close()
        // So do those of an older record to the backup before its schema is brought up. Those of another record stay.
        let old = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures/v6.db")
        let bytes = [UInt8](try Data(contentsOf: old))
        scratch.remove("filler")
        try scratch.write(bytes, "old.db")
        var configuration = scratch.configuration()
        configuration.path = scratch.folder + "/old.db"
        let brought = try Store.open(configuration)
        for day in 0..<2 { _ = try await brought.backUp(.daily, at: Self.now + .hours(200 + 24 * day)) }
        let newest = try #require(try await brought.backups().first)
        try await brought.close()
        for name in try scratch.names() where name.hasPrefix("old.db") { scratch.remove(name) }
        try scratch.write(bytes, "old.db")
        try fill(missing: 4_096, for: Int64(bytes.count))
        let again = try Store.open(configuration)
        let backups = try await again.backups()
        #expect(backups.count { $0.kind == .migration } == 1)
        let left = Set(backups.filter { $0.kind == .daily }.map(\.name))
        #expect(left == [newest.name, last.name, made[0].name], "\(backups)")
        try await again.close()
    }

    @Test(.enabled(if: Command.exists("sqlite3"), "needs sqlite3: run Contrib/test"))
    func `R24.7 the copy of a log with a fault is not verified and takes the place of no sound one`() async throws {
        let scratch = try Scratch()
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures/v6.db")
        let bytes = [UInt8](try Data(contentsOf: file))
        try scratch.write(bytes)
        let store = try scratch.open()
        let sound = try await store.backups()
        #expect(sound.map(\.isVerified) == [true])
        try await store.close()
        try scratch.write(bytes)
        #expect(try Command.sqlite(scratch.path, "UPDATE events SET surface = 'sly' WHERE seq = 2").output.isEmpty)
        let again = try scratch.open()
        let all = try await again.backups()
        #expect(all.count == 2 && all.filter(\.isVerified).map(\.name) == sound.map(\.name), "\(all)")
        #expect(all.filter { !$0.isVerified }.map(\.kind) == [.migration])
        try await again.close()
    }

    @Test(.enabled(if: Command.exists("sqlite3"), "needs sqlite3: run Contrib/test"))
    func `R24.1 R24.8 a plain table of another program keeps no backup and no restore back, and no check of it is run`()
        async throws
    {
        let scratch = try Scratch()
        let nights = try await scratch.filled(nights: 2)
        // The row breaks its CHECK constraint, so SQLite finds it if it runs the check.
        let sql =
            "PRAGMA ignore_check_constraints=ON; CREATE TABLE sly(x CHECK (x > 5)); CREATE INDEX sly_x ON sly(x); "
            + "INSERT INTO sly VALUES (1)"
        #expect(try Command.sqlite(scratch.path, sql).output.isEmpty)
        let store = try scratch.open()
        let daily = try #require(try await store.backUp(.daily, at: Self.now))
        let manual = try #require(try await store.backUp(.manual, at: Self.now + .hours(24)))
        #expect(try await store.backups().map(\.isVerified) == [true, true])
        for backup in [daily, manual] {
            let descriptor = open(backup.path, O_RDONLY | O_CLOEXEC)
            defer { close(descriptor) }
            let prepared = try await store.prepareRestore(from: descriptor, now: nights.now, tonight: nil)
            #expect(prepared.report.isSameRecord && prepared.report.backup.events == backup.events)
            try await store.dropRestore()
        }
        #expect(try await store.check().findings.contains("table sly does not belong to the schema"))
        try await store.close()
    }

    @Test func `R24.1 R24.8 a table of another program that SQLite cannot check keeps no backup and no restore back`()
        async throws
    {
        let scratch = try Scratch()
        let nights = try await scratch.filled(nights: 2)
        try scratch.addForeignTables()
        let store = try scratch.open()
        let daily = try #require(try await store.backUp(.daily, at: Self.now))
        #expect(try await store.backups().map(\.isVerified) == [true])
        let descriptor = open(daily.path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let prepared = try await store.prepareRestore(from: descriptor, now: nights.now, tonight: nil)
        #expect(prepared.report.isSameRecord && prepared.report.backup.events == daily.events)
        try await store.dropRestore()
        try await store.close()
    }

    @Test func `R24.5 a backup without enough space says where the space is missing`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        let folder = await store.backupFolder
        #expect {
            try folder.begin(bytes: 1 << 60, number: 901)
        } throws: {
            guard let error = $0 as? StoreError else { return false }
            return error.code == .noSpace && error.context.contains("not enough space beside the record")
        }
        try await store.close()
    }

    @Test func `what an earlier run left is swept, and a backup that is being made stays`() async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 1)
        let store = try scratch.open()
        let draft = try await store.backupFolder.begin(bytes: 1, number: 900)
        try scratch.write([1], "backups/.new-1")
        try await store.sweepBackups()
        #expect(!scratch.exists("backups/.new-1") && FileManager.default.fileExists(atPath: draft))
        try await store.close()
    }

    @Test func `a record that has no file yet is not backed up`() async throws {
        let scratch = try Scratch()
        var configuration = scratch.configuration()
        configuration.isMadeWithFirstEntry = true
        let store = try Store.open(configuration)
        #expect(try await store.backUp(.manual, at: Self.now) == nil)
        #expect(try scratch.names().isEmpty)
    }
}
