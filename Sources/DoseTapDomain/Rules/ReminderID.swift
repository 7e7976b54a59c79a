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

    /// Everything that is told apart by the reminder: a further one is a case and a row.
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

    /// How loudly it is told.
    public var urgency: Urgency { row.urgency }

    /// Whether it is about dose 2. What answers, replaces or silences those says nothing of the check-in, nor the other way
    /// round.
    public var isOfWindow: Bool { row.truth != .outsideWindow }

    /// How loudly a reminder is told; the raw value is the wire word.
    public enum Urgency: String, Hashable, Sendable, Comparable, CaseIterable {
        case normal
        case critical

        /// Whether `left` is the quieter one.
        public static func < (left: Urgency, right: Urgency) -> Bool { left == .normal && right == .critical }
    }
}

/// What a reminder is: when it is due, how loudly it is told, as long as what, and what it says. Surfaces have their own
/// words for what it says.
public struct ReminderRow: Hashable, Sendable {
    /// What it says.
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

    /// When it is due.
    public enum Place: Hashable, Sendable {
        case afterDose1(Duration)
        /// After the alarm, which a snooze moves.
        case afterAlarm(Duration)
        /// For the first time so long after the alarm, then after so many minutes each.
        case repeated(after: Duration, minutes: Int)
        /// By the night, see ``Session/pendingReminders(in:)``.
        case morning
    }

    /// As long as what it is true. Reminders go by the figure that says most; the alarm is repeated until the other one has
    /// reached the end, too.
    public enum Truth: Hashable, Sendable {
        case whileOpen
        case untilClosedForCertain
        case onceClosed
        /// It has nothing to do with the window.
        case outsideWindow
    }

    /// What it says.
    public let message: Message
    /// How loudly.
    public let urgency: ReminderID.Urgency
    /// When it is due.
    public let place: Place
    /// As long as what it is true.
    public let truth: Truth

    init(_ message: Message, _ urgency: ReminderID.Urgency, _ place: Place, _ truth: Truth = .whileOpen) {
        self.message = message
        self.urgency = urgency
        self.place = place
        self.truth = truth
    }

    /// Whether telling it in an unresolved window would still be true.
    func isTrue(after elapsed: ElapsedTime) -> Bool {
        switch truth {
        case .whileOpen: elapsed.longer >= DoseWindow.opens && elapsed.longer < DoseWindow.closes
        case .untilClosedForCertain: elapsed.longer >= DoseWindow.opens && elapsed.shorter < DoseWindow.closes
        case .onceClosed: elapsed.longer >= DoseWindow.closes
        case .outsideWindow: false
        }
    }
}
