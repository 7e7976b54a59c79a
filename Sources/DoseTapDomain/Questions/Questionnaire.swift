/// A questionnaire as data: what can be answered, when it is asked, where it is stored. How it is asked is `QuestionText`.
public struct Questionnaire: Hashable, Sendable {
    public let kind: Kind
    /// All questions in the order in which they are asked; what a question depends on comes before it.
    public let items: [Item]

    /// The questionnaires there are; the raw value is the wire word.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// After waking.
        case morning
        /// Before going to sleep.
        case preSleep = "pre_sleep"
    }

    /// One question.
    public struct Item: Hashable, Sendable {
        /// Wire name of the answer, unique in its questionnaire.
        public let key: String
        /// What can be answered.
        public let kind: AnswerKind
        /// What counts when nothing is answered; nil: then it is unknown.
        public let defaultValue: JSONValue?
        /// Asked only when this holds.
        public let condition: Condition?
        /// Where the answer is stored.
        public let place: Place
        /// Yes-or-no questions of one group are asked together.
        public let group: Group?
    }

    /// Questions that are asked together.
    public enum Group: Hashable, Sendable {
        case narcolepsy
    }

    /// When a question is asked: another one has this answer, or has one that is not this.
    public struct Condition: Hashable, Sendable {
        /// The other question.
        public let key: String
        /// Its answer; null stands for none.
        public let value: JSONValue
        /// Whether it has to be this answer, or any other.
        public let isWanted: Bool

        /// Whether the answers so far fulfil it.
        func holds(_ answers: JSONObject) -> Bool {
            guard let answer = answers[key] else { return false }
            return (answer == value) == isWanted
        }
    }

    /// Where an answer is stored.
    public enum Place: Hashable, Sendable {
        /// In the column of the same name.
        case column
        /// As part of the object in a JSON column.
        case part(of: String)
        /// In the log only: the tables have no column for it.
        case log
    }

    /// The question with a key.
    public subscript(key: String) -> Item? { items.first { $0.key == key } }

    public static func of(_ kind: Kind) -> Questionnaire {
        switch kind {
        case .morning: morning
        case .preSleep: preSleep
        }
    }
}

extension Questionnaire.Item {
    static func ask(
        _ key: String, _ kind: AnswerKind, _ defaultValue: JSONValue? = nil,
        if condition: Questionnaire.Condition? = nil, in place: Questionnaire.Place = .column,
        under group: Questionnaire.Group? = nil
    ) -> Questionnaire.Item {
        Questionnaire.Item(
            key: key, kind: kind, defaultValue: defaultValue, condition: condition, place: place, group: group)
    }
}

extension Questionnaire.Condition {
    /// A yes-or-no question was answered with yes.
    static func yes(_ key: String) -> Self { Self(key: key, value: true, isWanted: true) }
    /// A question has this answer.
    static func answer(_ key: String, _ value: JSONValue) -> Self { Self(key: key, value: value, isWanted: true) }
    /// A question has an answer, and another one than this.
    static func anything(_ key: String, but value: JSONValue = "none") -> Self {
        Self(key: key, value: value, isWanted: false)
    }
    /// A question has an answer.
    static func answered(_ key: String) -> Self { Self(key: key, value: .null, isWanted: false) }
}

extension Questionnaire {
    /// Checks answers and completes them: what is missing counts as answered before, or as the default, or stays
    /// unknown. Details of what was denied are left out.
    ///
    /// - Parameters:
    ///   - given: answers by key; null takes an earlier answer back.
    ///   - earlier: what was answered before and is continued.
    ///   - moment: when they are said to have been given.
    /// - Throws: ``AnswerFault`` for an unknown key or code, a value out of its range or of the wrong kind, and a detail
    ///   of something that was denied.
    public func answers(
        _ given: JSONObject, continuing earlier: Answers = .none, at moment: Instant
    ) throws(AnswerFault) -> Answers {
        var said = JSONObject()
        for entry in given {
            guard let item = self[entry.key] else {
                throw .unknown(question: entry.key, among: items.map(\.key))
            }
            said[item.key] = try item.kind.checked(entry.value, item.key, at: moment) ?? .null
        }
        imply(&said, earlier)
        var answers = JSONObject()
        for item in items {
            let own = said[item.key]
            guard item.condition?.holds(answers) ?? true else {
                if let own, !own.isNull, let condition = item.condition { throw Self.contradiction(item, condition) }
                continue
            }
            let value = own ?? earlier[item.key] ?? item.defaultValue
            if let value, !value.isNull {
                answers[item.key] = value
            } else if own?.isNull == true {
                answers[item.key] = item.defaultValue
            }
        }
        try Self.checkSums(answers)
        return Answers(checked: Self.normalised(answers))
    }

    /// A detail says yes to what it is a detail of, unless that was answered too.
    private func imply(_ said: inout JSONObject, _ earlier: Answers) {
        for item in items.reversed() {
            guard said[item.key].map({ !$0.isNull }) == true, let condition = item.condition,
                condition.isWanted, condition.value == true, said[condition.key] == nil
            else { continue }
            said[condition.key] = true
        }
    }

    private static func contradiction(_ item: Item, _ condition: Condition) -> AnswerFault {
        let (key, isAny) = (condition.key, condition.value.isNull)
        let value = condition.value.stringValue ?? condition.value.description
        let what =
            switch (isAny, condition.isWanted) {
            case (true, _): sent("it needs \(key) to be an answer")
            case (false, true): sent("it needs \(key) to be \(value)")
            case (false, false): sent("it needs \(key) to be something other than \(value)")
            }
        return AnswerFault(item.key, what)
    }

    /// What is not more than a part of something cannot be more than all of it.
    private static func checkSums(_ answers: JSONObject) throws(AnswerFault) {
        for (part, sum) in [
            ("caffeine_last_mg", "caffeine_total_mg"), ("alcohol_last_drinks", "alcohol_total_drinks"),
        ] {
            guard let part = answers[part]?.doubleValue, let all = answers[sum]?.doubleValue, all < part else {
                continue
            }
            throw AnswerFault(
                sum, sent("\(answers[sum] ?? .null) is less than the last alone; the least is \(JSONValue.plain(part))")
            )
        }
        guard let total = answers["dose_plan_total_mg"]?.integerValue,
            let share = answers["dose_plan_first_percent"]?.integerValue
        else { return }
        let least = DosePlan.parts(total: Int(total), firstPercent: Int(share)).min() ?? 0
        guard least < DosePlan.leastPart else { return }
        throw AnswerFault(
            "dose_plan_first_percent",
            sent("\(share) % of \(total) mg leaves a part of \(least) mg; the least is \(DosePlan.leastPart) mg"))
    }

    /// Two sources of caffeine or more are several.
    private static func normalised(_ answers: JSONObject) -> JSONObject {
        var answers = answers
        if let sources = answers["caffeine_sources"]?.arrayValue, sources.count > 1 {
            answers["stimulants"] = "multiple"
        }
        return answers
    }
}

extension Questionnaire {
    /// Answers that were checked when they came in, as a client reads them back; what is no question any more is left out.
    public func restored(_ values: JSONObject) -> Answers {
        Answers(checked: JSONObject(items.compactMap { item in values[item.key].map { (item.key, $0) } }))
    }

    /// The questions to ask, given the answers so far.
    public func asked(_ given: JSONObject, continuing earlier: Answers = .none) -> [Item] {
        var answers = JSONObject()
        return items.filter { item in
            guard item.condition?.holds(answers) ?? true else { return false }
            let value = given[item.key] ?? earlier[item.key] ?? item.defaultValue
            answers[item.key] = value?.isNull == true ? item.defaultValue : value
            return true
        }
    }
}

extension Questionnaire.Item {
    /// One answer as it is stored; nil for none.
    ///
    /// - Throws: ``AnswerFault``.
    public func checked(_ value: JSONValue, at moment: Instant) throws(AnswerFault) -> JSONValue? {
        try kind.checked(value, key, at: moment)
    }
}

/// The shape of the questions and of their answers in JSON; the texts of the questions are a surface's.
extension Questionnaire {
    /// The answers that are moments; a store has them as texts.
    static let answers = Shape(
        Kind.allCases.flatMap { of($0).items.filter { $0.kind == .instant } }.map {
            Key($0.key, .instant, .absentOrNull)
        })
}

extension Questionnaire.Item {
    /// What is said of a question.
    static let shape = Shape([
        Key("key", .text), Key("kind", .text), Key("prompt", .text),
        Key("default", .any, .absent, "what counts when nothing is answered"), Key("hint", .text, .absent),
        Key("title", .text, .absent, "yes-or-no questions of one title are asked together"),
        Key("column", .text, .absent, "where the answer is stored"), Key("minimum", .number(), .absent),
        Key("maximum", .number(), .absent), Key("step", .integer(), .absent), Key("unit", .text, .absent),
        Key("codes", .list(.text), .absent, "what can be answered"), Key("labels", .list(.text), .absent),
        Key("characters", .integer(), .absent, "at most so many"), Key("areas", .list(.text), .absent),
        Key("sides", .list(.text), .absent), Key("sensations", .list(.text), .absent),
        Key("patterns", .list(.text), .absent), Key("asked_if", .text, .absent, "asked only by the answer to this one"),
        Key("asked_if_is", .any, .absent), Key("asked_if_is_not", .any, .absent),
    ])
}
