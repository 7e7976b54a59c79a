public import DoseTapDomain

/// Faults of the reminders of a simulated night, found from its deliveries with arithmetic of its own.
public struct NightVerdict: Hashable, Sendable {
    public enum Fault: String, Hashable, Sendable, CaseIterable {
        /// Due while the service could act, and neither delivered nor dropped for a true reason; or an open window
        /// without alarm; or a night recorded as slept through too soon.
        case missed
        /// Delivered early, or without a plan; or a dose recorded too near another one without a question.
        case early
        /// Delivered twice on one channel, or recorded twice; or a dose too many recorded without both questions.
        case twice
        /// More than a second late though the service could act.
        case late
        /// Delivered after the window closed, though it says to take dose 2.
        case afterClose = "after_close"
        /// Delivered after dose 2 was settled or the night had ended.
        case afterResolved = "after_resolved"
        /// Delivered at another time than in the same night without clock changes, though the clocks were not in doubt.
        case moved
        /// A question about the time without a reason, or two of them; or no question in spite of a reason.
        case asked
        /// A text that says to take dose 2 while the clocks are in doubt or after the window closed, or that hides the
        /// doubt.
        case saysTake = "says_take"
    }

    public var counts: [Fault: Int] = [:]
    public var notified = 0
    /// Dropped reminders, each with a recorded reason.
    public var dropped = 0
    /// Reminders delivered, and doses 2 taken without a question, while the window was not open in true time. They are
    /// no fault: no clock of the machine shows them.
    public var misled = 0
    /// Nights in which the clocks were in doubt.
    public var doubtful = 0
    /// Nights compared with the same night without clock changes.
    public var compared = 0
    /// The first few faults, a sentence each.
    public var complaints: [String] = []

    /// The most sentences that are kept.
    static let mostComplaints = 16

    public init() {}

    public var isSound: Bool { counts.isEmpty }

    public func count(_ fault: Fault) -> Int { counts[fault] ?? 0 }

    /// Adds the verdict of another night.
    public mutating func add(_ other: NightVerdict) {
        counts.merge(other.counts) { $0 + $1 }
        notified += other.notified
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

/// Comparison with the same night without clock changes: if the clocks are not in doubt, reminders have the same times.
extension NightVerdict {
    /// Compares a night with its twin without clock changes, unless the clocks were in doubt.
    public mutating func compare(_ night: NightSimulation.Outcome, with twin: NightSimulation.Outcome) {
        guard doubtful == 0 else { return }
        compared += 1
        let (notified, plain) = (Self.notified(night.timeline), Self.notified(twin.timeline))
        // Across boots the wall clock counts, which may have been set or slewed by up to a minute without a doubt. A
        // reminder that is due as the machine suspends, the person answers or the window closes may then come before or
        // after.
        let reboots = night.timeline.contains { if case .befell(.reboot) = $0.what { true } else { false } }
        let tolerance: Duration = reboots ? .seconds(61) : .seconds(1)
        let pauses = reboots ? (night.timeline + twin.timeline).filter(Self.isPause).map(\.at) : []
        func isSame(_ one: Instant, _ other: Instant) -> Bool { one - other <= tolerance && other - one <= tolerance }
        func isMissing(_ one: (name: String, at: Instant), in others: [(name: String, at: Instant)]) -> Bool {
            !others.contains { $0.name == one.name && isSame($0.at, one.at) } && !pauses.contains { isSame($0, one.at) }
        }
        for one in notified where isMissing(one, in: plain) {
            complain(.moved, "\(one.name) at \(one.at.iso8601), not without the clock's step")
        }
        for one in plain where isMissing(one, in: notified) {
            complain(.moved, "no \(one.name) at \(one.at.iso8601), as without the clock's step")
        }
    }

    /// Returns true if the service stops or resumes here, the person answers, or the window closes. A reminder due a
    /// moment later is not told.
    private static func isPause(_ entry: Timeline.Entry) -> Bool {
        switch entry.what {
        case .befell(.suspend), .befell(.crash), .befell(.reboot), .resumed: true
        case .recorded(let event): event.payload.endsNotifying
        case .phase(_, .closed): true
        default: false
        }
    }

    /// The window's reminders and boundaries, in true time.
    private static func notified(_ timeline: [Timeline.Entry]) -> [(name: String, at: Instant)] {
        timeline.compactMap { entry in
            switch entry.what {
            case .recorded(let event):
                guard case .reminderFired(let payload) = event.payload, payload.reminder.isOfWindow else { return nil }
                return (payload.reminder.rawValue, entry.at)
            case .phase(_, let new):
                guard [.beforeWindow, .active, .nearClose, .closed].contains(new) else { return nil }
                return ("phase \(new.rawValue)", entry.at)
            default: return nil
            }
        }
    }
}

extension NightScript {
    /// True if the script changes its clocks.
    public var disturbsClocks: Bool { steps.contains { $0.act.disturbsClocks } }

    /// The same night without clock changes; nil if the clocks pause, which no machine can know.
    public var undisturbed: NightScript? {
        guard !steps.contains(where: { if case .pause = $0.act { true } else { false } }) else { return nil }
        return NightScript(
            zone: zone, start: start, end: end, rules: rules, ladder: ladder,
            steps: steps.filter { !$0.act.disturbsClocks }, notes: notes)
    }
}

extension NightScript.Act {
    fileprivate var disturbsClocks: Bool {
        switch self {
        case .clock, .pause, .rtc, .slew, .reboot(_, synchronised: false): true
        case .asks, .suspend, .crash, .reboot, .travel, .channel, .rules: false
        }
    }
}
