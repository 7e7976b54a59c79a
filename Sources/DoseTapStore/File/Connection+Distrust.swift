import CSQLite
import GRDB
import GRDBSQLite

/// A file in the store's place may be made by anybody. Nothing in it is run: no trigger, no view, no function in its
/// schema, and what is too large for a store of ours is not read.
extension Connection {
    /// Longest text or blob that is read or written, in bytes: far above what an event may hold.
    private static let longestValue: CInt = 16 << 20
    /// Longest statement, for the schema of the file is one of many.
    private static let longestStatement: CInt = 1 << 20
    private static let mostColumns: CInt = 200

    /// Comes before the first statement.
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
