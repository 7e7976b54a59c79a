/// The reminder of the morning check-in (R7). It goes by the local clock, so it needs the session's zone; the
/// reminders of the dose window know nothing of it.
extension Session {
    /// Whether the night waits for its check-in: none is saved, its entries are those of a night, and it goes on.
    public var awaitsCheckIn: Bool { isOpen && checkIn == nil && hasSigns && !isBackfilled }

    /// All reminders neither told nor dropped yet, in order of time; of one instant that of the check-in comes last.
    ///
    /// - Parameter zone: the session's.
    public func pendingReminders(in zone: Zone) -> [ReminderPlan.Item] {
        pendingCheckIn(in: zone).map { ReminderPlan.items(pendingReminders, with: $0) } ?? pendingReminders
    }

    /// The reminder of the check-in: at the final wake, or at the first wake time after the start if that is earlier.
    private func plannedCheckIn(in zone: Zone) -> ReminderPlan.Item? {
        guard awaitsCheckIn else { return nil }
        let wake = zone.next(rules.wake, strictlyAfter: start)
        let due = wakes.map(\.wall).reduce(wake, min)
        return due < .max ? ReminderPlan.Item(id: .checkIn, due: due) : nil
    }

    /// The same, unless it was told or dropped. Told for a final wake that was taken back since, it comes again when it
    /// is morning; else once is enough, whatever its due time became.
    func pendingCheckIn(in zone: Zone) -> ReminderPlan.Item? {
        guard let item = plannedCheckIn(in: zone) else { return nil }
        return reminderFacts.contains { !$0.item.id.isOfWindow && $0.at >= item.due } ? nil : item
    }

    /// Whether telling it would be true now, or having told it still is.
    func isActiveCheckIn(_ item: ReminderPlan.Item, in zone: Zone) -> Bool {
        guard let planned = plannedCheckIn(in: zone) else { return false }
        guard let told = reminderFacts.last(where: { $0.item == item && $0.dropped == nil }) else {
            return item == pendingCheckIn(in: zone)
        }
        return told == activeCheckIn && told.at >= planned.due
    }
}
