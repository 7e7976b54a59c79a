/// The reminders of a night (R7): those of the dose window, and the reminder of the morning check-in.
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

    /// The properties of the reminder. A new reminder is a case and a row.
    public var row: ReminderRow {
        switch self {
        case .windowOpen: ReminderRow(.opening, .normal, .afterDose1(DoseWindow.opens))
        case .preAlarm: ReminderRow(.alarmSoon, .normal, .afterAlarm(.zero - ReminderPlan.preAlarmLead))
        case .alarm: ReminderRow(.alarm, .critical, .afterAlarm(.zero))
        case .followup1: ReminderRow(.alarmAgain, .critical, .afterAlarm(.minutes(2)))
        case .followup2: ReminderRow(.alarmAgain, .critical, .afterAlarm(.minutes(4)))
        case .followup3: ReminderRow(.alarmAgain, .critical, .afterAlarm(.minutes(6)))
        case .alarmRepeat:
            ReminderRow(.alarmRepeated, .critical, .repeated(after: .minutes(11), minutes: 5), .untilClosedForCertain)
        case .closing15: ReminderRow(.closing(minutes: 15), .critical, .afterDose1(DoseWindow.nearsClose))
        case .closing5: ReminderRow(.closing(minutes: 5), .critical, .afterDose1(.minutes(235)))
        case .windowClosed: ReminderRow(.closed, .normal, .afterDose1(DoseWindow.closes), .onceClosed)
        case .checkIn: ReminderRow(.checkIn, .normal, .morning, .outsideWindow)
        }
    }

    public var urgency: Urgency { row.urgency }

    /// True for a reminder of dose 2. An answer, a replacement or a silence of these has no effect on the check-in's, nor the
    /// other way round.
    public var isOfWindow: Bool { row.truth != .outsideWindow }

    /// The loudness of a reminder; the raw value is the wire word.
    public enum Urgency: String, Hashable, Sendable, Comparable, CaseIterable {
        case normal
        case critical

        /// Returns true if `left` is the quieter one.
        public static func < (left: Urgency, right: Urgency) -> Bool { left == .normal && right == .critical }
    }
}

/// The properties of a reminder: its time, its loudness, the condition of its truth, and its message. Surfaces have their own
/// words for the message.
public struct ReminderRow: Hashable, Sendable {
    public enum Message: Hashable, Sendable {
        case opening
        case alarmSoon
        case alarm
        case alarmAgain
        case alarmRepeated
        case closing(minutes: Int)
        case closed
        case checkIn
    }

    /// The time of a reminder.
    public enum Place: Hashable, Sendable {
        case afterDose1(Duration)
        /// After the alarm, which a snooze moves.
        case afterAlarm(Duration)
        /// After the alarm for the first time, then again each time after so many minutes.
        case repeated(after: Duration, minutes: Int)
        /// By the night, see ``Session/pendingReminders(in:)``.
        case morning
    }

    /// The condition of a reminder's truth. Reminders go by the longer figure. The alarm is repeated until the shorter figure has
    /// reached the end, too.
    public enum Truth: Hashable, Sendable {
        case whileOpen
        case untilClosedForCertain
        case onceClosed
        /// The reminder is not about the window.
        case outsideWindow
    }

    public let message: Message
    public let urgency: ReminderID.Urgency
    public let place: Place
    public let truth: Truth

    init(_ message: Message, _ urgency: ReminderID.Urgency, _ place: Place, _ truth: Truth = .whileOpen) {
        self.message = message
        self.urgency = urgency
        self.place = place
        self.truth = truth
    }

    /// Returns true if the reminder would still be true in an unresolved window.
    func isTrue(after elapsed: ElapsedTime) -> Bool {
        switch truth {
        case .whileOpen: elapsed.longer >= DoseWindow.opens && elapsed.longer < DoseWindow.closes
        case .untilClosedForCertain: elapsed.longer >= DoseWindow.opens && elapsed.shorter < DoseWindow.closes
        case .onceClosed: elapsed.longer >= DoseWindow.closes
        case .outsideWindow: false
        }
    }
}
