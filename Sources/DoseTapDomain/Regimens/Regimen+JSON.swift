extension Regimen {
    /// As it stands in the log and in answers; ``init(_:_:today:)`` reads it back.
    public var json: JSONObject {
        var object: JSONObject = [
            "medication_id": .string(medicationID), "from": .string(from.text),
            "until": until.map { .string($0.text) } ?? .null, "total": .string(total.text),
            "concentration": concentration.map { .string($0.text) } ?? .null, "split": .string(split.word),
            "once_nightly": .bool(onceNightly),
        ]
        if case .custom(let ratios) = split {
            object["ratios"] = .array(ratios.map { .number(Double($0) / 1_000_000) })
        }
        object["steps"] = .array(
            steps.map { ["from": .string($0.from.text), "total": .string($0.total.text)] as JSONValue })
        return object
    }

    /// What it comes to on a session date.
    func derived(on date: SessionDate) -> JSONObject {
        [
            "total_mg": .integer(Int64(totalMilligrams(on: date))),
            "parts_mg": .array(parts(on: date).map { .integer(Int64($0)) }),
        ]
    }
}

extension Regimen {
    /// A regimen in the answers, with its id and what it comes to on the date.
    public static let shape = Shape([
        Key("id", .text), Key("medication_id", .text), Key("from", .date),
        Key("until", .date, .zero, "null while it goes on"), Key("total", .text, .never, "a night, as it was said"),
        Key("concentration", .text, .absent), Key("split", .text, .never, "none, equal or custom"),
        Key("once_nightly", .bool), Key("ratios", .list(.number()), .absent, "with split custom"),
        Key("steps", .list(.object { Shape([Key("from", .date), Key("total", .text)]) })),
        Key("total_mg", .integer(.milligrams)), Key("parts_mg", .list(.integer(.milligrams))),
        Key("note", .text, .absent), Key("recorded_at", .instant),
    ])
}
