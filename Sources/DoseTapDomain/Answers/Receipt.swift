/// What was recorded: the answer of every command on every surface, `log … --json` and every D-Bus member that records.
public struct Receipt: Hashable, Sendable {
    /// The action's event.
    public var eventID: EventID
    /// The wire word of the entry: a dose event type, that of a sleep event, or the event type of a correction.
    public var type: String
    /// The session it belongs to.
    public var sessionID: SessionID?
    /// Its grouping key.
    public var sessionDate: SessionDate?
    /// When it counts.
    public var timestamp: Instant
    /// The phase of the night right after it.
    public var phase: Phase
    /// The dose's place among the doses of the night, from 1.
    public var doseIndex: Int?
    /// The entry's metadata (R5).
    public var metadata: JSONObject
    /// True for a repeat: nothing new was recorded.
    public var duplicate: Bool
    /// Whole minutes between the doses, truncated.
    public var intervalMinutes: Int64?
    /// True when nothing was recorded because nothing was to be.
    public var dryRun: Bool
    /// For a correction the entry it corrects; for an undo the action it takes back.
    public var target: EventID?
    /// For a correction what it did to the entry.
    public var corrected: CorrectedEntry?
    /// When the window opens and closes and the alarm rings, where the action may have moved one of them.
    public var dueTimes: DueTimes?
    /// Zone in force, for showing the time.
    public var timeZone: String
    /// The short name of the entry, `dose1` or the end of its id, where it can be amended or deleted by it; nil where
    /// nothing was recorded.
    public var handle: String?
    /// What most stands in the way of the night's reminders, as known when dose 1 was recorded; nil when nothing does.
    public var readiness: Finding?
    /// What the person has to read beside it.
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

    /// The receipt of an action.
    ///
    /// - Parameters:
    ///   - event: the action's own event.
    ///   - session: its session right after the action; nil when the action took the session away or needs none.
    ///   - open: the open session, for the phase where the action has no session.
    ///   - corrected: what a correction did to its entry.
    ///   - clock: both clocks, for the phase right after it.
    public init(
        _ event: Event, session: Session?, open: Session? = nil, corrected: CorrectedEntry? = nil, duplicate: Bool,
        dryRun: Bool = false, clock: ClockReading
    ) {
        let word = Self.word(event.payload)
        let dose = session?.doses.first { $0.id == event.id }
        var metadata = JSONObject()
        if let session {
            if let dose {
                metadata = session.metadata(of: dose)
                if dose.kind == .dose1, session.rules.onceNightly { metadata["once_nightly"] = .bool(true) }
                // What makes a dose 1 early or one too many lies in another night.
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
            if session.isDose2Asked(by: event) {
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
        // It may give a dose back its place, or a place too near another one.
        case .actionUndone:
            if let session, let corrected, corrected.countsAt != nil, corrected.countsAt != corrected.countedAt {
                metadata = session.flags(ofMoved: EventID(event.entityID))
            }
        default: break
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

/// What a receipt of a dangerous entry says beside it (R20.18).
extension Receipt {
    /// A dose too early or too many, recorded or moved so; a dose 1 was asked about where another night has doses near it.
    public var isDangerous: Bool {
        let asked: [JSONValue] = [Confirmation.early, .extra].map { .string($0.rawValue) }
        return ["is_early", "is_extra_dose"].contains { metadata[$0]?.boolValue == true }
            || type == DoseKind.extra.rawValue
            || metadata["confirmed"]?.arrayValue?.contains(where: asked.contains) == true
    }

    /// Where help is; what to do is theirs to say.
    public static var help: String {
        tr("Help: the emergency number (112, 911), a poison centre, your pharmacist or prescriber.")
    }
}

// MARK: Corrections

/// What a correction did to an entry: amended, deleted, or one of them or the entry itself taken back.
public struct CorrectedEntry: Hashable, Sendable {
    /// The wire word of the entry.
    public var type: String
    /// When it counted before; nil when it did not stand.
    public var countedAt: Instant?
    /// When it counts since; nil when it stands no more.
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
    /// The event that recorded an active entry of any kind, and when the entry counts.
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
