/// The questions as D-Bus `Questions` answers them.
extension Questionnaire {
    /// One object a question, in the order in which they are asked.
    public var json: [JSONObject] { items.map(\.json) }
}

extension Questionnaire.Item {
    /// `key`, `kind`, `prompt`; where there is one `default`, `hint`, `title`, `column`, `codes` with `labels`,
    /// `minimum` and `maximum`, `step`, `unit`, `characters`; and `asked_if` with `asked_if_is` or `asked_if_is_not`.
    public var json: JSONObject {
        var object: JSONObject = ["key": .string(key), "kind": .string(kind.word), "prompt": .string(prompt)]
        if let defaultValue { object["default"] = defaultValue }
        if !hint.isEmpty { object["hint"] = .string(hint) }
        object["title"] = title.map(JSONValue.string)
        switch place {
        case .column: object["column"] = .string(key)
        case .part(let column): object["column"] = .string(column)
        case .log: break
        }
        describe(kind, in: &object)
        if let condition {
            object["asked_if"] = .string(condition.key)
            let name = condition.isWanted ? "asked_if_is" : "asked_if_is_not"
            if !condition.value.isNull { object[name] = condition.value }
        }
        return object
    }

    private func describe(_ kind: AnswerKind, in object: inout JSONObject) {
        switch kind {
        case .whole(let range, let step, let unit):
            object["minimum"] = .integer(Int64(range.lowerBound))
            object["maximum"] = .integer(Int64(range.upperBound))
            if step != 1 { object["step"] = .integer(Int64(step)) }
            if !unit.isEmpty { object["unit"] = .string(unit) }
        case .decimal(let range, let unit):
            object["minimum"] = .number(range.lowerBound)
            object["maximum"] = .number(range.upperBound)
            object["unit"] = .string(unit)
        case .choice(let choices), .choices(let choices):
            object["codes"] = .array(choices.map { .string($0.code) })
            object["labels"] = .array(choices.map { .string($0.label) })
        case .text(let scalars): object["characters"] = .integer(Int64(scalars))
        case .pains:
            object["areas"] = .array(PainEntry.areas.map { .string($0.code) })
            object["sides"] = .array(PainEntry.sides.map { .string($0.code) })
            object["sensations"] = .array(PainEntry.sensations.map { .string($0.code) })
            object["patterns"] = .array(PainEntry.patterns.map { .string($0.code) })
        case .yesNo, .instant: break
        }
    }
}

extension Questionnaire {
    /// The answers that are moments; a store has them as texts.
    static let answers = Shape(
        Kind.allCases.flatMap { of($0).items.filter { $0.kind == .instant } }.map {
            Key($0.key, .instant, .absentOrNull)
        })
}

extension Questionnaire.Item {
    /// What ``json`` says.
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
