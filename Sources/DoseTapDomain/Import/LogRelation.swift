/// How an exported log stands to the record (R35).
public struct LogRelation: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// The record has no event: the log becomes it.
        case beginning
        /// The log has all events of the record and goes on.
        case extending
        /// The record has all events of the log.
        case known
        /// Both are of one record and went different ways: this event is the first that differs.
        case fork(at: Int64)
        /// It is the log of another record.
        case other
    }

    public var kind: Kind
    /// Events of the log.
    public var events: Int64
    /// How many of them the record has.
    public var known: Int64 = 0
    /// Nights of the others.
    public var nights = 0
    /// Of those the first and the last session date.
    public var from: SessionDate?
    public var to: SessionDate?

    public init(_ kind: Kind, events: Int64) {
        (self.kind, self.events) = (kind, events)
    }
}

/// An exported log that was read and checked.
public struct PreparedLog: Sendable {
    public let events: Int64
    /// What the store has made of it.
    public let contents: any Sendable

    public init(events: Int64, _ contents: any Sendable) {
        (self.events, self.contents) = (events, contents)
    }
}

extension ImportReport {
    /// What a log brings, or would bring, event by event; `counts` has its events.
    public init(_ relation: LogRelation, isDryRun: Bool) {
        self.init(source: ImportSource.log.rawValue)
        self.isDryRun = isDryRun
        counts = [Self.event: Int(clamping: relation.events - relation.known)]
        known = Int(clamping: relation.known)
        (nights, from, to) = (relation.nights, relation.from, relation.to)
    }

    /// The kind of what is taken over from a log.
    public static let event = "event"

    /// Whether a log was taken over, not entries of it.
    public var isOfEvents: Bool { counts[Self.event] != nil }
}
