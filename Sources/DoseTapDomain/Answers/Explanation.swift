/// The reasons for one event in the log: the event, who asked, the rules that judged it, and its consequences.
public struct Explanation: Hashable, Sendable {
    /// The event as an entry. Its metadata come from its payload.
    public var event: NightRecord.Entry
    /// The event's place in the log; nil while the event is in memory only.
    public var sequence: Int64?
    /// The kind of thing that the event is about.
    public var entityType: String
    /// The session of the event.
    public var sessionID: SessionID?
    /// The session's grouping key; nil if the session was undone with all of its entries.
    public var sessionDate: SessionDate?
    /// The zone in force when the event was recorded.
    public var timeZone: String
    /// The zone of the night, in which its times are told; nil if that is ``timeZone``, and without a night.
    public var nightZone: String?
    /// The process that asked, as far as the bus could tell; nil if unknown.
    public var process: Origin?
    /// The phase of the night just before the event; nil for an event that nobody asked for.
    public var phase: Phase?
    /// Whole seconds from dose 1 to the event.
    public var elapsedSeconds: Int64?
    /// The questions that were answered with the request.
    public var answers: [Confirmation]
    /// The rules about the event.
    public var rules: [RuleNote]
    public var state: State
    /// The event that caused this one, or the entry or action that this one corrects.
    public var cause: NightRecord.Entry?
    /// The events that name this one as their cause, such as a session that was opened for the entry.
    public var consequences: [NightRecord.Entry]
    /// The corrections of the event, and the corrections of these, in order of recording.
    public var corrections: [NightRecord.Entry]

    /// The standing of an event; the raw value is the wire word.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// The event counts as it was recorded.
        case active = "stands"
        /// The event counts with a correction.
        case amended
        case deleted
        case undone
        /// A skip that no longer counts: dose 1 moved away from an automatic skip, or a dose 2 made the skip void.
        case superseded
    }

    /// Explains an event.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - sequence: the event's place in the log; nil while the event is in memory only.
    ///   - session: all events of the event's session in the order of the log; the event alone without a session.
    public init(_ event: Event, sequence: Int64?, among session: [Event]) {
        let night = Session(events: session)
        let place = session.firstIndex { $0.id == event.id } ?? 0
        let before = Session(events: Array(session[..<place]))
        self.sequence = sequence
        entityType = event.entityType.rawValue
        sessionID = event.sessionID
        sessionDate = night?.date
        timeZone = event.timeZone
        nightZone = night.flatMap { $0.timeZone == event.timeZone ? nil : $0.timeZone }
        process = event.origin
        self.event = NightRecord.Entry(event)
        answers = event.payload.request?.confirmations ?? []
        if let request = event.payload.request {
            let clock = event.clock
            let window = before?.window(asOf: request.at.map { min($0, clock.wall) }, now: clock)
            phase = window?.phase ?? .noDose1
            elapsedSeconds = window?.elapsed?.wholeSeconds
        }
        state = Self.state(event, in: night, among: session)
        let named = event.payload.cause ?? event.payload.target
        cause = named.flatMap { id in session.first { $0.id == id } }.map(NightRecord.Entry.init)
        let followed = session.filter { $0.payload.cause == event.id }
        consequences = followed.map(NightRecord.Entry.init)
        let opened = followed.contains { $0.type == .sessionOpened }
        rules = RuleNote.about(event.payload, phase: phase, opensNight: opened)
        let corrected = session.filter { $0.payload.target == event.id }
        // An undo of a correction belongs to the story, too.
        let ids = Set(corrected.map(\.id))
        corrections = session.filter { other in
            other.payload.target.map { $0 == event.id || ids.contains($0) } ?? false
        }.map(NightRecord.Entry.init)
    }

    private static func state(_ event: Event, in night: Session?, among session: [Event]) -> State {
        let undone = Set(
            session.flatMap { other -> [EventID] in
                if case .actionUndone(let payload) = other.payload { payload.events } else { [] }
            })
        if undone.contains(event.id) { return .undone }
        var state = State.active
        for other in session where !undone.contains(other.id) {
            switch other.payload {
            case .actionUndone: break
            case .entryDeleted(let payload): if payload.target == event.id { state = .deleted }
            default: if other.payload.target == event.id { state = .amended }
            }
        }
        guard case .doseSkipped(let payload) = event.payload, state != .deleted else { return state }
        let counts = night?.skips.contains { $0.id == event.id } == true && (night?.isDose2Skipped ?? false)
        return counts || !payload.isAutomatic && night?.dose2 == nil ? state : .superseded
    }
}

extension EventPayload {
    /// The entry or action that a correction corrects; nil for other events.
    var target: EventID? {
        switch self {
        case .entryAmended(let payload): payload.target
        case .entryDeleted(let payload): payload.target
        case .actionUndone(let payload): payload.action
        case .checkinRecorded(let payload): payload.amends
        case .entry(let payload): payload.value.continues
        default: nil
        }
    }
}

extension NightRecord.Entry {
    /// An entry for any event as recorded. Its metadata are the payload without the request and without references.
    init(_ event: Event) {
        var details = event.payload.json(origin: nil).objectValue ?? JSONObject()
        for key in ["v", "request", "target", "cause", "events", "action", "amends", "continues"] { details[key] = nil }
        self.init(
            id: event.id, type: event.type.rawValue, timestamp: event.effectiveAt, recordedAt: event.occurredAt,
            surface: event.surface.rawValue, metadata: details, target: event.payload.target)
    }
}

// MARK: Keys

extension Explanation {
    public static let description = RecordDescription(
        "why", "why --json", Explanation()
    ) { it in
        it.record("event", NightRecord.Entry.description, get: { $0.event }, set: { $0.event = $1 })
        it.integerOrNull(
            "sequence", "its place in the log; null while it is in memory only",
            get: { $0.sequence.map { Int($0) } },
            set: { $0.sequence = $1.map { Int64($0) } })
        it.text("entity_type", "what it is about", get: { $0.entityType }, set: { $0.entityType = $1 })
        it.textOrNull("session_id", get: { $0.sessionID?.text }, set: { $0.sessionID = $1.map(SessionID.init) })
        it.dateOrNull("session_date", get: { $0.sessionDate }, set: { $0.sessionDate = $1 })
        it.text(
            "time_zone", "the zone in force when it was recorded", get: { $0.timeZone }, set: { $0.timeZone = $1 })
        it.textOrNull(
            "night_zone", "the zone of the night, where it is another one", null: .absent,
            get: { $0.nightZone }, set: { $0.nightZone = $1 })
        it.textOrNull(
            "sender", "who asked: the unique name on the bus", get: { $0.process?.sender },
            set: { explanation, sender in explanation.change { $0.sender = sender } })
        it.integerOrNull(
            "pid", get: { $0.process?.processID.map { Int($0) } },
            set: { explanation, id in explanation.change { $0.processID = id.flatMap(Int32.init(exactly:)) } })
        it.textOrNull(
            "comm", get: { $0.process?.command },
            set: { explanation, command in explanation.change { $0.command = command } })
        it.wordOrNull("phase", "that of the night just before it", get: { $0.phase }, set: { $0.phase = $1 })
        it.integerOrNull(
            "elapsed_s", "since dose 1 then", in: .seconds, get: { $0.elapsedSeconds.map { Int($0) } },
            set: { $0.elapsedSeconds = $1.map { Int64($0) } })
        it.value(
            "confirmations", .list(.words { Confirmation.allCases.map { $0.rawValue } }),
            "the questions answered with it", get: { .array($0.answers.map { .string($0.rawValue) }) },
            set: { (explanation, value) throws(PayloadError) in
                explanation.answers = (value?.arrayValue ?? []).compactMap {
                    $0.stringValue.flatMap(Confirmation.init(rawValue:))
                }
                return true
            })
        it.records(
            "rules", RuleNote.description, "the rules that speak about it", get: { $0.rules },
            set: { $0.rules = $1 })
        it.word("standing", "whether it still counts", get: { $0.state }, set: { $0.state = $1 })
        it.recordOrNull(
            "cause", NightRecord.Entry.description, "what it followed from, or what it corrects",
            get: { $0.cause }, set: { $0.cause = $1 })
        it.records(
            "consequences", NightRecord.Entry.description, "what followed from it at once",
            get: { $0.consequences }, set: { $0.consequences = $1 })
        it.records(
            "corrections", NightRecord.Entry.description, "what was corrected about it since",
            get: { $0.corrections }, set: { $0.corrections = $1 })
    }

    /// The object of `why --json`, and the answer of D-Bus `Why`.
    public var json: JSONObject { Self.description.json(self) }

    /// Reads the object back, as a client does.
    public init(json: JSONObject) throws(PayloadError) {
        self = try Self.description.read(PayloadReader("explanation", json))
    }

    private init() {
        event = .blank
        (entityType, timeZone, state) = ("", "", .active)
        (answers, rules, consequences, corrections) = ([], [], [], [])
    }

    /// Changes a part of the process, which is nil while none of its parts is known.
    private mutating func change(_ change: (inout Origin) -> Void) {
        var origin = process ?? Origin()
        change(&origin)
        process = origin == Origin() ? nil : origin
    }
}
