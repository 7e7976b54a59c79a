public import DoseTapDomain

/// What the engine needs of a store. All of it is durable when it returns; errors are ``DoseTapDomain/StoreError``.
public protocol EventStore: Sendable {
    /// What is needed at start; its cost does not grow with history.
    func load(now: Instant) async throws -> LogSnapshot
    /// Takes a batch in one durable transaction.
    ///
    /// - Returns: the events as they now stand in the log.
    func commit(_ batch: CommitBatch) async throws -> [StoredEvent]
    /// The events of all sessions that touch a span of time, one array per session, in log order.
    func sessions(around span: ClosedRange<Instant>) async throws -> [[Event]]
    /// The events of the session with this id or date, or of the session an entry belongs to.
    ///
    /// - Parameter name: a session id, an entry id or an unambiguous beginning of one (8 characters or more).
    func session(named name: String) async throws -> [Event]?
    /// The sessions of a date, oldest first.
    func sessions(on date: SessionDate) async throws -> [[Event]]
    /// The events about the standing entries of a scope that are no part of a session's fold, one array per entry, in log
    /// order.
    func entries(_ kinds: [EntityType], _ scope: EntryScope) async throws -> [[Event]]
    /// What there is of each medicine.
    ///
    /// - Parameters:
    ///   - recent: from this session date on it is told what each night took.
    ///   - prescribed: the medicine prescribed for a session date.
    func stock(recent: SessionDate, _ prescribed: @Sendable (SessionDate) -> String?) async throws -> StockLedger
    /// The events about one entry; none when there is none.
    func events(about id: EventID) async throws -> [Event]
    /// The entries whose id begins like this, at most five: a second one says that the beginning is ambiguous.
    func entryIDs(beginning prefix: String) async throws -> [EventID]
    /// The events whose own id begins like this (8 characters or more), at most five: a second one says that the beginning
    /// is ambiguous.
    func events(beginning prefix: String) async throws -> [StoredEvent]
    /// The event recorded under a caller's key.
    func event(key: String) async throws -> KeyedEvent?
    /// Events after a place in the log, oldest first, at most `limit`.
    func events(after sequence: Int64, limit: Int) async throws -> [StoredEvent]
    /// A page of nights, newest first.
    func summaries(_ query: SessionQuery) async throws -> SessionPage
    /// A page of nights with what is measured of them, newest first.
    func measuredNights(_ query: SessionQuery) async throws -> MeasuredPage
    /// The interval means of weeks or months, newest first.
    func intervalMeans(_ span: NightSpan, by grouping: Grouping) async throws -> [IntervalMean]
    /// Looks at the file and its tables.
    func check() async throws -> StoreReport
    /// Recomputes the hash chain from the first event.
    func verify() async throws -> StoreReport
    /// Recreates every table from the log.
    func rebuild() async throws -> StoreReport
    /// Compares a page of the tables with the log, and makes rows anew that do not say what it says.
    ///
    /// - Parameter session: compares the rows of this session only, in one page.
    func audit(_ place: TableAudit.Place, only session: SessionID?) async throws -> TableAudit
    /// Answers when the store's thread does.
    func ping() async throws
    /// Closes the current connection and opens the file anew, verifying the end of the chain.
    func reopen() async throws
    /// Puts events that the log does not take where a stop, a crash or a reboot does not lose them, in place of what was
    /// there; none empties it.
    ///
    /// - Returns: the worst place one of them has; nil where there is nothing to keep.
    func keep(_ events: [Event], lastSequence: Int64) async -> KeptPlace?
    /// What an earlier run had to keep outside the log, in the order in which it was recorded.
    func kept() async -> ReservedEvents
    /// Where the log is a fresh one beside a damaged one; nil for the usual one.
    var beside: BesideLog? { get async }
    /// The log in use turned out to be damaged: goes on in a fresh one beside the store, which begins with these events and
    /// those of the last nights.
    func continueBeside(_ events: [Event], because error: StoreError) async throws
    /// Writes cursors at a clean stop and lets go of the file.
    func close(cursors: [String: Int64]) async throws
}
