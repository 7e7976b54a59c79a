/// What a reminder that was told is worth later: on a screen it stands until something happens.
extension Session {
    /// Whether a reminder still holds that is due or was told: nobody answered it, what it says is true, and it is in the
    /// plan as that is now, whatever became of dose 1 since.
    ///
    /// - Parameter zone: the session's.
    public func holds(_ item: ReminderPlan.Item, now: ClockReading, in zone: Zone) -> Bool {
        (reminders(now: now).contains(item) || !item.id.isOfWindow) && isActive(item, now: now, in: zone)
    }

    /// When a reminder was told, by the wall clock as it is now: the counted time since then lies between.
    public func told(_ fact: ReminderFact, now: ClockReading) -> Instant { shown(fact.clock, fact.at, now) }

    /// The same of when dose 1 was recorded.
    public func recordedDose1(now: ClockReading) -> Instant? {
        dose1.map { shown($0.event.clock, $0.event.occurredAt, now) }
    }

    private func shown(_ clock: ClockReading, _ at: Instant, _ now: ClockReading) -> Instant {
        let later = events.drop { $0.clock != clock }.dropFirst().map(\.clock)
        let said = SaidMoment(clock: clock, ago: .zero, isNamedByClock: false)
        let shown = now.wall - ElapsedTime(since: said, then: later, now: now).longer
        return (shown - at).magnitude < .seconds(1) ? at : shown
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
