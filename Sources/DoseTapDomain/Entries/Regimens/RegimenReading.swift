extension Regimen {
    /// Reads a regimen as a person sets it.
    ///
    /// - Parameters:
    ///   - draft: `medication_id` and `total` at least; the other keys are those of ``json``, ratios also as texts, steps
    ///     also as `2026-02-01=6g`.
    ///   - today: the session date from which it holds unless the draft says another.
    /// - Throws: ``RegimenFault``, which names the fault.
    init(_ draft: JSONObject, _ catalogue: MedicationCatalogue, today: SessionDate) throws(RegimenFault) {
        for key in draft.keys where !Self.keys.contains(key) {
            let near = Suggestions.to(key, in: Self.keys).map { "'\($0)'" }.joined(separator: " or ")
            throw RegimenFault(
                sent("a regimen has no '\(key.prefix(40))'") + (near.isEmpty ? "" : ": did you mean \(near)?"))
        }
        let reader = DraftReader(draft)
        let medication = try Self.medication(try reader.text("medication_id"), catalogue)
        guard let written = try reader.text("total") else {
            throw RegimenFault(sent("a regimen says how much a night, for example total 4.5g"))
        }
        medicationID = medication.id
        total = try Self.amount(written)
        from = try reader.date("from") ?? today
        until = try reader.date("until")
        if let until, until < from { throw RegimenFault(sent("until \(until.text) lies before from \(from.text)")) }
        onceNightly = try reader.flag("once_nightly") ?? (medication.formulation == .extended)
        steps = try Self.steps(draft["steps"], after: from, until: until)
        let given = try reader.text("concentration").map(Self.concentration)
        let units = ([total] + steps.map(\.total)).map(\.unit)
        concentration = given ?? medication.concentration.flatMap { units.contains($0.unit) ? $0 : nil }
        split = try Self.split(try reader.text("split"), draft["ratios"], onceNightly: onceNightly)
        for amount in [total] + steps.map(\.total) {
            let milligrams = try Self.weighed(amount, concentration)
            guard Bounds.amountMilligrams.contains(milligrams) else {
                throw RegimenFault(sent("\(amount.text) a night is out of range"))
            }
        }
    }

    static let keys = [
        "medication_id", "total", "from", "until", "concentration", "split", "ratios", "once_nightly", "steps",
    ]

    private static func medication(
        _ word: String?, _ catalogue: MedicationCatalogue
    ) throws(RegimenFault) -> Medication {
        if let word, let found = catalogue[word], found.isOxybate { return found }
        if let word, isSubstance(word) { throw RegimenFault(products) }
        let known = catalogue.medications.filter(\.isOxybate).map(\.id)
        let near = word.map { Suggestions.to($0, in: known) } ?? []
        let names = known.joined(separator: ", ")
        throw RegimenFault(
            near.first.map { sent("a regimen is for \(names): did you mean '\($0)'?") }
                ?? sent("a regimen is for \(names)"))
    }

    /// True for the name of the substance, also in German or cut off, which is that of several products.
    private static func isSubstance(_ word: String) -> Bool {
        let word = SleepEventWord.normalised(word)
        return word.contains("oxybat") || word == "sodium"
    }

    /// The answer to the name of the substance: the words to type, with the substance and the form of each product.
    static let products = sent(
        "sodium oxybate is in more than one product, so type the name of yours: xyrem (sodium oxybate, liquid), lumryz (sodium oxybate, extended release) or xywav (calcium, magnesium, potassium and sodium oxybates, liquid)"
    )

    private static func amount(_ text: String) throws(RegimenFault) -> Amount {
        do throws(AmountError) { return try Amount(text: text) } catch { throw RegimenFault(error.description) }
    }

    private static func weighed(_ amount: Amount, _ concentration: Concentration?) throws(RegimenFault) -> Int {
        do throws(AmountError) { return try amount.milligrams(concentration) } catch {
            throw RegimenFault(error.description)
        }
    }

    private static func concentration(_ text: String) throws(RegimenFault) -> Concentration {
        guard let concentration = Concentration(text: text) else {
            throw RegimenFault(
                sent("'\(text.prefix(40))' is no concentration: write for example 500mg/mL or 750mg/tablet"))
        }
        return concentration
    }

    private static func split(
        _ word: String?, _ given: JSONValue?, onceNightly: Bool
    ) throws(RegimenFault) -> Split {
        let ratios = try ratios(given)
        switch word ?? (ratios == nil ? (onceNightly ? "none" : "equal") : "custom") {
        case "none" where ratios == nil: return .none
        case "equal" where ratios == nil:
            guard !onceNightly else { throw RegimenFault(sent("one dose a night is not split in two")) }
            return .equal
        case "custom":
            guard let ratios else { throw RegimenFault(sent("a custom split has ratios, for example 0.6 and 0.4")) }
            guard !onceNightly || ratios.count == 1 else {
                throw RegimenFault(sent("one dose a night is not split in two"))
            }
            return .custom(ratios)
        case "none", "equal": throw RegimenFault(sent("only a custom split has ratios"))
        case let other:
            let near = Suggestions.to(other, in: ["none", "equal", "custom"]).first ?? "equal"
            throw RegimenFault(sent("there is no split '\(other.prefix(40))': did you mean '\(near)'?"))
        }
    }

    private static func ratios(_ value: JSONValue?) throws(RegimenFault) -> [Int64]? {
        guard let value, value != .null else { return nil }
        guard let values = value.arrayValue, (1...maximumParts).contains(values.count) else {
            throw RegimenFault(sent("ratios are a list of one or two numbers"))
        }
        var ratios: [Int64] = []
        for value in values {
            guard let ratio = millionths(value), ratio > 0 else {
                throw RegimenFault(sent("a ratio is a number between 0 and 1, such as 0.6"))
            }
            ratios.append(ratio)
        }
        let sum = ratios.reduce(0, +)
        guard (999_000...1_001_000).contains(sum) else {
            throw RegimenFault(sent("the ratios sum to \(Amount.decimal((sum + 500) / 1_000)), not to 1"))
        }
        return ratios
    }

    private static func millionths(_ value: JSONValue) -> Int64? {
        switch value {
        case .integer(1): return 1_000_000
        case .number(let number) where number > 0 && number <= 1.001: return Int64((number * 1_000_000).rounded())
        case .string(let text): return Amount.thousandths(text).flatMap { $0 <= 1_001 ? $0 * 1_000 : nil }
        default: return nil
        }
    }

    private static func steps(
        _ value: JSONValue?, after from: SessionDate, until: SessionDate?
    ) throws(RegimenFault) -> [Step] {
        guard let value, value != .null else { return [] }
        guard let values = value.arrayValue, values.count <= maximumSteps else {
            throw RegimenFault(sent("steps are a list of up to \(maximumSteps)"))
        }
        var steps: [Step] = []
        for value in values {
            let step = try step(value)
            guard step.from > (steps.last?.from ?? from), until.map({ step.from <= $0 }) ?? true else {
                throw RegimenFault(
                    sent("the step of \(step.from.text) does not come after the one before it, or not before the end"))
            }
            steps.append(step)
        }
        return steps
    }

    private static func step(_ value: JSONValue) throws(RegimenFault) -> Step {
        var (date, total) = (value["from"]?.stringValue, value["total"]?.stringValue)
        if let parts = value.stringValue?.split(separator: "="), parts.count == 2 {
            (date, total) = (parts[0].trimmingBlanks, parts[1].trimmingBlanks)
        }
        guard let date, let total, let from = try? SessionDate(text: date) else {
            throw RegimenFault(sent("a step is a date and a total, for example 2026-02-01=6g"))
        }
        return Step(from: from, total: try amount(total))
    }
}

/// Texts, dates and flags of a draft.
private struct DraftReader {
    let draft: JSONObject

    init(_ draft: JSONObject) { self.draft = draft }

    func text(_ key: String) throws(RegimenFault) -> String? {
        guard let value = draft[key], value != .null else { return nil }
        guard let text = value.stringValue, text.utf8.count <= 100 else {
            throw RegimenFault(sent("\(key) is a short text"))
        }
        return text
    }

    func date(_ key: String) throws(RegimenFault) -> SessionDate? {
        guard let text = try text(key) else { return nil }
        guard let date = try? SessionDate(text: text) else {
            throw RegimenFault(sent("'\(key)' is a date such as 2026-01-14, not '\(text.prefix(40))'"))
        }
        return date
    }

    func flag(_ key: String) throws(RegimenFault) -> Bool? {
        guard let value = draft[key], value != .null else { return nil }
        guard let flag = value.boolValue else { throw RegimenFault(sent("\(key) is true or false")) }
        return flag
    }
}

/// The reason why a draft is no regimen.
struct RegimenFault: Error, Hashable, CustomStringConvertible {
    /// The fault in words, without a full stop.
    let description: String

    init(_ description: String) { self.description = description }
}
