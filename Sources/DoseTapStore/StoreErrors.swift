public import DoseTapDomain
import GRDB
import GRDBSQLite
import Glibc

extension StoreError {
    /// The store's error for an error of SQLite, the file system or a row.
    ///
    /// - Parameters:
    ///   - doing: the work in words, for people.
    ///   - isWriting: true if a transaction was under way whose outcome matters.
    ///   - systemError: the error number of the last failed system call of SQLite, 0 if unknown.
    init(_ error: any Error, doing: String, isWriting: Bool = false, systemError: CInt = 0) {
        switch error {
        case let error as StoreError: self = error
        case let error as LogRowFault: self = error.storeError
        case is RowDecodingError:
            self.init(
                code: .damaged, context: "\(doing): \(Self.words(.damaged))", underlying: "a value of another kind")
        case let error as DatabaseError:
            let code = Self.code(error, isWriting: isWriting, systemError: systemError)
            let number = error.extendedResultCode.rawValue
            let system = systemError == 0 ? "" : ", system \(SystemCall.message(systemError))"
            self.init(
                code: code, context: "\(doing): \(Self.words(code))",
                underlying: "SQLite \(number) \(error.message ?? "")\(system)")
        default:
            self.init(code: .internal, context: "\(doing) failed", underlying: String(reflecting: type(of: error)))
        }
    }

    /// Makes the error for a store's folder that cannot be made.
    ///
    /// - Parameter errorNumber: errno of the call that failed, 0 if there was none.
    public init(folder: String, _ message: String, errorNumber: CInt) {
        self.init(code: SystemCall.code(errorNumber), context: message, underlying: folder)
    }

    /// Reads, and a second time after a read error of the disk. A page that cannot be read twice is lost, like an overwritten
    /// one.
    static func reading<Value>(_ doing: String, _ body: () throws -> Value) throws(StoreError) -> Value {
        do { return try body() } catch {
            guard isUnread(error) else { throw StoreError(error, doing: doing) }
        }
        do { return try body() } catch {
            let failure = StoreError(error, doing: doing)
            guard isUnread(error) else { throw failure }
            throw StoreError(
                code: .damaged, context: "\(doing): \(words(.damaged))", underlying: failure.underlying)
        }
    }

    private static func isUnread(_ error: any Error) -> Bool {
        guard let code = (error as? DatabaseError)?.extendedResultCode else { return false }
        return code == .SQLITE_IOERR_READ || code == .SQLITE_IOERR_CORRUPTFS
    }

    private static func code(_ error: DatabaseError, isWriting: Bool, systemError: CInt) -> Code {
        switch error.extendedResultCode {
        case .SQLITE_CONSTRAINT_UNIQUE where error.message?.contains("idempotency_key") == true: return .keyTaken
        case .SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC: return isWriting ? .outcomeUnknown : .unavailable
        case .SQLITE_IOERR_SHORT_READ: return .damaged
        case .SQLITE_CANTOPEN_SYMLINK: return .unavailable
        default: break
        }
        switch error.resultCode {
        case .SQLITE_INTERRUPT: return .interrupted
        case .SQLITE_FULL: return .noSpace
        case .SQLITE_READONLY: return .readOnly
        case .SQLITE_BUSY, .SQLITE_LOCKED: return .locked
        // The value is far above the size of an event: DoseTap did not write it.
        case .SQLITE_CORRUPT, .SQLITE_TOOBIG: return .damaged
        // A page that does not fit its key was changed: a wrong key is noticed earlier, by the file's first bytes.
        case .SQLITE_NOTADB where Cipher.isInUse: return .damaged
        case .SQLITE_ERROR where Cipher.isInUse && error.message == "SQL logic error": return .damaged
        case .SQLITE_NOTADB: return .foreign
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_NOMEM, .SQLITE_PROTOCOL, .SQLITE_NOLFS:
            return .unavailable
        case .SQLITE_IOERR:
            switch systemError {
            case ENOSPC, EDQUOT, EFBIG: return .noSpace
            case EROFS: return .readOnly
            default: return isWriting ? .outcomeUnknown : .unavailable
            }
        default: return .internal
        }
    }

    private static func words(_ code: Code) -> String {
        switch code {
        case .noSpace: sent("there is no space left for the store")
        case .readOnly: sent("the store cannot be written")
        case .outcomeUnknown: sent("the disk failed; whether it is safe is not known yet")
        case .locked: sent("another program is using the store")
        case .damaged: sent("the store's file is damaged")
        case .unreadable: sent("nothing of the damaged record can be read")
        case .newer: sent("the store was written by a newer version")
        case .foreign: sent("the store's file is no database")
        case .altered: sent("something foreign stands in the store")
        case .unavailable: sent("the store cannot be read or written")
        case .keyTaken: sent("the key was used before")
        case .keyLocked: sent("the record is locked")
        case .keyUnkept: sent("the new key cannot be kept")
        case .keyWrong: sent("the key is not the one of this record")
        case .noCipher: sent("this program was built without encryption")
        case .interrupted: sent("it was interrupted")
        case .changed: sent("the record was replaced or closed meanwhile")
        case .stalled: sent("nobody reads it")
        case .unfit: sent("the file cannot be used")
        case .internal: sent("the store failed")
        }
    }
}

/// The system calls that the store makes itself, with their errors in words.
enum SystemCall {
    /// An error number with the system's words for it.
    static func message(_ code: CInt) -> String { words(code).map { "error \(code), \($0)" } ?? "error \(code)" }

    private static func words(_ code: CInt) -> String? {
        var buffer = [CChar](repeating: 0, count: 256)
        guard strerror_r(code, &buffer, buffer.count) == 0 || buffer.first != 0 else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Returns the kind of store fault for an error number of a call that was to open or write something.
    static func code(_ errorNumber: CInt) -> StoreError.Code {
        switch errorNumber {
        case ENOSPC, EDQUOT, EFBIG: .noSpace
        case EROFS: .readOnly
        // These are mistakes of the program. All else is the machine's: no locks, no descriptor, no memory, a disk that fails.
        case EBADF, EFAULT, EINVAL: .internal
        default: .unavailable
        }
    }

    /// Returns true if a failed call to open or list something leaves open what exists there, as without a descriptor, without
    /// memory, or with a failing disk. After other errors it is known: a file in its place, or one that may not be read.
    static func leavesUnknown(_ errorNumber: CInt) -> Bool {
        ![0, ENOENT, ENOTDIR, ELOOP, EACCES, EPERM, ENXIO, ENAMETOOLONG, E2BIG].contains(errorNumber)
    }

    /// O_PATH of open(2).
    static let pathOnly: CInt = 0o10_000_000

    /// Returns true if anything lies at a path, also a link to nothing.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Returns the status of the file at a path, without following a link; nil if there is none.
    ///
    /// - Throws: ``StoreError`` if the file cannot be looked at.
    static func status(of path: String, _ doing: String) throws(StoreError) -> stat? {
        var status = stat()
        if lstat(path, &status) == 0 { return status }
        guard errno == ENOENT || errno == ENOTDIR else {
            throw failure("lstat", path, errno, context: "\(doing): \(sent("a file cannot be looked at"))")
        }
        return nil
    }

    /// - Parameter context: the work in words; the file and the system's reason are added.
    static func failure(_ call: String, _ path: String, _ errorNumber: CInt, context: String) -> StoreError {
        let reason = words(errorNumber) ?? "error \(errorNumber)"
        return StoreError(
            code: code(errorNumber), context: "\(context) (\(FilePath.name(of: path)): \(reason))",
            underlying: "\(call) \(path): \(message(errorNumber))")
    }

    /// Writes all bytes at a place of a file; what is cut short goes on.
    ///
    /// - Parameters:
    ///   - path: the file, for the error.
    ///   - context: the work in words.
    static func write(
        _ bytes: some Collection<UInt8>, to descriptor: CInt, at place: off_t = 0, _ path: String, context: String
    ) throws(StoreError) {
        let bytes = ContiguousArray(bytes)
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { room in
                room.baseAddress.map { pwrite(descriptor, $0 + written, room.count - written, place + off_t(written)) }
                    ?? -1
            }
            if count < 0, errno == EINTR { continue }
            // A write of nothing has no error number: the disk is full.
            guard count > 0 else { throw failure("pwrite", path, count < 0 ? errno : ENOSPC, context: context) }
            written += count
        }
    }

    /// Makes a small file for its owner alone and flushes it. A file that had the name is removed; the caller flushes the folder.
    ///
    /// - Parameter context: the work in words.
    /// - Throws: ``StoreError``; then no file has the name.
    static func makeFile(_ path: String, _ bytes: [UInt8], context: String) throws(StoreError) {
        unlink(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("open", path, errno, context: context) }
        defer { Glibc.close(descriptor) }
        do throws(StoreError) {
            try write(bytes, to: descriptor, path, context: context)
            guard fsync(descriptor) == 0 else { throw failure("fsync", path, errno, context: context) }
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Flushes a file or folder.
    static func synchronize(_ path: String, flags: CInt = 0) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | flags)
        guard descriptor >= 0 else {
            throw failure("open", path, errno, context: "the store's folder cannot be flushed")
        }
        defer { Glibc.close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw failure("fsync", path, errno, context: "the store's folder cannot be flushed")
        }
    }
}

/// The error number of the last failed system call on the database's files. It tells a full quota and a read-only file system
/// from a failing disk, for which SQLite only says "disk I/O error".
enum LastSystemError {
    /// - Parameter database: the name under which the database is attached.
    /// - Returns: the number for its write-ahead log or journal, else for the database itself; 0 if none is known.
    static func number(_ connection: OpaquePointer?, of database: String = "main") -> CInt {
        guard let connection else { return 0 }
        var log: UnsafeMutablePointer<sqlite3_file>?
        let found = withUnsafeMutablePointer(to: &log) {
            sqlite3_file_control(connection, database, SQLITE_FCNTL_JOURNAL_POINTER, $0)
        }
        var number: CInt = 0
        if found == SQLITE_OK, let log, let control = log.pointee.pMethods?.pointee.xFileControl {
            _ = control(log, SQLITE_FCNTL_LAST_ERRNO, &number)
        }
        if number == 0 { _ = sqlite3_file_control(connection, database, SQLITE_FCNTL_LAST_ERRNO, &number) }
        return number
    }
}

extension Store {
    /// Returns true if the process that has the store open is the service of one command.
    public static func isHeldByCommand(_ error: StoreError) -> Bool {
        error.code == .locked && error.context.contains(" (\(commandSurface), ")
    }

    /// The name of a command's service in the lease.
    public static let commandSurface = "cli"
}
