/// The reminders of a dose window (DOMAIN 7).
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

    /// How loudly it is told.
    public var urgency: Urgency {
        switch self {
        case .windowOpen, .preAlarm, .windowClosed: .normal
        case .alarm, .followup1, .followup2, .followup3, .alarmRepeat, .closing15, .closing5: .critical
        }
    }

    /// How loudly a reminder is told; the raw value is the wire word.
    public enum Urgency: String, Hashable, Sendable, Comparable {
        case normal
        case critical

        /// Whether `left` is the quieter one.
        public static func < (left: Urgency, right: Urgency) -> Bool { left == .normal && right == .critical }
    }
}
