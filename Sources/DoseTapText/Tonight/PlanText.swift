package import DoseTapDomain

/// What is calculated from given times alone: a window, reminders, a plan for the sleep.
package enum PlanText {
    package static func lines(_ plan: SleepPlan, _ left: Double?, _ moments: Moments) -> [String] {
        var lines = [
            "Wind down from \(moments.dateAndClock(plan.windDownStart)), in bed by \(moments.bareClock(plan.inBedBy)), "
                + "up by \(moments.bareClock(plan.wakeBy))."
        ]
        if let left { lines.append("In bed now, \(Figure.length(minutes: Int64(left))) of sleep are left.") }
        return lines
    }

    package static func lines(_ items: [ReminderPlan.Item], _ dose1: Instant, _ moments: Moments) -> [String] {
        guard !items.isEmpty else { return ["No reminder is left."] }
        return Table(columns: [
            .init(heading: "At", cells: items.map { moments.cell($0.due) }),
            .init(heading: "Minute", cells: items.map { "\(($0.due - dose1).wholeMinutes)" }, alignsRight: true),
            .init(heading: "Urgency", cells: items.map { Label.urgency($0.id.urgency) }),
            .init(heading: "Reminder", cells: items.map { ReminderText.name($0.id) }),
        ]).lines(width: 80)
    }
}

/// What `window` prints.
package struct WindowText {
    package let lines: [String]

    package init(_ state: WindowState) {
        var lines = ["Phase: \(Label.phase(state.phase))"]
        if let elapsed = state.elapsed { lines.append("Elapsed: \(LocalTimeFormat.interval(elapsed))") }
        if let remaining = state.remaining { lines.append("Closes in: \(LocalTimeFormat.interval(remaining))") }
        switch state.primary {
        case .takeNow: lines.append("Dose 2: in time now")
        case .takeBeforeWindowEnds(let left): lines.append("Dose 2: within \(LocalTimeFormat.interval(left))")
        case .waitingUntilEarliest(let wait): lines.append("Dose 2: not before \(LocalTimeFormat.interval(wait))")
        case .takeWithOverride: lines.append("Dose 2: the window has closed, skip it")
        case .disabled: lines.append("Dose 2: nothing to do")
        }
        lines.append("Snooze: \(state.snooze.reason.map(Self.reason) ?? "possible")")
        lines.append("Skip: \(state.skipEnabled ? "possible" : "not possible")")
        self.lines = lines
    }

    private static func reason(_ reason: SnoozeOffer.Reason) -> String {
        switch reason {
        case .sessionEnding: "off, the night is ending"
        case .completed: "off, done for tonight"
        case .dose1Required: "off, no dose 1"
        case .tooEarly: "off, the window is not open"
        case .windowClosed: "off, the window has closed"
        case .nearClose: "off, too little time is left"
        case .snoozeLimit: "off, none is left"
        case .snoozeOff: "switched off"
        }
    }
}
