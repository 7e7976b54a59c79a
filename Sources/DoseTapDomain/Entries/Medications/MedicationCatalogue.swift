/// The medicines that can be recorded: those everybody may have, and some of the person's own.
public struct MedicationCatalogue: Hashable, Sendable {
    /// Without medicines of one's own.
    public static let standard = MedicationCatalogue()
    /// Medicines of one's own at most.
    public static let maximumOwn = 32
    /// Unicode scalars in the name of one's own.
    public static let ownScalars = 48

    /// All of them, in the order in which they are listed.
    public let medications: [Medication]
    /// Those of the person's own as they were written.
    public let own: [String]

    private init() {
        medications = Medication.standard
        own = []
    }

    /// Adds medicines of one's own.
    ///
    /// - Parameter texts: a name, and if wanted the usual dose or what one tablet or millilitre holds:
    ///   `Melatonin 3mg/tablet`, `Ibuprofen 400mg`.
    /// - Throws: ``MedicationNameError`` for too many, too long, a name that means something already, or one twice.
    public init(own texts: [String]) throws(MedicationNameError) {
        guard texts.count <= Self.maximumOwn else {
            throw MedicationNameError("there are more than \(Self.maximumOwn)")
        }
        var all = Medication.standard
        var written: [String] = []
        for text in texts {
            let text = text.trimmingBlanks
            let medication = try Self.medication(text)
            guard Self.named(medication.id, in: all) == nil else {
                throw MedicationNameError("'\(medication.id)' has a meaning already")
            }
            all.append(medication)
            written.append(text)
        }
        medications = all
        own = written
    }

    private static func medication(_ text: String) throws(MedicationNameError) -> Medication {
        guard (1...ownScalars).contains(text.unicodeScalars.count) else {
            throw MedicationNameError("a name has 1 to \(ownScalars) characters")
        }
        var name = text
        var usual: Int?
        var concentration: Concentration?
        if let blank = text.lastIndex(of: " "), text[blank...].contains(where: \.isNumber) {
            let last = text[text.index(after: blank)...]
            concentration = Concentration(text: last)
            if let concentration {
                usual = concentration.unit == .tablet ? Int(exactly: concentration.thousandths / 1_000) : nil
                if concentration.thousandths % 1_000 != 0 { usual = nil }
            } else if let amount = try? Amount(text: String(last)) {
                usual = try? amount.milligrams(nil)
            }
            if let usual, !Bounds.amountMilligrams.contains(usual) {
                throw MedicationNameError("'\(last)' is out of range")
            }
            if concentration != nil || usual != nil { name = String(text[..<blank]).trimmingBlanks }
        }
        let id = SleepEventWord.normalised(name)
        guard !id.isEmpty, id.unicodeScalars.allSatisfy({ $0 == "_" || $0.isLetterOrDigit }) else {
            throw MedicationNameError("a name has letters, digits, blanks and hyphens")
        }
        // It would be a way around the rules for doses.
        guard !id.contains("oxybate"), id != "ghb" else {
            throw MedicationNameError("an oxybate is recorded as xywav, xyrem or lumryz")
        }
        return Medication(
            id: id, displayName: name, genericName: name, ingredient: id, category: .own,
            formulation: concentration?.unit == .milliliter ? .liquid : .immediate, usualMilligrams: usual,
            strengths: [], warningMinutes: 0, concentration: concentration, cautions: [])
    }

    /// The medicine with an id, or with a name in any spelling.
    public subscript(text: String) -> Medication? { Self.named(text, in: medications) }

    private static func named(_ text: String, in medications: [Medication]) -> Medication? {
        let word = SleepEventWord.normalised(text)
        return medications.first { $0.id == word }
            ?? medications.first { SleepEventWord.normalised($0.displayName) == word }
    }

    /// What is in the medicine with an id; one that is in no list any more is a medicine of its own.
    func ingredient(of id: String) -> String { self[id]?.ingredient ?? id }

    /// For how long another one of the same ingredient is warned of.
    func warningSpan(of id: String) -> Duration { .minutes(self[id]?.warningMinutes ?? 0) }

    /// How an id is shown.
    public func displayName(of id: String) -> String { self[id]?.displayName ?? id }

    /// The ids that may have been meant by a word that is unknown: near in spelling, or by their generic name.
    public func nearest(to text: String) -> [String] {
        let word = SleepEventWord.normalised(text)
        let generic = medications.filter { SleepEventWord.normalised($0.genericName) == word }.map(\.id)
        if !generic.isEmpty { return generic }
        let begun = word.utf8.count >= 4 ? medications.map(\.id).filter { $0.hasPrefix(word) } : []
        return begun.isEmpty ? NearestWords.to(word, in: medications.map(\.id)) : begun
    }
}

/// Why a text cannot be a medicine of one's own.
public struct MedicationNameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, without a full stop.
    public let description: String

    init(_ description: String) { self.description = description }
}
