/// The reminders of a night (R7): those of the dose window, and that of the morning check-in.
public enum ReminderID: String, Hashable, Sendable, CaseIterable {
    case windowOpen = "window_open"
    case preAlarm = "pre_alarm"
    case alarm
    case followup1 = "followup_1"
    case followup2 = "followup_2"
    case followup3 = "followup_3"
    case alarmRepeat = "alarm_repeat"
    case closing15 = "closing_15"
    case closing5 = "closing_5"
    case windowClosed = "window_closed"
    case checkIn = "check_in"

    /// How loudly it is told.
    public var urgency: Urgency {
        switch self {
        case .windowOpen, .preAlarm, .windowClosed, .checkIn: .normal
        case .alarm, .followup1, .followup2, .followup3, .alarmRepeat, .closing15, .closing5: .critical
        }
    }

    /// Whether it is about dose 2. What answers, replaces or silences those says nothing of the check-in, nor the other way
    /// round.
    public var isOfWindow: Bool { self != .checkIn }

    /// How loudly a reminder is told; the raw value is the wire word.
    public enum Urgency: String, Hashable, Sendable, Comparable {
        case normal
        case critical

        /// Whether `left` is the quieter one.
        public static func < (left: Urgency, right: Urgency) -> Bool { left == .normal && right == .critical }
    }
}
