public import DoseTapDomain
public import DoseTapEngine
public import DoseTapStore
import Synchronization

/// The real store with faults a test switches on: it stalls, is full, cannot be written, or fails in the flush.
public final class FaultyStore: EventStore {
    /// What goes wrong at a commit.
    public enum Fault: Sendable {
        /// The commit is refused with this code and nothing is kept.
        case refused(StoreError.Code)
        /// The flush fails, yet everything landed on the disk.
        case unknownButLanded
        /// The flush fails and nothing landed.
        case unknownAndLost
    }

    private struct State {
        var fault: Fault?
        var reopenFails = false
        var damagedLogs = 0
        var audits: [SessionID?] = []
        var pages: [Result<TableAudit, StoreError>] = []
        var gate: Gate?
        var commits: [CommitBatch] = []
        var reopenings = 0
    }

    /// The store behind it.
    public let store: Store
    private let state = Mutex(State())

    /// - Parameter store: takes what is not refused.
    public init(_ store: Store) { self.store = store }

    /// The store, and so many logs less one beside it, are damaged from now on: nothing is taken until a further one stands
    /// beside it.
    public func damage(logs: Int = 1) { state.withLock { $0.damagedLogs = logs } }
    /// What goes wrong from now on; nil: nothing.
    public func fail(_ fault: Fault?) { state.withLock { $0.fault = fault } }
    /// Whether opening anew fails from now on.
    public func failReopening(_ fails: Bool) { state.withLock { $0.reopenFails = fails } }
    /// Every commit waits at this gate from now on.
    public func hold(at gate: Gate?) { state.withLock { $0.gate = gate } }
    /// Batches taken, in order.
    public var commits: [CommitBatch] { state.withLock(\.commits) }
    /// How often the store was opened anew.
    public var reopenings: Int { state.withLock(\.reopenings) }

    /// As the real store, unless a fault is switched on.
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

    /// As the real store, unless a fault is switched on.
    public func reopen() async throws {
        let fails = state.withLock { state in
            state.reopenings += 1
            return state.reopenFails
        }
        if fails { throw StoreError(code: .unavailable, context: "the test's disk does not open") }
        try await store.reopen()
    }

    /// As the real store.
    public func load(now: Instant) async throws -> LogSnapshot { try await store.load(now: now) }
    /// As the real store.
    public func sessions(around span: ClosedRange<Instant>) async throws -> [[Event]] {
        try await store.sessions(around: span)
    }
    /// As the real store.
    public func session(named name: String) async throws -> [Event]? { try await store.session(named: name) }
    /// As the real store.
    public func sessions(on date: SessionDate) async throws -> [[Event]] { try await store.sessions(on: date) }
    /// As the real store.
    public func entries(_ kinds: [EntityType], _ scope: EntryScope) async throws -> [[Event]] {
        try await store.entries(kinds, scope)
    }
    /// As the real store.
    public func stock(
        recent: SessionDate, _ prescribed: @Sendable (SessionDate) -> String?
    ) async throws -> StockLedger {
        try await store.stock(recent: recent, prescribed)
    }
    /// As the real store.
    public func events(about id: EventID) async throws -> [Event] { try await store.events(about: id) }
    /// As the real store.
    public func entryIDs(beginning prefix: String) async throws -> [EventID] {
        try await store.entryIDs(beginning: prefix)
    }
    /// As the real store.
    public func events(beginning prefix: String) async throws -> [StoredEvent] {
        try await store.events(beginning: prefix)
    }
    /// As the real store.
    public func event(key: String) async throws -> KeyedEvent? { try await store.event(key: key) }
    /// As the real store.
    public func events(after sequence: Int64, limit: Int) async throws -> [StoredEvent] {
        try await store.events(after: sequence, limit: limit)
    }
    /// As the real store.
    public func summaries(_ query: SessionQuery) async throws -> SessionPage { try await store.summaries(query) }
    /// A page of nights with what is measured of them.
    public func measuredNights(_ query: SessionQuery) async throws -> MeasuredPage {
        try await store.measuredNights(query)
    }
    /// As the real store.
    public func intervalMeans(_ span: NightSpan, by grouping: Grouping) async throws -> [IntervalMean] {
        try await store.intervalMeans(span, by: grouping)
    }
    /// As the real store.
    public func check() async throws -> StoreReport { try await store.check() }
    /// As the real store.
    public func verify() async throws -> StoreReport { try await store.verify() }
    /// As the real store.
    public func rebuild() async throws -> StoreReport { try await store.rebuild() }
    /// As the real store; counted.
    public func audit(_ place: TableAudit.Place, only session: SessionID?) async throws -> TableAudit {
        let page = state.withLock { state -> Result<TableAudit, StoreError>? in
            state.audits.append(session)
            return state.pages.isEmpty ? nil : state.pages.removeFirst()
        }
        if let page { return try page.get() }
        return try await store.audit(place, only: session)
    }
    /// What the next comparisons come to.
    public func audits(_ pages: [Result<TableAudit, StoreError>]) { state.withLock { $0.pages = pages } }
    /// Which sessions alone were compared, a page each; nil for a page of all.
    public var audits: [SessionID?] { state.withLock(\.audits) }
    /// As the real store.
    public func ping() async throws { await store.ping() }
    /// As the real store.
    public func keep(_ events: [Event], lastSequence: Int64) async -> KeptPlace? {
        await store.keep(events, lastSequence: lastSequence)
    }
    /// As the real store.
    public func kept() async -> ReservedEvents { await store.kept() }
    /// As the real store.
    public var beside: BesideLog? { get async { await store.beside } }
    /// As the real store.
    public func continueBeside(_ events: [Event], because error: StoreError) async throws {
        try await store.continueBeside(events, because: error)
    }
    /// As the real store.
    public func close(cursors: [String: Int64]) async throws { try await store.close(cursors: cursors) }
}
