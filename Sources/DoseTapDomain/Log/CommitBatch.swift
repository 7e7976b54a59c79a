/// What one transaction of the store takes: events, the nights they change, and the cursors of plugins.
public struct CommitBatch: Hashable, Sendable {
    /// New events in the order of the log.
    public var events: [Event]
    /// Each session the events touch, before and after them: the tables follow from the difference.
    public var changes: [SessionChange]
    /// How far each plugin has read, by plugin id.
    public var cursors: [String: Int64]

    /// Memberwise.
    public init(events: [Event], changes: [SessionChange], cursors: [String: Int64] = [:]) {
        self.events = events
        self.changes = changes
        self.cursors = cursors
    }

    /// The batch of events as seen by a logState.
    ///
    /// - Parameter folded: nights that were folded with these events already.
    /// - Returns: the batch and the logState after it.
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
    /// The session.
    public var id: SessionID
    /// Before the events.
    public var before: Session?
    /// After them.
    public var after: Session?

    /// Memberwise.
    public init(id: SessionID, before: Session?, after: Session?) {
        self.id = id
        self.before = before
        self.after = after
    }
}
