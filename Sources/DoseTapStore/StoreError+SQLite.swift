import DoseTapDomain
import GRDB
import Glibc

extension StoreError {
    /// Names what SQLite, the file system or a row reported.
    ///
    /// - Parameters:
    ///   - doing: what was being done, for people.
    ///   - isWriting: whether a transaction was under way whose outcome matters.
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

    /// Reads, and once more where the disk does not give a page back: a page that it gives back neither time is lost, as
    /// one that was overwritten is.
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
        case .SQLITE_CORRUPT: return .damaged
        case .SQLITE_NOTADB: return .foreign
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH: return .unavailable
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
        case .noSpace: "there is no space left for the store"
        case .readOnly: "the store cannot be written"
        case .outcomeUnknown: "the disk failed; whether it is safe is not known yet"
        case .locked: "another program is using the store"
        case .damaged: "the store's file is damaged"
        case .newer: "the store was written by a newer version"
        case .foreign: "the store's file is no database"
        case .altered: "something foreign stands in the store"
        case .unavailable: "the store cannot be read"
        case .keyTaken: "the key was used before"
        case .interrupted: "it was interrupted"
        case .internal: "the store failed"
        }
    }
}
