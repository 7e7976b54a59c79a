/// A step of the alarm's ladder, beside its notification; the raw value is the channel on record.
public enum EscalationStep: String, Hashable, Sendable, CaseIterable {
    /// A tone of DoseTap's own.
    case sound
    /// A spoken sentence.
    case speech
    /// Programs of the person's own: a light, a telephone.
    case hook
    /// Programs that tell somebody else.
    case partner

    /// True for a step that reaches further than the person beside the machine.
    public var calls: Bool { self == .hook || self == .partner }
}

/// The escalation of an unanswered alarm: a pure function of the time since it was due and of the steps that worked so far.
public struct AlarmLadder: Hashable, Sendable {
    /// The time of each step after the alarm. A missing step is never taken.
    public var delays: [EscalationStep: Duration]

    /// The longest delay, in seconds: the alarm can ring for 75 minutes at most.
    public static let mostSeconds = 4_500

    /// The usual delays: 0, 60, 120 and 300 seconds.
    public static let standard = AlarmLadder(delays: [
        .sound: .zero, .speech: .seconds(60), .hook: .seconds(120), .partner: .seconds(300),
    ])

    public init(delays: [EscalationStep: Duration]) { self.delays = delays }

    /// The delay after which a step counts as missed, because nobody was there to take it.
    public static let slack: Duration = .seconds(10)

    /// The decision for one moment.
    public struct Step: Hashable, Sendable {
        /// Steps to take now, in order.
        public var take: [EscalationStep]
        /// The time of the next step; nil if all steps were tried.
        public var next: Instant?
        /// The start of the spacing of the steps that call; nil as long as no step was missed. The next look gets this value.
        public var since: Instant?
    }

    /// Decides the steps of an alarm that rings.
    ///
    /// Steps come at their times. As long as no step has worked, the next one does not wait for its time: an alarm that cannot be
    /// heard must not cost minutes. The partner is never called before the time.
    ///
    /// After missed steps, because the machine slept or no service ran, the person is reached first. Tone and voice come at once.
    /// Each step that calls, hook and partner, follows the step before at the distance of their times, counted from now at the
    /// earliest. If the window would close before the last of them, all steps keep their plain times.
    ///
    /// - Parameters:
    ///   - alarm: the time at which the alarm was due.
    ///   - taken: steps that were taken and worked, as far as is known.
    ///   - failed: steps that were tried and did not work.
    ///   - since: the value that the look before returned.
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
                // The step is only being tried: its success is known later.
                nothingWorked = false
                // The next step counts from the moment at which this one was really taken.
                if step.since != nil, escalation.calls { step.since = now }
            }
        }
        open.removeAll { step.take.contains($0.escalation) }
        step.next = self.times(open, alarm: alarm, since: step.since, closes: closes).map(\.due).min()
        return step
    }

    /// Returns the time at which each of these steps is due.
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
        /// The time from the step before, or from the alarm.
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

    /// Returns true if a step before this one was tried, and all of these failed.
    private func hasOnlyFailures(before escalation: EscalationStep, _ failed: Set<EscalationStep>) -> Bool {
        let before = timedSteps.prefix { $0.escalation != escalation }
        return !before.isEmpty && before.allSatisfy { failed.contains($0.escalation) }
    }
}
