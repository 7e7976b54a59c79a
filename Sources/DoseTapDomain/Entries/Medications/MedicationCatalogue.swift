/// The medicines that can be recorded: the standard medicines, and some of the person's own.
public struct MedicationCatalogue: Hashable, Sendable {
    /// The catalogue without medicines of one's own.
    public static let standard = MedicationCatalogue()
    /// The most medicines of one's own.
    public static let maximumOwn = 32
    /// The most Unicode scalars in the text of a medicine of one's own.
    public static let ownScalars = 48

    /// All medicines, in the order in which they are listed.
    public let medications: [Medication]
    /// The medicines of the person's own as they were written.
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
            throw MedicationNameError(sent("there are more than \(Self.maximumOwn)"))
        }
        var all = Medication.standard
        var written: [String] = []
        for text in texts {
            let text = text.trimmingBlanks
            let medication = try Self.medication(text)
            guard Self.named(medication.id, in: all) == nil else {
                throw MedicationNameError(sent("'\(medication.id)' has a meaning already"))
            }
            all.append(medication)
            written.append(text)
        }
        medications = all
        own = written
    }

    private static func medication(_ text: String) throws(MedicationNameError) -> Medication {
        guard (1...ownScalars).contains(text.unicodeScalars.count) else {
            throw MedicationNameError(sent("a name has 1 to \(ownScalars) characters"))
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
                throw MedicationNameError(sent("'\(last)' is out of range"))
            }
            if concentration != nil || usual != nil { name = String(text[..<blank]).trimmingBlanks }
        }
        let id = SleepEventWord.normalised(name)
        guard !id.isEmpty, id.unicodeScalars.allSatisfy({ $0 == "_" || $0.isLetterOrDigit }) else {
            throw MedicationNameError(sent("a name has letters, digits, blanks and hyphens"))
        }
        // An own medicine of that name would be a way around the rules for doses.
        guard !id.contains("oxybate"), id != "ghb" else {
            throw MedicationNameError(sent("an oxybate is recorded as xywav, xyrem or lumryz"))
        }
        return Medication(
            id: id, displayName: name, genericName: name, ingredient: id, category: .own,
            formulation: concentration?.unit == .milliliter ? .liquid : .immediate, usualMilligrams: usual,
            strengths: [], warningMinutes: 0, concentration: concentration, cautions: [])
    }

    /// The medicine with an id, or with a name in any spelling.
    public subscript(text: String) -> Medication? { Self.named(text, in: medications) }

    private static func named(_ text: String, in medications: [Medication]) -> Medication? {
        // A word on record is an id, and people write names in any spelling.
        if let known = medications.first(where: { $0.id == text }) { return known }
        let word = SleepEventWord.normalised(text)
        return medications.first { $0.id == word }
            ?? medications.first { SleepEventWord.normalised($0.displayName) == word }
    }

    /// Returns the ingredient of the medicine with an id. A medicine that is in no list any more is its own ingredient.
    func ingredient(of id: String) -> String { self[id]?.ingredient ?? id }

    /// Returns the time after a dose in which another dose of the same ingredient raises a warning.
    func warningSpan(of id: String) -> Duration { .minutes(self[id]?.warningMinutes ?? 0) }

    /// Returns the shown name of an id.
    public func displayName(of id: String) -> String { self[id]?.displayName ?? id }

    /// Returns the ids that an unknown word may mean: near in spelling, or by the generic name.
    public func nearest(to text: String) -> [String] {
        let word = SleepEventWord.normalised(text)
        let generic = medications.filter { SleepEventWord.normalised($0.genericName) == word }.map(\.id)
        if !generic.isEmpty { return generic }
        let begun = word.utf8.count >= 4 ? medications.map(\.id).filter { $0.hasPrefix(word) } : []
        return begun.isEmpty ? Suggestions.to(word, in: medications.map(\.id)) : begun
    }
}

/// The reason why a text cannot be a medicine of one's own.
public struct MedicationNameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The fault in words, without a full stop.
    public let description: String

    init(_ description: String) { self.description = description }
}

extension Medication {
    /// The medicines that every machine knows, in the order in which they are listed.
    static let standard: [Medication] = stimulants + wakefulness + oxybates

    private static let sixStrengths = [5, 10, 15, 20, 25, 30]

    private static let stimulants: [Medication] = [
        stimulant("adderall_ir", "Adderall", "mixed amphetamine salts", .immediate, 10, sixStrengths, warning: 60),
        stimulant("adderall_xr", "Adderall XR", "mixed amphetamine salts", .extended, 20, sixStrengths, warning: 480),
        stimulant("ritalin_ir", "Ritalin", "methylphenidate", .immediate, 10, [5, 10, 15, 20], warning: 60),
        stimulant("ritalin_la", "Ritalin LA", "methylphenidate", .extended, 20, [10, 20, 30, 40], warning: 480),
        stimulant("concerta", "Concerta", "methylphenidate", .extended, 36, [18, 27, 36, 54], warning: 1_440),
        stimulant(
            "vyvanse", "Vyvanse", "lisdexamfetamine", .extended, 30, [10, 20, 30, 40, 50, 60, 70], warning: 1_440),
        stimulant("dexedrine", "Dexedrine", "dextroamphetamine", .immediate, 10, [5, 10, 15], warning: 0),
    ]

    private static let wakefulness: [Medication] = [
        agent("modafinil", "Modafinil", "modafinil", 200, [100, 200], warning: 720),
        agent("provigil", "Provigil", "modafinil", 200, [100, 200], warning: 720),
        agent("armodafinil", "Armodafinil", "armodafinil", 150, [50, 150, 200, 250], warning: 720),
        agent("nuvigil", "Nuvigil", "armodafinil", 150, [50, 150, 200, 250], warning: 720),
        agent(
            "sunosi", "Sunosi", "solriamfetol", 75, [75, 150],
            cautions: [
                Caution(text: sent("Not within 9 hours of bedtime."), source: sent("Sunosi label, copy by pillsync"))
            ]),
        agent(
            "wakix", "Wakix", "pitolisant", 35, [5, 9, 18, 35], category: .histamineModulator,
            cautions: [
                Caution(
                    text: sent("A new dose is reached in weekly steps: 8.9, 17.8, 35.6 mg."),
                    source: sent("Wakix label, copy by pillsync"))
            ]),
    ]

    private static let oxybates: [Medication] = [
        oxybate(
            "xywav", "XYWAV", "calcium, magnesium, potassium and sodium oxybates", .liquid, label: xywavLabel,
            own: [twoDoses(xywavLabel)]),
        oxybate("xyrem", "Xyrem", "sodium oxybate", .liquid, label: xyremLabel, own: [twoDoses(xyremLabel)]),
        oxybate(
            "lumryz", "Lumryz", "sodium oxybate", .extended, label: lumryzLabel,
            own: [
                Caution(text: sent("Once at bedtime: there is no second dose."), source: lumryzLabel),
                Caution(text: sent("To be drunk within 30 minutes of mixing."), source: lumryzLabel),
            ]),
    ]

    private static let xyremLabel = sent("Xyrem label, DailyMed set 926eb076-a4a8-45e4-91ef-411f0aa4f3ca")
    private static let xywavLabel = sent("Xywav label, DailyMed set 1e0ae43a-037f-42af-8e23-a0e51d75abe8")
    private static let lumryzLabel = sent(
        "Lumryz label, DailyMed set 10e5e40c-52f3-4c73-8a34-2c29c690a934, December 2025")

    private static func stimulant(
        _ id: String, _ name: String, _ generic: String, _ formulation: Formulation, _ usual: Int, _ strengths: [Int],
        warning: Int
    ) -> Medication {
        Medication(
            id: id, displayName: name, genericName: generic, ingredient: SleepEventWord.normalised(generic),
            category: .stimulant, formulation: formulation, usualMilligrams: usual, strengths: strengths,
            warningMinutes: warning, concentration: nil, cautions: [])
    }

    private static func agent(
        _ id: String, _ name: String, _ generic: String, _ usual: Int, _ strengths: [Int], warning: Int = 0,
        category: Category = .wakefulnessAgent, cautions: [Caution] = []
    ) -> Medication {
        Medication(
            id: id, displayName: name, genericName: generic, ingredient: generic, category: category,
            formulation: .immediate, usualMilligrams: usual, strengths: strengths, warningMinutes: warning,
            concentration: nil, cautions: cautions)
    }

    /// Creates an oxybate without a usual dose: the person or the regimen says the amount, or the amount is unknown.
    private static func oxybate(
        _ id: String, _ name: String, _ generic: String, _ formulation: Formulation, label: String, own: [Caution]
    ) -> Medication {
        let isLiquid = formulation == .liquid
        return Medication(
            id: id, displayName: name, genericName: generic, ingredient: oxybateIngredient, category: .sodiumOxybate,
            formulation: formulation, usualMilligrams: nil,
            strengths: isLiquid ? [2_250, 3_000, 3_750, 4_500] : [4_500, 6_000, 7_500, 9_000], warningMinutes: 0,
            concentration: isLiquid ? Concentration(unit: .milliliter, thousandths: 500_000) : nil,
            cautions: own + [
                Caution(text: sent("Not with alcohol, nor with medicines for sleeping or calming."), source: label),
                Caution(text: sent("Two hours or more after eating."), source: label),
                Caution(text: sent("No driving or dangerous work for at least 6 hours after a dose."), source: label),
            ])
    }

    static let oxybateIngredient = "oxybate"

    private static func twoDoses(_ label: String) -> Caution {
        Caution(text: sent("The second dose 2.5 to 4 hours after the first; a missed one is skipped."), source: label)
    }
}
