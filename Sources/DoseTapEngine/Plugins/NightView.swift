public import DoseTapDomain

/// The open night as somebody who tells reminders needs it, read in one go.
public struct NightView: Sendable {
    /// Where the night stands now.
    public let status: NightStatus
    /// The newest reminder of the dose window that was told and still holds.
    public let standing: Deadline?
    /// The reminder of the morning check-in, if it was told and still holds.
    public let checkIn: Deadline?
    /// The next reminder of the dose window; nil when none is to come.
    public let nextOfWindow: ReminderPlan.Item?
    /// The channels that reminders of the alarm that rings now have reached, on record.
    public let alarmChannels: Set<ReminderChannel>
    /// Whether the alarm could be put off now.
    public let offersSnooze: Bool
    /// Minutes one snooze adds.
    public let snoozeStepMinutes: Int
    /// Within which the newest action can be taken back.
    public let undoWindow: Duration
    /// Shows times in the zone in force.
    public let moments: Moments
    /// Whether the plugin that asks is switched on.
    public let isEnabled: Bool
    /// When the alarm is due as it was planned, whatever was done to the clock since; nil without dose 1.
    public let plannedAlarm: Instant?
    /// How long ago the alarm, or the reminder that stands if that was due before it, came due; nil without either.
    public let alarmAge: Duration?
    /// The time since boot at ``DoseTapDomain/NightStatus/at``, in microseconds.
    public let counterMicroseconds: Int64

    /// Memberwise.
    public init(
        status: NightStatus, standing: Deadline?, checkIn: Deadline? = nil,
        nextOfWindow: ReminderPlan.Item? = nil, alarmChannels: Set<ReminderChannel>,
        offersSnooze: Bool, snoozeStepMinutes: Int, moments: Moments, isEnabled: Bool, plannedAlarm: Instant? = nil,
        alarmAge: Duration? = nil, counterMicroseconds: Int64 = 0, undoWindow: Duration = .seconds(60)
    ) {
        self.undoWindow = undoWindow
        self.plannedAlarm = plannedAlarm
        self.alarmAge = alarmAge
        self.counterMicroseconds = counterMicroseconds
        self.status = status
        self.standing = standing
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
    /// The open night as a plugin sees it.
    ///
    /// - Parameter told: what the plugin was told last; its record in the log comes a moment after.
    func view(told: [Deadline], isEnabled: Bool) -> NightView {
        let night = diary.open
        let circumstances = circumstances()
        let standing = standing(told: told, circumstances)
        let now = circumstances.clock
        let pending = parts.tellsReminders ? night?.pendingReminders(now: now) ?? [] : []
        let elapsed = night?.elapsed(now: now)
        let toCome = pending.lazy.map {
            ReminderPlan.Item(id: $0.id, due: night?.shownDue($0, elapsed, now: now) ?? $0.due)
        }
        let urgent = standing.filter(\.item.id.isOfWindow).mostUrgent
        let dues = [urgent.flatMap { night?.shownDue($0.item, now: now) }, night?.windowTimes(now: now)?.alarm]
        let ages =
            dues.compactMap { due in due.map { now.wall - $0 } } + [night?.sinceAlarm(now: now)].compactMap(\.self)
        return NightView(
            status: present(circumstances), standing: urgent,
            checkIn: standing.first { !$0.item.id.isOfWindow }, nextOfWindow: toCome.first { $0.due > now.wall },
            alarmChannels: night?.alarmChannels ?? [],
            offersSnooze: night?.offersSnooze(now: now) ?? false,
            snoozeStepMinutes: night?.rules.snoozeStepMinutes ?? rules.snoozeStepMinutes,
            moments: parts.surroundings.moments, isEnabled: isEnabled,
            plannedAlarm: night?.plannedAlarm, alarmAge: ages.max(),
            counterMicroseconds: now.counterMicroseconds,
            undoWindow: .seconds(night?.rules.undoWindowSeconds ?? rules.undoWindowSeconds))
    }

    /// For showing times in the zone in force.
    func moments() -> Moments { parts.surroundings.moments }

    /// When a reminder of a night in memory is due by the present wall clock.
    func shownDue(_ item: ReminderPlan.Item, of session: SessionID) -> Instant? {
        diary.session(session)?.dueAsShown(item, now: parts.surroundings.clock())
    }

    /// The reminders of the open night that were told and still hold.
    ///
    /// - Parameter told: what is told just now, and goes before what is on record.
    func standing(told: [Deadline] = [], _ circumstances: Circumstances? = nil) -> [Deadline] {
        guard let night = diary.open else { return [] }
        let circumstances = circumstances ?? self.circumstances()
        let onRecord = [night.standingReminder(now: circumstances.clock), night.standingCheckIn].compactMap(\.self)
        let all =
            told.filter { $0.session == night.id }
            + onRecord.map { fact in
                Deadline(
                    fact.item, of: night, fired: night.told(fact, now: circumstances.clock), now: circumstances.clock)
            }
        return all.filter { night.holds($0.item, now: circumstances.clock, in: circumstances.zone(of: night)) }
    }
}

extension [Deadline] {
    /// The first of the most urgent.
    fileprivate var mostUrgent: Deadline? {
        let urgency = map(\.item.id.urgency).max()
        return first { $0.item.id.urgency == urgency }
    }
}

extension Deadline {
    /// A reminder of a night.
    ///
    /// - Parameter fired: when it is told, or was told, by the wall clock as it goes now.
    public init(_ item: ReminderPlan.Item, of night: Session, fired: Instant, now: ClockReading) {
        let due = night.shownDue(item, now: now)
        // What is due already as dose 1 is recorded could not be told before.
        let known = night.recordedDose1(now: now) ?? due
        self.init(
            item: item, session: night.id, date: night.date,
            windowCloses: night.windowTimes(now: now)?.closes ?? item.due, fired: fired,
            lateness: fired - due, overdue: fired - max(due, known),
            isCertain: night.elapsed(now: now)?.isCertain ?? true)
    }
}

extension PluginContext {
    /// For showing times in the zone in force; in UTC before there is an engine.
    public func moments() async -> Moments { await engine?.moments() ?? Moments(zone: .utc) }

    /// When the reminder that an event is about is due by the present wall clock; nil for any other event.
    public func shownDue(of stored: StoredEvent) async -> Instant? {
        guard let item = stored.event.payload.reminder, let session = stored.event.sessionID else { return nil }
        return await engine?.shownDue(item, of: session)
    }

    /// The open night; nil before there is an engine.
    ///
    /// - Parameter told: the reminders the plugin was told last, if any.
    public func view(told: Deadline?...) async -> NightView? {
        guard let engine, let host else { return nil }
        let isEnabled = await host.isEnabled(manifest.id)
        return await engine.view(told: told.compactMap(\.self), isEnabled: isEnabled)
    }
}
