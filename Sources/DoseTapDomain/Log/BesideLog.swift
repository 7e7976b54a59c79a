/// A fresh log beside a damaged one.
public struct BesideLog: Hashable, Sendable {
    /// Where the damaged one lies; it stays as it is.
    public var damaged: String
    /// Why, where it was found just now; else empty.
    public var reason: String
    /// Where new entries go.
    public var path: String
    /// 1 for the first one beside the store; those before are damaged, too, and stay as they are.
    public var number: Int
    /// So many events were taken over of the last nights.
    public var takenOver: Int64
    /// Entries of a person that were recorded since.
    public var entries: Int
    /// That it was begun is not on record yet.
    public var isNew: Bool

    public init(
        damaged: String, reason: String, path: String, number: Int = 1, takenOver: Int64, entries: Int, isNew: Bool
    ) {
        self.damaged = damaged
        self.reason = reason
        self.path = path
        self.number = number
        self.takenOver = takenOver
        self.entries = entries
        self.isNew = isNew
    }

    /// What a person reads first.
    public var sentence: String {
        let logs = number == 2 ? "a fresh log" : "\(number - 1) fresh logs"
        let damage =
            number == 1
            ? sent("the record at \(damaged) is damaged and is left as it is")
            : "the record at \(damaged) and \(logs) beside it are damaged and are left as they are"
        return sent("\(damage); new entries go to \(path), \(entries) so far") + ". "
            + sent("A repair brings back what can be read.")
    }
}

/// Where events lie that the log does not take yet.
public enum KeptPlace: String, Hashable, Sendable, CaseIterable {
    /// In the reserve beside the store, which was allocated while there was room.
    case reserve
    /// In the configuration folder.
    case configuration
    /// In the journal alone, without amounts and notes.
    case journal
}

/// What lies in the reserve.
public struct ReservedEvents: Hashable, Sendable {
    /// The events in the order in which they were recorded.
    public var events: [Event]
    /// The last place of the log when they were written.
    public var lastSequence: Int64
    /// Events that the log had and lacks now, by the copy of the last nights, in the order in which they were recorded.
    public var lost: [Event]
    /// Another log lies in the place of the one that had them, and not an earlier state of it.
    public var isOtherLog: Bool

    public init(events: [Event], lastSequence: Int64, lost: [Event] = [], isOtherLog: Bool = false) {
        self.events = events
        self.lastSequence = lastSequence
        self.lost = lost
        self.isOtherLog = isOtherLog
    }
}
