/// A question that was asked before its nights came (R34.3).
public struct LabRegistered: Hashable, Sendable {
    public var exposure: LabExposure
    public var outcome: LabOutcome
    /// The number of known nights that the question waits for, of ``LabLimits/nights``.
    public var nights: Int
    /// The first night of the question.
    public var from: SessionDate
    /// The person's words.
    public var note: String?
    /// The person's input.
    public var request: Request
}

/// A routine that is kept in one night of each pair, in an order drawn by a seed (R34.7).
public struct LabPlanned: Hashable, Sendable {
    public var routine: LabRoutine
    public var outcome: LabOutcome
    /// The number of pairs, of ``LabLimits/pairs``. A pair is two calendar days in a row.
    public var pairs: Int
    /// The seed of ``SplitMix64``, which draws the order of each pair.
    public var seed: Int
    /// The first night of the first pair.
    public var from: SessionDate
    /// The person's words.
    public var note: String?
    /// The person's input.
    public var request: Request
}

/// The person's word on which way of a plan was kept in a night.
public struct LabAnswered: Hashable, Sendable {
    /// The entry of the plan.
    public var plan: EventID
    /// A night of the plan.
    public var night: SessionDate
    public var kept: LabKept
    /// The person's words.
    public var note: String?
    /// The person's input.
    public var request: Request
}

/// A question, folded from the events about it.
public typealias LabQuestion = EntryOf<LabRegistered>
/// A plan, folded from the events about it.
public typealias LabPlan = EntryOf<LabPlanned>

extension LabPlanned {
    /// The way of the first night of each pair: the highest bit of each number of ``SplitMix64`` is 0 for A first.
    public var order: [LabArm] {
        var numbers = SplitMix64(UInt64(seed), for: .order)
        return (0..<pairs).map { _ in numbers.next() >> 63 == 0 ? .a : .b }
    }

    /// The last night of the last pair.
    public var last: SessionDate { SessionDate(from.civil.adding(days: 2 * pairs - 1)) }

    /// Returns the way of a night; nil for a night outside the plan.
    public func arm(on date: SessionDate) -> LabArm? {
        let place = date.civil.daysSinceEpoch - from.civil.daysSinceEpoch
        guard (0..<2 * pairs).contains(place) else { return nil }
        let first = order[place / 2]
        return place % 2 == 0 ? first : first == .a ? .b : .a
    }
}

extension LabRegistered: EntryKind {
    static var type: EventType { .labRegistered }
    static var entity: EntityType { .labQuestion }
    static var words: String { "a question of the lab" }
    static var canBeMoved: Bool { false }
    static var isOfLab: Bool { true }
    static var isShownInNight: Bool { false }
    static var list: (key: String, prose: String)? { ("lab_questions", "questions of the lab") }

    init(_ reader: PayloadReader) throws(PayloadError) {
        try self.init(said: reader, note: try reader.optionalString("note"), request: try reader.request())
    }

    private init(said reader: PayloadReader, note: String?, request: Request) throws(PayloadError) {
        self.init(
            exposure: try reader.word("exposure"), outcome: try reader.word("outcome"),
            nights: try reader.integer("nights"), from: try reader.date("from_date"), note: note, request: request)
        guard LabLimits.nights.contains(nights) else { throw reader.fault("nights") }
    }

    func write(into object: inout JSONObject) {
        for entry in said { object[entry.key] = entry.value }
        object["note"] = note.map(JSONValue.string)
        object["request"] = request.json
    }

    private var said: JSONObject {
        [
            "exposure": .string(exposure.rawValue), "outcome": .string(outcome.rawValue),
            "nights": .integer(Int64(nights)), "from_date": .string(from.text),
        ]
    }

    func details(_ event: Event) -> JSONObject { said }
    var rules: [RuleNote] { [RuleNote("R34.3", "A question is asked before its nights come.")] }
    static func verb(_ said: JSONObject) -> String { "lab ask" }

    static func check(_ said: JSONObject) throws(CommandFailure) {
        try LabInput.check(said, LabInput.question)
    }

    static func record(
        _ said: JSONObject, _ decision: inout CommandDecision
    ) throws(CommandFailure) -> CommandHandler.Recording {
        try check(said)
        var said = said
        let first = try LabInput.first(&said, decision, "a question")
        said["nights"] = said["nights"] ?? .integer(Int64(LabLimits.fewestNights))
        let question: Self
        do throws(PayloadError) {
            question = try Self(
                said: PayloadReader("question", said), note: decision.options.note, request: decision.request)
        } catch { throw LabInput.fault(error) }
        guard question.from == first else {
            throw .invalidInput(sent("a question begins with the next night, \(first.text): what is past is explored"))
        }
        try decision.answer(.allowed, wouldRecord: entity.rawValue)
        return decision.record(question)
    }

    static func isRepeat(_ first: Event, _ asked: EntryRequest) -> Bool {
        guard let recorded: Self = first.payload.recorded() else { return false }
        var said = asked.said
        said["nights"] = said["nights"] ?? .integer(Int64(LabLimits.fewestNights))
        said["from_date"] = said["from_date"] ?? .string(recorded.from.text)
        return recorded.said == said.sorted(as: recorded.said) && recorded.note == asked.options.note
    }

    func judge(
        _ change: inout EntryAmended, of entry: StandaloneEntry, _ decision: CommandDecision
    ) throws(CommandFailure) {
        throw .invalidInput(sent("a question is not amended: delete it and ask another one"))
    }
}

extension LabPlanned: EntryKind {
    static var type: EventType { .labPlanned }
    static var entity: EntityType { .labPlan }
    static var words: String { "a plan of the lab" }
    static var canBeMoved: Bool { false }
    static var isOfLab: Bool { true }
    static var isAlwaysLoaded: Bool { true }
    static var isShownInNight: Bool { false }
    static var list: (key: String, prose: String)? { ("lab_plans", "plans of the lab") }

    init(_ reader: PayloadReader) throws(PayloadError) {
        try self.init(said: reader, note: try reader.optionalString("note"), request: try reader.request())
    }

    private init(said reader: PayloadReader, note: String?, request: Request) throws(PayloadError) {
        self.init(
            routine: try reader.word("routine"), outcome: try reader.word("outcome"),
            pairs: try reader.integer("pairs"), seed: try reader.integer("seed"), from: try reader.date("from_date"),
            note: note, request: request)
        guard LabLimits.pairs.contains(pairs) else { throw reader.fault("pairs") }
        guard LabLimits.seeds.contains(seed) else { throw reader.fault("seed") }
    }

    func write(into object: inout JSONObject) {
        for entry in said { object[entry.key] = entry.value }
        object["note"] = note.map(JSONValue.string)
        object["request"] = request.json
    }

    private var said: JSONObject {
        [
            "routine": .string(routine.rawValue), "outcome": .string(outcome.rawValue),
            "pairs": .integer(Int64(pairs)), "seed": .integer(Int64(seed)), "from_date": .string(from.text),
        ]
    }

    func details(_ event: Event) -> JSONObject { said }
    var rules: [RuleNote] { [RuleNote("R34.7", "Only a routine is planned, and a seed draws the order.")] }
    static func verb(_ said: JSONObject) -> String { "lab plan" }

    static func check(_ said: JSONObject) throws(CommandFailure) { try LabInput.check(said, LabInput.plan) }

    static func record(
        _ said: JSONObject, _ decision: inout CommandDecision
    ) throws(CommandFailure) -> CommandHandler.Recording {
        try check(said)
        var said = said
        let first = try LabInput.first(&said, decision, "a plan")
        said["pairs"] = said["pairs"] ?? .integer(Int64(LabLimits.fewestPairs))
        let plan: Self
        do throws(PayloadError) {
            plan = try Self(said: PayloadReader("plan", said), note: decision.options.note, request: decision.request)
        } catch { throw LabInput.fault(error) }
        let last = SessionDate(first.civil.adding(days: LabLimits.daysAhead))
        guard first <= plan.from, plan.from <= last else {
            throw .invalidInput(sent("a plan begins between the next night, \(first.text), and \(last.text)"))
        }
        if plan.routine == .nap, plan.outcome == .napMinutes {
            throw .invalidInput(
                sent("minutes of naps are no outcome of a planned nap: they would count the nap itself"))
        }
        let plans: [LabPlan] = decision.logState.standalone.of()
        if let other = plans.first(where: { $0.isActive && $0.now.from <= plan.last && plan.from <= $0.now.last }) {
            throw .invalidInput(
                sent(
                    "a night is of one plan, and the plan of \(other.now.routine.rawValue) has those until \(other.now.last.text): begin after it, or delete it"
                ))
        }
        try decision.answer(.allowed, wouldRecord: entity.rawValue)
        return decision.record(plan)
    }

    static func isRepeat(_ first: Event, _ asked: EntryRequest) -> Bool { isSame(first, asked, asked.said["seed"]) }

    /// Leaves the seed out of the comparison: a seed that is drawn at each call makes no other plan.
    static func isSameTap(_ first: Event, _ asked: EntryRequest) -> Bool { isSame(first, asked, nil) }

    private static func isSame(_ first: Event, _ asked: EntryRequest, _ seed: JSONValue?) -> Bool {
        guard let recorded: Self = first.payload.recorded() else { return false }
        var said = asked.said
        said["seed"] = seed ?? .integer(Int64(recorded.seed))
        said["pairs"] = said["pairs"] ?? .integer(Int64(LabLimits.fewestPairs))
        said["from_date"] = said["from_date"] ?? .string(recorded.from.text)
        return recorded.said == said.sorted(as: recorded.said) && recorded.note == asked.options.note
    }

    func judge(
        _ change: inout EntryAmended, of entry: StandaloneEntry, _ decision: CommandDecision
    ) throws(CommandFailure) {
        throw .invalidInput(sent("a plan is not amended: delete it and make another one"))
    }
}

extension LabAnswered: EntryKind {
    static var type: EventType { .labAnswered }
    static var entity: EntityType { .labNight }
    static var words: String { "what was kept of a plan" }
    static var canBeMoved: Bool { false }
    static var isOfLab: Bool { true }
    static var isShownInNight: Bool { false }
    static var list: (key: String, prose: String)? { ("lab_nights", "what was kept of plans of the lab") }

    init(_ reader: PayloadReader) throws(PayloadError) {
        self.init(
            plan: try reader.eventID("plan_id"), night: try reader.date("night_date"), kept: try reader.word("kept"),
            note: try reader.optionalString("note"), request: try reader.request())
    }

    func write(into object: inout JSONObject) {
        for entry in said { object[entry.key] = entry.value }
        object["note"] = note.map(JSONValue.string)
        object["request"] = request.json
    }

    private var said: JSONObject {
        ["plan_id": .string(plan.text), "night_date": .string(night.text), "kept": .string(kept.rawValue)]
    }

    func details(_ event: Event) -> JSONObject { said }
    var rules: [RuleNote] { [RuleNote("R34.8", "A night counts as it was planned, whatever was kept.")] }
    static func verb(_ said: JSONObject) -> String { "lab kept \(said["kept"]?.stringValue ?? "a")" }

    static func check(_ said: JSONObject) throws(CommandFailure) { try LabInput.check(said, LabInput.night) }

    static func record(
        _ said: JSONObject, _ decision: inout CommandDecision
    ) throws(CommandFailure) -> CommandHandler.Recording {
        try check(said)
        guard decision.options.at == nil else {
            throw .invalidInput(sent("what was kept is of a night, not of a time"))
        }
        let present = decision.date(of: decision.at)
        let reader = PayloadReader("night", said)
        let (plan, answered): (LabPlan, Self)
        do throws(PayloadError) {
            let night = said["night_date"] == nil ? present : try reader.date("night_date")
            let named = try reader.optionalEventID("plan_id")
            guard let found = Self.plan(named, on: night, decision.logState) else { throw reader.fault("plan_id") }
            plan = found
            answered = Self(
                plan: plan.id, night: night, kept: try reader.word("kept"), note: decision.options.note,
                request: decision.request)
        } catch {
            guard error.key == "plan_id" else { throw LabInput.fault(error) }
            if let word = said["plan_id"]?.stringValue { throw .notFound(String(word.prefix(40))) }
            throw .nothingToDo(sent("no plan of the lab has that night"))
        }
        guard plan.now.arm(on: answered.night) != nil, answered.night <= present else {
            throw .invalidInput(sent("the night of \(answered.night.text) is none of the plan, or has not come yet"))
        }
        try decision.answer(.allowed, wouldRecord: entity.rawValue)
        return decision.record(answered)
    }

    static func isRepeat(_ first: Event, _ asked: EntryRequest) -> Bool {
        guard let recorded: Self = first.payload.recorded() else { return false }
        var said = asked.said
        said["night_date"] = said["night_date"] ?? .string(asked.logState.presentDate(asked.context).text)
        said["plan_id"] = said["plan_id"] ?? plan(nil, on: recorded.night, asked.logState).map { .string($0.id.text) }
        return recorded.said == said.sorted(as: recorded.said) && recorded.note == asked.options.note
    }

    func isOvertaken(by later: Event) -> Bool {
        later.payload.recorded(as: Self.self).map { $0.plan == plan && $0.night == night } ?? false
    }

    /// Returns the active plan with an id; without an id, the newest active plan with the night.
    private static func plan(_ named: EventID?, on night: SessionDate, _ logState: LogState) -> LabPlan? {
        let plans: [LabPlan] = logState.standalone.of()
        return plans.last { plan in
            plan.isActive && (named.map { plan.id == $0 } ?? (plan.now.arm(on: night) != nil))
        }
    }

    func judge(
        _ change: inout EntryAmended, of entry: StandaloneEntry, _ decision: CommandDecision
    ) throws(CommandFailure) {
        throw .invalidInput(sent("what was kept is not amended: record it again, and what was said last counts"))
    }
}

extension Command {
    /// Returns the command for a question about the nights to come. Without a number, the question waits for
    /// ``LabLimits/fewestNights``.
    public static func askLab(_ exposure: LabExposure, _ outcome: LabOutcome, nights: Int? = nil) -> Command {
        var said: JSONObject = ["exposure": .string(exposure.rawValue), "outcome": .string(outcome.rawValue)]
        if let nights { said["nights"] = .integer(Int64(nights)) }
        return .record(.labRegistered, said)
    }

    /// Returns the command for a plan, by the keys of `Lab.Plan`.
    public static func planLab(_ said: JSONObject) -> Command { .record(.labPlanned, said) }

    /// Returns the command for a kept night of a plan, by the keys of `Lab.RecordAnswer`.
    public static func keptLab(_ said: JSONObject) -> Command { .record(.labAnswered, said) }
}
