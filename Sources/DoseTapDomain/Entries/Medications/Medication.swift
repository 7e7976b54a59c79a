/// A medicine that can be recorded.
public struct Medication: Hashable, Sendable {
    /// Wire word, the `medication_id` of `medication_events`.
    public let id: String
    /// As people read it.
    public let displayName: String
    /// The name without a brand.
    public let genericName: String
    /// What is in it: brands and generics with the same ingredient count as the same medicine.
    public let ingredient: String
    /// What it is for.
    public let category: Category
    /// How it is made.
    public let formulation: Formulation
    /// The usual dose in mg; nil when it has to be said.
    public let usualMilligrams: Int?
    /// The strengths there are, in mg; empty when unknown.
    public let strengths: [Int]
    /// For how many minutes after a dose another one of the same ingredient is warned of; 0 never.
    public let warningMinutes: Int
    /// What a millilitre or a tablet holds; nil when unknown.
    public let concentration: Concentration?
    /// What labels say that is worth knowing.
    public let cautions: [Caution]

    /// What a medicine is for; the raw value is the wire word.
    public enum Category: String, Hashable, Sendable {
        case stimulant
        case wakefulnessAgent = "wakefulness_agent"
        case histamineModulator = "histamine_modulator"
        case sodiumOxybate = "sodium_oxybate"
        /// A medicine of the person's own.
        case own
    }

    /// How a medicine is made; the raw value is the `formulation` column.
    public enum Formulation: String, Hashable, Sendable {
        case immediate = "ir"
        case extended = "xr"
        case liquid
    }

    /// Something a label says, with the label.
    public struct Caution: Hashable, Sendable {
        /// One sentence.
        public let text: String
        /// Where it is said.
        public let source: String
    }

    /// Taking it is taking a dose of the night.
    public var isOxybate: Bool { category == .sodiumOxybate }
}

/// The entries of `Catalogue` and `med catalogue --json`.
extension Medication {
    /// One entry; no schema describes it yet.
    public var json: JSONObject {
        var object: JSONObject = [
            "medication_id": .string(id), "display_name": .string(displayName), "generic_name": .string(genericName),
            "ingredient": .string(ingredient), "category": .string(category.rawValue),
            "formulation": .string(formulation.rawValue),
        ]
        object["default_mg"] = usualMilligrams.map { .integer(Int64($0)) } ?? .null
        object["strengths_mg"] = .array(strengths.map { .integer(Int64($0)) })
        object["warning_min"] = .integer(Int64(warningMinutes))
        object["concentration"] = concentration.map { .string($0.text) } ?? .null
        object["cautions"] = .array(cautions.map { .object($0.json) })
        return object
    }
}

extension Medication.Caution {
    /// As JSON.
    public var json: JSONObject { ["text": .string(text), "source": .string(source)] }

    /// Reads it back, as a client does.
    public init?(json: JSONValue) {
        guard let object = json.objectValue, let text = object["text"]?.stringValue,
            let source = object["source"]?.stringValue
        else { return nil }
        self.init(text: text, source: source)
    }
}
