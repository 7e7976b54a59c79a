internal import DoseTapDomain

/// What was wrong with the reminders of a simulated night. Found from what reached a person, with arithmetic of its own.
public struct NightVerdict: Hashable, Sendable {
    /// What can be wrong.
    public enum Fault: String, Hashable, Sendable, CaseIterable {
        /// Due while the service could act, and neither told nor dropped for a reason that holds; or an open window without
        /// alarm; or a night given up too soon.
        case missed
        /// Told before its time, or without a plan; or a dose recorded too near another one without a question.
        case early
        /// Told twice on one channel, or recorded twice; or a dose too many recorded without both questions.
        case twice
        /// More than a second late though the service could act.
        case late
        /// Told after the window closed, though it says to take dose 2.
        case afterClose = "after_close"
        /// Told after dose 2 was settled or the night had ended.
        case afterResolved = "after_resolved"
        /// Told at another moment than in the same night in which nobody set the clock, though the clocks were not in
        /// doubt.
        case moved
        /// A question about the time that the clocks give no reason for, or two of them; or none where they do.
        case asked
        /// Words that say to take dose 2 while the clocks are in doubt or after the window closed, or that hide the doubt.
        case saysTake = "says_take"
    }

    /// How many of each.
    public var counts: [Fault: Int] = [:]
    /// Reminders told.
    public var told = 0
    /// Reminders dropped, each with its reason on record.
    public var dropped = 0
    /// Reminders told, and doses 2 taken without a question, while the window was not open by a clock that nobody sets. No
    /// fault: nothing that the machine can read says so.
    public var misled = 0
    /// Nights in which the clocks were in doubt.
    public var doubtful = 0
    /// Nights compared with the same night in which nobody set the clock.
    public var compared = 0
    /// The first few, a sentence each.
    public var complaints: [String] = []

    /// Most sentences kept.
    static let mostComplaints = 16

    /// Nothing is wrong.
    public init() {}

    /// Whether nothing is wrong.
    public var isSound: Bool { counts.isEmpty }

    /// How many of one kind.
    public func count(_ fault: Fault) -> Int { counts[fault] ?? 0 }

    /// Adds those of another night.
    public mutating func add(_ other: NightVerdict) {
        counts.merge(other.counts) { $0 + $1 }
        told += other.told
        dropped += other.dropped
        misled += other.misled
        doubtful += other.doubtful
        compared += other.compared
        complaints += other.complaints.prefix(max(0, Self.mostComplaints - complaints.count))
    }

    mutating func complain(_ fault: Fault, _ sentence: String) {
        counts[fault, default: 0] += 1
        if complaints.count < Self.mostComplaints { complaints.append("\(fault.rawValue): \(sentence)") }
    }
}
