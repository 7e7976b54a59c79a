/// A questionnaire as data: the answers, their conditions and their places in the store. `QuestionText` has the words.
public struct Questionnaire: Hashable, Sendable {
    public let kind: Kind
    /// All questions in the order in which they are asked. A question comes after the one it depends on.
    public let items: [Item]

    /// The questionnaires; the raw value is the wire word.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// After waking.
        case morning
        /// Before going to sleep.
        case preSleep = "pre_sleep"
    }

    /// One question.
    public struct Item: Hashable, Sendable {
        /// The wire name of the answer, unique in its questionnaire.
        public let key: String
        public let kind: AnswerKind
        /// The value that counts if nothing is answered; nil if the answer is unknown then.
        public let defaultValue: JSONValue?
        /// The condition under which the question is asked.
        public let condition: Condition?
        /// The place where the answer is stored.
        public let place: Place
        /// The group of yes-or-no questions that are asked together.
        public let group: Group?
    }

    /// Questions that are asked together.
    public enum Group: Hashable, Sendable {
        case narcolepsy
    }

    /// The condition of a question: another question has this answer, or has another answer than this.
    public struct Condition: Hashable, Sendable {
        /// The other question.
        public let key: String
        /// The answer of that question; null stands for no answer.
        public let value: JSONValue
        /// True if the answer has to be this one; false if it has to be any other.
        public let isWanted: Bool

        /// Returns true if the answers so far fulfil the condition.
        func holds(_ answers: JSONObject) -> Bool {
            guard let answer = answers[key] else { return false }
            return (answer == value) == isWanted
        }
    }

    /// The place where an answer is stored.
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
    /// A question has another answer than this.
    static func anything(_ key: String, but value: JSONValue = "none") -> Self {
        Self(key: key, value: value, isWanted: false)
    }
    /// A question has an answer.
    static func answered(_ key: String) -> Self { Self(key: key, value: .null, isWanted: false) }
}

extension Questionnaire {
    /// Checks answers and completes them: a missing answer counts as answered before, or as the default, or stays
    /// unknown. The details of a denied answer are left out.
    ///
    /// - Parameters:
    ///   - given: answers by key; null takes an earlier answer back.
    ///   - earlier: the answers that were given before and are continued.
    ///   - moment: the time at which the answers are said to have been given.
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
                if let own, !own.isNull, !item.denies(own), let condition = item.condition {
                    throw Self.contradiction(item, condition)
                }
                // A denied detail stands as it was said. The defaults of details go with the yes that they belonged to.
                let before = item.condition?.holds(earlier.values) == true ? nil : earlier[item.key]
                if let denied = own ?? before, item.denies(denied) { answers[item.key] = denied }
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

    /// Returns the questions to which null or an empty text was given: their earlier answers are taken back.
    ///
    /// - Parameter given: answers that ``answers(_:continuing:at:)`` takes.
    func takenBack(_ given: JSONObject, at moment: Instant) -> [String] {
        given.keys.filter { key in
            guard let item = self[key], let value = given[key] else { return false }
            return (try? item.checked(value, at: moment)) == nil
        }
    }

    /// Answers yes to the question of which a detail was given, unless that question was answered, too, or the detail was denied.
    private func imply(_ said: inout JSONObject, _ earlier: Answers) {
        for item in items.reversed() {
            guard let own = said[item.key], !own.isNull, !item.denies(own), let condition = item.condition,
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

    /// Checks that a part is not more than its sum, and that each part of a dose plan is large enough.
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

    /// Names several stimulants for two sources of caffeine or more.
    private static func normalised(_ answers: JSONObject) -> JSONObject {
        var answers = answers
        if let sources = answers["caffeine_sources"]?.arrayValue, sources.count > 1 {
            answers["stimulants"] = "multiple"
        }
        return answers
    }
}

extension Questionnaire.Item {
    /// Returns true if an answer denies a detail, such as a headache, and so says nothing about the question to which the detail
    /// belongs. A bedroom without noise is described all the same.
    fileprivate func denies(_ value: JSONValue) -> Bool {
        guard let condition, condition.isWanted, condition.value == true, condition.key != "has_sleep_environment"
        else { return false }
        let denials: [JSONValue] = [false, 0, "no", "none", "normal", .array([])]
        return denials.contains(value)
    }
}

extension Questionnaire {
    /// Reads back answers that were checked when they came in. An answer to a question that is gone is left out.
    public func restored(_ values: JSONObject) -> Answers {
        Answers(checked: JSONObject(items.compactMap { item in values[item.key].map { (item.key, $0) } }))
    }

    /// Returns the questions to ask, given the answers so far.
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
    /// Returns one answer as it is stored; nil for none.
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
    /// The keys of a question.
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
