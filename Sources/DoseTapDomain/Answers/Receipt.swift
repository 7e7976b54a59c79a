/// The answer of a command that records, on every surface: `log … --json`, and every D-Bus member that records.
public struct Receipt: Hashable, Sendable {
    /// The action's event.
    public var eventID: EventID
    /// The wire word of the entry: a dose event type, the word of a sleep event, or the event type of a correction.
    public var type: String
    /// The session of the entry.
    public var sessionID: SessionID?
    /// The grouping key of the session, or the date of an entry without a session.
    public var sessionDate: SessionDate?
    /// The time at which the entry counts.
    public var timestamp: Instant
    /// The phase of the night right after the action.
    public var phase: Phase
    /// The dose's place among the doses of the night, from 1.
    public var doseIndex: Int?
    /// The entry's metadata (R5).
    public var metadata: JSONObject
    /// True for a repeat: nothing new was recorded.
    public var duplicate: Bool
    /// Whole minutes between the doses, truncated.
    public var intervalMinutes: Int64?
    /// True for a dry run: nothing was recorded because nothing was to be.
    public var dryRun: Bool
    /// The entry that a correction corrects, or the action that an undo takes back.
    public var target: EventID?
    /// The effect of a correction on its entry.
    public var corrected: CorrectedEntry?
    /// The times of the window and of the alarm, if the action may have moved one of them.
    public var dueTimes: DueTimes?
    /// The zone in force.
    public var timeZone: String
    /// The zone of the night, in which its times are told; nil if that is the one in force, and without a night.
    public var nightZone: String?
    /// The short name by which the entry can be amended or deleted, `dose1` or the end of its id; nil if nothing was
    /// recorded.
    public var handle: String?
    /// The worst obstacle to the night's reminders, as known when dose 1 was recorded; nil without an obstacle.
    public var readiness: Finding?
    public var warnings: [Warning] = []

    public init(
        eventID: EventID, type: String, sessionID: SessionID?, sessionDate: SessionDate?, timestamp: Instant,
        phase: Phase, doseIndex: Int?, metadata: JSONObject, duplicate: Bool, intervalMinutes: Int64?, dryRun: Bool,
        target: EventID?, corrected: CorrectedEntry? = nil, dueTimes: DueTimes? = nil, timeZone: String
    ) {
        self.eventID = eventID
        self.type = type
        self.sessionID = sessionID
        self.sessionDate = sessionDate
        self.timestamp = timestamp
        self.phase = phase
        self.doseIndex = doseIndex
        self.metadata = metadata
        self.duplicate = duplicate
        self.intervalMinutes = intervalMinutes
        self.dryRun = dryRun
        self.target = target
        self.corrected = corrected
        self.dueTimes = dueTimes
        self.timeZone = timeZone
    }

    /// The key of the metadata that asks what became of a dose 2 that nobody recorded.
    public static let dose2Unknown = "dose2_not_recorded"
    /// The key of the metadata of a correction after which the window of dose 1 is over.
    public static let windowOver = "window_over"
    /// The key of the metadata that is true if a person's skip counts again, because its dose 2 is no longer on record.
    public static let skipCounts = "skip_counts"

    /// Makes the receipt of an action.
    ///
    /// - Parameters:
    ///   - event: the action's own event.
    ///   - session: the event's session right after the action; nil if the action took the session away or needs none.
    ///   - gone: the session that the action took away.
    ///   - open: the open session, for the phase if the action has no session.
    ///   - corrected: the effect of a correction on its entry.
    ///   - clock: both clocks, for the phase right after the action.
    public init(
        _ event: Event, session: Session?, gone: Session? = nil, open: Session? = nil,
        corrected: CorrectedEntry? = nil, duplicate: Bool, dryRun: Bool = false, clock: ClockReading
    ) {
        let word = Self.word(event.payload)
        let dose = session?.doses.first { $0.id == event.id }
        var metadata = JSONObject()
        if let session {
            if let dose {
                metadata = session.metadata(of: dose)
                if dose.kind != .extra, session.rules.onceNightly { metadata["once_nightly"] = .bool(true) }
                // The reason for an early dose 1, or one too many, lies in another night.
                let answered = dose.kind == .dose1 ? event.payload.request?.confirmations ?? [] : []
                if !answered.isEmpty { metadata["confirmed"] = .array(answered.map { .string($0.rawValue) }) }
            }
            if let skip = session.skips.first(where: { $0.id == event.id }) { metadata = session.metadata(of: skip) }
            if let snooze = session.snoozes.first(where: { $0.id == event.id }) {
                metadata = session.metadata(of: snooze)
            }
            if let event = session.sleepEvents.first(where: { $0.id == event.id }) {
                metadata = session.metadata(of: event)
            }
            if let checkIn = session.checkIn, checkIn.id.text == event.entityID,
                word.type == EntityType.checkin.rawValue
            {
                metadata = session.metadata(of: checkIn)
            }
            if session.isDose2Asked(by: event, now: clock) {
                let closed = session.windowTimes(now: clock)?.closes
                metadata[Self.dose2Unknown] = .object(["window_closes": closed.map(JSONValue.instant) ?? .null])
            }
        }
        var date = session?.date
        switch event.payload {
        case .entry(let payload):
            metadata = payload.value.receipt(event, open: open)
            date = date ?? payload.value.countsUnder
        case .entryAmended(let payload):
            date = date ?? payload.date
            if payload.at != nil, let session { metadata = session.flags(ofMoved: payload.target) }
            metadata["amount_mg"] = payload.amountMilligrams.map { .integer(Int64($0)) }
        // An undo may give a dose back its place, or a place too near another dose.
        case .actionUndone:
            if let session, let corrected, corrected.countsAt != nil, corrected.countsAt != corrected.countedAt {
                metadata = session.flags(ofMoved: EventID(event.entityID))
            }
        default: break
        }
        if let session, let corrected, Self.isPastWindow(corrected, session, clock) {
            metadata[Self.windowOver] = .bool(true)
        }
        if let corrected, corrected.type == DoseKind.dose2.rawValue, corrected.countsAt == nil,
            session?.isSkippedByPerson == true
        {
            metadata[Self.skipCounts] = true
        }
        self.init(
            eventID: event.id, type: dose?.kind.rawValue ?? word.type, sessionID: event.sessionID ?? session?.id,
            sessionDate: date, timestamp: event.effectiveAt,
            phase: (session ?? open)?.window(asOf: nil, now: clock).phase ?? .noDose1,
            doseIndex: dose.flatMap { session?.index(of: $0) }, metadata: metadata, duplicate: duplicate,
            intervalMinutes: dose?.kind == .dose2 ? session?.interval?.wholeMinutes : nil, dryRun: dryRun,
            target: word.target, corrected: corrected,
            dueTimes: DueTimes(after: event, event.payload.concernsOpenNight ? open : session, now: clock),
            timeZone: event.timeZone)
        let night = session ?? gone ?? (event.payload.concernsOpenNight ? open : nil)
        nightZone = night.flatMap { $0.timeZone == timeZone ? nil : $0.timeZone }
    }

    /// Returns true if a correction moved dose 1 so far back that its window is over and no reminder comes (R6.6). A night of last
    /// week needs no such word.
    private static func isPastWindow(_ corrected: CorrectedEntry, _ session: Session, _ clock: ClockReading) -> Bool {
        guard corrected.type == DoseKind.dose1.rawValue, let at = corrected.countsAt, at != corrected.countedAt,
            clock.wall - at <= .hours(24), let elapsed = session.elapsed(now: clock)
        else { return false }
        let outcome = NightOutcome(session)
        return elapsed.shorter >= DoseWindow.closes && (outcome == .pending || outcome == .notRecorded)
    }

    static func word(_ payload: EventPayload) -> (type: String, target: EventID?) {
        switch payload {
        case .doseRecorded(let dose): (dose.kind.rawValue, nil)
        case .doseSkipped(let skip): (skip.isAutomatic ? NightRecord.notRecorded : "dose2_skipped", nil)
        case .snoozeRecorded: ("snooze", nil)
        case .finalWakeRecorded: (SleepEventWord.finalWake, nil)
        case .sleepEventRecorded(let payload): (payload.type, nil)
        case .checkinRecorded(let payload): (EntityType.checkin.rawValue, payload.amends)
        case .entry(let payload): (payload.entity.rawValue, payload.value.continues)
        case .entryAmended(let payload): (EventType.entryAmended.rawValue, payload.target)
        case .entryDeleted(let payload): (EventType.entryDeleted.rawValue, payload.target)
        case .actionUndone(let payload): (EventType.actionUndone.rawValue, payload.action)
        case .sessionOpened, .sessionClosed, .settingChanged, .reminderFired, .reminderDropped, .reminderDelivered,
            .reminderAcknowledged, .clockStepped, .storeRestored, .importRecorded:
            (payload.type.rawValue, nil)
        }
    }
}

// MARK: Keys

extension Receipt {
    public static let description = RecordDescription(
        "receipt", "What every recording verb prints with --json",
        Receipt(
            eventID: EventID(""), type: "", sessionID: nil, sessionDate: nil, timestamp: .min, phase: .noDose1,
            doseIndex: nil, metadata: JSONObject(), duplicate: false, intervalMinutes: nil, dryRun: false, target: nil,
            timeZone: "")
    ) { it in
        it.text("event_id", get: { $0.eventID.text }, set: { $0.eventID = EventID($1) })
        it.text("type", get: { $0.type }, set: { $0.type = $1 })
        it.textOrNull("session_id", get: { $0.sessionID?.text }, set: { $0.sessionID = $1.map(SessionID.init) })
        it.dateOrNull("session_date", get: { $0.sessionDate }, set: { $0.sessionDate = $1 })
        it.instant("timestamp", "when it counts", get: { $0.timestamp }, set: { $0.timestamp = $1 })
        it.word("phase", "that of the night right after it", get: { $0.phase }, set: { $0.phase = $1 })
        it.integerOrNull(
            "dose_index", "the dose's place among the doses of the night, from 1", as: .count,
            get: { $0.doseIndex }, set: { $0.doseIndex = $1 })
        it.object(
            "metadata", .open { NightRecord.Entry.metadata }, get: { $0.metadata }, set: { $0.metadata = $1 })
        it.bool("duplicate", "a repeat: nothing new was recorded", get: { $0.duplicate }, set: { $0.duplicate = $1 })
        it.integerOrNull(
            "interval_min", "between the doses, truncated", in: .minutes,
            get: { $0.intervalMinutes.map { Int($0) } },
            set: { $0.intervalMinutes = $1.map { Int64($0) } })
        it.text("time_zone", "the zone in force", get: { $0.timeZone }, set: { $0.timeZone = $1 })
        it.textOrNull(
            "night_zone", "the zone of the night, where it is another one", null: .absent,
            get: { $0.nightZone }, set: { $0.nightZone = $1 })
        it.textOrNull(
            "handle", "short name of the entry: dose1, dose2 or the end of its id", null: .absent,
            get: { $0.handle }, set: { $0.handle = $1 })
        it.textOrNull(
            "target", "what a correction corrects, or an undo takes back", null: .absent,
            get: { $0.target?.text }, set: { $0.target = $1.map(EventID.init) })
        it.recordOrNull(
            "corrected", CorrectedEntry.description, "for a correction what it did to the entry", null: .absent,
            get: { $0.corrected }, set: { $0.corrected = $1 })
        it.value(
            "window_opens", .instant, "after a snooze or a correction, where dose 2 is due; null in doubt",
            null: .absentOrNull, get: { $0.dueTimes.map { .orNull($0.opens) } })
        it.instantOrNull("window_closes", null: .absent, get: { $0.dueTimes?.closes })
        it.instantOrNull("alarm_time", null: .absent, get: { $0.dueTimes?.alarm })
        it.integerOrNull(
            "snooze_count", "snoozes so far", as: .count, null: .absent, get: { $0.dueTimes?.snoozes.count })
        it.integerOrNull(
            "snooze_limit", "how many snoozes the night allows", as: .count, null: .absent,
            get: { $0.dueTimes?.snoozes.limit })
        it.flag("dry_run", "nothing was recorded", get: { $0.dryRun }, set: { $0.dryRun = $1 })
        it.recordOrNull(
            "readiness", Finding.description, "what most stands in the way of the night's reminders", null: .absent,
            get: { $0.readiness }, set: { $0.readiness = $1 })
        it.records("warnings", Warning.description, get: { $0.warnings }, set: { $0.warnings = $1 })
    }

    /// The keys of ``description``.
    public var json: JSONObject { Self.description.json(self) }

    /// Reads the object back, as a client does.
    public init(json: JSONObject) throws(PayloadError) {
        let reader = PayloadReader("receipt", json)
        self = try Self.description.read(reader)
        dueTimes = try DueTimes(reader)
    }
}

// MARK: Danger

/// The addition to the receipt of a dangerous entry (R20.18).
extension Receipt {
    /// True for a dose that is too early or too many, or was moved there, and for a dose 1 with a question about the doses
    /// of another night near it.
    public var isDangerous: Bool {
        let asked: [JSONValue] = [Confirmation.early, .extra].map { .string($0.rawValue) }
        return ["is_early", "is_extra_dose"].contains { metadata[$0]?.boolValue == true }
            || type == DoseKind.extra.rawValue
            || metadata["confirmed"]?.arrayValue?.contains(where: asked.contains) == true
    }

    /// A sentence that names who can help. The advice is left to them.
    public static var help: String {
        tr("Help: the emergency number (112, 911), a poison centre, your pharmacist or prescriber.")
    }
}

// MARK: Corrections

/// The effect of a correction on an entry: an amendment, a deletion, or the undo of one of them or of the entry itself.
public struct CorrectedEntry: Hashable, Sendable {
    /// The wire word of the entry.
    public var type: String
    /// The time at which the entry counted before; nil if the entry did not stand.
    public var countedAt: Instant?
    /// The time at which the entry counts now; nil if the entry no longer stands.
    public var countsAt: Instant?

    public init(type: String, countedAt: Instant?, countsAt: Instant?) {
        self.type = type
        self.countedAt = countedAt
        self.countsAt = countsAt
    }

    /// - Parameters:
    ///   - event: the action.
    ///   - before: the log state right before it, the entry loaded.
    ///   - after: the log state right after it.
    /// - Returns: nil when the action is no correction.
    public init?(by event: Event, before: LogState, after: LogState) {
        guard Receipt.word(event.payload).target != nil else { return nil }
        let id = EventID(event.entityID)
        let (old, new) = (before.activeEntry(id), after.activeEntry(id))
        guard let entry = old ?? new else { return nil }
        self.init(type: Receipt.word(entry.event.payload).type, countedAt: old?.at, countsAt: new?.at)
    }
}

extension LogState {
    /// Returns the event that recorded an active entry of any kind, and the time at which the entry counts.
    func activeEntry(_ id: EventID) -> (event: Event, at: Instant)? {
        for session in sessions {
            if let entry = session.timedEntries.first(where: { $0.event.id == id }) { return entry }
        }
        return standalone.active(id).map { ($0.event, $0.at) }
    }
}

extension CorrectedEntry {
    static let description = RecordDescription(
        CorrectedEntry(type: "", countedAt: nil, countsAt: nil)
    ) { it in
        it.text("type", get: { $0.type }, set: { $0.type = $1 })
        it.instantOrNull(
            "counted_at", "when it counted before; null when it did not stand", get: { $0.countedAt },
            set: { $0.countedAt = $1 })
        it.instantOrNull(
            "counts_at", "when it counts since; null when it stands no more", get: { $0.countsAt },
            set: { $0.countsAt = $1 })
    }
}
