/// The relation of an exported log to the record (R35).
public struct LogRelation: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// The record has no event: the log becomes it.
        case beginning
        /// The log has all events of the record and goes on.
        case extending
        /// The record has all events of the log.
        case known
        /// The log and the record have one origin and went different ways; the event is the first that differs.
        case fork(at: Int64)
        /// The log is that of another record.
        case other
    }

    public var kind: Kind
    /// The number of events of the log.
    public var events: Int64
    /// The number of these events that the record has.
    public var known: Int64 = 0
    /// The number of nights of the other events.
    public var nights = 0
    /// The first and the last session date of these nights.
    public var from: SessionDate?
    public var to: SessionDate?

    public init(_ kind: Kind, events: Int64) {
        (self.kind, self.events) = (kind, events)
    }
}

/// An exported log that was read and checked.
public struct PreparedLog: Sendable {
    public let events: Int64
    /// The log as the store prepared it.
    public let contents: any Sendable

    public init(events: Int64, _ contents: any Sendable) {
        (self.events, self.contents) = (events, contents)
    }
}

extension ImportReport {
    /// The report of a log that is taken over event by event, or would be; `counts` has the number of its events.
    public init(_ relation: LogRelation, isDryRun: Bool) {
        self.init(source: ImportSource.log.rawValue)
        self.isDryRun = isDryRun
        counts = [Self.event: Int(clamping: relation.events - relation.known)]
        known = Int(clamping: relation.known)
        (nights, from, to) = (relation.nights, relation.from, relation.to)
    }

    /// The kind under which the events of a log are counted.
    public static let event = "event"

    /// True if a log was taken over, and not entries of one.
    public var isOfEvents: Bool { counts[Self.event] != nil }
}
