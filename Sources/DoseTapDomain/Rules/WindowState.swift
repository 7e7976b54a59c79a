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
    /// Time since dose 1 by the wall clock.
    public let elapsed: Duration?
    /// Time until the window closes.
    public let remaining: Duration?
    /// What stands in the way.
    public let errors: [WindowError]

    static func over(_ phase: Phase, _ reason: SnoozeOffer.Reason, _ elapsed: Duration?) -> WindowState {
        WindowState(
            phase: phase, primary: .disabled, snooze: .off(reason), skipEnabled: false, elapsed: elapsed,
            remaining: nil, errors: [])
    }
}

/// What stands in the way of dose 2; the raw value is the wire word.
public enum WindowError: String, Hashable, Sendable {
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
    public enum Reason: String, Hashable, Sendable {
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
