public import DoseTapDomain

/// The open night for a plugin that delivers reminders, read at one instant.
public struct NightView: Sendable {
    public let status: NightStatus
    /// The newest delivered reminder of the dose window that is still true.
    public let active: DueReminder?
    /// The reminder of the morning check-in, if delivered and still true.
    public let checkIn: DueReminder?
    /// The next reminder of the dose window; nil for none.
    public let nextOfWindow: ReminderPlan.Item?
    /// The channels that reminders of the present alarm have reached, on record.
    public let alarmChannels: Set<ReminderChannel>
    /// True if a snooze is possible now.
    public let offersSnooze: Bool
    /// Minutes one snooze adds.
    public let snoozeStepMinutes: Int
    /// The time for which the newest action can be undone.
    public let undoWindow: Duration
    /// Shows times in the zone of the night; without a night in that in force.
    public let moments: Moments
    /// True if the plugin is switched on.
    public internal(set) var isEnabled: Bool
    /// The planned time of the alarm, whatever changed the clock since; nil without dose 1.
    public let plannedAlarm: Instant?
    /// The time since the alarm, or an earlier active reminder, was due; nil without either.
    public let alarmAge: Duration?
    /// The time since boot at ``DoseTapDomain/NightStatus/at``, in microseconds.
    public let counterMicroseconds: Int64

    public init(
        status: NightStatus, active: DueReminder?, checkIn: DueReminder? = nil,
        nextOfWindow: ReminderPlan.Item? = nil, alarmChannels: Set<ReminderChannel>,
        offersSnooze: Bool, snoozeStepMinutes: Int, moments: Moments, isEnabled: Bool, plannedAlarm: Instant? = nil,
        alarmAge: Duration? = nil, counterMicroseconds: Int64 = 0, undoWindow: Duration = .seconds(60)
    ) {
        self.undoWindow = undoWindow
        self.plannedAlarm = plannedAlarm
        self.alarmAge = alarmAge
        self.counterMicroseconds = counterMicroseconds
        self.status = status
        self.active = active
        self.checkIn = checkIn
        self.nextOfWindow = nextOfWindow
        self.alarmChannels = alarmChannels
        self.offersSnooze = offersSnooze
        self.snoozeStepMinutes = snoozeStepMinutes
        self.moments = moments
        self.isEnabled = isEnabled
    }
}

extension Engine {
    /// Returns the open night as a plugin sees it.
    ///
    /// - Parameter notified: the last reminders handed to the plugin; the log records them a moment later.
    func view(notified: [DueReminder], isEnabled: Bool) -> NightView {
        let context = context()
        // Most plugins are handed no reminder of the open night, and all of them look at each event.
        guard !notified.contains(where: { $0.session == logState.open?.id }) else {
            return view(notified: notified, isEnabled: isEnabled, context)
        }
        if let known = lastPresent, known.holds(revision, context), var view = known.view {
            view.isEnabled = isEnabled
            return view
        }
        let view = view(notified: [], isEnabled: isEnabled, context)
        lastPresent?.view = view
        return view
    }

    private func view(notified: [DueReminder], isEnabled: Bool, _ context: DecisionContext) -> NightView {
        let night = logState.open
        let active = active(notified: notified, context)
        let now = context.clock
        let pending = parts.deliversReminders ? night?.pendingReminders(now: now) ?? [] : []
        let elapsed = night?.elapsed(now: now)
        let toCome = pending.lazy.map {
            ReminderPlan.Item(id: $0.id, due: night?.shownDue($0, elapsed, now: now) ?? $0.due)
        }
        let urgent = active.filter(\.item.id.isOfWindow).mostUrgent
        let dues = [urgent.flatMap { night?.shownDue($0.item, now: now) }, night?.windowTimes(now: now)?.alarm]
        let ages =
            dues.compactMap { due in due.map { now.wall - $0 } } + [night?.sinceAlarm(now: now)].compactMap(\.self)
        return NightView(
            status: present(context), active: urgent,
            checkIn: active.first { !$0.item.id.isOfWindow }, nextOfWindow: toCome.first { $0.due > now.wall },
            alarmChannels: night?.alarmChannels ?? [],
            offersSnooze: night?.offersSnooze(now: now) ?? false,
            snoozeStepMinutes: night?.rules.snoozeStepMinutes ?? rules.snoozeStepMinutes,
            moments: parts.systemEnvironment.moments.told(in: night.map { context.zone(of: $0) }), isEnabled: isEnabled,
            plannedAlarm: night?.plannedAlarm, alarmAge: ages.max(),
            counterMicroseconds: now.counterMicroseconds,
            undoWindow: .seconds(night?.rules.undoWindowSeconds ?? rules.undoWindowSeconds))
    }

    /// Returns the form of times in the zone in force.
    func moments() -> Moments { parts.systemEnvironment.moments }

    /// Returns the due time of a reminder of a night in memory, by the present wall clock.
    func shownDue(_ item: ReminderPlan.Item, of session: SessionID) -> Instant? {
        logState.session(session)?.dueAsShown(item, now: parts.systemEnvironment.clock())
    }

    /// Returns the delivered reminders of the open night that are still true.
    ///
    /// - Parameter notified: reminders delivered just now, which go before those on record.
    func active(notified: [DueReminder] = [], _ context: DecisionContext? = nil) -> [DueReminder] {
        guard let night = logState.open else { return [] }
        let context = context ?? self.context()
        let onRecord = [night.activeReminder(now: context.clock), night.activeCheckIn].compactMap(\.self)
        let all =
            notified.filter { $0.session == night.id }
            + onRecord.map { fact in
                DueReminder(
                    fact.item, of: night, fired: night.told(fact, now: context.clock), now: context.clock)
            }
        return all.filter { night.holds($0.item, now: context.clock, in: context.zone(of: night)) }
    }
}

extension [DueReminder] {
    /// The first of the most urgent.
    fileprivate var mostUrgent: DueReminder? {
        let urgency = map(\.item.id.urgency).max()
        return first { $0.item.id.urgency == urgency }
    }
}

extension DueReminder {
    /// Makes a reminder of a night.
    ///
    /// - Parameter fired: the time of the delivery, by the present wall clock.
    public init(_ item: ReminderPlan.Item, of night: Session, fired: Instant, now: ClockReading) {
        let due = night.shownDue(item, now: now)
        // A reminder that was due before dose 1 was recorded could not be delivered earlier.
        let known = night.recordedDose1(now: now) ?? due
        self.init(
            item: item, session: night.id, date: night.date,
            windowCloses: night.windowTimes(now: now)?.closes ?? item.due, fired: fired,
            lateness: fired - due, overdue: fired - max(due, known),
            isCertain: night.elapsed(now: now)?.isCertain ?? true)
    }
}

extension PluginContext {
    /// Returns the form of times in the zone in force; in UTC before there is an engine.
    public func moments() async -> Moments { await engine?.moments() ?? Moments(zone: .utc) }

    /// Returns the due time of the reminder of an event, by the present wall clock; nil for any other event.
    public func shownDue(of stored: StoredEvent) async -> Instant? {
        guard let item = stored.event.payload.reminder, let session = stored.event.sessionID else { return nil }
        return await engine?.shownDue(item, of: session)
    }

    /// Returns the open night; nil before there is an engine.
    ///
    /// - Parameter notified: the last reminders handed to the plugin.
    public func view(notified: DueReminder?...) async -> NightView? {
        guard let engine, let host else { return nil }
        let isEnabled = await host.isEnabled(manifest.id)
        return await engine.view(notified: notified.compactMap(\.self), isEnabled: isEnabled)
    }
}
