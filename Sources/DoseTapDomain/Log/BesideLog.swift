/// A fresh log beside a damaged one.
public struct BesideLog: Hashable, Sendable {
    /// The path of the damaged log, which stays as it is.
    public var damaged: String
    /// The fault, if the damage was found just now; else empty.
    public var reason: String
    /// The path of the log for new entries.
    public var path: String
    /// 1 for the first fresh log beside the store. The fresh logs before this one are damaged, too, and stay as they are.
    public var number: Int
    /// The number of events of the last nights that were copied into the fresh log.
    public var takenOver: Int64
    /// The number of a person's entries recorded since.
    public var entries: Int
    /// True if the event about this log is not recorded yet.
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

    /// True if nothing of the last nights could be copied: a dose may have been taken that this log does not know.
    public var isBlank: Bool { takenOver == 0 }

    /// The sentence that tells a person about the damage.
    public var sentence: String {
        let damage =
            switch number {
            case 1: sent("the record at \(damaged) is damaged and is left as it is")
            case 2: sent("the record at \(damaged) and a fresh log beside it are damaged and are left as they are")
            default:
                sent(
                    "the record at \(damaged) and \(number - 1) fresh logs beside it are damaged and are left as they are"
                )
            }
        let unknown = isBlank ? sent("Doses recorded before are not known here.") + " " : ""
        return sent("\(damage); new entries go to \(path), \(entries) so far") + ". " + unknown
            + sent("A repair brings back what can be read.")
    }
}

/// A place for events that the log does not take yet.
public enum KeptPlace: String, Hashable, Sendable, CaseIterable {
    /// In the reserve beside the store, which was allocated while there was room.
    case reserve
    /// In the configuration folder.
    case configuration
    /// In the journal alone, without amounts and notes.
    case journal
}

/// Events outside the log: kept earlier, or lost by the log.
public struct ReservedEvents: Hashable, Sendable {
    /// The events in the order in which they were recorded.
    public var events: [Event]
    /// The last sequence number of the log at that time.
    public var lastSequence: Int64
    /// Events that the log had and lacks now, by the copy of the last nights, in the order in which they were recorded.
    public var lost: [Event]
    /// True if another log lies in the place of the log that had the lost events, and not an earlier state of it.
    public var isOtherLog: Bool
    /// True if the copy of the last nights cannot be read: what only the copy has is missing.
    public var isCopyUnread: Bool

    public init(
        events: [Event], lastSequence: Int64, lost: [Event] = [], isOtherLog: Bool = false, isCopyUnread: Bool = false
    ) {
        self.events = events
        self.lastSequence = lastSequence
        self.lost = lost
        self.isOtherLog = isOtherLog
        self.isCopyUnread = isCopyUnread
    }
}
