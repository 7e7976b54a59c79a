/// One night, folded from its events: the same events always give the same night (replay equals live).
///
/// An undone event counts as never recorded, a deleted entry is gone, an amended entry stands as amended; the events themselves
/// stay. A session never changes, so it is a class: a copy is a pointer.
public final class Session: Hashable, Sendable {
    /// All events of the session, in the order of the log.
    public let events: [Event]
    public let id: SessionID
    /// Grouping key; fixed when the session opened.
    public let date: SessionDate
    /// Identifier of the zone whose clock the night's boundaries follow.
    public let timeZone: String
    /// The beginning of the night: the time of the entry that opened it.
    public let start: Instant
    /// The end of the night; nil while it is open.
    public let end: Instant?
    /// The rules in force.
    public let rules: NightRules
    /// True for a night entered when it was over.
    public let isBackfilled: Bool
    /// Active doses in order of time.
    public let doses: [Dose]
    public let dose1: Dose?
    public let dose2: Dose?
    /// Active skips in order of recording, those before a dose 2 included.
    public let skips: [Skip]
    /// Active snoozes in order of recording.
    public let snoozes: [Snooze]
    /// Active final wakes in order of recording.
    public let wakes: [FinalWake]
    /// The active wakes that end the night; one before dose 1 does not (R2.14).
    let finalWakes: [FinalWake]
    /// Active sleep events in order of time, the final wake apart.
    public let sleepEvents: [SleepEvent]
    public let checkIn: CheckIn?
    /// Reminders told or dropped so far.
    public let reminderFacts: [ReminderFact]
    /// Channels that reminders reached.
    public let reminderDeliveries: [ReminderDelivery]
    /// Answers to reminders, if their action stands.
    public let reminderAcknowledgements: [ReminderAcknowledgement]
    /// The recorded steps of the clocks, suspect ones apart, the newest last.
    public let clockSteps: [Event]
    /// The scale for comparing the entries.
    let scale: NightScale
    /// The moment at which dose 1 is said to have been taken, and the clocks at all events since.
    let dose1Said: SaidDose?
    /// The kind of end of the session, or the state in which it waits.
    public let terminalState: TerminalState?
    /// The time of recording of the newest event of the night, reminders apart.
    public let updatedAt: Instant
    /// The time at which the opening of the session was recorded.
    public let openedAt: Instant
    /// The reminders of the dose window neither told nor dropped yet, in order of time.
    public var pendingReminders: [ReminderPlan.Item] {
        let reminders = reminders
        if reminders.isEmpty { return [] }
        let done = Set(reminderFacts.map(\.item))
        return reminders.filter { !done.contains($0) }
    }

    /// Folds the events of one session, in the order of the log.
    ///
    /// - Returns: nil if the action that opened the session was undone.
    public convenience init?(events: [Event]) { self.init(events: events, asOf: .end) }

    /// Returns the night as it stood at a moment: later facts do not count, corrections do.
    func asOf(_ moment: NightMoment) -> Session? { Session(events: events, asOf: moment) }

    private init?(events: [Event], asOf moment: NightMoment) {
        var fold = SessionFold(events: events, asOf: moment)
        guard let opened = fold.run() else { return nil }
        self.events = events
        id = opened.id
        date = opened.payload.date
        timeZone = opened.event.timeZone
        start = opened.event.effectiveAt
        openedAt = opened.event.occurredAt
        isBackfilled = opened.payload.backfilled
        end = fold.closed?.at
        rules = fold.rules ?? opened.payload.rules
        doses = fold.doses
        dose1 = fold.doses.first { $0.kind == .dose1 }
        dose2 = fold.doses.first { $0.kind == .dose2 }
        skips = fold.skips
        snoozes = fold.snoozes
        wakes = fold.wakes
        finalWakes = fold.finalWakes
        sleepEvents = fold.sleepEvents
        checkIn = fold.checkIn
        reminderFacts = fold.reminderFacts
        reminderDeliveries = fold.reminderDeliveries
        reminderAcknowledgements = fold.reminderAcknowledgements
        clockSteps = fold.clockSteps
        scale = fold.scale
        dose1Said = fold.said(dose1)
        terminalState = fold.terminalState(backfilled: opened.payload.backfilled)
        updatedAt = fold.updatedAt
    }

    /// Compares the folded values, too; the pending reminders follow from these.
    public static func == (one: Session, other: Session) -> Bool {
        one === other
            || one.events == other.events && one.id == other.id && one.date == other.date
                && one.timeZone == other.timeZone && one.start == other.start && one.end == other.end
                && one.rules == other.rules && one.isBackfilled == other.isBackfilled && one.doses == other.doses
                && one.skips == other.skips && one.snoozes == other.snoozes && one.wakes == other.wakes
                && one.sleepEvents == other.sleepEvents && one.checkIn == other.checkIn
                && one.reminderFacts == other.reminderFacts && one.reminderDeliveries == other.reminderDeliveries
                && one.reminderAcknowledgements == other.reminderAcknowledgements
                && one.clockSteps == other.clockSteps && one.scale == other.scale
                && one.dose1Said == other.dose1Said && one.terminalState == other.terminalState
                && one.updatedAt == other.updatedAt && one.openedAt == other.openedAt
    }

    /// Hashes id and event count.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(events.count)
    }

    /// Returns the night after more events.
    public func appending(_ more: [Event]) -> Session? { Session(events: events + more) }

    /// Returns the night if it was folded from exactly these events. Two events of the same id are the same.
    func ifFolded(of before: [Event], _ added: [Event]) -> Session? {
        let isSame =
            events.count == before.count + added.count
            && zip(events, before).allSatisfy { $0.id == $1.id }
            && zip(events.dropFirst(before.count), added).allSatisfy { $0.id == $1.id }
        return isSame ? self : nil
    }

    public var isOpen: Bool { end == nil }

    /// The first instant of the night: its start, or an earlier entry that joined later.
    var first: Instant {
        let entries = doses.map(\.wall) + skips.map(\.wall) + snoozes.map(\.wall) + wakes.map(\.wall)
        return min(start, entries.min() ?? start, sleepEvents.map(\.wall).min() ?? start)
    }
    /// True if dose 2 was skipped, by the person or by time alone, and not taken after all.
    public var isDose2Skipped: Bool { dose2 == nil && !skips.isEmpty }
    /// True if the person skipped dose 2 and did not take it after all.
    public var isSkippedByPerson: Bool { dose2 == nil && skips.contains { !$0.isAutomatic } }
    /// Time between the doses, by the counter within one boot. A negative interval is an anomaly, which is shown and never repaired
    /// (R5).
    public var interval: Duration? {
        guard let dose1, let dose2 else { return nil }
        return dose2.at - dose1.at
    }

    /// True if dose 1 is taken, dose 2 neither taken nor skipped, and a dose 2 is expected (R2).
    public var hasUnresolvedWindow: Bool {
        dose1 != nil && dose2 == nil && skips.isEmpty && !rules.onceNightly
    }

    /// Returns the place of a dose among the active doses of the night in the order of recording, from 1: dose 1, dose 2, then the
    /// extra doses, whatever their times (R5).
    public func index(of dose: Dose) -> Int {
        let active = Set(doses.map(\.id))
        let recorded = events.lazy.map(\.id).filter(active.contains)
        return (Array(recorded).firstIndex(of: dose.id) ?? doses.count) + 1
    }

    /// The snoozes of the active dose 1's alarm; earlier snoozes belonged to a dose 1 that was deleted since.
    var countedSnoozes: [Snooze] {
        guard let dose1 else { return [] }
        return snoozes.filter { $0.at >= dose1.at }
    }

    /// Time from dose 1 to the alarm: the target, put off by each snooze from the later of the alarm and the moment
    /// of the snooze, and never beyond 225 minutes.
    public var alarm: Duration {
        guard let dose1 else { return .minutes(rules.targetMinutes) }
        var alarm: Duration = .minutes(rules.targetMinutes)
        for snooze in countedSnoozes {
            alarm = Self.alarm(alarm, snoozedAt: snooze.sinceDose1 ?? snooze.at - dose1.at, by: snooze.stepMinutes)
        }
        return min(alarm, DoseWindow.nearsClose)
    }

    static func alarm(_ alarm: Duration, snoozedAt elapsed: Duration, by minutes: Int) -> Duration {
        max(alarm, elapsed) + .minutes(minutes)
    }

    /// Returns the time since dose 1; nil without dose 1.
    ///
    /// - Parameter isNamed: true for another moment, which was named.
    public func elapsed(now: ClockReading, isNamed: Bool = false) -> ElapsedTime? {
        dose1Said.map { ElapsedTime(since: $0.moment, then: $0.later, now: now, isNamed: isNamed) }
    }

    /// Returns the moment of an instant of the present wall clock.
    func nightMoment(of instant: Instant, now: ClockReading) -> NightMoment {
        NightMoment(scale: moment(of: instant, now: now), wall: instant)
    }

    /// Returns the place of an instant of the present wall clock on the night's own scale; nil is now.
    func moment(of instant: Instant?, now: ClockReading) -> Instant {
        let moment = scale.moment(of: now)
        guard let instant else { return moment }
        return moment + scale.named(now, at: moment) - (now.wall - instant)
    }
}

/// The validity of a told reminder: on a screen a reminder stands until something happens.
extension Session {
    /// Returns true if a reminder that is due or was told still holds: nobody answered it, its message is true, and it is in the
    /// present plan, whatever became of dose 1 since.
    ///
    /// - Parameter zone: the session's.
    public func holds(_ item: ReminderPlan.Item, now: ClockReading, in zone: Zone) -> Bool {
        (reminders(now: now).contains(item) || !item.id.isOfWindow) && isActive(item, now: now, in: zone)
    }

    /// Returns the time at which a reminder was told, by the present wall clock: now less the time counted since.
    public func told(_ fact: ReminderFact, now: ClockReading) -> Instant { shown(fact.clock, fact.at, now) }

    /// Returns the same for the recording of dose 1.
    public func recordedDose1(now: ClockReading) -> Instant? {
        dose1.map { shown($0.event.clock, $0.event.occurredAt, now) }
    }

    private func shown(_ clock: ClockReading, _ at: Instant, _ now: ClockReading) -> Instant {
        let later = events.drop { $0.clock != clock }.dropFirst().map(\.clock)
        let said = SaidMoment(clock: clock, ago: .zero, isNamedByClock: false)
        let shown = now.wall - ElapsedTime(since: said, then: later, now: now).longer
        return (shown - at).magnitude < .seconds(1) ? at : shown
    }

    /// Returns true if the alarm could be put off now.
    public func offersSnooze(now: ClockReading) -> Bool {
        RegistrationPolicy.judgeSnooze(
            self, elapsed: elapsed(now: now), window: window(asOf: nil, now: now), now: now) == .allowed
    }

    /// The channels that reminders from the planned alarm on have reached since the alarm was told last.
    public var alarmChannels: Set<ReminderChannel> {
        guard let dose1 else { return [] }
        let due = dose1.at + alarm
        // An alarm that was told before its time and again when it was due (R7.11) has reached nobody yet.
        let told = reminderFacts.lastIndex { $0.dropped == nil && $0.item.id == .alarm && $0.item.due >= due } ?? -1
        return Set(reminderDeliveries.filter { $0.item.due >= due && $0.factsBefore > told }.map(\.channel))
    }

    /// Returns true if a reminder reached a channel, by the record, since it was told last.
    public func isDelivered(_ item: ReminderPlan.Item, by channel: ReminderChannel) -> Bool {
        let told = reminderFacts.lastIndex { $0.dropped == nil && $0.item == item } ?? -1
        return reminderDeliveries.contains { $0.item == item && $0.channel == channel && $0.factsBefore > told }
    }
}

extension Session {
    /// The `metadata` of a dose (R5): flags are derived here, never frozen in the log.
    public func metadata(of dose: Dose) -> JSONObject {
        var object = JSONObject()
        switch dose.kind {
        case .dose1: break
        case .dose2:
            if let interval {
                if interval < DoseWindow.opens { object["is_early"] = .bool(true) }
                // Where one dose a night is prescribed nothing is late (R4.11).
                if interval >= DoseWindow.closes, !rules.onceNightly { object["is_late"] = .bool(true) }
            }
        case .extra:
            object["is_extra_dose"] = .bool(true)
            let gaps = doses.lazy.filter { $0.id != dose.id && $0.at <= dose.at }.map { dose.at - $0.at }
            if let gap = gaps.min(), gap < DoseWindow.opens { object["is_early"] = .bool(true) }
        }
        object["amount_mg"] = dose.amountMilligrams.map { .integer(Int64($0)) }
        object["regimen_id"] = dose.regimenID.map { .string($0.text) }
        object["medication_id"] = dose.medicationID.map(JSONValue.string)
        object.complete(note: dose.note, isAutomatic: false, dose.event)
        return object
    }

    /// Returns the flags of a moved dose and of the doses after it: early, late, one too many.
    public func flags(ofMoved id: EventID) -> JSONObject {
        var flags = JSONObject()
        guard let place = doses.firstIndex(where: { $0.id == id }) else { return flags }
        for dose in doses[place...] {
            let metadata = metadata(of: dose)
            for key in ["is_early", "is_late", "is_extra_dose"] where metadata[key] == true {
                // The flag of another extra dose is nothing new.
                if key != "is_extra_dose" || dose.id == id { flags[key] = true }
            }
        }
        return flags
    }

    public func metadata(of skip: Skip) -> JSONObject {
        var object = JSONObject()
        object["reason"] = skip.reason.map(JSONValue.string)
        if skip.isAutomatic { object["automatic"] = .bool(true) }
        object.complete(note: skip.note, isAutomatic: skip.isAutomatic, skip.event)
        return object
    }

    public func metadata(of snooze: Snooze) -> JSONObject {
        var object = JSONObject()
        object["count"] = .integer(Int64(snooze.count))
        object.complete(note: snooze.note, isAutomatic: false, snooze.event)
        return object
    }

    /// The metadata of a sleep event; the end of a nap has its length in whole minutes.
    public func metadata(of event: SleepEvent) -> JSONObject {
        var object = JSONObject()
        if event.type == SleepEventWord.napEnd {
            object["nap_min"] = naps.ended(by: event.id).map { .integer($0.wholeMinutes) }
        }
        object.complete(note: event.note, isAutomatic: false, event.event)
        return object
    }

    /// The metadata of a check-in: its answers and how the morning feels.
    public func metadata(of checkIn: CheckIn) -> JSONObject {
        var object: JSONObject = ["answers": .object(checkIn.answers.values)]
        object["defaults"] = .array(checkIn.defaults.map(JSONValue.string))
        object["wellness_score"] = checkIn.wellness.map { .integer(Int64($0)) }
        if checkIn.wellness != nil, !checkIn.wellnessDefaults.isEmpty {
            object["wellness_defaults"] = .array(checkIn.wellnessDefaults.map(JSONValue.string))
        }
        object.complete(note: nil, isAutomatic: false, checkIn.event)
        return object
    }
}

extension JSONObject {
    /// Adds the keys at the end of every entry's metadata.
    mutating func complete(note: String?, isAutomatic: Bool, _ event: Event) {
        self["note"] = note.map(JSONValue.string)
        self["surface"] = .string(event.surface.rawValue)
        self["source"] = .string(isAutomatic ? "automatic" : event.surface == .importer ? "imported" : "manual")
        self["local_offset_minutes"] = .integer(Int64(event.localOffsetMinutes))
    }
}
