import DoseTapDomain
import DoseTapStore
@testable import DoseTapStore
import DoseTapTestSupport
import Foundation
import GRDB

/// A folder for one test, removed at its end.
final class Scratch: Sendable {
    let folder: String
    private let storeID: String?

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var path: String { folder + "/dosetap.db" }

    /// - Parameter storeID: a fixed id, so that a seed gives the same file; nil gives the store an id of its own.
    init(storeID: String?) throws {
        var template = Array((NSTemporaryDirectory() + "/dosetap-store-XXXXXX").utf8CString)
        guard let made = mkdtemp(&template) else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        folder = String(cString: made)
        self.storeID = storeID
    }

    convenience init() throws { try self.init(storeID: nil) }

    func configuration(surface: String = "test") -> StoreConfiguration {
        guard let storeID else {
            return StoreConfiguration(path: path, surface: surface, now: Instant(milliseconds: 1_750_000_000_000))
        }
        return StoreConfiguration(
            path: path, surface: surface, now: Instant(milliseconds: 1_750_000_000_000),
            newDeviceID: { "01977420-dc00-7001-8000-00000000000d" }, newStoreID: { storeID })
    }

    func open() throws -> Store { try Store.open(configuration()) }

    /// Copies a file in another process. Closing a descriptor of an open database here would drop SQLite's locks.
    func copy(_ name: String, to other: String) throws {
        let result = try Command.run("/bin/cp", [folder + "/" + name, folder + "/" + other])
        guard result.status == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    func bytes(_ name: String = "dosetap.db") throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))
    }

    /// Writes in place, so that mode and owner stay.
    func write(_ bytes: [UInt8], _ name: String = "dosetap.db") throws {
        let descriptor = Foundation.open(folder + "/" + name, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        defer { Foundation.close(descriptor) }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw CocoaError(.fileWriteUnknown) }
            written += count
        }
    }

    /// Mounts a small file system on the folder; false where mounting is not allowed.
    func mount(size: String) throws -> Bool {
        guard geteuid() == 0, let mount = Command.path(of: "mount") else { return false }
        return try Command.run(mount, ["-t", "tmpfs", "-o", "size=\(size),mode=0700", "tmpfs", folder]).status == 0
    }

    func unmount() { _ = try? Command.run(Command.path(of: "umount") ?? "umount", [folder]) }

    /// Adds a table of another program, with an order and a CHECK that only that program has, and a plain one.
    func addForeignTables() throws {
        var configuration = GRDB.Configuration()
        configuration.prepareDatabase { database in
            database.add(collation: DatabaseCollation("theirs") { $0.compare($1) })
            database.add(function: DatabaseFunction("theirs", argumentCount: 1, pure: true) { _ in 1 })
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE sly(x TEXT COLLATE theirs CHECK (theirs(x)));
                    CREATE INDEX sly_x ON sly(x);
                    INSERT INTO sly VALUES ('b'), ('a');
                    CREATE TABLE plain(x TEXT);
                    CREATE INDEX plain_x ON plain(x);
                    INSERT INTO plain VALUES ('b'), ('a');
                    """)
        }
        try queue.close()
    }

    func remove(_ name: String) { try? FileManager.default.removeItem(atPath: folder + "/" + name) }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder + "/" + name) }

    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

    func mode(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
        return (attributes[.posixPermissions] as? Int) ?? -1
    }
}

extension Store {
    /// The kernel's name of the thread that runs the store.
    var threadName: String {
        let text = (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? ""
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The kernel's id of that thread.
    var threadID: Int32? {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
        return link.flatMap { $0.split(separator: "/").last }.flatMap { Int32($0) }
    }
}

/// Runs of other programs, each to its end.
enum Command {
    struct Result {
        var status: Int32
        var output: String
    }

    static func run(_ path: String, _ arguments: [String], input: String = "") throws -> Result {
        let child = try Child(path, arguments)
        try child.write(input)
        try child.closeInput()
        let end = try child.finish()
        return Result(status: end.status, output: end.output)
    }

    static func path(of name: String) -> String? {
        ["/usr/bin/", "/bin/", "/usr/local/bin/", "/usr/sbin/", "/sbin/"].map { $0 + name }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    static func exists(_ name: String) -> Bool { path(of: name) != nil }

    /// Runs SQL on a closed store with the program sqlite3.
    static func sqlite(_ database: String, _ sql: String) throws -> Result {
        try run(path(of: "sqlite3") ?? "sqlite3", ["-batch", database], input: sql)
    }
}
