public import DoseTapDomain
public import DoseTapEngine
public import DoseTapStore
import Synchronization

/// The real store with faults that a test switches on: it stalls, is full, cannot be written, or fails in the flush.
public final class FaultyStore: EventStore {
    /// A fault of a commit.
    public enum Fault: Sendable {
        /// The commit is refused with this code and nothing is kept.
        case refused(StoreError.Code)
        /// The flush fails, but everything is on the disk.
        case unknownButLanded
        /// The flush fails and nothing is on the disk.
        case unknownAndLost
    }

    private struct State {
        var fault: Fault?
        var reopenFails = false
        var damagedLogs = 0
        var audits: [SessionID?] = []
        var pages: [Result<TableAudit, StoreError>] = []
        var gate: Gate?
        var keyGate: Gate?
        var backupGate: Gate?
        var commits: [CommitBatch] = []
        var reopenings = 0
        var backupFailure: StoreError?
        var repairSteps = 0
        var repair: (@Sendable (Int) async throws -> RepairPlan?)?
    }

    public let store: Store
    private let state = Mutex(State())

    public init(_ store: Store) { self.store = store }

    /// Damages the store and `logs - 1` logs beside it from now on: no commit succeeds until there is a further log
    /// beside it.
    public func damage(logs: Int = 1) { state.withLock { $0.damagedLogs = logs } }
    /// Sets the fault from now on; nil for none.
    public func fail(_ fault: Fault?) { state.withLock { $0.fault = fault } }
    /// Makes each reopening fail from now on, or no longer.
    public func failReopening(_ fails: Bool) { state.withLock { $0.reopenFails = fails } }
    /// Makes every commit wait at this gate from now on.
    public func hold(at gate: Gate?) { state.withLock { $0.gate = gate } }
    /// Makes every look for the event of a key wait at this gate from now on.
    public func hold(keysAt gate: Gate?) { state.withLock { $0.keyGate = gate } }
    /// Batches taken, in order.
    public var commits: [CommitBatch] { state.withLock(\.commits) }
    public var reopenings: Int { state.withLock(\.reopenings) }

    /// Commits as the real store does, unless a fault is switched on.
    public func commit(_ batch: CommitBatch) async throws -> [StoredEvent] {
        if let gate = state.withLock(\.gate) { await gate.pass() }
        let inUse = await store.beside?.number ?? 0
        if inUse < state.withLock(\.damagedLogs) {
            throw StoreError(code: .damaged, context: "the test's store is damaged")
        }
        switch state.withLock(\.fault) {
        case nil: break
        case .refused(let code): throw StoreError(code: code, context: "the test's disk refuses")
        case .unknownButLanded:
            _ = try await store.commit(batch)
            throw StoreError(code: .outcomeUnknown, context: "the test's disk failed in the flush")
        case .unknownAndLost:
            throw StoreError(code: .outcomeUnknown, context: "the test's disk failed in the flush")
        }
        let stored = try await store.commit(batch)
        state.withLock { $0.commits.append(batch) }
        return stored
    }

    /// Reopens as the real store does, unless a fault is switched on.
    public func reopen() async throws {
        let fails = state.withLock { state in
            state.reopenings += 1
            return state.reopenFails
        }
        if fails { throw StoreError(code: .unavailable, context: "the test's disk does not open") }
        try await store.reopen()
    }

    public func load(now: Instant) async throws -> LogSnapshot { try await store.load(now: now) }
    public func sessions(around span: ClosedRange<Instant>) async throws -> [[Event]] {
        try await store.sessions(around: span)
    }
    public func session(named name: String) async throws -> [Event]? { try await store.session(named: name) }
    public func sessions(on date: SessionDate) async throws -> [[Event]] { try await store.sessions(on: date) }
    public func entries(_ kinds: [EntityType], _ scope: EntryScope) async throws -> [[Event]] {
        try await store.entries(kinds, scope)
    }
    public func stock(
        recent: SessionDate, _ prescribed: @Sendable (SessionDate) -> String?
    ) async throws -> StockLedger {
        try await store.stock(recent: recent, prescribed)
    }
    public func events(about id: EventID) async throws -> [Event] { try await store.events(about: id) }
    public func entryIDs(beginning prefix: String) async throws -> [EventID] {
        try await store.entryIDs(beginning: prefix)
    }
    public func events(beginning prefix: String) async throws -> [StoredEvent] {
        try await store.events(beginning: prefix)
    }
    public func event(key: String) async throws -> KeyedEvent? {
        if let gate = state.withLock(\.keyGate) { await gate.pass() }
        return try await store.event(key: key)
    }
    public func events(after sequence: Int64, limit: Int) async throws -> [StoredEvent] {
        try await store.events(after: sequence, limit: limit)
    }
    public func newestActions(limit: Int) async throws -> [StoredEvent] {
        try await store.newestActions(limit: limit)
    }
    public func summaries(_ query: SessionQuery) async throws -> SessionPage { try await store.summaries(query) }
    public func measuredNights(_ query: SessionQuery) async throws -> MeasuredPage {
        try await store.measuredNights(query)
    }
    public func sleepDates() async throws -> [SleepSource: Int] { try await store.sleepDates() }

    public func intervalMeans(_ span: NightSpan, by grouping: Grouping) async throws -> [IntervalMean] {
        try await store.intervalMeans(span, by: grouping)
    }
    public func check() async throws -> StoreReport { try await store.check() }
    public func verify() async throws -> StoreReport { try await store.verify() }
    public func rebuild() async throws -> StoreReport { try await store.rebuild() }
    public func wipePreview(includingBackups: Bool) async throws -> WipeReport {
        try await store.wipePreview(includingBackups: includingBackups)
    }
    public func wipe(includingBackups: Bool) async throws -> WipeReport {
        try await store.wipe(includingBackups: includingBackups)
    }
    public func shape() async throws -> LogShape { try await store.shape() }
    /// Prepares as the real store does, unless a test answers in its stead; counted.
    public func prepareRepair(now: Instant, isAsked: Bool) async throws -> RepairPlan? {
        let (step, repair) = state.withLock { state in
            state.repairSteps += 1
            return (state.repairSteps, state.repair)
        }
        if let repair { return try await repair(step) }
        return try await store.prepareRepair(now: now, isAsked: isAsked)
    }
    /// Answers each step of a repair from now on. The answer gets the step's number.
    public func repair(_ answer: (@Sendable (Int) async throws -> RepairPlan?)?) {
        state.withLock { $0.repair = answer }
    }
    public var repairSteps: Int { state.withLock(\.repairSteps) }
    public func replaceByRepaired() async throws { try await store.replaceByRepaired() }
    /// Audits as the real store does; counted.
    public func audit(_ place: TableAudit.Place, only session: SessionID?) async throws -> TableAudit {
        let page = state.withLock { state -> Result<TableAudit, StoreError>? in
            state.audits.append(session)
            return state.pages.isEmpty ? nil : state.pages.removeFirst()
        }
        if let page { return try page.get() }
        return try await store.audit(place, only: session)
    }
    /// Sets the results of the next comparisons.
    public func audits(_ pages: [Result<TableAudit, StoreError>]) { state.withLock { $0.pages = pages } }
    /// The session of each comparison; nil for a page of all.
    public var audits: [SessionID?] { state.withLock(\.audits) }
    public func ping() async throws { await store.ping() }
    public func keep(_ events: [Event], lastSequence: Int64) async -> KeptPlace? {
        await store.keep(events, lastSequence: lastSequence)
    }
    public func kept() async -> ReservedEvents { await store.kept() }
    public var beside: BesideLog? { get async { await store.beside } }
    public func continueBeside(_ events: [Event], because error: StoreError) async throws {
        try await store.continueBeside(events, because: error)
    }
    public func backUp(_ kind: Backup.Kind, at now: Instant) async throws -> Backup? {
        if let failure = state.withLock(\.backupFailure) { throw failure }
        let backup = try await store.backUp(kind, at: now)
        if let backup { backupsMade.append(backup) }
        if let gate = state.withLock(\.backupGate) { await gate.pass() }
        return backup
    }
    /// Holds the answer to every backup beside the store until this gate opens, from now on.
    public func hold(backupsAt gate: Gate?) { state.withLock { $0.backupGate = gate } }
    /// Backups that were made beside the store.
    public let backupsMade = Recorder<Backup>()
    public func backUp(into descriptor: Int32, at now: Instant) async throws -> Backup? {
        try await store.backUp(into: descriptor, at: now)
    }
    public func backups() async throws -> [Backup] { try await store.backups() }
    public func remove(_ backups: [Backup]) async throws { try await store.remove(backups) }
    public func prepareRestore(
        from descriptor: Int32, now: Instant, tonight: SessionID?
    ) async throws -> PreparedRestore {
        try await store.prepareRestore(from: descriptor, now: now, tonight: tonight)
    }
    public func restore(_ prepared: PreparedRestore, _ fact: Event, keeping kept: String) async throws -> String? {
        try await store.restore(prepared, fact, keeping: kept)
    }
    public func dropRestore() async throws { try await store.dropRestore() }
    public func sweepBackups() async throws { try await store.sweepBackups() }
    /// Sets the error of every backup beside the store from now on; nil for none.
    public func failBackups(_ failure: StoreError?) { state.withLock { $0.backupFailure = failure } }
    public func close(cursors: [String: Int64]) async throws { try await store.close(cursors: cursors) }
    public func readImport(from descriptor: Int32, timeout: Duration) async throws -> ImportFile {
        try await store.readImport(from: descriptor, timeout: timeout)
    }
    public func prepareImport(_ file: ImportFile, _ scene: ImportScene) async throws -> PreparedImport {
        try await store.prepareImport(file, scene)
    }
    public func prepareTakeBack(_ id: EventID, _ scene: ImportScene) async throws -> PreparedImport? {
        try await store.prepareTakeBack(id, scene)
    }
    public func commit(_ prepared: PreparedImport) async throws -> StoredEvent? {
        switch state.withLock(\.fault) {
        case nil: return try await store.commit(prepared)
        case .refused(let code): throw StoreError(code: code, context: "the test's disk refuses")
        case .unknownButLanded:
            _ = try await store.commit(prepared)
            fallthrough
        case .unknownAndLost:
            throw StoreError(code: .outcomeUnknown, context: "the test's disk failed in the flush")
        }
    }
    public func readLog(from descriptor: Int32, timeout: Duration, now: Instant) async throws -> PreparedLog {
        try await store.readLog(from: descriptor, timeout: timeout, now: now)
    }
    public func relation(of log: PreparedLog) async throws -> LogRelation { try await store.relation(of: log) }
    public func lines(of log: PreparedLog) async throws -> ImportFile { try await store.lines(of: log) }
    public func begin(with log: PreparedLog, plugins: [String]) async throws -> Bool {
        try await store.begin(with: log, plugins: plugins)
    }
    public func extend(by log: PreparedLog, plugins: [String]) async throws -> Bool {
        try await store.extend(by: log, plugins: plugins)
    }
    public func drop(_ log: PreparedLog) async { await store.drop(log) }
    public func imports() async throws -> [Event] { try await store.imports() }
    public func write(_ bytes: @escaping @Sendable () -> [UInt8], into descriptor: Int32) async throws {
        try await store.write(bytes, into: descriptor)
    }
    public func export(
        _ request: ExportRequest, into descriptor: Int32, timeout: Duration,
        zone: @escaping @Sendable (String) -> Zone?
    ) async throws -> ExportReport? {
        try await store.export(request, into: descriptor, timeout: timeout, zone: zone)
    }
}
