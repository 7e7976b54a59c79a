/// What was recorded: the answer of every command on every surface.
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

    /// Memberwise.
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
            .reminderAcknowledged, .clockStepped, .storeRestored:
            (payload.type.rawValue, nil)
        }
    }
}
