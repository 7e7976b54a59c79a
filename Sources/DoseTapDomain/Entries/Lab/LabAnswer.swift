/// The answer of the lab to one question or plan, or to an exploration of past nights.
public struct LabAnswer: Hashable, Sendable {
    /// The origin of the answer.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A question that was asked before its nights.
        case asked
        /// A plan of two ways by turns, in a drawn order.
        case planned
        /// A look at past nights: a suggestion for a question.
        case explored
    }

    public var kind = Kind.explored
    /// The entry of the question or plan; nil for an exploration.
    public var id: EventID?
    /// A word of ``LabExposure``, of a plan one of ``LabRoutine``.
    public var about = ""
    public var outcome = LabOutcome.rested
    /// The first night of the question or plan; of an exploration the one that was named, if any.
    public var from: SessionDate?
    /// The nights, for a plan the pairs, that the answer waits for; nil for an exploration.
    public var wanted: Int?
    /// The number of known nights, for a plan of known pairs.
    public var known = 0
    /// True if the answer waits for no more nights. Before that no finding is told.
    public var isComplete = true
    public var verdict: LabVerdict?
    public var reasons: [LabReason] = []
    /// The difference for one step, and the range of differences that are not rejected, in the unit of the outcome.
    public var effect: Double?
    public var low: Double?
    public var high: Double?
    public var p: Double?
    /// The p-value after Holm, over ``family`` questions.
    public var adjusted: Double?
    public var family = 1
    /// The size of one step, in the unit of the exposure.
    public var step = 1.0
    /// The smallest difference that matters.
    public var margin = 0.5
    /// The nights with and without, for a question that is yes or no.
    public var with: Int?
    public var without: Int?
    /// The correlation of a day with the next.
    public var alike: Double?
    /// The share of cases, in percent, in which so many nights find a link of r 0.3.
    public var power: Int?
    /// The past nights of a plan: kept as planned, kept otherwise, and nights about which nobody told.
    public var kept: Int?
    public var keptOtherwise: Int?
    public var untold: Int?
    /// The way of the present night in the plan, or of the next night if the present one is over or the plan begins with the next.
    public var tonight: LabArm?
    /// The date of that night.
    public var tonightDate: SessionDate?
    /// The first night that an exploration leaves out, because a waiting question or plan is about that night.
    public var leftOutFrom: SessionDate?

    public init() {}
}

extension LabAnswer {
    public static let description = RecordDescription(
        "lab-answer", "lab explore --json, and one of lab list --json", LabAnswer()
    ) { it in
        it.word("kind", get: { $0.kind }, set: { $0.kind = $1 })
        it.textOrNull("id", get: { $0.id?.text }, set: { $0.id = $1.map(EventID.init) })
        it.text("about", "what is compared, of a plan the routine", get: { $0.about }, set: { $0.about = $1 })
        it.word("outcome", get: { $0.outcome }, set: { $0.outcome = $1 })
        it.textOrNull(
            "from_date", "the first night", get: { $0.from?.text },
            set: { $0.from = $1.flatMap { try? SessionDate(text: $0) } })
        it.integerOrNull("wanted", "nights, of a plan pairs", get: { $0.wanted }, set: { $0.wanted = $1 })
        it.integer("known", get: { $0.known }, set: { $0.known = $1 })
        it.bool("complete", "nothing more is told before", get: { $0.isComplete }, set: { $0.isComplete = $1 })
        it.wordOrNull("answer", get: { $0.verdict }, set: { $0.verdict = $1 })
        it.texts(
            "reasons", "why it cannot tell", get: { $0.reasons.map(\.rawValue) },
            set: { $0.reasons = $1.compactMap(LabReason.init) })
        it.numberOrNull("effect", "the difference for one step", get: { $0.effect }, set: { $0.effect = $1 })
        it.numberOrNull("low", "the least that is not rejected", get: { $0.low }, set: { $0.low = $1 })
        it.numberOrNull("high", "the most that is not rejected", get: { $0.high }, set: { $0.high = $1 })
        it.numberOrNull("p", get: { $0.p }, set: { $0.p = $1 })
        it.numberOrNull("p_holm", "judged with the other questions", get: { $0.adjusted }, set: { $0.adjusted = $1 })
        it.integer("family", "questions judged together", get: { $0.family }, set: { $0.family = $1 })
        it.number("step", "one step, in the unit of what is compared", get: { $0.step }, set: { $0.step = $1 })
        it.number("margin", "the smallest difference that matters", get: { $0.margin }, set: { $0.margin = $1 })
        it.integerOrNull("nights_with", get: { $0.with }, set: { $0.with = $1 })
        it.integerOrNull("nights_without", get: { $0.without }, set: { $0.without = $1 })
        it.numberOrNull("autocorrelation", "of a day with the next", get: { $0.alike }, set: { $0.alike = $1 })
        it.integerOrNull(
            "power", "how often so many nights find a link of r 0.3", in: .percent, get: { $0.power },
            set: { $0.power = $1 })
        it.integerOrNull("kept", "nights of a plan", get: { $0.kept }, set: { $0.kept = $1 })
        it.integerOrNull("kept_otherwise", get: { $0.keptOtherwise }, set: { $0.keptOtherwise = $1 })
        it.integerOrNull("untold", get: { $0.untold }, set: { $0.untold = $1 })
        it.wordOrNull(
            "tonight", "the way of the present night, or of the next one where that is over", get: { $0.tonight },
            set: { $0.tonight = $1 })
        it.textOrNull(
            "tonight_date", "the date of that night", get: { $0.tonightDate?.text },
            set: { $0.tonightDate = $1.flatMap { try? SessionDate(text: $0) } })
        it.textOrNull(
            "left_out_from", "explored without this night and later ones, for a question or a plan waits for them",
            get: { $0.leftOutFrom?.text }, set: { $0.leftOutFrom = $1.flatMap { try? SessionDate(text: $0) } })
    }

    /// The object as it is printed.
    public var json: JSONObject { Self.description.json(self) }

    /// Reads the object back.
    public init(json: JSONObject) throws(PayloadError) {
        self = try Self.description.read(PayloadReader("lab answer", json))
    }
}

/// The request to the lab, in one line before the nights.
public struct LabRequest: Hashable, Sendable {
    /// The present session date.
    public var today: SessionDate
    /// Questions, plans and kept nights of plans, as `Lab.List` has them.
    public var entries: [NightRecord.Entry] = []
    /// The pair that is explored; nil if the entries are to be answered.
    public var explored: (exposure: LabExposure, outcome: LabOutcome)?
    /// The nights that are explored.
    public var span = NightSpan()

    public init(today: SessionDate) { self.today = today }

    /// The object of the first line that `dosetap-exchange lab` reads.
    public var json: JSONObject {
        var lab: JSONObject = [
            "today": .string(today.text), "entries": .array(entries.map { .object($0.ofLab.json) }),
        ]
        if let explored {
            lab["exposure"] = .string(explored.exposure.rawValue)
            lab["outcome"] = .string(explored.outcome.rawValue)
            lab["from_date"] = span.first.map { .string($0.text) }
            lab["to_date"] = span.last.map { .string($0.text) }
        }
        return ["lab": .object(lab)]
    }

    /// Reads the line.
    public init(json: JSONObject) throws(PayloadError) {
        let reader = try PayloadReader("line", json).nested("lab")
        self.init(today: try reader.date("today"))
        for value in try reader.list("entries") {
            guard let object = value.objectValue else { throw reader.fault("entries") }
            entries.append(try NightRecord.Entry(json: object))
        }
        guard reader.value("exposure") != nil else { return }
        explored = (try reader.word("exposure"), try reader.word("outcome"))
        if reader.value("from_date") != nil { span.first = try reader.date("from_date") }
        if reader.value("to_date") != nil { span.last = try reader.date("to_date") }
    }

    public static func == (lhs: LabRequest, rhs: LabRequest) -> Bool { lhs.json == rhs.json }
    public func hash(into hasher: inout Hasher) { hasher.combine(json) }

    /// The first night that the answers need: the present one, or an earlier first night of an entry; nil for all.
    public var first: SessionDate? {
        guard explored == nil else { return nil }
        return entries.compactMap { $0.metadata["from_date"]?.stringValue }.compactMap { try? SessionDate(text: $0) }
            .reduce(today, min)
    }
}

extension Receipt {
    /// The plan of the lab that was recorded; nil for another receipt.
    public var labPlan: LabPlanned? {
        type == EntityType.labPlan.rawValue ? try? LabPlanned(.ofLab(type, metadata)) : nil
    }
}

extension PayloadReader {
    /// Reads an entry of the lab from metadata, which have no request.
    fileprivate static func ofLab(_ type: String, _ metadata: JSONObject) -> PayloadReader {
        var object = metadata
        object["request"] = .object(JSONObject())
        return PayloadReader(type, object)
    }
}

extension NightRecord.Entry {
    /// The question of the lab, as it was asked; nil for another entry.
    public var labQuestion: LabRegistered? {
        type == EntityType.labQuestion.rawValue ? try? LabRegistered(labReader) : nil
    }
    /// The plan; nil for another entry.
    public var labPlan: LabPlanned? { type == EntityType.labPlan.rawValue ? try? LabPlanned(labReader) : nil }
    /// The word on a kept night; nil for another entry.
    public var labNight: LabAnswered? { type == EntityType.labNight.rawValue ? try? LabAnswered(labReader) : nil }

    /// True if the entry was deleted: no answer comes, but the question counts among those that were asked.
    public var isWithdrawn: Bool { metadata["withdrawn"]?.boolValue == true }

    /// The entry with only the metadata that the lab uses, so that a request of many entries is not too long.
    fileprivate var ofLab: NightRecord.Entry {
        let keys = Set(LabInput.question + LabInput.plan + LabInput.night + ["withdrawn"])
        var entry = self
        entry.metadata = JSONObject(metadata.filter { keys.contains($0.key) }.map { ($0.key, $0.value) })
        return entry
    }

    private var labReader: PayloadReader { .ofLab(type, metadata) }
}
