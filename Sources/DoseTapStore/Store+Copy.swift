import DoseTapDomain
import GRDB
import Glibc

/// A store that lies where nothing can be written, such as a read-only mount, is read from a copy: SQLite itself would write
/// beside it, or pass over what its write-ahead log has.
extension Store {
    /// So many bytes of a file are copied at most.
    private static let mostCopied = 1 << 30

    /// Opens a copy that has no name any more when this returns.
    ///
    /// - Parameter error: what is thrown where there is nothing to read, or no room for a copy.
    static func openCopy(
        _ configuration: StoreConfiguration, migrator: Migrator, because error: StoreError
    ) throws(StoreError) -> Store {
        guard try DatabaseFile(path: configuration.path, migrator: migrator).inspect() == .present else { throw error }
        for scratch in configuration.scratchFolders {
            var template = Array("\(scratch)/dosetap-XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { continue }
            let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            var copied = configuration
            copied.path = folder + "/dosetap.db"
            defer {
                for suffix in ["", "-wal", "-shm", ".head"] { unlink(copied.path + suffix) }
                rmdir(folder)
            }
            let isCopied = ["", "-wal", ".head"].allSatisfy { copy(configuration.path + $0, to: copied.path + $0) }
            guard isCopied else { continue }
            var connection = try Connection.open(copied, migrator: migrator)
            connection.findings.append(
                OpenFinding(
                    kind: .readOnly, expectedSequence: connection.head.sequence,
                    foundSequence: connection.head.sequence,
                    sentence: "the record at \(configuration.path) cannot be written: it is shown, nothing is recorded",
                    isOnRecord: true))
            let thread = try StoreThread.start()
            connection.queue.giveWay(on: thread)
            return Store(
                configuration, migrator: migrator, thread: thread, lease: nil, connection: connection, isCopy: true)
        }
        throw error
    }

    /// - Returns: false where there is something that cannot be copied.
    private static func copy(_ path: String, to other: String) -> Bool {
        let source = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard source >= 0 else { return errno == ENOENT }
        defer { Glibc.close(source) }
        let target = Glibc.open(other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard target >= 0 else { return false }
        defer { Glibc.close(target) }
        var room = [UInt8](repeating: 0, count: 1 << 18)
        var copied = 0
        while copied < mostCopied {
            let count = Glibc.read(source, &room, room.count)
            if count == 0 { return true }
            guard count > 0, Glibc.write(target, room, count) == count else { return false }
            copied += count
        }
        return false
    }
}
