/// A person's words about the stock, read into items. The draft records nothing.
struct InventoryDraft {
    let object: JSONObject
    let catalogue: MedicationCatalogue
    /// The regimen of the session date under which the item counts.
    let regimen: RegimenEntry?

    /// Millilitres in one bottle, in thousandths.
    static let bottle: ClosedRange<Int64> = 1...10_000_000
    /// Bottles or packets in one entry.
    static let count: ClosedRange<Int64> = 1...100
    /// Milligrams in one bottle, or in all that is counted.
    static let milligrams = 1...1_000_000_000

    /// Reads bottles or packets: `amount` (of one bottle or packet), optional `medication_id`, `concentration`, `count`.
    func bottles() throws(CommandFailure) -> InventoryItem {
        try refuseUnknown(["amount", "medication_id", "concentration", "count"])
        let medication = try medication()
        guard let written = try text("amount") else {
            throw .invalidInput(sent("say what one bottle or packet holds, for example 180mL or 4.5g"))
        }
        let count = try self.count()
        if medication.formulation == .extended {
            guard object["concentration"] == nil else {
                throw .invalidInput(sent("\(medication.id) comes in packets: they have no concentration"))
            }
            let packet = try weighed(
                written, nil, sent("a packet of \(medication.id) is given by weight, for example 4.5g"))
            guard Bounds.amountMilligrams.contains(packet) else {
                throw .invalidInput(
                    sent("a packet holds 1 to \(Bounds.amountMilligrams.upperBound) mg, not \(packet) mg"))
            }
            return .bottles(.init(medicationID: medication.id, milligrams: packet, concentration: nil, count: count))
        }
        guard let concentration = try concentration(medication) else {
            throw .invalidInput(
                sent("say what a millilitre of \(medication.id) holds, for example concentration 500mg/mL"))
        }
        return .bottles(
            .init(
                medicationID: medication.id, milligrams: try volume(written, concentration),
                concentration: concentration, count: count))
    }

    /// Reads a cup: optional `medication_id` and `for`.
    ///
    /// - Parameter milligrams: the amount that the person said; nil for the prescribed amount, or an unknown one.
    func cup(_ milligrams: Int?) throws(CommandFailure) -> InventoryItem {
        try refuseUnknown(["medication_id", "for"])
        let medication = try medication()
        var dose: DoseKind?
        if let word = try text("for"), word != "none" {
            guard let kind = DoseKind(rawValue: SleepEventWord.normalised(word).filter { $0 != "_" }) else {
                let said = word.prefix(40)
                guard let near = Suggestions.to(word, in: ["dose1", "dose2", "none"]).first else {
                    throw .invalidInput(sent("a cup is for dose1, dose2 or none, not for '\(said)'"))
                }
                throw .invalidInput(
                    sent("a cup is for dose1, dose2 or none, not for '\(said)': did you mean '\(near)'?"))
            }
            dose = kind
        }
        var cup = InventoryItem.Cup(medicationID: medication.id, milligrams: milligrams, dose: dose, regimenID: nil)
        if milligrams == nil, let dose, let regimen, regimen.regimen.medicationID == medication.id {
            cup.milligrams = regimen.regimen.milligrams(
                of: dose, on: max(regimen.regimen.from, date ?? regimen.regimen.from))
            cup.regimenID = cup.milligrams == nil ? nil : regimen.id
        }
        return .cup(cup)
    }

    /// The session date under which the item counts.
    var date: SessionDate?

    /// Reads a count: `left`, and `of`, a medicine or the entry of bottles; `packet` for packets.
    func counted(_ bottles: InventoryEntry?) throws(CommandFailure) -> InventoryItem {
        try refuseUnknown(["of", "left", "packet"])
        guard let written = try text("left") else {
            throw .invalidInput(sent("say what is left, for example 120mL, or 0mL for nothing"))
        }
        if let bottles, case .bottles(let content) = bottles.item {
            return .counted(
                .init(
                    medicationID: content.medicationID, milligrams: try left(written, content.concentration),
                    concentration: content.concentration,
                    packetMilligrams: content.concentration == nil ? content.milligrams : nil, target: bottles.id))
        }
        let medication = try medication("of")
        var packet: Int?
        if medication.formulation == .extended {
            guard let size = try text("packet") else {
                throw .invalidInput(sent("say which packets of \(medication.id) were counted, for example packet 4.5g"))
            }
            packet = try weighed(size, nil, sent("a packet is given by weight, for example 4.5g"))
        }
        let concentration = try concentration(medication)
        return .counted(
            .init(
                medicationID: medication.id, milligrams: try left(written, concentration),
                concentration: concentration, packetMilligrams: packet, target: nil))
    }

    /// Returns the amount in mg, read by the concentration of an earlier count; -1 for a count of another medicine.
    func left(of count: InventoryItem.Count) throws(CommandFailure) -> Int {
        if count.target == nil {
            let id = try medication("of").id
            guard id == count.medicationID else { return -1 }
        }
        return try left(try text("left") ?? "", count.concentration)
    }

    // MARK: Reading

    private func medication(_ key: String = "medication_id") throws(CommandFailure) -> Medication {
        let known = catalogue.medications.filter(\.isOxybate)
        let word = try text(key) ?? regimen?.regimen.medicationID
        guard let word else {
            throw .invalidInput(sent("say of which medicine: \(known.map(\.id).joined(separator: ", "))"))
        }
        guard let found = catalogue[word] else {
            let near = Suggestions.to(SleepEventWord.normalised(word), in: known.map(\.id))
            throw .unknown(UnknownWord(what: sent("medication"), word: String(word.prefix(64)), nearest: near))
        }
        guard found.isOxybate else {
            throw .invalidInput(
                sent("the inventory is of \(known.map(\.id).joined(separator: ", ")), not of \(found.id)"))
        }
        return found
    }

    private func concentration(_ medication: Medication) throws(CommandFailure) -> Concentration? {
        guard let text = try text("concentration") else {
            let own = regimen?.regimen.medicationID == medication.id ? regimen?.regimen.concentration : nil
            return own.flatMap { $0.unit == .milliliter ? $0 : nil } ?? medication.concentration
        }
        guard let concentration = Concentration(text: text), concentration.unit == .milliliter else {
            throw .invalidInput(
                sent("'\(text.prefix(40))' is no concentration of a liquid: write for example 500mg/mL"))
        }
        return concentration
    }

    private func count() throws(CommandFailure) -> Int {
        guard let value = object["count"], value != .null else { return 1 }
        guard let number = value.integerValue, Self.count.contains(number) else {
            throw .invalidInput(
                sent("a count is a whole number from \(Self.count.lowerBound) to \(Self.count.upperBound)"))
        }
        return Int(number)
    }

    private func text(_ key: String) throws(CommandFailure) -> String? {
        guard let value = object[key], value != .null else { return nil }
        guard let text = value.stringValue, (1...100).contains(text.utf8.count),
            !text.unicodeScalars.contains(where: \.isControlOrBidirectional)
        else { throw .invalidInput(sent("\(key) is a short text")) }
        return text
    }

    /// Returns the contents of a bottle in mg, for a volume or a weight.
    private func volume(_ text: String, _ concentration: Concentration) throws(CommandFailure) -> Int {
        let range = sent("a bottle holds more than 0 mL and at most 10000 mL")
        // A bare number would be milligrams: of a bottle that is a slip.
        guard let amount = try? Amount(text: text), [.milliliter, .gram].contains(amount.unit) else {
            throw .invalidInput(sent("\(range), for example 180mL; '\(text.prefix(40))' is none of it"))
        }
        if amount.unit == .milliliter {
            guard Self.bottle.contains(amount.thousandths) else {
                throw .invalidInput(sent("a bottle holds more than 0 mL and at most 10000 mL, not \(amount.text)"))
            }
        }
        let milligrams = try weighed(text, concentration, range)
        guard Self.milligrams.contains(milligrams),
            amount.unit == .milliliter || Self.isBottle(milligrams, concentration)
        else {
            throw .invalidInput(
                sent("a bottle holds at most 10000 mL, not what \(amount.text) of \(concentration.text) makes"))
        }
        return milligrams
    }

    private static func isBottle(_ milligrams: Int, _ concentration: Concentration) -> Bool {
        Int64(milligrams) * 1_000_000 / concentration.thousandths <= bottle.upperBound
    }

    /// Returns the amount that was found, in mg; zero is an answer, too.
    private func left(_ text: String, _ concentration: Concentration?) throws(CommandFailure) -> Int {
        let digits = text.prefix { ("0"..."9").contains($0) || $0 == "." }
        if Amount.thousandths(digits) == 0, AmountUnit(text: text.dropFirst(digits.count).trimmingBlanks) != nil {
            return 0
        }
        // A bare number would be milligrams: of what is left in a bottle that is a slip.
        guard digits.count < text.trimmingBlanks.count else {
            throw .invalidInput(sent("\(text.prefix(40)) what? Give a unit, for example \(digits)mL"))
        }
        let milligrams = try weighed(text, concentration, nil)
        guard Self.milligrams.contains(milligrams) else {
            throw .invalidInput(sent("what is left is 0 to \(Self.milligrams.upperBound) mg, not \(milligrams) mg"))
        }
        return milligrams
    }

    private func weighed(
        _ text: String, _ concentration: Concentration?, _ otherwise: String?
    ) throws(CommandFailure) -> Int {
        do throws(AmountError) { return try Amount(text: text).milligrams(concentration) } catch {
            throw .invalidInput(error.kind == .noConcentration ? otherwise ?? error.description : error.description)
        }
    }

    private func refuseUnknown(_ keys: [String]) throws(CommandFailure) {
        for key in object.keys where !keys.contains(key) {
            let said = key.prefix(40)
            guard let near = Suggestions.to(key, in: keys).first else {
                throw .invalidInput(sent("there is no '\(said)' here"))
            }
            throw .invalidInput(sent("there is no '\(said)' here: did you mean '\(near)'?"))
        }
    }
}
