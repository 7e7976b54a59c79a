import DoseTapDomain
import GRDB
import Glibc

/// The content of a database file that is not in use, in figures.
struct LogSummary: Hashable {
    let storeID: String
    let deviceID: String
    /// `user_version`.
    let version: Int32
    let head: ChainHead
    /// The times of recording of the first and the last event; nil for an empty log.
    var span: ClosedRange<Instant>?
    var nights = 0

    /// Opens a file as if an enemy had made it: nothing in it is run, nothing is written.
    static func read<Value>(
        _ path: String, _ key: StoreKey?, migrator: Migrator, _ body: (Database) throws -> Value
    ) throws(StoreError) -> Value {
        let key = EncryptedFile.key(key, for: path)
        let file = DatabaseFile(path: path, migrator: migrator, key: key, name: sent("the backup"))
        guard try file.inspect() == .present else {
            throw StoreError(code: .unavailable, context: "the backup is not there", underlying: path)
        }
        do {
            let queue = try Self.open(path, key, migrator: migrator)
            defer {
                ClosedQueues.keep(queue)
                try? queue.close()
            }
            return try queue.writeWithoutTransaction(body)
        } catch {
            let failure = StoreError(error, doing: "reading the backup")
            guard failure.code == .damaged || failure.code == .foreign, !(error is StoreError) else { throw failure }
            throw StoreError(code: .damaged, context: "the backup is damaged", underlying: failure.underlying)
        }
    }

    private static func open(_ path: String, _ key: StoreKey?, migrator: Migrator) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.foreignKeysEnabled = false
        configuration.label = "backup"
        configuration.prepare { database in
            if let key { try Cipher.unlock(database, with: key) }
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
            try database.execute(sql: "PRAGMA cell_size_check = ON")
            try database.execute(sql: "PRAGMA mmap_size = 0")
            try database.execute(sql: "PRAGMA query_only = ON")
            try migrator.check(database, path: path, isNew: false)
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Reads the identity and the end of the log only.
    static func glance(_ path: String, _ key: StoreKey?, migrator: Migrator) throws(StoreError) -> LogSummary {
        try read(path, key, migrator: migrator) { try LogSummary($0, path: path) }
    }

    /// Checks everything: the file, its schema and every link of the hash chain. A plain table of another program does no harm,
    /// as at a start; the file is opened for reading only, so that SQLite runs none of its CHECK constraints.
    ///
    /// - Throws: ``DoseTapDomain/StoreError``: `.damaged` with the first fault, `.altered` for an object that a start refuses,
    ///   too (``UnknownObjects``), `.newer`, `.foreign`.
    static func check(
        _ path: String, _ key: StoreKey?, migrator: Migrator
    ) throws(StoreError) -> LogSummary {
        try read(path, key, migrator: migrator) { database in
            try UnknownObjects.refuse(database, path: path, migrator: migrator)
            if let line = try FileCheck.faults(database, most: 1).first {
                throw StoreError(code: .damaged, context: "the backup is damaged", underlying: line)
            }
            var summary = try LogSummary(database, path: path)
            let (head, fault) = try Self.walk(database, storeID: summary.storeID)
            if let fault {
                throw StoreError(code: .damaged, context: "the backup is damaged: \(fault)", underlying: path)
            }
            let counted = try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'events'")
            guard head == summary.head, counted ?? 0 == head.sequence else {
                throw StoreError(
                    code: .damaged, context: "the backup is damaged: its log ends too early", underlying: path)
            }
            let span = try Row.fetchOne(database, sql: "SELECT min(occurred_at), max(occurred_at) FROM events")
            if let first = span?[0] as String?, let last = span?[1] as String?,
                let first = try? Instant(iso8601: first),
                let last = try? Instant(iso8601: last), first <= last
            {
                summary.span = first...last
            }
            let nights = "SELECT count(DISTINCT session_id) FROM events WHERE session_id IS NOT NULL"
            summary.nights = try Int.fetchOne(database, sql: nights) ?? 0
            return summary
        }
    }

    /// Returns true if a database ends with the same event.
    func isEnd(of database: Database) -> Bool {
        let last = try? Row.fetchOne(database, sql: "SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1")
        guard let last else { return head.sequence == 0 }
        return last[0] as Int64? == head.sequence && last[1] as String? == head.hash
    }

    private init(_ database: Database, path: String) throws {
        guard let meta = try StoreMeta(database) else {
            throw StoreError(code: .damaged, context: "the backup has lost its identity", underlying: path)
        }
        (storeID, deviceID) = (meta.storeID, meta.deviceID)
        version = try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let last = try Row.fetchOne(database, sql: "SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1")
        guard let last else {
            head = ChainHead(sequence: 0, hash: meta.storeID)
            return
        }
        guard case .int64(let sequence) = (last[0] as DatabaseValue).storage,
            case .string(let hash) = (last[1] as DatabaseValue).storage
        else { throw StoreError(code: .damaged, context: "the end of its log cannot be read", underlying: path) }
        head = ChainHead(sequence: sequence, hash: hash)
    }

    /// - Returns: the end of the log, and the first fault.
    private static func walk(_ database: Database, storeID: String) throws -> (ChainHead, String?) {
        var end = ChainHead(sequence: 0, hash: storeID)
        let sql = "SELECT \(try LogRow.columns(in: database)) FROM events NOT INDEXED ORDER BY seq"
        let cursor = try Row.fetchCursor(database, sql: sql)
        while let row = try cursor.next() {
            do throws(LogRowFault) {
                let row = try LogRow(row)
                if let fault = ChainCheck.fault(of: row, after: end) { return (end, fault) }
                end = ChainHead(sequence: row.sequence, hash: row.hash)
            } catch { return (end, sent("event \(error.sequence) has a malformed column \(error.column)")) }
        }
        return (end, nil)
    }
}

extension LogRow {
    /// The columns; a column that a log of an earlier schema does not have is NULL.
    static func columns(in database: Database) throws -> String {
        let known = Set(try String.fetchAll(database, sql: "SELECT name FROM pragma_table_info('events')"))
        return columns.split(separator: ", ").map { known.contains(String($0)) ? String($0) : "NULL" }
            .joined(separator: ", ")
    }
}
