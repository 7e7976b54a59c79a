extension Session {
    /// What the dose window is judged by as of an instant: only what had happened by then counts.
    ///
    /// - Parameters:
    ///   - instant: the moment in question, by the wall clock.
    ///   - now: both clocks now, for their disagreement since dose 1.
    public func windowInput(asOf instant: Instant, now: ClockReading) -> DoseWindow.Input {
        var input = DoseWindow.Input(now: instant)
        let dose1 = dose1.flatMap { $0.at <= instant ? $0 : nil }
        input.dose1 = dose1?.at
        input.dose2 = dose2.flatMap { $0.at <= instant ? $0.at : nil }
        input.skipped = skips.contains { $0.at <= instant }
        input.snoozes = snoozes.count { $0.at <= instant }
        input.finalWake = wakes.contains { $0.at <= instant }
        input.checkedIn = end.map { $0 <= instant } ?? false
        input.maximumSnoozes = rules.maximumSnoozes
        input.onceNightly = rules.onceNightly
        if let dose1 { input.skew = ClockSkew(since: dose1.event, now: now) }
        return input
    }

    /// The dose window as of an instant.
    public func window(asOf instant: Instant, now: ClockReading) -> WindowState {
        DoseWindow.state(windowInput(asOf: instant, now: now))
    }

    /// The reminders of this night; none once its window is resolved or the session closed.
    public var reminders: [ReminderPlan.Item] {
        guard isOpen, hasUnresolvedWindow, let dose1 else { return [] }
        return ReminderPlan.items(dose1: dose1.at, alarm: alarm)
    }

    /// The reminders neither told nor dropped yet.
    public var pendingReminders: [ReminderPlan.Item] {
        let done = Set(reminderFacts.map(\.item))
        return reminders.filter { !done.contains($0) }
    }
}
