/// What a reminder that was told is worth later: on a screen it stands until something happens.
extension Session {
    /// Whether a reminder still holds that is due or was told: nobody answered it, what it says is true, and it is in the
    /// plan as that is now, whatever became of dose 1 since.
    ///
    /// - Parameter zone: the session's.
    public func holds(_ item: ReminderPlan.Item, now: ClockReading, in zone: Zone) -> Bool {
        (reminders(now: now).contains(item) || !item.id.isOfWindow) && isStanding(item, now: now, in: zone)
    }

    /// Whether the alarm could be put off now.
    public func offersSnooze(now: ClockReading) -> Bool {
        RegistrationPolicy.judgeSnooze(
            self, elapsed: elapsed(now: now), window: window(asOf: nil, now: now), now: now) == .allowed
    }

    /// The channels that reminders of the alarm have reached since it was due, where it was put to last.
    public var alarmChannels: Set<ReminderChannel> {
        guard let dose1 else { return [] }
        let due = dose1.at + alarm
        return Set(reminderDeliveries.filter { $0.item.due >= due }.map(\.channel))
    }
}
