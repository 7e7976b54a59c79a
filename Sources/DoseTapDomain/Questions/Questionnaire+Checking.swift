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
        let value = condition.value.isNull ? "an answer" : condition.value.stringValue ?? condition.value.description
        return AnswerFault(
            item.key,
            condition.isWanted
                ? "it needs \(condition.key) to be \(value)"
                : "it needs \(condition.key) to be \(condition.value.isNull ? value : "something other than \(value)")")
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
                sum, "\(answers[sum] ?? .null) is less than the last alone; the least is \(JSONValue.plain(part))")
        }
        guard let total = answers["dose_plan_total_mg"]?.integerValue,
            let share = answers["dose_plan_first_percent"]?.integerValue
        else { return }
        let least = DosePlan.parts(total: Int(total), firstPercent: Int(share)).min() ?? 0
        guard least < DosePlan.leastPart else { return }
        throw AnswerFault(
            "dose_plan_first_percent",
            "\(share) % of \(total) mg leaves a part of \(least) mg; the least is \(DosePlan.leastPart) mg")
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
