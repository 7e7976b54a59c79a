/// A step of the alarm's ladder, beside its notification; the raw value is the channel on record.
public enum EscalationStep: String, Hashable, Sendable, CaseIterable {
    /// A tone of our own.
    case sound
    /// A sentence that is spoken.
    case speech
    /// Programs of the person's own: a light, a telephone.
    case hook
    /// Programs that tell somebody else.
    case partner

    /// Whether it reaches further than the person beside the machine.
    public var calls: Bool { self == .hook || self == .partner }
}

/// How an alarm nobody answers gets louder: a pure function of the time since it was due and what has worked so far.
public struct AlarmLadder: Hashable, Sendable {
    /// When each step is due, counted from the alarm; one that is missing is never taken.
    public var delays: [EscalationStep: Duration]

    /// The longest delay, in seconds: the alarm can ring for 75 minutes at most.
    public static let mostSeconds = 4_500

    /// The usual delays: 0, 60, 120 and 300 seconds.
    public static let standard = AlarmLadder(delays: [
        .sound: .zero, .speech: .seconds(60), .hook: .seconds(120), .partner: .seconds(300),
    ])

    public init(delays: [EscalationStep: Duration]) { self.delays = delays }

    /// Later than this a step was missed: nobody was there to take it.
    public static let slack: Duration = .seconds(10)

    /// What is to be done at a moment.
    public struct Step: Hashable, Sendable {
        /// Steps to take now, in order.
        public var take: [EscalationStep]
        /// When there is more to do; nil when all steps were tried.
        public var next: Instant?
        /// From when the steps that call are spaced; nil as long as none was missed. Handed in with the next look.
        public var since: Instant?
    }

    /// Looks at an alarm that rings.
    ///
    /// Steps come at their times. As long as none has worked the next one does not wait for its time: what cannot be heard
    /// must not cost minutes. Only the partner is never called before the time.
    ///
    /// When steps are found that were missed, because the machine slept or nobody ran, the person is reached first: tone
    /// and voice come at once, and each step that calls, hook and partner, as long after the one before it as their times
    /// are apart, counted from now at the earliest. Where the window would not last for that, all come at once.
    ///
    /// - Parameters:
    ///   - alarm: when the alarm was due.
    ///   - taken: steps that were taken and worked, as far as is known.
    ///   - failed: steps that were tried and did not work.
    ///   - since: as the look before left it.
    ///   - closes: the end of the window.
    public func step(
        alarm: Instant, taken: Set<EscalationStep>, failed: Set<EscalationStep>, since: Instant? = nil, closes: Instant,
        now: Instant
    ) -> Step {
        var open = timedSteps.filter { !taken.contains($0.escalation) && !failed.contains($0.escalation) }
        var times = times(open, alarm: alarm, since: since, closes: closes)
        var step = Step(take: [], next: nil, since: since)
        if times.contains(where: { $0.due + Self.slack < now }) {
            step.since = now
            times = self.times(open, alarm: alarm, since: now, closes: closes)
        }
        var nothingWorked = taken.isEmpty
        for (escalation, due) in times {
            if due <= now || (nothingWorked && escalation != .partner && hasOnlyFailures(before: escalation, failed)) {
                step.take.append(escalation)
                // It is being tried: whether it works is known later.
                nothingWorked = false
                // The next one is counted from the moment this one was really taken.
                if step.since != nil, escalation.calls { step.since = now }
            }
        }
        open.removeAll { step.take.contains($0.escalation) }
        step.next = self.times(open, alarm: alarm, since: step.since, closes: closes).map(\.due).min()
        return step
    }

    /// When each of these steps is due.
    private func times(
        _ timedSteps: [TimedStep], alarm: Instant, since: Instant?, closes: Instant
    ) -> [(escalation: EscalationStep, due: Instant)] {
        let plain = timedSteps.map { ($0.escalation, alarm + $0.delay) }
        guard var last = since else { return plain }
        var spaced: [(escalation: EscalationStep, due: Instant)] = []
        for entry in timedSteps {
            var due = alarm + entry.delay
            if entry.escalation.calls {
                due = max(due, last + entry.distance)
                last = due
            }
            spaced.append((entry.escalation, due))
        }
        return last < closes ? spaced : plain
    }

    private struct TimedStep {
        let escalation: EscalationStep
        let delay: Duration
        /// From the step before it, or the alarm.
        let distance: Duration
    }

    private var timedSteps: [TimedStep] {
        let sorted = EscalationStep.allCases.enumerated()
            .compactMap { index, escalation in delays[escalation].map { (index, escalation, $0) } }
            .sorted { ($0.2, $0.0) < ($1.2, $1.0) }
        var before = Duration.zero
        return sorted.map { _, escalation, delay in
            defer { before = delay }
            return TimedStep(escalation: escalation, delay: delay, distance: delay - before)
        }
    }

    /// Whether something was tried before a step, and all of it failed.
    private func hasOnlyFailures(before escalation: EscalationStep, _ failed: Set<EscalationStep>) -> Bool {
        let before = timedSteps.prefix { $0.escalation != escalation }
        return !before.isEmpty && before.allSatisfy { failed.contains($0.escalation) }
    }
}
