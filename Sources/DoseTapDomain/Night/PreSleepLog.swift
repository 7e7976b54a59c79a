/// A pre-sleep log, folded from its events. It belongs to no session of its own accord: the one that begins soon after
/// it is found when it is asked for.
public struct PreSleepLog: LooseEntry {
    /// All events about it, in the order of the log.
    public let events: [Event]
    /// The entry: the id of the event that recorded it first.
    public let id: EventID
    /// The event that recorded it first.
    public let event: Event
    /// When it counts.
    public let at: Instant
    /// All answers.
    public let answers: Answers
    /// How far it is filled in.
    public let completion: PreSleepCompletion
    /// Neither undone nor deleted.
    public let isStanding: Bool

    /// It belongs to a session that begins up to this long after it, and a save up to this long before or after it goes
    /// on with it.
    public static let reach: Duration = .minutes(120)

    /// Folds the events about one log.
    ///
    /// - Returns: nil when none of them records it.
    public init?(events: [Event]) {
        let undone = events.undoneIDs
        guard let first = events.first(where: { $0.payload.isFirstPreSleep }) else { return nil }
        var isStanding = false
        var at = first.effectiveAt
        var answers = Answers.none
        var completion = PreSleepCompletion.partial
        for event in events where !undone.contains(event.id) {
            switch event.payload {
            case .preSleepRecorded(let payload):
                if event.id == first.id { isStanding = true }
                answers = payload.answers
                completion = payload.completion
            case .entryAmended(let payload):
                at = payload.at ?? at
                if let note = payload.note { answers = answers.with(notes: note) }
            case .entryDeleted: isStanding = false
            default: break
            }
        }
        self.events = events
        id = first.id
        event = first
        self.at = at
        self.answers = answers
        self.completion = completion
        self.isStanding = isStanding
    }

    /// The session it belongs to: of those that begin within its reach, the bounds included, the first one.
    ///
    /// - Parameter sessions: in order of their start.
    public func link(among sessions: some Sequence<(id: SessionID, start: Instant)>) -> SessionID? {
        sessions.first { $0.start >= at && $0.start <= at + Self.reach }?.id
    }

    /// The `metadata` of its entry.
    public var metadata: JSONObject { Self.metadata(answers, completion, event) }

    static func metadata(_ answers: Answers, _ completion: PreSleepCompletion, _ event: Event) -> JSONObject {
        var object: JSONObject = ["completion_state": .string(completion.rawValue), "answers": answers.json]
        let passed = DosePlan.passedLimits(answers)
        if !passed.isEmpty { object["plan_over_limit"] = .array(passed.map(JSONValue.string)) }
        object["surface"] = .string(event.surface.rawValue)
        object["source"] = .string(event.surface == .importer ? "imported" : "manual")
        object["local_offset_minutes"] = .integer(Int64(event.localOffsetMinutes))
        return object
    }
}

extension PreSleepRecorded {
    /// The metadata of the entry right after this save.
    func metadata(_ event: Event) -> JSONObject { PreSleepLog.metadata(answers, completion, event) }
}

extension EventPayload {
    fileprivate var isFirstPreSleep: Bool {
        if case .preSleepRecorded(let payload) = self { payload.continues == nil } else { false }
    }
}
