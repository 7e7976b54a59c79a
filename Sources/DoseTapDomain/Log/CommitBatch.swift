/// What one transaction of the store takes: events, the nights they change, and the cursors of plugins.
public struct CommitBatch: Hashable, Sendable {
    /// New events in the order of the log.
    public var events: [Event]
    /// Each session the events touch, before and after them: the tables follow from the difference.
    public var changes: [SessionChange]
    /// How far each plugin has read, by plugin id.
    public var cursors: [String: Int64]

    public init(events: [Event], changes: [SessionChange], cursors: [String: Int64] = [:]) {
        self.events = events
        self.changes = changes
        self.cursors = cursors
    }

    /// The batch of events as seen by a log state.
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

/// One session before and after a batch of events; nil where it does not exist.
public struct SessionChange: Hashable, Sendable {
    public var id: SessionID
    /// Before the events.
    public var before: Session?
    /// After them.
    public var after: Session?

    public init(id: SessionID, before: Session?, after: Session?) {
        self.id = id
        self.before = before
        self.after = after
    }
}

/// An event as it stands in the log: with its place and its links in the hash chain.
public struct StoredEvent: Hashable, Sendable {
    /// Place in the log, from 1, without gaps.
    public let sequence: Int64
    /// The fact itself.
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

/// What the log gives at start: enough for tonight, whatever the length of the history.
public struct LogSnapshot: Hashable, Sendable {
    /// The events of the open session and of those that ended lately, one array per session, in log order.
    public var sessions: [[Event]]
    /// The newest events, back to ``LogState/actionMemory`` before the last, in log order.
    public var recent: [Event]
    /// The events about the entries that are no part of a session's fold: the late ones, and all that are in memory whatever
    /// their age, one array per entry, in log order.
    public var standalone: [[Event]]
    /// When the newest event was recorded.
    public var newest: Instant?
    /// Sequence number of the newest event, 0 for an empty log.
    public var lastSequence: Int64
    /// How far each plugin has read.
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
    /// Tonight as the log gives it at start.
    public init(_ snapshot: LogSnapshot) {
        self.init(
            sessions: snapshot.sessions, recent: snapshot.recent, newest: snapshot.newest,
            standalone: snapshot.standalone)
    }
}

/// An event found by its idempotency key, with the events of its session up to and including its commit.
public struct KeyedEvent: Hashable, Sendable {
    public var event: Event
    /// Its session's events recorded up to the same moment, in log order.
    public var session: [Event]

    public init(event: Event, session: [Event]) {
        self.event = event
        self.session = session
    }
}

/// Which nights to list.
public struct SessionQuery: Hashable, Sendable {
    /// Only sessions that began at or after this; nil is from the first.
    public var from: Instant?
    /// Only sessions that began before this; nil is up to the newest.
    public var to: Instant?
    /// At most this many, 1–1,000; the newest come first.
    public var limit: Int
    /// Where the page before ended; empty for the first page.
    public var cursor: String
    /// Only sessions that have a sleep event of this type; nil is all.
    public var event: String?
    /// Only sessions of these dates.
    public var dates: NightSpan
    /// Only sessions of any of these kinds; none is all.
    public var kinds: Set<NightKind>
    /// Which sources of sleep are preferred; the engine fills it in.
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
