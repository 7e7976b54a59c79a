import DoseTapDomain
import GRDB
import GRDBSQLite
import Glibc

/// A copy of an open database into another file, some pages at a time (SQLite's backup).
///
/// Changes that the same connection makes in between go into the copy, too, so the copy is as of its last step.
final class DatabaseCopy {
    /// Pages of one step: a quarter of a millisecond, so that a dose does not wait.
    private static let pages: CInt = 64

    private var target: OpaquePointer?
    private var backup: OpaquePointer?

    /// - Parameters:
    ///   - path: an empty file that nobody else uses.
    ///   - key: the key of the source; the copy has the same.
    init(of source: Database, to path: String, _ key: StoreKey?) throws {
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW
        guard sqlite3_open_v2(path, &target, flags, nil) == SQLITE_OK else { throw failure() }
        if let key {
            do { try Cipher.unlock(target, with: key) } catch {
                end()
                throw error
            }
        }
        // The copy is worthless until another thread flushes it as a whole.
        try execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        backup = sqlite3_backup_init(target, "main", source.sqliteConnection, "main")
        if backup == nil { throw failure() }
    }

    deinit { end() }

    /// Copies some pages.
    ///
    /// - Returns: true if all pages are copied; the file is closed then.
    func step() throws -> Bool {
        let code = sqlite3_backup_step(backup, Self.pages)
        if code == SQLITE_OK { return false }
        guard code == SQLITE_DONE else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        let result = sqlite3_backup_finish(backup)
        backup = nil
        guard result == SQLITE_OK else { throw failure() }
        // The copy of a store says that it has a write-ahead log: a reader would make one beside the copy.
        try execute("PRAGMA journal_mode = DELETE")
        end()
        return true
    }

    private func execute(_ sql: String) throws {
        guard sqlite3_exec(target, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
    }

    /// Ends the copy, finished or not, before the source is closed.
    func end() {
        if let backup { sqlite3_backup_finish(backup) }
        backup = nil
        if let target { sqlite3_close(target) }
        target = nil
    }

    private func failure() -> DatabaseError {
        let code = sqlite3_extended_errcode(target)
        let error = DatabaseError(
            resultCode: ResultCode(rawValue: code), message: sqlite3_errmsg(target).map { String(cString: $0) })
        end()
        return error
    }
}
