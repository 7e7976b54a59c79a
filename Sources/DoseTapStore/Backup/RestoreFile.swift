import DoseTapDomain
import GRDB
import Glibc

/// The copy of a backup beside the store while it is checked, compared and completed. No connection uses the copy: every call
/// waits for the disk, on a thread of its own.
struct RestoreFile: Sendable {
    /// The end of the file's name, after the store's path.
    static let suffix = StoreSwitch.restored

    let store: String
    let migrator: Migrator
    /// The key of an encrypted store.
    let key: StoreKey?
    /// The key of a backup that has another one.
    var otherKey: StoreKey?

    var path: String { store + Self.suffix }

    func discard() { for suffix in StoreSwitch.leftovers { unlink(path + suffix) } }

    /// Takes a caller's file in, checks all of it, and brings its schema up.
    ///
    /// - Returns: the content, and true if the backup is encrypted and the copy is not.
    /// - Throws: `.unfit` for a file that cannot be used, `.noSpace`.
    func take(_ file: CallersFile) throws(StoreError) -> (summary: LogSummary, isDecrypted: Bool) {
        let folder = BackupFolder(store: store, migrator: migrator, key: key)
        // SQLite may need the same space again while the tables are made.
        let bytes = 2 * file.size
        if let room = folder.room, room < bytes + BackupFolder.margin {
            throw StoreError(
                code: .noSpace,
                context: sent(
                    "there is not enough space to restore: \((bytes + BackupFolder.margin) >> 20) MiB are needed, \(room >> 20) MiB are free"
                ),
                underlying: store)
        }
        try file.take(to: path)
        do {
            try leaveWAL()
            let isDecrypted = key == nil && EncryptedFile.backupKeyID(path) != nil
            try encryptAsRecord()
            let summary = try LogSummary.check(path, key, migrator: migrator)
            try write { database in
                try migrator.migrate(database)
                _ = try SchemaCheck.restoreTables(database, migrator: migrator)
            }
            return (summary, isDecrypted)
        } catch {
            guard [.damaged, .foreign, .newer, .altered].contains(error.code) else { throw error }
            throw StoreError(code: .unfit, context: error.context, underlying: error.code.rawValue)
        }
    }

    /// Ends the mark of a write-ahead log in a database that was copied while in use. Without such a log the mark is wrong.
    private func leaveWAL() throws(StoreError) {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw SystemCall.failure("open", path, errno, context: "reading the backup") }
        defer { close(descriptor) }
        var head = [UInt8](repeating: 0, count: 20)
        guard pread(descriptor, &head, head.count, 0) == head.count,
            head.prefix(16).elementsEqual("SQLite format 3\0".utf8), head[18] == 2, head[19] == 2
        else { return }
        // Write and read version (SQLite file format 1.3): 1 is a rollback journal.
        let versions: [UInt8] = [1, 1]
        guard pwrite(descriptor, versions, versions.count, 18) == versions.count else {
            throw SystemCall.failure("pwrite", path, errno, context: "reading the backup")
        }
    }

    /// Writes a backup with another key, or with none, anew as the record is: with the record's key, or with none (R25.10).
    private func encryptAsRecord() throws(StoreError) {
        let id = EncryptedFile.backupKeyID(path)
        guard id != key?.id else { return }
        func unfit(_ context: String, _ code: StoreError.Code) -> StoreError {
            StoreError(code: .unfit, context: context, underlying: code.rawValue)
        }
        guard Cipher.isAvailable else {
            throw unfit("the backup is encrypted, and this program was built without encryption", .noCipher)
        }
        if let id, id != otherKey?.id {
            throw unfit(
                sent("the backup is encrypted with the key \(id.description), which is not at hand"), .keyWrong)
        }
        let taken = path + StoreSwitch.rows
        guard rename(path, taken) == 0 else { throw SystemCall.failure("rename", path, errno, context: Self.doing) }
        defer { unlink(taken) }
        try write(to: taken, id == nil ? nil : otherKey) { try Cipher.export($0, to: path, with: key) }
    }

    private static let doing = sent("preparing the restored record")

    private func write<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        try write(to: path, key, body)
    }

    private func write<Value>(
        to path: String, _ key: StoreKey?, _ body: (Database) throws -> Value
    ) throws(StoreError) -> Value {
        do {
            var configuration = Configuration()
            configuration.label = "restore"
            configuration.prepare { [key] database in
                if let key { try Cipher.unlock(database, with: key) }
                // The file is worthless until it is flushed as a whole.
                for word in [
                    "locking_mode = EXCLUSIVE", "journal_mode = MEMORY", "synchronous = OFF", "trusted_schema = OFF",
                    "cell_size_check = ON", "temp_store = MEMORY",
                ] { try database.execute(sql: "PRAGMA \(word)") }
            }
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer {
                ClosedQueues.keep(queue)
                try? queue.close()
            }
            return try queue.writeWithoutTransaction(body)
        } catch { throw StoreError(error, doing: Self.doing) }
    }

    func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        do { return try LogSummary.read(path, key, migrator: migrator, body) } catch {
            // For the caller of a restore, `.damaged` would mean the record itself.
            guard error.code == .damaged else { throw error }
            throw StoreError(code: .unfit, context: error.context, underlying: error.underlying)
        }
    }

    /// Adds events to the copy's log, as they were, and the rows that follow to its tables.
    func add(_ events: [Event]) throws(StoreError) {
        guard !events.isEmpty else { return }
        try write { database in
            try database.inTransaction(.immediate) {
                try Self.append(events, to: database)
                _ = try Rebuild(database)
                return .commit
            }
        }
    }

    /// Adds the event about the restore, which plugins read next, and leaves the copy and its head file flushed.
    func complete(with fact: Event) throws(StoreError) {
        let head = try write { database in
            var head = try Self.head(of: database)
            try database.inTransaction(.immediate) {
                try database.execute(sql: "UPDATE plugin_cursors SET seq = ?", arguments: [head.sequence])
                head = try Self.append([fact], to: database)
                return .commit
            }
            return head
        }
        try SystemCall.synchronize(path)
        guard let storeID = try read({ try StoreMeta($0)?.storeID }) else {
            throw StoreError(code: .damaged, context: "the backup has lost its identity", underlying: path)
        }
        unlink(path + ".head")
        HeadFile.open(besides: path).write(head, storeID: storeID)
        try SystemCall.synchronize(path + ".head")
    }

    private static func head(of database: Database) throws -> ChainHead {
        let last = try Row.fetchOne(database, sql: "SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1")
        if let last { return ChainHead(sequence: last[0], hash: last[1]) }
        return ChainHead(sequence: 0, hash: try StoreMeta(database)?.storeID ?? "")
    }

    @discardableResult
    private static func append(_ events: [Event], to database: Database) throws -> ChainHead {
        var head = try head(of: database)
        var newest = try String.fetchOne(database, sql: "SELECT max(occurred_at) FROM events").map {
            try Instant(iso8601: $0)
        }
        for event in events {
            // The log may have newer events of another course; the order of recording stays that of the log.
            let moment = max(newest ?? event.occurredAt, event.occurredAt)
            var row = LogRow(event.recorded(at: moment), after: head)
            if let key = row.idempotencyKey,
                try Bool.fetchOne(database, sql: "SELECT 1 FROM events WHERE idempotency_key = ?", arguments: [key])
                    != nil
            {
                row.idempotencyKey = nil
                row.hash = row.computedHash()
            }
            try row.insert(database)
            head = ChainHead(sequence: row.sequence, hash: row.hash)
            newest = moment
        }
        return head
    }

    func hash(at sequence: Int64) throws(StoreError) -> String? {
        try read { try String.fetchOne($0, sql: "SELECT hash FROM events WHERE seq = ?", arguments: [sequence]) }
    }

    /// Returns the ids that the copy's log lacks.
    func lacks(_ ids: [String]) throws(StoreError) -> Set<String> { try read { try LogGlance.lacking(ids, in: $0) } }

    func glances(after sequence: Int64, limit: Int) throws(StoreError) -> [LogGlance] {
        try read { try LogGlance.page($0, after: sequence, limit: limit) }
    }
}

/// The part of a row of the log that a comparison needs.
struct LogGlance: Sendable {
    let sequence: Int64
    let id: String
    let session: String?
    let entity: String
    let recorded: Instant?
    /// Nil if the row cannot be read.
    let event: Event?

    static func page(_ database: Database, after sequence: Int64, limit: Int) throws -> [LogGlance] {
        let sql = "SELECT \(LogRow.columns) FROM events WHERE seq > ? ORDER BY seq LIMIT ?"
        return try Row.fetchAll(database, sql: sql, arguments: [sequence, limit]).map { row in
            let event = try? LogRow(row).event()
            return LogGlance(
                sequence: row[0] as Int64? ?? sequence, id: row[1] as String? ?? "", session: row[5] as String?,
                entity: row[4] as String? ?? "", recorded: (row[6] as String?).flatMap { try? Instant(iso8601: $0) },
                event: event)
        }
    }

    static func lacking(_ ids: [String], in database: Database) throws -> Set<String> {
        var lacking: Set<String> = []
        let statement = try database.cachedStatement(sql: "SELECT 1 FROM events WHERE id = ?")
        for id in ids where try Int.fetchOne(statement, arguments: [id]) == nil { lacking.insert(id) }
        return lacking
    }
}
