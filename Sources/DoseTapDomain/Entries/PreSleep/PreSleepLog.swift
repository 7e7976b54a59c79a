/// A pre-sleep log was saved, or one was continued.
public struct PreSleepRecorded: Hashable, Sendable {
    /// All answers so far, those of the continued log included.
    public var answers: Answers
    /// The questions answered by this save.
    public var given: [String]
    /// The completion of the log by now.
    public var completion: PreSleepCompletion
    /// The log that is continued; nil for a new log.
    public var continues: EventID?
    /// The person's input.
    public var request: Request

    public init(
        answers: Answers, given: [String], completion: PreSleepCompletion, continues: EventID?, request: Request
    ) {
        self.answers = answers
        self.given = given
        self.completion = completion
        self.continues = continues
        self.request = request
    }
}

extension EventPayload {
    /// A pre-sleep log was saved.
    public static func preSleepRecorded(_ saved: PreSleepRecorded) -> EventPayload { .entry(EntryPayload(saved)) }
}

extension PreSleepRecorded: EntryKind {
    static var type: EventType { .preSleepRecorded }
    static var entity: EntityType { .preSleep }
    static var words: String { "the pre-sleep log" }
    static var list: (key: String, prose: String)? { ("pre_sleep", "a pre-sleep log that belongs to no night") }

    func write(into object: inout JSONObject) {
        object["answers"] = .object(answers.values)
        object["given"] = .array(given.map(JSONValue.string))
        object["completion_state"] = .string(completion.rawValue)
        object["continues"] = continues.map { .string($0.text) }
        object["request"] = request.json
    }

    init(_ reader: PayloadReader) throws(PayloadError) {
        self.init(
            answers: try Answers(reader), given: try reader.strings("given"),
            completion: try reader.word("completion_state"), continues: try reader.optionalEventID("continues"),
            request: try reader.request())
    }

    /// The person's words are one of the answers.
    var note: String? {
        get { nil }
        set { answers = answers.with(notes: newValue) }
    }

    mutating func update(_ later: EntryPayload) { if let later: Self = later.value() { self = later } }

    func details(_ event: Event) -> JSONObject {
        var object: JSONObject = ["completion_state": .string(completion.rawValue), "answers": answers.json]
        let passed = DosePlan.passedLimits(answers)
        if !passed.isEmpty { object["plan_over_limit"] = .array(passed.map(JSONValue.string)) }
        return object
    }

    var rules: [RuleNote] {
        [
            RuleNote(
                "R10.2", "A pre-sleep log belongs to the night that begins within 120 minutes after it, or to none."
            )
        ]
    }
    var journalLine: String { "Recorded a pre-sleep log: \(completion.rawValue)" }
    var journalFields: [(String, String)] { [("DOSETAP_COMPLETION_STATE", completion.rawValue)] }
}

/// A pre-sleep log, folded from its events. The log itself names no session: the session that begins soon after the log is
/// found when it is asked for.
public typealias PreSleepLog = EntryOf<PreSleepRecorded>

extension PreSleepLog {
    public var answers: Answers { now.answers }
    public var completion: PreSleepCompletion { now.completion }

    /// The time after a log in which its session begins, and the time before or after a log in which a save continues the log.
    public static var reach: Duration { .minutes(120) }

    /// Returns the session of the log: the first one that begins within the reach of the log, the bounds included.
    ///
    /// - Parameter sessions: in order of their start.
    public func link(among sessions: some Sequence<(id: SessionID, start: Instant)>) -> SessionID? {
        sessions.first { $0.start >= at && $0.start <= at + Self.reach }?.id
    }
}

/// The completion of a pre-sleep log; the raw value is in the `completion_state` column (R10).
public enum PreSleepCompletion: String, Hashable, Sendable, CaseIterable, Comparable {
    /// The person did not want to answer tonight.
    case skipped
    /// The person was interrupted; a later save continues the log.
    case partial
    /// The person went to the end.
    case complete

    /// Returns true if `left` is less filled in.
    public static func < (left: PreSleepCompletion, right: PreSleepCompletion) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .skipped: 0
        case .partial: 1
        case .complete: 2
        }
    }
}
