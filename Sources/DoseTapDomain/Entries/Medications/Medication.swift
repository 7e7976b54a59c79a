/// A medicine that can be recorded.
public struct Medication: Hashable, Sendable {
    /// The wire word, the `medication_id` of `medication_events`.
    public let id: String
    /// The name as people read it.
    public let displayName: String
    /// The name without a brand.
    public let genericName: String
    /// The active ingredient. Brands and generics with the same ingredient count as the same medicine.
    public let ingredient: String
    public let category: Category
    public let formulation: Formulation
    /// The usual dose in mg; nil if the person has to say the dose.
    public let usualMilligrams: Int?
    /// The available strengths, in mg; empty if unknown.
    public let strengths: [Int]
    /// The minutes after a dose in which another dose of the same ingredient raises a warning; 0 never.
    public let warningMinutes: Int
    /// The contents of a millilitre or a tablet; nil if unknown.
    public let concentration: Concentration?
    /// Notable sentences of labels.
    public let cautions: [Caution]

    /// The purpose of a medicine; the raw value is the wire word.
    public enum Category: String, Hashable, Sendable, CaseIterable {
        case stimulant
        case wakefulnessAgent = "wakefulness_agent"
        case histamineModulator = "histamine_modulator"
        case sodiumOxybate = "sodium_oxybate"
        /// A medicine of the person's own.
        case own
    }

    /// The formulation of a medicine; the raw value is the `formulation` column.
    public enum Formulation: String, Hashable, Sendable, CaseIterable {
        case immediate = "ir"
        case extended = "xr"
        case liquid
    }

    /// A sentence of a label, with the label.
    public struct Caution: Hashable, Sendable {
        public let text: String
        /// The label with the sentence.
        public let source: String
    }

    /// True for an oxybate: taking the medicine is taking a dose of the night.
    public var isOxybate: Bool { category == .sodiumOxybate }
}

/// The entries of `Catalogue` and `med catalogue --json`.
extension Medication {
    public static let description = RecordDescription(
        "medication", "med catalogue ID --json",
        Medication(
            id: "", displayName: "", genericName: "", ingredient: "", category: .own, formulation: .immediate,
            usualMilligrams: nil, strengths: [], warningMinutes: 0, concentration: nil, cautions: [])
    ) { it in
        it.text("medication_id", get: { $0.id })
        it.text("display_name", get: { $0.displayName })
        it.text("generic_name", get: { $0.genericName })
        it.text(
            "ingredient", "brands and generics with the same one count as the same medicine", get: { $0.ingredient }
        )
        it.word("category", "what it is for", get: { $0.category })
        it.word("formulation", get: { $0.formulation })
        // D-Bus knows no null.
        it.value(
            "default_mg", .integer(.milligrams), "the usual dose; left out where it has to be said", null: .absent,
            get: { .orNull($0.usualMilligrams.map { Int64($0) }) })
        it.value(
            "strengths_mg", .list(.integer(.milligrams)),
            get: { .array($0.strengths.map { .integer(Int64($0)) }) })
        it.integer(
            "warning_min", "so long after a dose another one of the ingredient is warned of; 0 never", in: .minutes,
            get: { $0.warningMinutes })
        it.value(
            "concentration", .text, "what a millilitre or a tablet holds", null: .absent,
            get: { $0.concentration.map { .string($0.text) } ?? .null })
        it.value(
            "cautions", .list(.object { Caution.shape }), "what labels say",
            get: { .array($0.cautions.map { .object($0.json) }) })
    }

    /// The object with the keys of ``description``.
    public var json: JSONObject { Self.description.json(self) }
}

extension Medication.Caution {
    static let shape = Shape([Key("text", .text), Key("source", .text)])

    public var json: JSONObject { ["text": .string(text), "source": .string(source)] }

    /// Reads the object back, as a client does.
    public init?(json: JSONValue) {
        guard let object = json.objectValue, let text = object["text"]?.stringValue,
            let source = object["source"]?.stringValue
        else { return nil }
        self.init(text: text, source: source)
    }
}
