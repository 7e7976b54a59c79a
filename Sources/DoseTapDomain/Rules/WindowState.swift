/// The dose window at one moment (R3).
public struct WindowState: Hashable, Sendable {
    /// Where the night stands.
    public let phase: Phase
    /// What can be done about dose 2.
    public let primary: PrimaryAction
    /// Whether the alarm can be put off.
    public let snooze: SnoozeOffer
    /// Whether dose 2 can be skipped.
    public let skipEnabled: Bool
    /// Time since dose 1; where the clocks leave doubt the least that may have passed.
    public var elapsed: Duration? { time?.shorter }
    /// Time since dose 1: one figure, or two where the clocks leave doubt.
    public let time: ElapsedTime?
    /// Time until the window closes.
    public let remaining: Duration?
    /// What stands in the way.
    public let errors: [WindowError]

    init(
        phase: Phase, primary: PrimaryAction, snooze: SnoozeOffer, skipEnabled: Bool, elapsed: ElapsedTime?,
        remaining: Duration?, errors: [WindowError]
    ) {
        self.phase = phase
        self.primary = primary
        self.snooze = snooze
        self.skipEnabled = skipEnabled
        time = elapsed
        self.remaining = remaining
        self.errors = errors
    }

    /// False where the clocks leave doubt how much time has passed since dose 1.
    public var isCertain: Bool { time?.isCertain ?? true }

    static func over(_ phase: Phase, _ reason: SnoozeOffer.Reason, _ elapsed: ElapsedTime?) -> WindowState {
        WindowState(
            phase: phase, primary: .disabled, snooze: .off(reason), skipEnabled: false, elapsed: elapsed,
            remaining: nil, errors: [])
    }
}

/// What stands in the way of dose 2; the raw value is the wire word.
public enum WindowError: String, Hashable, Sendable, CaseIterable {
    case dose1Required = "dose1_required"
    case windowExceeded = "window_exceeded"
}

/// What can be done about dose 2 now.
public enum PrimaryAction: Hashable, Sendable {
    case takeNow
    case takeBeforeWindowEnds(Duration)
    case waitingUntilEarliest(Duration)
    case takeWithOverride
    case disabled

    /// All wire words.
    static var words: [String] {
        [takeNow, takeBeforeWindowEnds(.zero), waitingUntilEarliest(.zero), takeWithOverride, disabled].map(\.word)
    }

    /// The wire word.
    public var word: String {
        switch self {
        case .takeNow: "take_now"
        case .takeBeforeWindowEnds: "take_before_window_ends"
        case .waitingUntilEarliest: "waiting_until_earliest"
        case .takeWithOverride: "take_with_override"
        case .disabled: "disabled"
        }
    }

    /// The time the action counts down, if it does.
    public var remaining: Duration? {
        switch self {
        case .takeBeforeWindowEnds(let remaining), .waitingUntilEarliest(let remaining): remaining
        case .takeNow, .takeWithOverride, .disabled: nil
        }
    }
}

/// Whether the alarm can be put off, and why not.
public enum SnoozeOffer: Hashable, Sendable {
    case on
    case off(Reason)

    /// Why the alarm cannot be put off; the raw value is the wire word.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        case sessionEnding = "session_ending"
        case completed
        case dose1Required = "dose1_required"
        case tooEarly = "too_early"
        case windowClosed = "window_closed"
        case nearClose = "near_close"
        case snoozeLimit = "snooze_limit"
        case snoozeOff = "snooze_off"
    }

    /// The reason, when it is off.
    public var reason: Reason? {
        switch self {
        case .on: nil
        case .off(let reason): reason
        }
    }
}
