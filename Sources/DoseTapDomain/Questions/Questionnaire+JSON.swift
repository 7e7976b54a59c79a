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
