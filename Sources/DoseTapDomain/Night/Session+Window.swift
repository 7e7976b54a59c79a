extension Session {
    /// What the dose window is judged by as of an instant: only what had happened by then counts.
    ///
    /// - Parameters:
    ///   - instant: the moment in question, by the present wall clock; nil is now, when all that is recorded counts, also
    ///     what a caller's clock that is ahead places after now.
    ///   - now: the clocks now.
    public func windowInput(asOf instant: Instant?, now: ClockReading) -> DoseWindow.Input {
        let latest = instant.map { moment(of: $0, now: now) } ?? .max
        var input = DoseWindow.Input(now: instant ?? now.wall)
        input.dose1 = dose1.flatMap { $0.at <= latest ? $0.at : nil }
        input.dose2 = dose2.flatMap { $0.at <= latest ? $0.at : nil }
        input.skipped = skips.contains { $0.at <= latest }
        input.snoozes = countedSnoozes.count { $0.at <= latest }
        input.finalWake = wakes.contains { $0.at <= latest }
        // An end is one of the wall clock.
        input.checkedIn =
            end.map { $0 <= instant ?? .max } ?? false || checkIn.map { $0.at <= latest } ?? false
        input.maximumSnoozes = rules.maximumSnoozes
        input.onceNightly = rules.onceNightly
        let ago = instant.map { now.wall - $0 } ?? .zero
        input.elapsed = elapsed(now: now)?.moved(by: .zero - ago)
        return input
    }

    /// The dose window as of an instant; nil is now.
    public func window(asOf instant: Instant?, now: ClockReading) -> WindowState {
        DoseWindow.state(windowInput(asOf: instant, now: now))
    }

    /// When the window opens, the alarm rings and the window closes: the present wall clock and what remains (R2.16). Nil
    /// without dose 1. In doubt the window may close before it opens for certain: then nobody knows when it opens.
    public func windowTimes(now: ClockReading) -> (opens: Instant?, alarm: Instant, closes: Instant)? {
        guard let elapsed = elapsed(now: now) else { return nil }
        let opens = now.wall + DoseWindow.opens - elapsed.shorter
        let closes = now.wall + DoseWindow.closes - elapsed.longer
        return (opens < closes ? opens : nil, now.wall + alarm - elapsed.longer, closes)
    }

    /// All reminders neither told nor dropped yet, each with the instant of the present wall clock at which it is due.
    func shownReminders(now: ClockReading, in zone: Zone) -> [ReminderPlan.Item] {
        let window = pendingReminders(now: now).map { ReminderPlan.Item(id: $0.id, due: shownDue($0, now: now)) }
        return pendingCheckIn(in: zone).map { ReminderPlan.items(window, with: $0) } ?? window
    }

    /// When a reminder of the window is due, by the present wall clock.
    public func shownDue(_ item: ReminderPlan.Item, now: ClockReading) -> Instant {
        guard item.id.isOfWindow, let dose1, let elapsed = elapsed(now: now) else { return item.due }
        return now.wall + (item.due - dose1.at) - elapsed.longer
    }

    /// When the alarm is due by the plan, the snoozes in it; nil without dose 1.
    public var plannedAlarm: Instant? { dose1.map { $0.at + alarm } }

    /// The reminders of this night's window; none once its window is resolved or the session closed.
    public var reminders: [ReminderPlan.Item] { reminders(repeatsUntil: DoseWindow.closes) }

    /// The same where the clocks leave doubt: the alarm is repeated until the window is over for certain.
    public func reminders(now: ClockReading) -> [ReminderPlan.Item] {
        guard let elapsed = elapsed(now: now), !elapsed.isCertain else { return reminders }
        return reminders(repeatsUntil: DoseWindow.closes + (elapsed.longer - elapsed.shorter))
    }

    /// The reminders of the dose window neither told nor dropped yet, in order of time.
    public func pendingReminders(now: ClockReading) -> [ReminderPlan.Item] {
        guard isOpen, hasUnresolvedWindow, let elapsed = elapsed(now: now) else { return pendingReminders }
        let done = Set(reminderFacts.lazy.filter { !isAhead($0, of: elapsed, now: now) }.map(\.item))
        return reminders(now: now).filter { !done.contains($0) }
    }

    /// Whether a reminder was told or dropped in doubt, before its time by what is certain now: it comes at its time. That
    /// the window has closed is said in doubt, too, once both figures say so.
    private func isAhead(_ fact: ReminderFact, of elapsed: ElapsedTime, now: ClockReading) -> Bool {
        guard fact.item.id.isOfWindow, let dose1, elapsed.isCertain || elapsed.shorter >= DoseWindow.closes,
            elapsed.isCertain || fact.item.id == .windowClosed
        else { return false }
        guard fact.clock.bootID == now.bootID, !now.bootID.isEmpty else {
            return fact.moment < fact.item.due - .seconds(1)
        }
        let since = now.counter(since: fact.clock.counterMicroseconds)
        return elapsed.shorter - since < fact.item.due - dose1.at - .seconds(1)
    }

    private func reminders(repeatsUntil end: Duration) -> [ReminderPlan.Item] {
        guard isOpen, hasUnresolvedWindow, let dose1 else { return [] }
        let items = ReminderPlan.items(dose1: dose1.at, alarm: alarm, repeatsUntil: end)
        // A short snooze may put the new pre-alarm before the snooze itself: it has nothing left to announce.
        guard let snoozed = countedSnoozes.map(\.at).max() else { return items }
        return items.filter { $0.id != .preAlarm || $0.due > snoozed }
    }
}
