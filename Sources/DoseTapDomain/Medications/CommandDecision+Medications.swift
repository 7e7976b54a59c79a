extension MedicationEntry {
    /// No warning reaches further.
    public static let reach: Duration = .minutes(1_440)
}

extension CommandDecision {
    /// Two of one ingredient less than this apart are one, unless the person says otherwise.
    static let doubled: Duration = .minutes(5)

    /// Records a medicine. An oxybate is a dose of the night, with all its questions.
    mutating func take(_ word: String) throws(CommandFailure) -> Rulebook.Recording {
        guard let medication = circumstances.medications[word] else {
            throw .unknown(
                UnknownWord(
                    what: "medication", word: word, nearest: circumstances.medications.nearest(to: word)))
        }
        guard !medication.isOxybate else {
            let isFirst = night?.dose1 == nil
            return try logDose(
                isFirst ? .dose1 : .dose2, medicationID: medication.id, isOnceNightly: isOnceNightly(medication))
        }
        try checkTime()
        guard let milligrams = options.amountMilligrams ?? medication.usualMilligrams else {
            throw .invalidInput("\(medication.id) has no usual dose: say how much, for example 5mg")
        }
        let near = nearest(to: medication.id, at: at, apart: nil)
        let isDouble = near.map { $0.gap < Self.doubled } ?? false
        try answer(verdict(isDouble ? near : nil), wouldRecord: medication.id)
        let session = night
        let payload = MedicationRecorded(
            medicationID: medication.id, milligrams: milligrams, unit: options.amountUnit,
            formulation: medication.formulation, isUsualDose: options.amountMilligrams == nil,
            date: date(of: at),
            note: options.note, confirmedDuplicate: isDouble, warning: near?.warning, request: request)
        let event = maker.event(.medicationRecorded(payload), .medication, session?.id, at: at, key: options.key)
        return finish([event], primary: event, session: session?.id)
    }

    /// Whether one dose of it is a night's: by the regimen where that is of it, else by how it is made.
    private func isOnceNightly(_ medication: Medication) -> Bool {
        if let regimen = diary.regimen(on: date(of: at))?.regimen, regimen.medicationID == medication.id {
            return regimen.onceNightly
        }
        return medication.formulation == .extended
    }

    /// Another dose of the same ingredient, and how far it is.
    private struct Near {
        var entry: MedicationEntry
        var gap: Duration
        var span: Duration

        var warning: MedicationWarning? {
            guard gap < span else { return nil }
            return MedicationWarning(
                entry: entry.id, minutesApart: Int(gap.wholeMinutes), spanMinutes: Int(span.wholeMinutes))
        }
    }

    /// The nearest standing dose of the same ingredient that is warned of or looks like the same one: before or after,
    /// in whichever session. Of the two warning spans the longer one counts.
    private func nearest(to id: String, at: Instant, apart: EventID?) -> Near? {
        let catalogue = circumstances.medications
        let ingredient = catalogue.ingredient(of: id)
        let others = diary.medications.lazy.filter { other in
            other.isStanding && other.id != apart
                && catalogue.ingredient(of: other.recorded.medicationID) == ingredient
        }
        let found = others.map { other in
            Near(
                entry: other, gap: max(at - other.at, other.at - at),
                span: max(
                    catalogue.warningSpan(of: id), catalogue.warningSpan(of: other.recorded.medicationID)))
        }
        return found.filter { $0.gap < max($0.span, Self.doubled) }.min { $0.gap < $1.gap }
    }

    private func verdict(_ doubled: Near?) -> RegistrationPolicy.Verdict {
        guard let doubled else { return .allowed }
        var facts = RegistrationPolicy.Facts()
        facts.standing = doubled.entry.id
        facts.standingAt = doubled.entry.at
        return .requiresConfirmation([.duplicate], facts)
    }

    /// A new time asks only what it raises anew, and stays in the entry's night where it has one.
    fileprivate func judge(
        _ change: inout EntryAmended, of taken: String, _ entry: StandaloneEntry
    ) throws(CommandFailure) {
        var near: Near?
        if change.at != nil {
            try checkTime()
            if let session = entry.event.sessionID.flatMap({ diary.session($0) }) {
                try checkPlace(of: entry.event, in: session)
            } else {
                change.date = .key(of: at, in: circumstances.zone, rolloverHour: circumstances.rules.rolloverHour)
            }
            near = nearest(to: taken, at: at, apart: entry.id)
        }
        let doubled = near.flatMap { $0.gap < Self.doubled ? $0 : nil }
        try answer(verdict(doubled), wouldRecord: EventType.entryAmended.rawValue)
        // An answer to what was not asked says nothing.
        if doubled == nil { change.request.confirmations.removeAll { $0 == .duplicate } }
    }
}

extension MedicationRecorded {
    func judge(
        _ change: inout EntryAmended, of entry: StandaloneEntry, _ decision: CommandDecision
    ) throws(CommandFailure) {
        try decision.judge(&change, of: medicationID, entry)
    }
}

extension Rulebook {
    /// The options with an amount that was written with its unit in mg.
    ///
    /// - Throws: `invalidInput` for what is no amount, is given twice, or counts in something of unknown strength.
    static func weighing(
        _ options: CommandOptions, of command: Command, _ diary: Diary, _ circumstances: Circumstances
    ) throws(CommandFailure) -> CommandOptions {
        guard let text = options.amountText else { return options }
        guard options.amountMilligrams == nil else { throw .invalidInput("the amount is given twice") }
        var weighed = options
        do throws(AmountError) {
            let amount = try Amount(text: text)
            let concentration = concentration(for: command, amount.unit, options, diary, circumstances)
            let milligrams = try amount.milligrams(concentration)
            weighed.amountMilligrams = milligrams
            weighed.amountUnit = amount.unit
        } catch { throw .invalidInput(error.description) }
        return weighed
    }

    private static func concentration(
        for command: Command, _ unit: AmountUnit, _ options: CommandOptions, _ diary: Diary,
        _ circumstances: Circumstances
    ) -> Concentration? {
        guard unit.needsConcentration else { return nil }
        let at = options.at ?? circumstances.now
        var (id, date): (String?, SessionDate?) = (nil, diary.date(of: at, circumstances))
        switch command {
        case .takeMedication(let word): id = word
        case .inventory(.pour(let draft)): id = draft["medication_id"]?.stringValue
        case .amend(let entry):
            if let medicine = diary.standalone.standing(entry)?.value.medicine {
                if let own = medicine.concentration { return own.unit == unit ? own : nil }
                (id, date) = (medicine.id, medicine.date)
                break
            }
            let session = diary.sessions.first { $0.doses.contains { $0.id == entry } }
            id = session?.doses.first { $0.id == entry }?.medicationID
            date = session?.date
        default: break
        }
        // What is prescribed is said for one medicine; a dose that names none is of that one.
        let regimen = date.flatMap { diary.regimen(on: $0)?.regimen }
        if let regimen, id == nil || id == regimen.medicationID, let own = regimen.concentration, own.unit == unit {
            return own
        }
        return (id ?? regimen?.medicationID).flatMap { circumstances.medications[$0]?.concentration }
    }
}
