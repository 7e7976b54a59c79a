/// The dose window (R3): a pure function of what a night holds, the moment and the configuration.
public enum DoseWindow {
    /// Dose 2 is on time from here on, inclusive.
    public static let opens: Duration = .minutes(150)
    /// From here on little time is left, inclusive.
    public static let nearsClose: Duration = .minutes(225)
    /// Dose 2 is late from here on, inclusive.
    public static let closes: Duration = .minutes(240)
    /// From here on the night counts as slept through, inclusive.
    public static let sleptThrough: Duration = .minutes(270)
    /// An interval up to here is optimal, inclusive.
    public static let optimalUntil: Duration = .minutes(165)

    /// What the window is judged by.
    public struct Input: Hashable, Sendable {
        /// Instant of dose 1.
        public var dose1: Instant?
        /// Instant of dose 2.
        public var dose2: Instant?
        /// Dose 2 was skipped and not taken after all.
        public var skipped = false
        /// Snoozes so far.
        public var snoozes = 0
        /// The final wake is recorded.
        public var finalWake = false
        /// The check-in is saved, or the session closed.
        public var checkedIn = false
        /// Snoozes allowed; 0 switches them off.
        public var maximumSnoozes = 3
        /// One dose a night.
        public var onceNightly = false
        /// The moment.
        public var now: Instant
        /// Time since dose 1; nil is what lies between the two instants.
        public var elapsed: ElapsedTime?

        /// Everything else has its default.
        public init(now: Instant) { self.now = now }
    }

    /// Judges a moment; the first row of the table that matches wins.
    public static func state(_ input: Input) -> WindowState {
        let elapsed = input.dose1.map { input.elapsed ?? ElapsedTime(certain: input.now - $0) }
        if input.finalWake && !input.checkedIn { return .over(.finalizing, .sessionEnding, elapsed) }
        if input.checkedIn { return .over(.completed, .completed, elapsed) }
        if input.dose2 != nil || input.skipped { return .over(.completed, .completed, elapsed) }
        guard let elapsed else {
            return WindowState(
                phase: .noDose1, primary: .disabled, snooze: .off(.dose1Required), skipEnabled: false, elapsed: nil,
                remaining: nil, errors: [.dose1Required])
        }
        if input.onceNightly { return .over(.completed, .completed, elapsed) }
        // In doubt nothing says "take": what can be done about dose 2 is a question to another clock.
        func primary(_ action: PrimaryAction) -> PrimaryAction { elapsed.isCertain ? action : .disabled }
        if elapsed.longer >= closes {
            return WindowState(
                phase: .closed, primary: primary(.takeWithOverride), snooze: .off(.windowClosed), skipEnabled: true,
                elapsed: elapsed, remaining: .zero, errors: [.windowExceeded])
        }
        let remaining = closes - elapsed.longer
        if elapsed.shorter < opens {
            return WindowState(
                phase: .beforeWindow, primary: .waitingUntilEarliest(opens - elapsed.shorter),
                snooze: .off(.tooEarly), skipEnabled: true, elapsed: elapsed, remaining: remaining, errors: [])
        }
        if elapsed.longer >= nearsClose {
            return WindowState(
                phase: .nearClose, primary: primary(.takeBeforeWindowEnds(remaining)), snooze: .off(.nearClose),
                skipEnabled: true, elapsed: elapsed, remaining: remaining, errors: [])
        }
        return WindowState(
            phase: .active, primary: primary(.takeNow), snooze: activeSnooze(input), skipEnabled: true,
            elapsed: elapsed,
            remaining: remaining, errors: [])
    }

    private static func activeSnooze(_ input: Input) -> SnoozeOffer {
        if input.maximumSnoozes == 0 { return .off(.snoozeOff) }
        return input.snoozes >= input.maximumSnoozes ? .off(.snoozeLimit) : .on
    }

    /// Whether an interval between the doses was on time: 150:00 ≤ interval < 240:00.
    public static func isOnTime(_ interval: Duration) -> Bool { interval >= opens && interval < closes }

    /// Whether an interval between the doses was optimal: 150:00 ≤ interval ≤ 165:00.
    public static func isOptimal(_ interval: Duration) -> Bool { interval >= opens && interval <= optimalUntil }
}
