import DoseTapDomain
import GRDB
import Glibc

/// The database file as the file system shows it, looked at before SQLite touches it.
///
/// SQLite's own locks are lost when any other descriptor of the file is closed in this process, so nothing here may
/// run while the database is open.
struct DatabaseFile {
    let path: String
    let migrator: Migrator

    enum State: Hashable {
        /// Nothing, and no sign of a lost store.
        case absent
        /// A DoseTap database, by its header.
        case present
    }

    /// Checks folder and file without changing either.
    ///
    /// - Throws: ``StoreError`` naming the obstacle; the file stays as it is.
    func inspect() throws(StoreError) -> State {
        try checkFolder()
        // SQLite would open whatever lies there, and wait for ever at a pipe.
        for suffix in ["-journal", "-shm"] { _ = try size(of: path + suffix, isOurs: true) }
        let hasLog = try size(of: path + "-wal", isOurs: true).map { $0 > 0 } ?? false
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            let code = errno
            guard code == ENOENT else { throw unopened(code) }
            guard !hasLog else {
                throw damaged("the store's file is gone, but its write-ahead log is still there: put the file back")
            }
            return .absent
        }
        defer { Glibc.close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unopened(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw unopened(EISDIR) }
        guard status.st_uid == geteuid() else {
            throw StoreError(
                code: .unavailable, context: "the store's file belongs to another user", underlying: path)
        }
        guard status.st_nlink == 1 else {
            throw StoreError(
                code: .unavailable, context: "the store's file has a second name elsewhere (a hard link)",
                underlying: path)
        }
        if status.st_mode & 0o077 != 0 { _ = fchmod(descriptor, 0o600) }
        try checkHeader(descriptor, size: Int64(status.st_size), hasLog: hasLog)
        return .present
    }

    private func checkFolder() throws(StoreError) {
        let folder = self.folder
        var status = stat()
        guard lstat(folder, &status) == 0 else { throw noFolder(errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw noFolder(ENOTDIR) }
        guard status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
            throw StoreError(
                code: .unavailable, context: "the store's folder belongs to another user or others may write there",
                underlying: folder)
        }
        // A user who can rename the folder can replace it; not where the parent has the sticky bit. A group that can
        // write is accepted: on many machines it is the person's own.
        let parent = folder + "/.."
        guard stat(parent, &status) == 0, status.st_mode & 0o002 == 0 || status.st_mode & S_ISVTX != 0 else {
            throw StoreError(
                code: .unavailable, context: "others may put another folder in the place of the store's",
                underlying: parent)
        }
    }

    var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private func noFolder(_ code: CInt) -> StoreError {
        SystemCall.failure("lstat", folder, code, context: "the store's folder is missing or is no plain folder")
    }

    private func unopened(_ code: CInt) -> StoreError {
        StoreError(
            code: .unavailable,
            context: code == ELOOP ? "the store's file is a symbolic link" : "the store's file cannot be opened",
            underlying: "\(path): \(SystemCall.message(code))")
    }

    private func damaged(_ context: String) -> StoreError {
        StoreError(code: .damaged, context: context, underlying: path)
    }

    /// Size of a file beside the database; nil when there is none.
    private func size(of path: String, isOurs: Bool) throws(StoreError) -> Int64? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw StoreError(
                code: .unavailable, context: "a file beside the store is a symbolic link or no plain file",
                underlying: path)
        }
        return Int64(status.st_size)
    }

    /// Checks the first 100 bytes (SQLite file format 1.3).
    private func checkHeader(_ descriptor: CInt, size: Int64, hasLog: Bool) throws(StoreError) {
        guard size > 0 else { throw damaged("the store's file is empty: nothing of it is used or overwritten") }
        var header = [UInt8](repeating: 0, count: 100)
        let count = pread(descriptor, &header, header.count, 0)
        guard count >= 0 else { throw damaged("the store's file cannot be read: \(SystemCall.message(errno))") }
        guard count == header.count else { throw damaged("the store's file is cut off after \(size) bytes") }
        guard header.prefix(16).elementsEqual("SQLite format 3\0".utf8) else {
            if header.allSatisfy({ $0 == 0 }) { throw damaged("the store's file begins with zeros") }
            throw StoreError(code: .foreign, context: "the store's file is no database", underlying: path)
        }
        let applicationID = Self.word(header, 68)
        guard applicationID == Migrator.applicationID else {
            throw StoreError(
                code: .foreign, context: "the store's file is a database of another program",
                underlying: "application_id \(applicationID) in \(path)")
        }
        let version = Self.word(header, 60)
        guard version <= migrator.latest else { throw migrator.newer(version, path) }
        let stored = Int64(header[16]) << 8 | Int64(header[17])
        let pageSize: Int64 = stored == 1 ? 65_536 : stored
        let pages = Int64(Self.word(header, 28))
        // With a write-ahead log the file may be shorter: an interrupted checkpoint will be repeated.
        if !hasLog, size < pages * pageSize {
            throw damaged("the store's file is cut off: \(size) of \(pages * pageSize) bytes are there")
        }
    }

    private static func word(_ bytes: [UInt8], _ offset: Int) -> Int32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int32($1) }
    }
}

/// Makes a store, complete and flushed under another name first, so that a power cut leaves none or an empty one.
struct NewDatabase {
    let file: DatabaseFile
    let configuration: StoreConfiguration

    private var draft: String { file.path + ".new" }

    func make() throws(StoreError) {
        let doing = "making a new store"
        // Removes the rest of an earlier attempt that crashed; the lease excludes other processes.
        for suffix in ["", "-wal", "-journal", "-shm"] { unlink(draft + suffix) }
        let descriptor = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemCall.failure("open", draft, errno, context: doing) }
        _ = fchmod(descriptor, 0o600)
        Glibc.close(descriptor)
        do {
            let queue = try Connection.database(draft, migrator: file.migrator, isNew: true)
            try queue.writeWithoutTransaction { database in
                try file.migrator.migrate(database)
                let meta = StoreMeta(storeID: configuration.newStoreID(), deviceID: configuration.newDeviceID())
                try meta.insert(database, created: configuration.now.iso8601)
            }
            try queue.close()
            ClosedQueues.keep(queue)
        } catch {
            throw StoreError(error, doing: doing)
        }
        try SystemCall.synchronize(draft)
        guard rename(draft, file.path) == 0 else { throw SystemCall.failure("rename", draft, errno, context: doing) }
        // SQLite flushes the folder for its logs, not for the file itself; a new folder needs a flush of its parent,
        // too.
        try SystemCall.synchronize(file.folder, flags: O_DIRECTORY)
        do {
            try SystemCall.synchronize(file.folder + "/..", flags: O_DIRECTORY)
        } catch let error where error.code == .unavailable {
            // A parent that can be entered but not read cannot be flushed; the folder itself was made earlier.
        }
    }
}
