package import DoseTapDomain

/// The text of calculations from given times alone: a window, reminders, a plan for the sleep.
package enum PlanText {
    package static func lines(_ plan: SleepPlan, _ left: Double?, _ moments: Moments) -> [String] {
        var lines = [
            tr(
                "Wind down from \(moments.dateAndClock(plan.windDownStart)), in bed by \(moments.bareClock(plan.inBedBy)), up by \(moments.bareClock(plan.wakeBy))."
            )
        ]
        if let left { lines.append(tr("In bed now, \(Figure.length(minutes: Int64(left))) of sleep are left.")) }
        return lines
    }

    package static func lines(_ items: [ReminderPlan.Item], _ dose1: Instant, _ moments: Moments) -> [String] {
        guard !items.isEmpty else { return [tr("No reminder is left.")] }
        return Table(columns: [
            .init(heading: tr("At"), cells: items.map { ReminderText.cell($0.id, $0.due, moments) }),
            .init(heading: tr("Minute"), cells: items.map { "\(($0.due - dose1).wholeMinutes)" }, alignsRight: true),
            .init(heading: tr("Urgency"), cells: items.map { Label.urgency($0.id.urgency) }),
            .init(heading: tr("Reminder"), cells: items.map { ReminderText.name($0.id) }),
        ]).lines(width: 80)
    }
}

/// The text of `window`.
package struct WindowText {
    package let lines: [String]

    package init(_ state: WindowState) {
        var lines = [tr("Phase: \(Label.phase(state.phase))")]
        if let elapsed = state.elapsed { lines.append(tr("Elapsed: \(LocalTimeFormat.interval(elapsed))")) }
        if let remaining = state.remaining, state.phase != .closed {
            lines.append(tr("Closes in: \(LocalTimeFormat.interval(remaining))"))
        }
        switch state.primary {
        case .takeNow: lines.append(tr("Dose 2: in time now"))
        case .takeBeforeWindowEnds(let left): lines.append(tr("Dose 2: within \(LocalTimeFormat.interval(left))"))
        case .waitingUntilEarliest(let wait): lines.append(tr("Dose 2: not before \(LocalTimeFormat.interval(wait))"))
        case .takeWithOverride: lines.append(tr("Dose 2: the window has closed"))
        case .disabled: lines.append(tr("Dose 2: nothing to do"))
        }
        lines.append(tr("Snooze: \(state.snooze.reason.map(Self.reason) ?? tr("possible"))"))
        lines.append(tr("Skip: \(state.skipEnabled ? tr("possible") : tr("not possible"))"))
        self.lines = lines
    }

    private static func reason(_ reason: SnoozeOffer.Reason) -> String {
        switch reason {
        case .sessionEnding: tr("off, the night is ending")
        case .completed: tr("off, done for tonight")
        case .dose1Required: tr("off, no dose 1")
        case .tooEarly: tr("off, the window is not open")
        case .windowClosed: tr("off, the window has closed")
        case .nearClose: tr("off, too little time is left")
        case .snoozeLimit: tr("off, none is left")
        case .snoozeOff: tr("switched off")
        }
    }
}
