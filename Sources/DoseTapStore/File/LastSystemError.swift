import GRDBSQLite

/// The error number of the last failed system call on the database's files, which tells a full quota and a read-only
/// file system from a failing disk where SQLite only says "disk I/O error".
enum LastSystemError {
    /// - Returns: the number for the write-ahead log, else for the database itself; 0 if none is known.
    static func number(_ connection: OpaquePointer?) -> CInt {
        guard let connection else { return 0 }
        var log: UnsafeMutablePointer<sqlite3_file>?
        let found = withUnsafeMutablePointer(to: &log) {
            sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, $0)
        }
        var number: CInt = 0
        if found == SQLITE_OK, let log, let control = log.pointee.pMethods?.pointee.xFileControl {
            _ = control(log, SQLITE_FCNTL_LAST_ERRNO, &number)
        }
        if number == 0 { _ = sqlite3_file_control(connection, "main", SQLITE_FCNTL_LAST_ERRNO, &number) }
        return number
    }
}
