public import DoseTapDomain

/// The words of a reminder on every surface: short and plain, for somebody half asleep.
public enum ReminderText {
    /// Neutral words for speech and for any screen.
    public static var neutral: String { tr("It is time. Look at the screen.") }
    /// The neutral words if the clock is in doubt.
    public static var doubtful: String { tr("The computer's clock may be wrong. Look at the screen.") }

    /// Returns the name of a reminder, for lists and for the middle of a sentence.
    public static func name(_ id: ReminderID) -> String {
        switch id.row.message {
        case .opening: tr("the window opens")
        case .alarmSoon: tr("alarm in 5 minutes")
        case .alarm: tr("alarm")
        case .alarmAgain: tr("alarm again")
        case .alarmRepeated: tr("alarm, repeated")
        case .closing(let minutes): tr("\(Count.minutes(Int64(minutes))) left")
        case .closed: tr("the window has closed")
        case .checkIn: tr("the morning check-in")
        }
    }

    /// Returns the time of a reminder. The reminder of the opening has the time at which the window opens (R23.3).
    public static func time(_ id: ReminderID, _ due: Instant, _ moments: Moments) -> String {
        moments.clock(told(id, due))
    }

    /// Returns the time of a reminder for a table.
    static func cell(_ id: ReminderID, _ due: Instant, _ moments: Moments) -> String { moments.cell(told(id, due)) }

    private static func told(_ id: ReminderID, _ due: Instant) -> Instant {
        id.row.message == .opening ? Moments.roundedUp(due) : due
    }

    /// Returns the text for speech and for hooks. The text says that it is time only while the window is open.
    public static func spoken(_ id: ReminderID, isCertain: Bool = true) -> String {
        if id.isOfWindow, !isCertain { return doubtful }
        return switch id.row.message {
        case .opening, .alarmSoon: tr("It is nearly time.")
        case .alarm, .alarmAgain, .alarmRepeated, .closing: neutral
        case .closed: tr("It is too late now. Look at the screen.")
        case .checkIn: tr("The morning check-in is open.")
        }
    }

    /// Returns the line of the journal.
    ///
    /// - Parameters:
    ///   - isCertain: true if the elapsed time is certain.
    ///   - toAlarm: minutes to the alarm, rounded up.
    ///   - toClose: minutes to the close, rounded up.
    ///   - lateness: the time since the reminder was due.
    public static func journal(
        _ id: ReminderID, isCertain: Bool, toAlarm: Int64, toClose: Int64, lateness: Duration
    ) -> String {
        let seconds = lateness.wholeMilliseconds / 1_000
        let sentence =
            switch id.row.message {
            case _ where id.isOfWindow && !isCertain:
                "Dose 2: the computer's clock may be wrong. Look at another clock."
            case .opening: "The dose window is open"
            case .alarmSoon: "The alarm rings in \(Count.minutes(toAlarm))"
            case .alarm: "Alarm: the dose window is open"
            case .alarmAgain, .alarmRepeated: "Alarm again: dose 2 is neither taken nor skipped"
            case .closing: "The dose window closes in \(Count.minutes(toClose))"
            case .closed: "The dose window has closed; dose 2 is neither recorded nor skipped"
            case .checkIn: "The morning check-in is open"
            }
        return id.isOfWindow && seconds > 0 ? "\(sentence) (\(seconds) s late)" : sentence
    }

    /// The figures of a reminder at the moment it is shown.
    public struct Figures: Hashable, Sendable {
        /// The time since dose 1.
        public var elapsed: Duration
        /// The time until the window closes.
        public var remaining: Duration
        /// The time at which the window closes, as clock text.
        public var closes: String
        /// The time until the alarm; nil without an alarm to come.
        public var toAlarm: Duration?
        /// The delay: the time since the reminder could have been told.
        public var overdue: Duration
        /// The known facts about the time, if the clock is in doubt.
        public var doubt: String?
        /// The medicine and its amount, if they may be shown.
        public var dose: String?
        /// True if nobody recorded dose 2 of the night that is over.
        public var isDose2Unknown: Bool

        public init(
            elapsed: Duration, remaining: Duration, closes: String, toAlarm: Duration?, overdue: Duration,
            doubt: String?,
            dose: String?, isDose2Unknown: Bool
        ) {
            self.elapsed = elapsed
            self.remaining = remaining
            self.closes = closes
            self.toAlarm = toAlarm
            self.overdue = overdue
            self.doubt = doubt
            self.dose = dose
            self.isDose2Unknown = isDose2Unknown
        }
    }

    /// Returns a notification: its heading and the lines below.
    public static func notification(_ id: ReminderID, _ figures: Figures) -> (summary: String, lines: [String]) {
        let says = id.row.message
        guard says != .checkIn else {
            let unknown = tr("Dose 2 is not recorded. Did you have it? In a terminal: dosetap status")
            return (
                tr("Good morning: the check-in is open"),
                [tr("In a terminal: dosetap checkin")] + (figures.isDose2Unknown ? [unknown] : [])
            )
        }
        // The cause of the delay is unknown: sleep, power off, or a clock that was set. After a final wake that was entered late,
        // nothing was late.
        let late =
            figures.overdue < .seconds(5) ? [] : [tr("This comes \(LocalTimeFormat.interval(figures.overdue)) late.")]
        // In doubt the notification tells the known facts and no possible action.
        if let doubt = figures.doubt { return (tr("Dose 2: the computer's clock may be wrong"), [doubt] + late) }
        let left = minutesUp(figures.remaining)
        let time = [
            tr("\(LocalTimeFormat.interval(figures.elapsed)) since dose 1."),
            tr("\(Figure.length(minutes: left)) left, until \(figures.closes)."),
        ]
        let dose = [figures.dose].compactMap(\.self)
        let open = tr("You can take dose 2 now")
        switch says {
        case .closed:
            return (
                tr("The window for dose 2 has closed"),
                [
                    tr("It closed at \(figures.closes)."),
                    tr("Did you have dose 2? In a terminal: dosetap log dose2 --at TIME"),
                    tr("If you did not: skip it."),
                ] + late
            )
        case .opening, .checkIn: return (open, time + late + dose)
        case .alarmSoon:
            let toAlarm = figures.toAlarm.map(minutesUp) ?? 0
            return (toAlarm > 0 ? tr("The alarm for dose 2 rings in \(toAlarm) min") : open, time + late + dose)
        case .alarm: return (tr("Time to take dose 2"), time + late + dose)
        case .alarmAgain, .alarmRepeated: return (tr("Dose 2 is still open"), time + late + dose)
        case .closing: return (tr("Only \(left) min left for dose 2"), time + late + dose)
        }
    }

    /// Returns whole minutes, rounded up: to a person, 14:59.9 left is fifteen minutes.
    public static func minutesUp(_ duration: Duration) -> Int64 {
        max(0, (duration.wholeMilliseconds + 59_999) / 60_000)
    }
}
