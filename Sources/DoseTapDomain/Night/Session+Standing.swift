/// What a reminder that was told is worth later: on a screen it stands until something happens.
extension Session {
    /// Whether a reminder that was told still holds: it is in the plan as that is now, nothing has put it off since, and
    /// what it says is true.
    public func holds(_ item: ReminderPlan.Item, now: ClockReading) -> Bool {
        guard reminders.contains(item) else { return false }
        if let snoozed = countedSnoozes.map(\.at).max(), item.due <= snoozed { return false }
        return ReminderPlan.isTrue(item.id, in: DoseWindow.state(unresolvedInput(now: now)).phase)
    }

    /// Whether the alarm could be put off now.
    public func offersSnooze(now: ClockReading) -> Bool {
        RegistrationPolicy.judgeSnooze(self, at: now.wall, window: window(asOf: nil, now: now)) == .allowed
    }
}
