internal import DoseTapDomain
internal import DoseTapText

/// Counts and medians as one Observation.
enum FHIRFigures {
    static func resource(_ figures: ProfileFigures, _ id: String, _ parts: FHIRParts) -> JSONObject {
        var resource = parts.resource("Observation", id, status: "final")
        resource["category"] = [.object(["coding": [FHIRCode.survey.coding]])]
        resource["code"] = FHIRParts.concept([.figure("summary")], ExchangeText.figures(nights: figures.nights))
        resource["subject"] = parts.subject
        var components: [JSONValue] = figures.counts.map { component($0.word, "valueInteger", integer($0.count)) }
        for (word, unit, values) in figures.distributions {
            components.append(component("\(word)_n", "valueInteger", integer(values.count)))
            guard let median = values.median else { continue }
            components.append(component("\(word)_median", "valueQuantity", unit.quantity(median)))
        }
        resource["component"] = .array(components)
        return resource
    }

    private static func integer(_ number: Int) -> JSONValue { .integer(Int64(number)) }

    private static func component(_ word: String, _ key: String, _ value: JSONValue) -> JSONValue {
        let text = String(word.map { $0 == "_" ? " " : $0 })
        return .object(["code": FHIRParts.concept([.figure(word)], text), key: value])
    }
}
