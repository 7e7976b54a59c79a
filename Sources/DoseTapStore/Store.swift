public import DoseTapDomain
import GRDB
import Glibc

/// The event log and its tables in one SQLite file, held by one process, on a thread of its own.
///
/// Every method is synchronous inside the actor: when it returns, its writes are durable. Errors are
/// ``DoseTapDomain/StoreError``. No method reads a clock.
public actor Store {
    private nonisolated let thread: StoreThread
    private var configuration: StoreConfiguration
    let migrator: Migrator
    private var lease: Lease?
    private var state: State
    /// First place for events that the log does not take; nil where the file cannot be made.
    private(set) var reserve: Reserve?
    /// Second place for these events.
    var spare: SpareFile? { configuration.spareFolder.map { SpareFile(folder: $0, storeID: keptID) } }
    /// Copy of the last nights.
    private(set) var nightFile: NightFile
    /// Set where the log is a fresh one beside a damaged one.
    public private(set) var beside: BesideLog?
    /// The lease of the damaged store.
    private var otherLease: Lease?
    /// The store has no file yet: the first entry makes it.
    public private(set) var isImagined: Bool
    /// The store cannot be written; a copy is read.
    private var isCopy: Bool
    /// Reserve or spare file may hold events.
    var hasKept = true
    /// An event found no place in either.
    var isAtRisk = false
    /// The run before did not close the store, or left an event that found no place.
    public nonisolated let endedBadly: Bool

    /// Identity of the store as it was opened.
    public nonisolated let storeID: String
    /// Identity of the store in the files outside the log, also when a log beside it is in use.
    private(set) var keptID: String
    /// The machine the store was made on.
    public nonisolated let deviceID: String
    /// Identity of the log in use, and first link of its hash chain.
    private var identity: String
    /// Findings when the store was opened or reopened; the store is usable all the same.
    public private(set) var openFindings: [OpenFinding]

    private enum State {
        case open(Connection)
        case closed(StoreError)
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(
        _ configuration: StoreConfiguration, migrator: Migrator, thread: StoreThread, lease: Lease?,
        connection: sending Connection, beside: BesideLog? = nil, damaged: (storeID: String?, lease: Lease)? = nil,
        isCopy: Bool = false
    ) {
        self.beside = beside
        self.isCopy = isCopy
        isImagined = lease == nil && !isCopy
        nightFile = lease == nil ? .none : NightFile.open(besides: configuration.path)
        self.configuration = configuration
        self.migrator = migrator
        self.thread = thread
        self.lease = lease
        otherLease = damaged?.lease
        endedBadly = lease?.endedBadly ?? false || damaged?.lease.endedBadly ?? false
        storeID = damaged?.storeID ?? connection.meta.storeID
        keptID = storeID
        identity = connection.meta.storeID
        deviceID = connection.meta.deviceID
        openFindings = connection.findings
        reserve = lease == nil ? nil : Reserve.open(besides: beside?.damaged ?? configuration.path)
        state = .open(connection)
    }

    deinit { thread.stop() }

    /// Opens the store, making it where there is none. Works on the caller's thread.
    ///
    /// - Throws: ``DoseTapDomain/StoreError``: `.locked` names the process that holds it; `.damaged`, `.foreign`,
    ///   `.newer`, `.unavailable`, `.readOnly`, `.noSpace` leave the file as it is.
    public static func open(_ configuration: StoreConfiguration) throws -> Store {
        try open(configuration, migrator: Migrator())
    }

    static func open(_ configuration: StoreConfiguration, migrator: Migrator) throws(StoreError) -> Store {
        if configuration.isMadeWithFirstEntry, isAbsent(configuration.path) {
            let file = DatabaseFile(path: configuration.path, migrator: migrator)
            // An obstacle is reported now, not with the first dose; a missing folder is none.
            if access(file.folder, F_OK) == 0 { _ = try file.inspect() }
            let connection = try Connection.imagined(configuration, migrator: migrator)
            return Store(
                configuration, migrator: migrator, thread: try StoreThread.start(), lease: nil, connection: connection)
        }
        let lease: Lease
        do { lease = try Lease.take(besides: configuration.path, surface: configuration.surface) } catch {
            guard error.code == .readOnly else { throw error }
            return try openCopy(configuration, migrator: migrator, because: error)
        }
        let connection = try Connection.open(configuration, migrator: migrator)
        let thread = try StoreThread.start()
        connection.queue.yieldToUrgentJobs(on: thread)
        return Store(configuration, migrator: migrator, thread: thread, lease: lease, connection: connection)
    }

    /// Runs work on the store's thread, in its turn.
    public func perform<Answer: Sendable>(_ work: @escaping @Sendable () throws -> Answer) throws -> Answer {
        try work()
    }

    private static func isAbsent(_ path: String) -> Bool {
        var status = stat()
        for suffix in ["", "-wal", ".head", ".night", ".reserve"] where lstat(path + suffix, &status) == 0 {
            return false
        }
        return true
    }

    /// Makes the store, for the first entry, where its folder exists or may be made.
    func makeReal() throws(StoreError) {
        guard isImagined, case .open(let empty) = state else { return }
        try configuration.makeFolder?()
        var real = configuration
        let meta = empty.meta
        real.newStoreID = { meta.storeID }
        real.newDeviceID = { meta.deviceID }
        _ = try DatabaseFile(path: real.path, migrator: migrator).inspect()
        let lease = try Lease.take(besides: real.path, surface: real.surface)
        let connection = try Connection.open(real, migrator: migrator)
        connection.queue.yieldToUrgentJobs(on: thread)
        ClosedQueues.keep(empty.queue)
        self.lease = lease
        identity = connection.meta.storeID
        // Another process may have made it meanwhile.
        keptID = identity
        reserve = Reserve.open(besides: real.path)
        nightFile = NightFile.open(besides: real.path)
        isImagined = false
        state = .open(connection)
        guard identity == meta.storeID else {
            // The command was decided without the content of this store, so it is refused and the store opened anew.
            let failure = StoreError(
                code: .outcomeUnknown, context: "another program has begun this record meanwhile: look at it first",
                underlying: real.path)
            abandon(failure)
            throw failure
        }
    }

    /// Answers when the store's thread does.
    public func ping() {}

    /// Replaces the copy by the store, where that can be written again.
    private func becomeReal() throws(StoreError) {
        guard isCopy, case .open(let copy) = state else { return }
        let lease: Lease
        do { lease = try Lease.take(besides: configuration.path, surface: configuration.surface) } catch {
            guard error.code == .readOnly else { throw error }
            throw StoreError(code: .readOnly, context: "the store cannot be written", underlying: error.underlying)
        }
        let connection = try Connection.open(configuration, migrator: migrator)
        connection.queue.yieldToUrgentJobs(on: thread)
        self.lease = lease
        reserve = Reserve.open(besides: configuration.path)
        nightFile = NightFile.open(besides: configuration.path)
        isCopy = false
        openFindings = connection.findings
        ClosedQueues.keep(copy.queue)
        try? copy.queue.close()
        state = .open(connection)
        guard connection.head == copy.head else {
            // The command was decided without the content of this store, so it is refused and the store opened anew.
            let failure = StoreError(
                code: .outcomeUnknown, context: "another program has changed this record meanwhile: look at it first",
                underlying: configuration.path)
            abandon(failure)
            throw failure
        }
    }

    /// Closes the current connection and opens the file anew, verifying the end of the chain.
    public func reopen() throws {
        if isCopy { return try becomeReal() }
        try closeConnection()
        let lease = try lease ?? Lease.take(besides: configuration.path, surface: configuration.surface)
        self.lease = lease
        do {
            let connection = try Connection.open(configuration, migrator: migrator)
            guard connection.meta.storeID == identity else {
                throw StoreError(
                    code: .foreign, context: "another store lies in the place of the one that was open",
                    underlying: configuration.path)
            }
            connection.queue.yieldToUrgentJobs(on: thread)
            openFindings = connection.findings
            state = .open(connection)
        } catch {
            let failure = StoreError(error, doing: "opening the store again")
            state = .closed(failure)
            throw failure
        }
    }

    /// The log in use turned out to be damaged: goes on in a fresh one beside the store, which begins with these events and
    /// those of the last nights.
    ///
    /// - Throws: why no fresh log can be made; `.damaged` where there are as many as allowed.
    public func continueBeside(_ events: [Event], because error: StoreError) throws {
        var first = configuration
        if let beside { first.path = beside.damaged }
        let fresh = try FreshLog.open(
            first, from: (beside?.number ?? 0) + 1, with: events, deviceID: deviceID, because: error, migrator: migrator
        )
        let connection = fresh.connection
        connection.queue.yieldToUrgentJobs(on: thread)
        // Not closed: a close would write into the damaged file.
        if case .open(let old) = state { ClosedQueues.keep(old.queue) }
        // The lease of the first store is kept.
        (otherLease, lease) = (otherLease ?? lease, fresh.lease)
        configuration = fresh.configuration
        identity = connection.meta.storeID
        nightFile = NightFile.open(besides: configuration.path)
        openFindings = []
        beside = fresh.log
        state = .open(connection)
    }

    /// Writes cursors at a clean stop and lets go of the file; the store can be opened again with ``reopen()``.
    public func close(cursors: [String: Int64] = [:]) throws {
        defer { (lease, otherLease) = (nil, nil) }
        var failure: StoreError?
        do {
            if !cursors.isEmpty, !isCopy, case .open = state {
                try transaction("saving how far plugins have read") { try Self.write(cursors, in: $0) }
            }
        } catch {
            failure = StoreError(error, doing: "closing the store")
        }
        try closeConnection()
        if let failure { throw failure }
        guard !isAtRisk else { return }
        lease?.ended()
        otherLease?.ended()
    }

    private func closeConnection() throws {
        guard case .open(let connection) = state else { return }
        state = .closed(StoreError(code: .unavailable, context: "the store is closed"))
        ClosedQueues.keep(connection.queue)
        do { try connection.queue.close() } catch { throw StoreError(error, doing: "closing the store") }
    }
}

extension Store {
    /// The end of the log as this process knows it.
    var head: ChainHead {
        get throws { try connection().head }
    }

    /// The connection; throws when it can no longer be trusted.
    func connection() throws(StoreError) -> Connection {
        switch state {
        case .open(let connection): return connection
        case .closed(let failure): throw failure
        }
    }

    func read<Value>(_ doing: String, _ body: (Database) throws -> Value) throws(StoreError) -> Value {
        let connection = try connection()
        return try StoreError.reading(doing) { try connection.queue.writeWithoutTransaction(body) }
    }

    /// Writes in one durable transaction. After a failed flush the connection is no longer used: whether the
    /// transaction is on disk is only known when the file is opened anew.
    func transaction(_ doing: String, _ body: (Database) throws -> Void) throws(StoreError) {
        try becomeReal()
        let connection = try connection()
        var failure: StoreError?
        var isStuck = false
        connection.queue.writeWithoutTransaction { database in
            do {
                try database.cachedStatement(sql: "BEGIN IMMEDIATE").execute()
                try body(database)
                try database.cachedStatement(sql: "COMMIT").execute()
            } catch {
                failure = StoreError(
                    error, doing: doing, isWriting: true, systemError: LastSystemError.number(database.sqliteConnection)
                )
                if database.isInsideTransaction { try? database.rollback() }
                isStuck = database.isInsideTransaction
            }
        }
        guard let failure else { return }
        if failure.code == .outcomeUnknown || isStuck { abandon(failure) }
        throw failure
    }

    /// Remembers the end of the log after a commit, here and outside the database.
    func advance(to head: ChainHead) {
        guard case .open(var connection) = state else { return }
        connection.head = head
        state = .open(connection)
        connection.headFile.write(head, storeID: connection.meta.storeID)
    }

    private func abandon(_ failure: StoreError) {
        guard case .open(let connection) = state else { return }
        state = .closed(failure)
        ClosedQueues.keep(connection.queue)
        try? connection.queue.close()
    }

    static func write(_ cursors: [String: Int64], in database: Database) throws {
        for (plugin, sequence) in cursors {
            let statement = try database.cachedStatement(
                sql: "INSERT INTO plugin_cursors(plugin_id, seq) VALUES (?, ?) "
                    + "ON CONFLICT(plugin_id) DO UPDATE SET seq = excluded.seq")
            statement.setUncheckedArguments([plugin, sequence])
            try statement.execute()
            guard database.changesCount == 1 else { throw TableWriter.prevented("plugin_cursors") }
        }
    }
}

/// What a store needs when it is opened or first made. It reads no clock.
public struct StoreConfiguration: Sendable {
    /// The database file; its folder exists, belongs to this user and nobody else may write there.
    public var path: String
    /// The opener (`service`, `cli`), named to a second one that finds the store in use.
    public var surface: String
    /// Time of opening; the creation time of a new store.
    public var now: Instant
    /// A missing store is made by the first entry only, not by a question.
    public var isMadeWithFirstEntry = false
    /// Makes the store's folder, where the first entry may do that.
    public var makeFolder: (@Sendable () throws(StoreError) -> Void)?
    /// A folder for events that neither the log nor the reserve beside it takes; nil for none.
    public var spareFolder: String?
    /// Folders for a temporary copy of a read-only store; the first that can hold it is used.
    public var scratchFolders = ["/tmp"]
    /// Id of this machine in a new store.
    public var newDeviceID: @Sendable () -> String
    /// Id of a new store, the first link of its hash chain.
    public var newStoreID: @Sendable () -> String

    /// By default both ids are new version 7 UUIDs.
    public init(
        path: String, surface: String, now: Instant, spareFolder: String? = nil,
        newDeviceID: (@Sendable () -> String)? = nil, newStoreID: (@Sendable () -> String)? = nil
    ) {
        self.spareFolder = spareFolder
        let fresh: @Sendable () -> String = {
            var ids = IdentifierGenerator()
            return ids.next(at: now)
        }
        self.path = path
        self.surface = surface
        self.now = now
        self.newDeviceID = newDeviceID ?? fresh
        self.newStoreID = newStoreID ?? fresh
    }
}
