import CSQLite
import GRDB
import GRDBSQLite

/// Anybody may have made a file in the store's place. Nothing in it is run: no trigger, no view, no function in its schema.
/// Values too large for a store of DoseTap are not read.
extension Connection {
    /// Longest text or blob that is read or written, in bytes: far above what an event may hold.
    private static let longestValue: CInt = 16 << 20
    /// Longest statement: the schema of the file is made of statements.
    private static let longestStatement: CInt = 1 << 20
    private static let mostColumns: CInt = 200

    /// Sets the limits, before the first statement.
    static func distrust(_ database: Database) throws {
        let result = csqlite_distrust(database.sqliteConnection)
        guard result == SQLITE_OK, csqlite_is_distrustful(database.sqliteConnection) == 1 else {
            throw DatabaseError(resultCode: ResultCode(rawValue: result), message: "SQLite cannot be made distrustful")
        }
        for (limit, value) in [
            (SQLITE_LIMIT_LENGTH, longestValue), (SQLITE_LIMIT_SQL_LENGTH, longestStatement),
            (SQLITE_LIMIT_COLUMN, mostColumns), (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_WORKER_THREADS, 0),
        ] { sqlite3_limit(database.sqliteConnection, limit, value) }
    }
}
