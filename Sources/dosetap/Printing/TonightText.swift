internal import DoseTapDomain
internal import DoseTapText

/// What bare `dosetap` prints. The first line answers "did I have it?"; once the window has closed nothing here asks
/// for a dose.
struct TonightText {
    let lines: [String]

    /// - Parameter supply: what is to be said of the supply.
    init(_ status: NightStatus, _ moments: Moments, _ terminal: Terminal, supply: [String] = []) {
        // A supply is on record before the first night.
        if status.isFirst, supply.isEmpty {
            lines = [Self.doses(status, moments)] + FirstPage.lines(terminal)
            return
        }
        var lines = Self.alarm(status, moments, terminal) + [Self.doses(status, moments)]
        let colour = StatusText.colour(status.window)
        lines += Self.countdown(status, moments).map { terminal.paint($0, colour) }
        if let since = status.napOpenSince {
            lines.append("A nap began at \(moments.clock(since, near: status.at)) and has not ended.")
        }
        if let next = status.nextReminder {
            let left = LocalTimeFormat.interval(next.due - status.at)
            let what = "\(ReminderText.name(next.id)), at \(moments.clock(next.due)), in \(left)"
            lines.append(
                status.warnings.silence == nil
                    ? "Next reminder: \(what)." : "You will not hear the next reminder (\(what)).")
        }
        if status.snoozeCount > 0, status.window.phase.isRunning {
            lines.append("Snoozes: \(Words.snoozes(status)).")
        }
        // Who looks in a minute later has to see it, too.
        if status.dose1 != nil, status.outcome == .early || status.extraDoses > 0 { lines.append(Receipt.help) }
        lines += Dose2Question.lines(status, moments) + supply
        self.lines = lines + Self.next(status)
    }

    /// While the alarm rings, that it does and how it is stopped.
    static func alarm(_ status: NightStatus, _ moments: Moments, _ terminal: Terminal) -> [String] {
        guard status.isAlarmOn, let alarm = status.alarm else { return [] }
        return [terminal.paint("The alarm is on since \(moments.clock(alarm)). \(stops(status))", .yellow)]
    }

    /// What stops the alarm.
    static func stops(_ status: NightStatus) -> String {
        let snooze = status.window.snooze == .on ? "dosetap snooze, or " : ""
        return CommandLineWords.addressed("To stop it: \(snooze)dosetap skip. A logged dose 2 stops it, too.")
    }

    /// What was had, with its date where that is another night's.
    static func doses(_ status: NightStatus, _ moments: Moments) -> String {
        let night = status.date == status.presentDate ? "" : "Night of \(Moments.date(status.date)): "
        return night + had(status, moments)
    }

    private static func had(_ status: NightStatus, _ moments: Moments) -> String {
        // What is not on record may have been recorded all the same while nobody knows what the log holds.
        let no = status.isCertain ? "no" : "unknown"
        guard let dose1 = status.dose1 else {
            guard let night = status.earlierOnThisDate, let dose1 = night.dose1 else {
                return "Dose 1: \(no). Dose 2: \(no)."
            }
            let dose2 = night.dose2.map { "yes, at \(moments.clock($0, near: status.at))" }
            return "Earlier on this date, dose 1: yes, at \(moments.clock(dose1, near: status.at)). "
                + "Dose 2: \(dose2 ?? (night.dose2Skipped ? "skipped" : night.outcome == .notRecorded ? "not recorded" : no)). "
                + "No dose since."
        }
        var line = "Dose 1: yes, at \(moments.clock(dose1, near: status.at))\(from(status.dose1Surface)). "
        if let dose2 = status.dose2 {
            let minutes = status.intervalMinutes.map { ", \(Words.minutes($0)) later" } ?? ""
            let early = status.outcome == .early ? ", too early" : ""
            line +=
                "Dose 2: yes, at \(moments.clock(dose2, near: status.at))\(minutes)\(early)"
                + "\(from(status.dose2Surface))."
        } else if status.dose2Skipped {
            line += "Dose 2: skipped."
        } else if status.outcome == .notRecorded {
            line += "Dose 2: not recorded."
        } else if status.windowCloses == nil {
            line += "One dose a night."
        } else {
            line += "Dose 2: \(no)."
        }
        if status.extraDoses > 0 { line += " Extra doses: \(status.extraDoses)." }
        return line
    }

    /// The surface a dose was recorded from.
    private static func from(_ surface: String?) -> String { ", \(Words.from(surface))" }

    static func countdown(_ status: NightStatus, _ moments: Moments) -> [String] {
        let opens = status.windowOpens.map(moments.clock) ?? "?"
        let closes = status.windowCloses.map(moments.clock) ?? "?"
        let left = LocalTimeFormat.interval(status.window.remaining ?? .zero)
        // The warning says both figures; nothing here promises what neither of them knows.
        if !status.window.isCertain, status.isDose2Open {
            return ["It is not certain whether the window for dose 2 is open. Reminders go on."]
        }
        switch status.window.phase {
        case .noDose1:
            let none = tonight(status, moments)
            guard let night = status.previous else { return [none] }
            let due =
                status.checkInPending
                ? [CommandLineWords.addressed("Its check-in is still to come: dosetap checkin")] : []
            let isRecent = night.end.map { status.at <= $0 + .hours(36) } ?? true
            let name = isRecent ? "Last night" : "The last night, of \(Moments.date(night.sessionDate))"
            return ["\(none) \(name): \(NightLine.text(night, moments))."] + due
        case .beforeWindow:
            let wait = LocalTimeFormat.interval(status.window.primary.remaining ?? .zero)
            return ["Too early for dose 2: opens in \(wait), at \(opens), closes at \(closes)."]
        case .active: return ["The window for dose 2 is open: \(left) left, until \(closes)."]
        case .nearClose: return ["The window for dose 2 closes in \(left), at \(closes)."]
        case .closed: return ["The window for dose 2 closed at \(closes): skip it."]
        case .finalizing where status.isDose2Open, .completed where status.isDose2Open:
            let what = status.window.phase == .finalizing ? "The final wake is" : "The check-in is"
            let fact =
                "\(what) on record, but dose 2 is neither taken nor skipped. Its window is from \(opens) to \(closes)."
            let isMistake = status.window.phase == .finalizing && status.windowCloses.map { status.at < $0 } ?? false
            let mistake = CommandLineWords.addressed("If the wake was a mistake: dosetap delete last wake")
            return [fact] + (isMistake ? [mistake] : [])
        case .finalizing: return ["The final wake is on record."]
        case .completed: return ["Done for tonight."]
        }
    }

    private static func tonight(_ status: NightStatus, _ moments: Moments) -> String {
        guard let log = status.preSleep else { return "Nothing is on record for tonight." }
        return "The pre-sleep log of \(moments.clock(log.at, near: status.at)) is on record "
            + "(\(log.completion.rawValue)), no dose yet."
    }

    /// What can safely be done next, as the rules say.
    private static func next(_ status: NightStatus) -> [String] {
        guard let next = status.next else { return [] }
        let label =
            switch next.moment {
            case .now: "Next"
            case .onceTaken: "Once it is taken"
            case .inTheMorning: "In the morning"
            }
        return [CommandLineWords.addressed("\(label): \(SafeText.line(next.line))")]
    }
}

extension NightStatus {
    /// The alarm's time has come, and nothing has answered it.
    var isAlarmOn: Bool {
        guard isDose2Open, let alarm else { return false }
        // Without a service that stays there is no next reminder, and no alarm.
        return alarm <= at && nextReminder != nil && (window.phase == .active || window.phase == .nearClose)
    }

    /// Nothing was ever recorded.
    var isFirst: Bool {
        sessionID == nil && previous == nil && preSleep == nil && isCertain && next?.moment == .onceTaken
    }

    /// The night before this one, if it has doses and the same date.
    fileprivate var earlierOnThisDate: NightSummary? {
        guard dose1 == nil, let previous, previous.dose1 != nil, previous.sessionDate == date else { return nil }
        return previous
    }
}
