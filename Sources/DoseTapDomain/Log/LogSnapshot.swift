/// What the log gives at start: enough for tonight, whatever the length of the history.
public struct LogSnapshot: Hashable, Sendable {
    /// The events of the open session and of those that ended lately, one array per session, in log order.
    public var sessions: [[Event]]
    /// The events recorded within ``Diary/actionMemory`` of now, in log order.
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

    /// Memberwise.
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
    /// The event.
    public var event: Event
    /// Its session's events recorded up to the same moment, in log order.
    public var session: [Event]

    /// Memberwise.
    public init(event: Event, session: [Event]) {
        self.event = event
        self.session = session
    }
}
