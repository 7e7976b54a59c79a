import DoseTapDomain
import GRDB
import Glibc

/// The database file in the file system, looked at before SQLite touches it.
///
/// SQLite's own locks are lost when any other descriptor of the file is closed in this process, so nothing here may run while
/// the database is open.
struct DatabaseFile {
    let path: String
    let migrator: Migrator
    /// The key of an encrypted store.
    let key: StoreKey?
    /// The file's name in an error.
    var name = sent("the store's file")

    enum State: Hashable {
        /// No file, and no sign of a lost store.
        case absent
        /// A DoseTap database, by its header.
        case present
    }

    /// Checks folder and file without changing either.
    ///
    /// - Throws: ``StoreError`` naming the obstacle; the file stays as it is.
    func inspect() throws(StoreError) -> State {
        try checkFolder()
        // SQLite would open any kind of file here, and wait for ever at a pipe.
        for suffix in ["-journal", "-shm"] { _ = try size(of: path + suffix) }
        let hasLog = try size(of: path + "-wal").map { $0 > 0 } ?? false
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            let code = errno
            guard code == ENOENT else { throw unopened(code) }
            guard !hasLog else {
                try checkLost()
                throw damaged(sent("\(name) is gone, but its write-ahead log is still there: put the file back"))
            }
            if let id = EncryptedFile.keyID(besides: path) { try EncryptedFile.check(key, opens: id, path) }
            return .absent
        }
        defer { Glibc.close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unopened(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw unopened(EISDIR) }
        guard status.st_uid == geteuid() else {
            throw StoreError(
                code: .unavailable, context: "\(name) belongs to another user", underlying: path)
        }
        guard status.st_nlink == 1 else {
            throw StoreError(
                code: .unavailable, context: "\(name) has a second name elsewhere (a hard link)",
                underlying: path)
        }
        if status.st_mode & 0o077 != 0 { _ = fchmod(descriptor, 0o600) }
        try checkHeader(descriptor, size: Int64(status.st_size), hasLog: hasLog)
        return .present
    }

    func checkFolder() throws(StoreError) {
        let folder = self.folder
        var status = stat()
        guard lstat(folder, &status) == 0 else { throw noFolder(errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw noFolder(ENOTDIR) }
        guard status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
            throw StoreError(
                code: .unavailable, context: "the store's folder belongs to another user or others may write there",
                underlying: folder)
        }
        // A user who can rename the folder can replace it, unless the parent has the sticky bit. A group with the right to
        // write is accepted: on many machines it is the person's own.
        let parent = folder + "/.."
        guard stat(parent, &status) == 0, status.st_mode & 0o002 == 0 || status.st_mode & S_ISVTX != 0 else {
            throw StoreError(
                code: .unavailable, context: "others may put another folder in the place of the store's",
                underlying: parent)
        }
    }

    var folder: String { FilePath.folder(of: path) }

    private func noFolder(_ code: CInt) -> StoreError {
        SystemCall.failure("lstat", folder, code, context: "the store's folder is missing or is no plain folder")
    }

    private func unopened(_ code: CInt) -> StoreError {
        StoreError(
            code: .unavailable,
            context: code == ELOOP ? sent("\(name) is a symbolic link") : sent("\(name) cannot be opened"),
            underlying: "\(path): \(SystemCall.message(code))")
    }

    private func damaged(_ context: String) -> StoreError {
        StoreError(code: .damaged, context: context, underlying: path)
    }

    /// Size of a file beside the database; nil when there is none.
    private func size(of path: String) throws(StoreError) -> Int64? {
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
        guard size > 0 else {
            try checkLost()
            throw damaged(sent("\(name) is empty: nothing of it is used or overwritten"))
        }
        var header = [UInt8](repeating: 0, count: 100)
        let count = pread(descriptor, &header, header.count, 0)
        guard count == header.count else {
            let code = errno
            try checkLost(header)
            throw damaged(
                count < 0
                    ? sent("\(name) cannot be read: \(SystemCall.message(code))")
                    : sent("\(name) is cut off after \(size) bytes"))
        }
        if let id = EncryptedFile.keyID(header) {
            try EncryptedFile.check(key, opens: id, path)
            guard hasLog || size % EncryptedFile.pageSize == 0 else {
                throw damaged(sent("\(name) is cut off after \(size) bytes"))
            }
            return
        }
        guard header.prefix(16).elementsEqual("SQLite format 3\0".utf8) else {
            // Without its beginning the rest of the file is unreadable.
            if key != nil { throw damaged(sent("the beginning of the encrypted record is damaged")) }
            try checkLost()
            if header.allSatisfy({ $0 == 0 }) { throw damaged(sent("\(name) begins with zeros")) }
            throw StoreError(code: .foreign, context: "\(name) is no database", underlying: path)
        }
        let applicationID = Self.word(header, 68)
        guard applicationID == Migrator.applicationID else {
            throw StoreError(
                code: .foreign, context: "\(name) is a database of another program",
                underlying: "application_id \(applicationID) in \(path)")
        }
        let version = Self.word(header, 60)
        guard version <= migrator.latest else { throw migrator.newer(version, path) }
        let stored = Int64(header[16]) << 8 | Int64(header[17])
        let pageSize: Int64 = stored == 1 ? 65_536 : stored
        let pages = Int64(Self.word(header, 28))
        // With a write-ahead log the file may be shorter: SQLite repeats an interrupted checkpoint.
        if !hasLog, size < pages * pageSize {
            throw damaged(sent("\(name) is cut off: \(size) of \(pages * pageSize) bytes are there"))
        }
    }

    /// Refuses a store with a lost beginning, if it was encrypted and no key is at hand: nothing may go on in plain text in its
    /// place, or beside it.
    private func checkLost(_ header: [UInt8] = []) throws(StoreError) {
        guard key == nil, let id = EncryptedFile.keyID(header) ?? EncryptedFile.keyID(besides: path) else { return }
        try EncryptedFile.check(key, opens: id, path)
    }

    /// Returns the `application_id` in the header of a closed database; nil for any other file.
    static func applicationID(of path: String) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { Glibc.close(descriptor) }
        var header = [UInt8](repeating: 0, count: 100)
        guard pread(descriptor, &header, header.count, 0) == header.count else { return nil }
        return word(header, 68)
    }

    private static func word(_ bytes: [UInt8], _ offset: Int) -> Int32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int32($1) }
    }
}

/// Makes a store. The store is complete and flushed under another name first, so that a power cut leaves none or an empty one.
struct NewDatabase {
    let file: DatabaseFile
    let configuration: StoreConfiguration

    private var draft: String { file.path + ".new" }

    func make() throws(StoreError) {
        let doing = sent("making a new store")
        do {
            let meta = StoreMeta(storeID: configuration.newStoreID(), deviceID: configuration.newDeviceID())
            let queue = try Self.draft(
                draft, key: file.key, migrator: file.migrator, meta, created: configuration.now.iso8601)
            try queue.close()
        } catch {
            throw StoreError(error, doing: doing)
        }
        try SystemCall.synchronize(draft)
        guard rename(draft, file.path) == 0 else { throw SystemCall.failure("rename", draft, errno, context: doing) }
        // SQLite flushes the folder for its logs, not for the database file; a new folder needs a flush of its parent, too.
        try SystemCall.synchronize(file.folder, flags: O_DIRECTORY)
        do {
            try SystemCall.synchronize(file.folder + "/..", flags: O_DIRECTORY)
        } catch let error where error.code == .unavailable {
            // A parent that can be entered but not read cannot be flushed; the folder itself was made earlier.
        }
    }

    /// Opens an empty store under another name; files of an earlier attempt are removed.
    static func draft(
        _ path: String, key: StoreKey?, migrator: Migrator, _ meta: StoreMeta, created: String
    ) throws -> DatabaseQueue {
        // The lease excludes other processes.
        for suffix in ["", "-wal", "-journal", "-shm"] { unlink(path + suffix) }
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemCall.failure("open", path, errno, context: "making a new store") }
        _ = fchmod(descriptor, 0o600)
        Glibc.close(descriptor)
        let queue = try Connection.database(path, key: key, migrator: migrator, isNew: true)
        ClosedQueues.keep(queue)
        try queue.writeWithoutTransaction { database in
            try migrator.migrate(database)
            try meta.insert(database, created: created)
        }
        return queue
    }
}
