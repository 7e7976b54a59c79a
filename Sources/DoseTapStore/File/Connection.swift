import CSQLite
import DoseTapDomain
import GRDB

/// One open database, with its head and the findings of opening it.
struct Connection {
    let queue: DatabaseQueue
    let meta: StoreMeta
    let headFile: HeadFile
    var head: ChainHead
    var findings: [OpenFinding]

    /// Opens the database at a path whose lease is held; makes one if there is none.
    static func open(_ configuration: StoreConfiguration, migrator: Migrator) throws(StoreError) -> Connection {
        try StoreSwitch.finish(configuration.path)
        let file = DatabaseFile(path: configuration.path, migrator: migrator, key: configuration.key)
        switch try file.inspect() {
        case .present: break
        case .absent: try NewDatabase(file: file, configuration: configuration).make()
        }
        return try StoreError.reading("opening the store") {
            let queue = try database(configuration.path, key: configuration.key, migrator: migrator, isNew: false)
            do {
                return try queue.writeWithoutTransaction { database in
                    try UnknownObjects.refuse(database, path: configuration.path, migrator: migrator)
                    try MigrationBackup.make(of: database, configuration, migrator: migrator)
                    try migrator.migrate(database)
                    let made = try SchemaCheck.restoreTables(database, migrator: migrator)
                    return try Connection(queue, database, path: configuration.path, made: made)
                }
            } catch {
                ClosedQueues.keep(queue)
                try? queue.close()
                throw error
            }
        }
    }

    private init(_ queue: DatabaseQueue, _ database: Database, path: String, made: [String]) throws {
        guard let meta = try StoreMeta(database) else {
            throw StoreError(
                code: .damaged, context: "the store has lost its identity", underlying: "store_meta is empty")
        }
        self.queue = queue
        self.meta = meta
        headFile = HeadFile.open(besides: path)
        let tail = try Tail(database, storeID: meta.storeID)
        head = tail.head
        let mended =
            made.isEmpty
            ? []
            : [
                OpenFinding(
                    kind: .tablesMade, expectedSequence: tail.head.sequence, foundSequence: tail.head.sequence,
                    sentence: sent("rebuilt from the log, because it was missing: \(made.joined(separator: ", "))"))
            ]
        findings =
            mended + tail.findings + (try tail.compare(with: headFile.read(), in: database))
        if findings.allSatisfy({ !$0.isWarning }) { headFile.write(tail.head, storeID: meta.storeID) }
    }

    /// A store without a file yet: empty, in memory, with its final ids.
    static func imagined(_ configuration: StoreConfiguration, migrator: Migrator) throws(StoreError) -> Connection {
        do {
            let queue = try DatabaseQueue()
            let meta = StoreMeta(storeID: configuration.newStoreID(), deviceID: configuration.newDeviceID())
            try queue.writeWithoutTransaction { database in
                try migrator.migrate(database)
                try meta.insert(database, created: configuration.now.iso8601)
            }
            return Connection(
                queue: queue, meta: meta, headFile: .none, head: ChainHead(sequence: 0, hash: meta.storeID),
                findings: [])
        } catch { throw StoreError(error, doing: "looking for the store") }
    }

    private init(queue: DatabaseQueue, meta: StoreMeta, headFile: HeadFile, head: ChainHead, findings: [OpenFinding]) {
        self.queue = queue
        self.meta = meta
        self.headFile = headFile
        self.head = head
        self.findings = findings
    }

    /// Opens the one connection of this process, set up so that acknowledged writes are safe.
    ///
    /// - Parameter key: the key of an encrypted store.
    static func database(_ path: String, key: StoreKey?, migrator: Migrator, isNew: Bool) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.label = "store"
        configuration.prepare { database in
            if let key { try Cipher.unlock(database, with: key) }
            try distrust(database)
            // The order matters: `exclusive` before the first read keeps the index of the log in memory and other
            // processes out; WAL only then; GRDB's own journal mode would set `synchronous` to NORMAL.
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            try migrator.check(database, path: path, isNew: isNew)
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
            try database.execute(sql: "PRAGMA cell_size_check = ON")
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
            let locking = try String.fetchOne(database, sql: "PRAGMA locking_mode")
            let journal = try String.fetchOne(database, sql: "PRAGMA journal_mode")
            let synchronous = try Int.fetchOne(database, sql: "PRAGMA synchronous")
            guard locking == "exclusive", journal == "wal", synchronous == 2 else {
                throw StoreError(
                    code: .unavailable, context: "the store's file system does not allow safe writing",
                    underlying: "locking_mode \(locking ?? "?"), journal_mode \(journal ?? "?"), synchronous "
                        + "\(synchronous.map(String.init) ?? "?")")
            }
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}

/// Facts about the store, written once.
struct StoreMeta: Hashable, Sendable {
    /// Identity of the store and first link of its hash chain.
    let storeID: String
    /// The machine that made the store.
    let deviceID: String

    init(storeID: String, deviceID: String) {
        self.storeID = storeID
        self.deviceID = deviceID
    }

    /// Nil if the facts are missing or of another type.
    init?(_ database: Database) throws {
        let row = try Row.fetchOne(database, sql: "SELECT store_id, device_id FROM store_meta WHERE id = 1")
        guard let row, case .string(let storeID) = (row[0] as DatabaseValue).storage,
            case .string(let deviceID) = (row[1] as DatabaseValue).storage
        else { return nil }
        self.init(storeID: storeID, deviceID: deviceID)
    }

    func insert(_ database: Database, created: String) throws {
        try database.execute(
            sql: "INSERT INTO store_meta(id, store_id, device_id, created) VALUES (1, ?, ?, ?)",
            arguments: [storeID, deviceID, created])
    }
}

/// Keeps closed database queues for the life of the process.
///
/// When a queue is released, libdispatch starts a manager thread that wakes the machine once a second for ever. A
/// service opens a database a few times a day; some 3 KiB for each are kept instead.
enum ClosedQueues {
    private static let kept = Guarded<[DatabaseQueue]>([])

    static var count: Int { kept.withLock { $0.count } }

    static func keep(_ queue: DatabaseQueue) { kept.withLock { $0.append(queue) } }

    /// Closes queues that were left open, so that no open descriptor keeps a removed file on the disk.
    static func closeAll() { for queue in kept.withLock({ $0 }) { try? queue.close() } }
}

extension Configuration {
    /// Does the same as `prepareDatabase`, and keeps the queue of the connection as ``ClosedQueues`` does. If opening fails,
    /// GRDB releases the queue before anybody holds it, and without a free descriptor libdispatch's manager would end the
    /// process. Opening can fail after the preparation, too, at GRDB's own first read.
    mutating func prepare(_ setUp: @escaping @Sendable (Database) throws -> Void) {
        prepareDatabase { database in
            csqlite_keep_current_queue()
            try setUp(database)
        }
    }
}
