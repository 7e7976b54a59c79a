import GRDB
import GRDBSQLite

extension DatabaseQueue {
    /// So many steps of SQLite's machine lie between two looks at whether to give way: some microseconds.
    private static let steps: CInt = 200

    /// Breaks a statement off, with `SQLITE_INTERRUPT`, as soon as the store's thread must give way.
    ///
    /// - Parameter thread: outlives the queue's use: the store that closes the queue keeps it.
    func giveWay(on thread: StoreThread) {
        writeWithoutTransaction { database in
            sqlite3_progress_handler(
                database.sqliteConnection, Self.steps,
                { context in
                    guard let context else { return 0 }
                    return Unmanaged<StoreThread>.fromOpaque(context).takeUnretainedValue().mustGiveWay ? 1 : 0
                }, Unmanaged.passUnretained(thread).toOpaque())
        }
    }
}
