extension Session {
    /// What the dose window is judged by as of an instant: only what had happened by then counts.
    ///
    /// - Parameters:
    ///   - instant: the moment in question, by the wall clock; nil is now, when all that is recorded counts, also
    ///     what a clock set back since, or a caller's clock that is ahead, places after now.
    ///   - now: both clocks now, for their disagreement since dose 1.
    public func windowInput(asOf instant: Instant?, now: ClockReading) -> DoseWindow.Input {
        let latest = instant ?? .max
        var input = DoseWindow.Input(now: instant ?? now.wall)
        input.dose1 = dose1.flatMap { $0.at <= latest ? $0.at : nil }
        input.dose2 = dose2.flatMap { $0.at <= latest ? $0.at : nil }
        input.skipped = skips.contains { $0.at <= latest }
        input.snoozes = countedSnoozes.count { $0.at <= latest }
        input.finalWake = wakes.contains { $0.at <= latest }
        input.checkedIn = [end, checkIn?.at].contains { $0.map { $0 <= latest } ?? false }
        input.maximumSnoozes = rules.maximumSnoozes
        input.onceNightly = rules.onceNightly
        input.skew = skew(now: now)
        return input
    }

    /// The dose window as of an instant; nil is now.
    public func window(asOf instant: Instant?, now: ClockReading) -> WindowState {
        DoseWindow.state(windowInput(asOf: instant, now: now))
    }

    /// When the window opens, the alarm rings and the window closes, by a wall clock that was set during the night: an
    /// opening waits for both clocks, a closing goes by the first (R2.16). Nil without dose 1.
    public func windowTimes(now: ClockReading) -> (opens: Instant, alarm: Instant, closes: Instant)? {
        guard let dose1 else { return nil }
        let skew = skew(now: now)
        return (
            dose1.at + DoseWindow.opens + skew.opensLater, dose1.at + alarm + skew.opensLater,
            dose1.at + DoseWindow.closes + skew.closesSooner
        )
    }

    /// When the alarm is due by the plan, the snoozes in it; nil without dose 1.
    public var plannedAlarm: Instant? { dose1.map { $0.at + alarm } }

    /// The reminders of this night's window; none once its window is resolved or the session closed.
    public var reminders: [ReminderPlan.Item] {
        guard isOpen, hasUnresolvedWindow, let dose1 else { return [] }
        let items = ReminderPlan.items(dose1: dose1.at, alarm: alarm)
        // A short snooze may put the new pre-alarm before the snooze itself: it has nothing left to announce.
        guard let snoozed = countedSnoozes.map(\.at).max() else { return items }
        return items.filter { $0.id != .preAlarm || $0.due > snoozed }
    }
}
