import DoseTapDomain
import GRDB
import Glibc

/// A log that is taken in: each of its events, checked, and the tables that follow from them, in a database beside the store.
/// The database is worthless until it takes the place of an empty store, or the store takes events from it.
final class StagedLog: Sendable {
    /// Number of rows that are written or read at once.
    private static let page = 512
    /// Bytes of lines after which no further row is added to a page.
    private static let pageBytes = 4 << 20

    private let path: String
    private let room: BackupFolder
    let key: StoreKey?
    let storeID: String
    let head: ChainHead
    private let queue: DatabaseQueue
    /// Device and inode of the file.
    private let identity: [UInt64]

    private init(_ path: String, _ room: BackupFolder, _ beginning: LogReader.Beginning, _ queue: DatabaseQueue) {
        (self.path, self.room, key, self.queue) = (path, room, room.key, queue)
        (storeID, head) = (beginning.storeID, beginning.head)
        identity = Self.identity(of: path)
    }

    deinit { discard() }

    /// Reads a log to its end.
    ///
    /// - Parameters:
    ///   - store: path of the store, whose folder exists.
    ///   - deviceID: the id of this machine.
    ///   - created: time of creation, if the log becomes the record.
    /// - Throws: `.unfit` naming the line, `.noSpace`, `.stalled`, `.interrupted`; no file is left then.
    static func read(
        _ lines: CallersLines, besides store: String, key: StoreKey?, deviceID: String, created: Instant,
        migrator: Migrator
    ) throws(StoreError) -> StagedLog {
        let path = store + StoreSwitch.imported
        let room = BackupFolder(store: store, migrator: migrator, key: key)
        var reader = LogReader(now: created)
        var staged: StagedLog?
        var (rows, bytes): ([LogRow], Int) = ([], 0)
        func write() throws(StoreError) {
            guard let log = staged, !rows.isEmpty else { return }
            try log.requireRoom(for: Int64(bytes))
            try log.add(rows)
            rows.removeAll(keepingCapacity: true)
            bytes = 0
        }
        let count = try lines.read("log", mostBytes: .max) { line, number throws(StoreError) in
            do throws(LogFault) {
                if let row = try reader.take(line) {
                    rows.append(row)
                    bytes += line.count
                }
            } catch { throw Self.fault(error, line: number) }
            if staged == nil, let beginning = reader.beginning {
                staged = try make(
                    path, room, beginning, StoreMeta(storeID: beginning.storeID, deviceID: deviceID), created, migrator)
            }
            if rows.count >= page || bytes >= pageBytes { try write() }
        }
        do throws(LogFault) { try reader.finish() } catch { throw Self.fault(error, line: count + 1) }
        try write()
        guard let log = staged else {
            throw StoreError(code: .internal, context: "importing", underlying: "no log")
        }
        // The tables need no more space than the events.
        try log.requireRoom(for: log.size)
        try log.makeTables()
        return log
    }

    private static func fault(_ fault: LogFault, line: Int) -> StoreError {
        StoreError(
            code: .unfit, context: "line \(line) of the log: \(fault.description); nothing was taken",
            underlying: fault.isNewer ? StoreError.Code.newer.rawValue : "")
    }

    private static func make(
        _ path: String, _ room: BackupFolder, _ beginning: LogReader.Beginning, _ meta: StoreMeta, _ created: Instant,
        _ migrator: Migrator
    ) throws(StoreError) -> StagedLog {
        do {
            let queue = try NewDatabase.draft(path, key: room.key, migrator: migrator, meta, created: created.iso8601)
            try queue.writeWithoutTransaction { database in
                // The file is flushed once, as a whole.
                for word in ["journal_mode = MEMORY", "synchronous = OFF"] {
                    try database.execute(sql: "PRAGMA \(word)")
                }
            }
            return StagedLog(path, room, beginning, queue)
        } catch {
            for suffix in StoreSwitch.leftovers { unlink(path + suffix) }
            throw StoreError(error, doing: doing)
        }
    }

    private static let doing = sent("taking in the log")

    private static func identity(of path: String) -> [UInt64] {
        var status = stat()
        return lstat(path, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : []
    }

    /// Removes the file.
    func discard() {
        try? queue.close()
        // Another attempt may have a file of this name.
        guard !identity.isEmpty, Self.identity(of: path) == identity else { return }
        for suffix in StoreSwitch.leftovers { unlink(path + suffix) }
    }

    private var size: Int64 {
        var status = stat()
        return lstat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Keeps the space free that the doses need.
    ///
    /// - Throws: `.noSpace`.
    private func requireRoom(for bytes: Int64) throws(StoreError) {
        guard room.missing(for: bytes) <= 0 else {
            throw StoreError(
                code: .noSpace, context: "there is not enough space to take in the log; nothing was taken",
                underlying: path)
        }
    }

    /// Throws if a record has no space for the events: they go into its write-ahead log, and from there into its file.
    ///
    /// - Throws: `.noSpace`.
    func requireRoomToGoOn() throws(StoreError) { try requireRoom(for: 2 * size) }

    private func add(_ rows: [LogRow]) throws(StoreError) {
        do {
            try queue.writeWithoutTransaction { database in
                try database.inTransaction(.immediate) {
                    for row in rows {
                        do { try row.insert(database) } catch let error as DatabaseError
                            where error.resultCode == .SQLITE_CONSTRAINT
                        {
                            let fault = LogFault("event \(row.sequence) has an id or a key that was there before")
                            throw Self.fault(fault, line: Int(clamping: row.sequence) + 1)
                        }
                    }
                    return .commit
                }
            }
        } catch { throw StoreError(error, doing: Self.doing) }
    }

    private func makeTables() throws(StoreError) {
        do {
            try queue.writeWithoutTransaction { database in
                try database.inTransaction(.immediate) {
                    _ = try Rebuild(database)
                    return .commit
                }
            }
        } catch {
            let error = StoreError(error, doing: Self.doing)
            guard error.code == .damaged else { throw error }
            throw StoreError(code: .unfit, context: error.context, underlying: error.underlying)
        }
    }

    // MARK: Reading

    func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        do { return try queue.writeWithoutTransaction(body) } catch { throw StoreError(error, doing: Self.doing) }
    }

    /// Returns the hash of an event; nil if there is no such event.
    func hash(at sequence: Int64) throws(StoreError) -> String? {
        guard sequence > 0 else { return storeID }
        return try read { try String.fetchOne($0, sql: "SELECT hash FROM events WHERE seq = ?", arguments: [sequence]) }
    }

    /// Returns the next events, as many as are held in memory at once; none at the end.
    func rows(after sequence: Int64) throws(StoreError) -> [LogRow] {
        try read { database in
            let found = try Row.fetchCursor(
                database, sql: "SELECT \(LogRow.columns) FROM events WHERE seq > ? ORDER BY seq LIMIT \(Self.page)",
                arguments: [sequence])
            var (rows, bytes): ([LogRow], Int) = ([], 0)
            while bytes < Self.pageBytes, let row = try found.next() {
                let row = try LogRow(row)
                bytes += row.line.count
                rows.append(row)
            }
            return rows
        }
    }

    /// Returns the number of nights with events after a place, and the first and the last of their dates.
    func nights(after sequence: Int64) throws(StoreError) -> (count: Int, from: SessionDate?, to: SessionDate?) {
        try read { database in
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT count(*), min(session_date), max(session_date) FROM sleep_sessions
                    WHERE session_id IN (SELECT session_id FROM events WHERE seq > ?)
                    """, arguments: [sequence])
            return (
                row?[0] ?? 0, try (row?[1] as String?).map { try SessionDate(text: $0) },
                try (row?[2] as String?).map { try SessionDate(text: $0) }
            )
        }
    }

    // MARK: Becoming the record

    /// Closes and flushes the database, with its head file beside it. The plugins then go on at the end of the log.
    func complete(plugins: [String]) throws(StoreError) {
        do {
            try queue.writeWithoutTransaction { database in
                try Store.write(Self.cursors(plugins, at: head), in: database)
            }
            try queue.close()
        } catch { throw StoreError(error, doing: Self.doing) }
        try SystemCall.synchronize(path)
        unlink(path + ".head")
        HeadFile.open(besides: path).write(head, storeID: storeID)
        try SystemCall.synchronize(path + ".head")
    }

    /// Returns the cursors for plugins that go on at a place.
    static func cursors(_ plugins: [String], at head: ChainHead) -> [String: Int64] {
        Dictionary(plugins.map { ($0, head.sequence) }, uniquingKeysWith: { one, _ in one })
    }

    /// True if the file under this name is still the one that was made.
    var isInPlace: Bool { Self.identity(of: path) == identity }
}
