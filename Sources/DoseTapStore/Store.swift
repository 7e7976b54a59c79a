public import DoseTapDomain
import GRDB
import Glibc

/// The event log and its tables in one SQLite file, held by one process, on a thread of its own.
///
/// Every method is synchronous inside the actor: when it returns, its writes are durable. Errors are
/// ``DoseTapDomain/StoreError``. No method reads a clock.
public actor Store {
    nonisolated let thread: StoreThread
    private var configuration: StoreConfiguration
    let migrator: Migrator
    private var lease: Lease?
    private var state: State
    /// Generation of the rows that are read. It changes when the file is opened anew or the tables are rebuilt.
    var generation: UInt64 = 0
    /// First place for events that the log does not take; nil if the file cannot be made.
    var reserve: Reserve?
    /// Path of the log in use.
    var path: String { configuration.path }
    /// The key of an encrypted store.
    var key: StoreKey? { configuration.key }
    /// The seal of the lines in reserve and spare file.
    var seal: LineSeal { LineSeal(configuration.key) }
    /// Second place for events that the log does not take.
    var spare: SpareFile? {
        isGone ? nil : configuration.spareFolder.map { SpareFile(folder: $0, storeID: keptID) }
    }
    /// Copy of the last nights.
    private(set) var nightFile: NightFile
    /// Events that the copy of the last nights has and the log lacks (R21.20), as of the last ``load(now:)``. A copy is foreign
    /// if it has nothing in common with a log without findings: the copy may be of another record.
    var lost: (events: [Event], isForeign: Bool, isUnread: Bool) = ([], false, false)
    /// The fresh log in use beside a damaged one; nil if the store itself is in use.
    public private(set) var beside: BesideLog?
    /// The lease of the damaged store.
    private var otherLease: Lease?
    /// True after the removal of the record: nothing is made in its place.
    private var isGone = false
    /// True if the store has no file yet: the first entry makes it.
    public private(set) var isImagined: Bool
    /// True if the store cannot be written and a copy is read.
    private(set) var isCopy: Bool
    /// True if reserve or spare file may hold events.
    var hasKept = true
    /// The key of a backup that is being restored.
    var backupKey: StoreKey?
    /// A repaired log being prepared.
    var salvage: Salvage?
    /// True if an event found no place in reserve or spare file.
    var isAtRisk = false
    /// Unfinished copies, which end before their connection is closed.
    var copies: [UInt64: DatabaseCopy] = [:]
    /// True if the previous run did not close the store, or left an event that found no place.
    public nonisolated let endedBadly: Bool

    /// Identity of the store as it was opened.
    public nonisolated let storeID: String
    /// Identity of the store in the files outside the log, even if a log beside the store is in use.
    private(set) var keptID: String
    /// The machine that made the store.
    public nonisolated let deviceID: String
    /// Identity of the log in use, and first link of its hash chain.
    private var identity: String
    /// True after a replacement of the file: the file opened next may have another identity.
    private var isReplaced = false
    /// Findings when the store was opened or reopened; the store is usable all the same.
    public private(set) var openFindings: [OpenFinding]

    private enum State {
        case open(Connection)
        case closed(StoreError)
    }

    /// Identities of the record: of the store, and of a fresh log beside it.
    var identities: Set<String> { [keptID, identity] }

    /// Makes the store's folder if there is no store yet.
    func makeFolderIfImagined() throws(StoreError) { if isImagined { try configuration.makeFolder?() } }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(
        _ configuration: StoreConfiguration, migrator: Migrator, thread: StoreThread, lease: Lease?,
        connection: sending Connection, beside: BesideLog? = nil, damaged: (storeID: String?, lease: Lease)? = nil,
        isCopy: Bool = false
    ) {
        self.beside = beside
        self.isCopy = isCopy
        isImagined = lease == nil && !isCopy
        nightFile = lease == nil ? .none : NightFile.open(besides: configuration.path, configuration.key)
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

    /// Opens the store, or makes it if there is none. The work is done on the caller's thread.
    ///
    /// - Throws: ``DoseTapDomain/StoreError``: `.locked` names the process that holds it; `.damaged`, `.foreign`,
    ///   `.newer`, `.unavailable`, `.readOnly`, `.noSpace` leave the file as it is.
    public static func open(_ configuration: StoreConfiguration) throws -> Store {
        try open(configuration, migrator: Migrator())
    }

    static func open(_ configuration: StoreConfiguration, migrator: Migrator) throws(StoreError) -> Store {
        ScratchCopy.sweep(configuration.scratchFolders)
        try finishSwitch(configuration)
        if configuration.isMadeWithFirstEntry, isAbsent(configuration.path) {
            let file = DatabaseFile(path: configuration.path, migrator: migrator, key: configuration.key)
            // An obstacle is reported now, not with the first dose; a missing folder is no obstacle.
            if access(file.folder, F_OK) == 0 { _ = try file.inspect() }
            try sweepBeforeRecord(configuration)
            let connection = try Connection.imagined(configuration, migrator: migrator)
            return Store(
                configuration, migrator: migrator, thread: try StoreThread.start(), lease: nil, connection: connection)
        }
        let lease: Lease
        do { lease = try Lease.take(besides: configuration.path, surface: configuration.surface) } catch {
            guard error.code == .readOnly else { throw error }
            return try openCopy(configuration, migrator: migrator, because: error)
        }
        let connection: Connection
        do { connection = try Connection.open(configuration, migrator: migrator) } catch {
            if error.code == .noSpace {
                return try openWithoutSpace(configuration, migrator: migrator, lease, because: error)
            }
            // The file or its folder belongs to this person, but without the right to write.
            guard error.code == .readOnly || error.code == .unavailable && mayOnlyRead(configuration.path) else {
                throw error
            }
            return try openCopy(configuration, migrator: migrator, lease: lease, because: error)
        }
        KeyIDFile.agree(with: configuration.key, besides: configuration.path)
        let thread = try StoreThread.start()
        connection.queue.yieldToUrgentJobs(on: thread)
        return Store(configuration, migrator: migrator, thread: thread, lease: lease, connection: connection)
    }

    private static func readOnly(_ error: StoreError) -> StoreError {
        StoreError(code: .readOnly, context: sent("the store cannot be written"), underlying: error.underlying)
    }

    private static func mayOnlyRead(_ path: String) -> Bool { access(path, R_OK) == 0 && access(path, W_OK) != 0 }

    /// Runs work on the store's thread, in its turn.
    public func perform<Answer: Sendable>(_ work: @escaping @Sendable () throws -> Answer) throws -> Answer {
        try work()
    }

    /// Finishes the replacement of the store that an earlier run began.
    static func finishSwitch(_ configuration: StoreConfiguration) throws(StoreError) {
        // A decided removal goes first: none of its files is opened again.
        try StoreWipe(path: configuration.path, spareFolder: configuration.spareFolder)
            .finishPending(surface: configuration.surface)
        guard StoreSwitch.isPending(configuration.path) else { return }
        do {
            let lease = try Lease.take(besides: configuration.path, surface: configuration.surface)
            defer { withExtendedLifetime(lease) {} }
            try StoreSwitch.finish(configuration.path)
        } catch  where error.code == .readOnly {
            // The present store is read.
        }
    }

    /// Removes files of a killed attempt to import or restore a first record, unless another program is at work there.
    private static func sweepBeforeRecord(_ configuration: StoreConfiguration) throws(StoreError) {
        guard StoreSwitch.hasLeftovers(configuration.path) else { return }
        do {
            let lease = try Lease.take(besides: configuration.path, surface: configuration.surface)
            defer { withExtendedLifetime(lease) {} }
            try StoreSwitch.finish(configuration.path)
        } catch  where [.readOnly, .locked].contains(error.code) {
            // The files stay.
        }
    }

    private static func isAbsent(_ path: String) -> Bool {
        var status = stat()
        for suffix in ["", "-wal", ".head", ".night", ".reserve", KeyIDFile.suffix]
        where lstat(path + suffix, &status) == 0 {
            return false
        }
        return true
    }

    /// Makes the store, for the first entry, if its folder exists or may be made.
    func makeReal() throws(StoreError) {
        guard isImagined, case .open(let empty) = state else { return }
        try configuration.makeFolder?()
        var real = configuration
        let meta = empty.meta
        real.newStoreID = { meta.storeID }
        real.newDeviceID = { meta.deviceID }
        _ = try DatabaseFile(path: real.path, migrator: migrator, key: real.key).inspect()
        var held = lease
        if held == nil { held = try Lease.take(besides: real.path, surface: real.surface) }
        let connection = try Connection.open(real, migrator: migrator)
        connection.queue.yieldToUrgentJobs(on: thread)
        KeyIDFile.agree(with: real.key, besides: real.path)
        ClosedQueues.keep(empty.queue)
        lease = held
        identity = connection.meta.storeID
        // Another process may have made the store meanwhile.
        keptID = identity
        reserve = Reserve.open(besides: real.path)
        nightFile = NightFile.open(besides: real.path, real.key)
        isImagined = false
        state = .open(connection)
        guard identity == meta.storeID else {
            // The command was decided without the content of this store: it is refused, and the store has to be opened anew.
            let failure = StoreError(
                code: .outcomeUnknown, context: "another program has begun this record meanwhile: look at it first",
                underlying: real.path)
            abandon(failure)
            throw failure
        }
    }

    /// Keeps other programs from beginning a record that has no file yet.
    ///
    /// - Throws: `.locked`; `.unavailable` if another program has begun it.
    func holdImagined() throws(StoreError) {
        guard isImagined, lease == nil else { return }
        try configuration.makeFolder?()
        let lease = try Lease.take(besides: configuration.path, surface: configuration.surface)
        guard Self.isAbsent(configuration.path) else {
            throw StoreError(
                code: .unavailable, context: "another program has begun this record meanwhile: try again",
                underlying: configuration.path)
        }
        self.lease = lease
    }

    /// Lets other programs begin a record that has no file yet.
    func releaseImagined() {
        guard isImagined else { return }
        lease?.ended()
        lease = nil
    }

    /// Returns as soon as the store's thread is free.
    public func ping() {}

    var removal: StoreWipe {
        StoreWipe(path: beside?.damaged ?? configuration.path, spareFolder: configuration.spareFolder)
    }

    /// Runs the removal of this store. The removal closes the store once it is decided.
    func ending<Value>(_ work: (_ isLeased: Bool, _ close: () -> Void) throws(StoreError) -> Value) throws -> Value {
        guard !isCopy else {
            throw StoreError(code: .readOnly, context: "the record cannot be written: nothing was deleted")
        }
        return try work(lease != nil) {
            if case .open(let connection) = state { ClosedQueues.keep(connection.queue) }
            state = .closed(StoreError(code: .unavailable, context: "the record was deleted"))
            ClosedQueues.closeAll()
            (isGone, reserve, nightFile) = (true, nil, .none)
        }
    }

    /// Replaces the copy by the store, once the store can be written again.
    private func becomeReal() throws(StoreError) {
        guard isCopy, case .open(let copy) = state else { return }
        let lease: Lease
        do {
            if let own = self.lease {
                lease = own
            } else {
                lease = try Lease.take(besides: configuration.path, surface: configuration.surface)
            }
        } catch {
            guard error.code == .readOnly else { throw error }
            throw Self.readOnly(error)
        }
        let connection: Connection
        do { connection = try Connection.open(configuration, migrator: migrator) } catch {
            guard error.code == .unavailable, Self.mayOnlyRead(configuration.path) else { throw error }
            throw Self.readOnly(error)
        }
        connection.queue.yieldToUrgentJobs(on: thread)
        self.lease = lease
        reserve = Reserve.open(besides: configuration.path)
        nightFile = NightFile.open(besides: configuration.path, configuration.key)
        isCopy = false
        openFindings = connection.findings
        endCopies()
        ClosedQueues.keep(copy.queue)
        try? copy.queue.close()
        state = .open(connection)
        guard connection.head == copy.head else {
            // The command was decided without the content of this store: it is refused, and the store has to be opened anew.
            let failure = StoreError(
                code: .outcomeUnknown, context: "another program has changed this record meanwhile: look at it first",
                underlying: configuration.path)
            abandon(failure)
            throw failure
        }
    }

    /// Closes the current connection and opens the file anew, verifying the end of the chain.
    public func reopen() throws {
        guard !isGone else { throw StoreError(code: .unavailable, context: "the record was deleted") }
        if isCopy { return try becomeReal() }
        try closeConnection()
        let lease = try lease ?? Lease.take(besides: configuration.path, surface: configuration.surface)
        self.lease = lease
        do {
            if try StoreSwitch.finish(configuration.path) != nil { openFilesBeside() }
            let connection = try Connection.open(configuration, migrator: migrator)
            guard isReplaced || connection.meta.storeID == identity else {
                throw StoreError(
                    code: .foreign, context: "another store lies in the place of the one that was open",
                    underlying: configuration.path)
            }
            connection.queue.yieldToUrgentJobs(on: thread)
            openFindings = connection.findings
            if isReplaced { (identity, keptID, isReplaced) = (connection.meta.storeID, connection.meta.storeID, false) }
            state = .open(connection)
        } catch {
            let failure = StoreError(error, doing: "opening the store again")
            state = .closed(failure)
            throw failure
        }
    }

    /// Puts prepared files in the place of the store, and of the fresh logs beside it, and opens the result.
    ///
    /// - Throws: the error, with the store open as before, if nothing was replaced; afterwards `.outcomeUnknown`, and
    ///   ``reopen()`` finishes the replacement.
    func replace(by change: StoreSwitch, isDamaged: Bool = false) throws(StoreError) {
        try replace(by: change, key: configuration.key, isDamaged: isDamaged)
    }

    /// - Parameters:
    ///   - key: the key of the new store; nil for a store without encryption.
    ///   - isDamaged: true to leave the present file as it is: a close could write into it.
    func replace(by change: StoreSwitch, key: StoreKey?, isDamaged: Bool = false) throws(StoreError) {
        guard !isCopy else { throw StoreError(code: .readOnly, context: sent("the store cannot be written")) }
        if isImagined { try holdImagined() }
        let first = beside?.damaged ?? configuration.path
        // The redo file begins the change; before it nothing has changed, and the connection stays as it is.
        try change.begin(besides: first)
        endCopies()
        if case .open(let connection) = state {
            state = .closed(StoreError(code: .unavailable, context: "the store is being replaced"))
            ClosedQueues.keep(connection.queue)
            // Pages that a close cannot write back stay in the write-ahead log, which is kept beside the file.
            if !isDamaged { try? connection.queue.close() }
        }
        var failure: StoreError?
        do { try change.finish(besides: first) } catch { failure = error }
        configuration.path = first
        configuration.key = key
        (lease, otherLease) = (otherLease ?? lease, nil)
        (beside, isImagined, isReplaced) = (nil, false, true)
        openFilesBeside()
        do {
            if let failure { throw failure }
            try reopen()
            KeyIDFile.agree(with: key, besides: first)
        } catch {
            let error = StoreError(error, doing: "opening the store that was put in place")
            let failure = StoreError(code: .outcomeUnknown, context: error.context, underlying: error.underlying)
            state = .closed(failure)
            throw failure
        }
    }

    /// Opens the files beside the store anew: a switch may have replaced or removed them.
    private func openFilesBeside() {
        nightFile = NightFile.open(besides: configuration.path, configuration.key)
        reserve = Reserve.open(besides: configuration.path)
    }

    /// Goes on in a fresh log beside the store, after the log in use turned out to be damaged. The fresh log begins with these
    /// events and those of the last nights.
    ///
    /// - Throws: the error that prevents a fresh log; `.damaged` if there are as many as allowed.
    public func continueBeside(_ events: [Event], because error: StoreError) throws {
        var first = configuration
        if let beside { first.path = beside.damaged }
        let fresh = try FreshLog.open(
            first, from: (beside?.number ?? 0) + 1, with: events, deviceID: deviceID, because: error, migrator: migrator
        )
        let connection = fresh.connection
        connection.queue.yieldToUrgentJobs(on: thread)
        endCopies()
        // The connection is not closed: a close would write into the damaged file.
        if case .open(let old) = state { ClosedQueues.keep(old.queue) }
        // The lease of the first store is kept.
        (otherLease, lease) = (otherLease ?? lease, fresh.lease)
        configuration = fresh.configuration
        identity = connection.meta.storeID
        nightFile = NightFile.open(besides: configuration.path, configuration.key)
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

    private func endCopies() {
        generation += 1
        for copy in copies.values { copy.end() }
        copies = [:]
    }

    private func closeConnection() throws {
        endCopies()
        salvage?.abandon()
        salvage = nil
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

    /// Returns the connection; throws if the connection can no longer be trusted.
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

    /// Writes in one durable transaction. After a failed flush the connection is no longer used: only a new opening of the file
    /// shows if the transaction is on the disk.
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
        endCopies()
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
