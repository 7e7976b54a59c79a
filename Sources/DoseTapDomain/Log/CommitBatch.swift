/// The content of one transaction of the store: events, the nights they change, and the cursors of plugins.
public struct CommitBatch: Hashable, Sendable {
    /// New events in the order of the log.
    public var events: [Event]
    /// Each session the events touch, before and after them. The rows of the tables follow from the difference.
    public var changes: [SessionChange]
    /// The sequence number up to which each plugin has read, by plugin id.
    public var cursors: [String: Int64]

    public init(events: [Event], changes: [SessionChange], cursors: [String: Int64] = [:]) {
        self.events = events
        self.changes = changes
        self.cursors = cursors
    }

    /// Returns the batch of events and the log state after it.
    ///
    /// - Parameter folded: nights that were folded with these events already.
    /// - Returns: the batch and the log state after it.
    public static func of(
        _ events: [Event], on logState: LogState, folded: [Session] = []
    ) -> (batch: CommitBatch, after: LogState) {
        let after = logState.appending(events, folded: folded)
        var touched: [SessionID] = []
        for id in events.compactMap(\.sessionID) where !touched.contains(id) { touched.append(id) }
        let changes = touched.map { SessionChange(id: $0, before: logState.session($0), after: after.session($0)) }
        return (CommitBatch(events: events, changes: changes), after)
    }
}

/// One session before and after a batch of events; nil if the session does not exist then.
public struct SessionChange: Hashable, Sendable {
    public var id: SessionID
    public var before: Session?
    public var after: Session?

    public init(id: SessionID, before: Session?, after: Session?) {
        self.id = id
        self.before = before
        self.after = after
    }
}

/// An event as stored in the log: with its place and its links in the hash chain.
public struct StoredEvent: Hashable, Sendable {
    /// Place in the log, from 1, without gaps.
    public let sequence: Int64
    public let event: Event
    /// SHA-256 of the event before it (the store's id for the first), lowercase hexadecimal.
    public let previousHash: String
    /// SHA-256 over this event's columns and `previousHash`, lowercase hexadecimal.
    public let hash: String

    public init(sequence: Int64, event: Event, previousHash: String, hash: String) {
        self.sequence = sequence
        self.event = event
        self.previousHash = previousHash
        self.hash = hash
    }
}

/// The part of the log that is loaded at start: enough for tonight, whatever the length of the history.
public struct LogSnapshot: Hashable, Sendable {
    /// The events of the open session and of recently ended ones, one array per session, in log order.
    public var sessions: [[Event]]
    /// The newest events, back to ``LogState/actionMemory`` before the last, in log order.
    public var recent: [Event]
    /// The events about standalone entries, which are no part of a session's fold: the late ones, and all of the kinds that are
    /// always loaded, one array per entry, in log order.
    public var standalone: [[Event]]
    /// The time at which the newest event was recorded.
    public var newest: Instant?
    /// Sequence number of the newest event, 0 for an empty log.
    public var lastSequence: Int64
    /// The last sequence number that each plugin read.
    public var cursors: [String: Int64]

    public init(
        sessions: [[Event]], recent: [Event], newest: Instant?, lastSequence: Int64, cursors: [String: Int64],
        standalone: [[Event]] = []
    ) {
        self.sessions = sessions
        self.standalone = standalone
        self.recent = recent
        self.newest = newest
        self.lastSequence = lastSequence
        self.cursors = cursors
    }
}

extension LogSnapshot {
    /// All events, each once, in the order in which they were recorded.
    public var events: [Event] {
        var seen: Set<EventID> = []
        let all = (sessions + standalone).joined() + recent
        return all.filter { seen.insert($0.id).inserted }.enumerated()
            .sorted { ($0.element.occurredAt, $0.offset) < ($1.element.occurredAt, $1.offset) }.map(\.element)
    }
}

extension LogState {
    /// Creates the state from the log as loaded at start.
    public init(_ snapshot: LogSnapshot) {
        self.init(
            sessions: snapshot.sessions, recent: snapshot.recent, newest: snapshot.newest,
            standalone: snapshot.standalone)
    }
}

/// An event found by its idempotency key, with the events of its session up to and including its commit.
public struct KeyedEvent: Hashable, Sendable {
    public var event: Event
    /// The events of its session recorded up to the same moment, in log order.
    public var session: [Event]

    public init(event: Event, session: [Event]) {
        self.event = event
        self.session = session
    }
}

/// The choice of nights for a list.
public struct SessionQuery: Hashable, Sendable {
    /// The earliest start of a session; nil begins with the first session.
    public var from: Instant?
    /// The end of the range of starts, exclusive; nil goes up to the newest session.
    public var to: Instant?
    /// The size of a page, 1–1,000; the newest come first.
    public var limit: Int
    /// The end of the page before; empty for the first page.
    public var cursor: String
    /// The type of sleep event that a session must have; nil for all sessions.
    public var event: String?
    /// The dates of the sessions.
    public var dates: NightSpan
    /// The kinds of nights; empty for all.
    public var kinds: Set<NightKind>
    /// The preferred sources of sleep, in order. The engine fills in the value.
    public var sleepOrder: [String] = []

    public init(
        from: Instant? = nil, to: Instant? = nil, limit: Int = 30, cursor: String = "", event: String? = nil,
        dates: NightSpan = NightSpan(), kinds: Set<NightKind> = []
    ) {
        self.from = from
        self.to = to
        self.limit = limit
        self.cursor = cursor
        self.event = event
        self.dates = dates
        self.kinds = kinds
    }
}

/// One page of nights, newest first.
public struct SessionPage: Hashable, Sendable {
    public var nights: [NightSummary]
    /// The cursor of the next page; empty after the last.
    public var next: String

    public init(nights: [NightSummary], next: String) {
        self.nights = nights
        self.next = next
    }
}
