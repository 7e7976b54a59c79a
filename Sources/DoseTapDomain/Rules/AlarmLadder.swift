/// A rung of the alarm's ladder, beside its notification; the raw value is the channel on record.
public enum AlarmRung: String, Hashable, Sendable, CaseIterable {
    /// A tone of our own.
    case sound
    /// A sentence that is spoken.
    case speech
    /// Programs of the person's own: a light, a telephone.
    case hook
    /// Programs that tell somebody else.
    case partner
}

/// How an alarm nobody answers gets louder: a pure function of the time since it was due and what has worked so far.
public struct AlarmLadder: Hashable, Sendable {
    /// When each rung is due, counted from the alarm; one that is missing is never taken.
    public var delays: [AlarmRung: Duration]

    /// The longest delay, in seconds: the alarm can ring for 75 minutes at most.
    public static let mostSeconds = 4_500

    /// The usual delays: 0, 60, 120 and 300 seconds.
    public static let standard = AlarmLadder(delays: [
        .sound: .zero, .speech: .seconds(60), .hook: .seconds(120), .partner: .seconds(300),
    ])

    /// Memberwise.
    public init(delays: [AlarmRung: Duration]) { self.delays = delays }

    /// What is to be done at a moment.
    public struct Step: Hashable, Sendable {
        /// Rungs to take now, in order.
        public var take: [AlarmRung]
        /// When there is more to do; nil when all rungs were tried.
        public var next: Instant?
    }

    /// Looks at an alarm that rings.
    ///
    /// Rungs come at their times. As long as none has worked the next one does not wait for its time: what cannot be heard
    /// must not cost minutes.
    ///
    /// - Parameters:
    ///   - alarm: when the alarm was due.
    ///   - taken: rungs that were taken and worked, as far as is known.
    ///   - failed: rungs that were tried and did not work.
    public func step(alarm: Instant, taken: Set<AlarmRung>, failed: Set<AlarmRung>, now: Instant) -> Step {
        var step = Step(take: [], next: nil)
        var nothingWorked = taken.isEmpty
        for (rung, delay) in ordered where !taken.contains(rung) && !failed.contains(rung) {
            let due = alarm + delay
            if due <= now || (nothingWorked && hasOnlyFailures(before: rung, failed)) {
                step.take.append(rung)
                // It is being tried: whether it works is known later.
                nothingWorked = false
            } else if step.next == nil {
                step.next = due
            }
        }
        return step
    }

    private var ordered: [(AlarmRung, Duration)] {
        AlarmRung.allCases.enumerated()
            .compactMap { index, rung in delays[rung].map { (index, rung, $0) } }
            .sorted { ($0.2, $0.0) < ($1.2, $1.0) }
            .map { ($0.1, $0.2) }
    }

    /// Whether something was tried before a rung, and all of it failed.
    private func hasOnlyFailures(before rung: AlarmRung, _ failed: Set<AlarmRung>) -> Bool {
        let before = ordered.prefix { $0.0 != rung }.map(\.0)
        return !before.isEmpty && before.allSatisfy(failed.contains)
    }
}
