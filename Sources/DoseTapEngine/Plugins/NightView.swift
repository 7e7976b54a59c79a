public import DoseTapDomain

/// The open night as somebody who tells reminders needs it, read in one go.
public struct NightView: Sendable {
    /// Where the night stands now.
    public let status: NightStatus
    /// The newest reminder that was told and still holds.
    public let standing: Deadline?
    /// The channels that reminders of the alarm that rings now have reached, on record.
    public let alarmChannels: Set<ReminderChannel>
    /// Whether the alarm could be put off now.
    public let offersSnooze: Bool
    /// Minutes one snooze adds.
    public let snoozeStepMinutes: Int
    /// The zone in force, for showing times.
    public let zone: Zone
    /// Whether the plugin that asks is switched on.
    public let isEnabled: Bool

    /// Memberwise.
    public init(
        status: NightStatus, standing: Deadline?, alarmChannels: Set<ReminderChannel>, offersSnooze: Bool,
        snoozeStepMinutes: Int, zone: Zone,
        isEnabled: Bool
    ) {
        self.status = status
        self.standing = standing
        self.alarmChannels = alarmChannels
        self.offersSnooze = offersSnooze
        self.snoozeStepMinutes = snoozeStepMinutes
        self.zone = zone
        self.isEnabled = isEnabled
    }
}

extension Engine {
    /// The open night as a plugin sees it.
    ///
    /// - Parameter told: what the plugin was told last; its record in the log comes a moment after.
    func view(told: Deadline?, isEnabled: Bool) -> NightView {
        let now = parts.surroundings.clock()
        let night = diary.open
        return NightView(
            status: status(at: nil), standing: night.flatMap { standing($0, told: told, now: now) },
            alarmChannels: night?.alarmChannels ?? [], offersSnooze: night?.offersSnooze(now: now) ?? false,
            snoozeStepMinutes: night?.rules.snoozeStepMinutes ?? rules.snoozeStepMinutes,
            zone: parts.surroundings.zone(), isEnabled: isEnabled)
    }

    private func standing(_ night: Session, told: Deadline?, now: ClockReading) -> Deadline? {
        if let told, told.session == night.id, night.holds(told.item, now: now) { return told }
        guard let fact = night.standingReminder, night.holds(fact.item, now: now) else { return nil }
        let closes = night.dose1.map { $0.at + DoseWindow.closes }
        return Deadline(
            item: fact.item, session: night.id, date: night.date, windowCloses: closes ?? fact.item.due,
            fired: fact.at)
    }
}

extension PluginContext {
    /// The open night; nil before there is an engine.
    ///
    /// - Parameter told: the reminder the plugin was told last, if any.
    public func view(told: Deadline?) async -> NightView? {
        guard let engine = link.engine, let host = link.host else { return nil }
        let isEnabled = await host.isEnabled(manifest.id)
        return await engine.view(told: told, isEnabled: isEnabled)
    }
}
