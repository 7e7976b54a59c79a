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
