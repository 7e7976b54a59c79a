extension Command {
    /// Returns the command to take a medicine of ``MedicationCatalogue``, by its id or name. An oxybate is a dose.
    public static func takeMedication(_ word: String) -> Command {
        .record(.medicationRecorded, ["medication_id": .string(word)])
    }
}

extension CommandDecision {
    /// Two doses of one ingredient that are less than this apart are one dose, unless the person says otherwise.
    static let doubled: Duration = .minutes(5)

    /// Records a medicine. An oxybate is a dose of the night, with all its questions.
    fileprivate mutating func take(_ word: String) throws(CommandFailure) -> CommandHandler.Recording {
        guard let medication = context.medications[word] else {
            throw .unknown(
                UnknownWord(
                    what: sent("medication"), word: word, nearest: context.medications.nearest(to: word)))
        }
        guard !medication.isOxybate else {
            let isFirst = night?.dose1 == nil
            return try logDose(
                isFirst ? .dose1 : .dose2, medicationID: medication.id, isOnceNightly: isOnceNightly(medication))
        }
        try checkTime()
        guard let milligrams = options.amountMilligrams ?? medication.usualMilligrams else {
            throw .invalidInput(sent("\(medication.id) has no usual dose: say how much, for example 5mg"))
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
        return record(payload, in: session?.id)
    }

    /// Records a dose, with its medicine if the word names an oxybate.
    mutating func logDose(_ kind: DoseKind, of word: String?) throws(CommandFailure) -> CommandHandler.Recording {
        guard let medication = word.flatMap({ context.medications[$0] }), medication.isOxybate else {
            return try logDose(kind)
        }
        return try logDose(kind, medicationID: medication.id, isOnceNightly: isOnceNightly(medication))
    }

    /// Returns true if one dose is the whole night: by the regimen if it is of that medicine, else by the formulation.
    private func isOnceNightly(_ medication: Medication) -> Bool {
        if let regimen = logState.regimen(on: date(of: at))?.regimen, regimen.medicationID == medication.id {
            return regimen.onceNightly
        }
        return medication.formulation == .extended
    }

    /// Another dose of the same ingredient, with its distance in time.
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

    /// Returns the nearest active dose of the same ingredient that raises a warning or looks like the same dose: before or after,
    /// in any session. The longer one of the two warning spans counts.
    private func nearest(to id: String, at: Instant, apart: EventID?) -> Near? {
        let catalogue = context.medications
        let ingredient = catalogue.ingredient(of: id)
        let others = logState.medications.lazy.filter { other in
            other.isActive && other.id != apart
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
        facts.existing = doubled.entry.id
        facts.existingAt = doubled.entry.at
        return .requiresConfirmation([.duplicate], facts)
    }

    /// Judges an amendment. A new time asks only questions that it raises anew, and stays in the entry's night if there is one.
    fileprivate func judge(
        _ change: inout EntryAmended, of taken: String, _ entry: StandaloneEntry
    ) throws(CommandFailure) {
        var near: Near?
        if change.at != nil {
            try checkTime()
            if let session = entry.event.sessionID.flatMap({ logState.session($0) }) {
                try checkPlace(of: entry.event, in: session)
            } else {
                change.date = .key(of: at, in: context.zone, rolloverHour: context.rules.rolloverHour)
            }
            near = nearest(to: taken, at: at, apart: entry.id)
        }
        let doubled = near.flatMap { $0.gap < Self.doubled ? $0 : nil }
        try answer(verdict(doubled), wouldRecord: EventType.entryAmended.rawValue)
        // An answer to a question that was not asked says nothing.
        if doubled == nil { change.request.confirmations.removeAll { $0 == .duplicate } }
    }
}

extension MedicationRecorded {
    /// The longest warning span.
    static var reach: Duration? { .minutes(1_440) }

    /// Returns the medicine that is said.
    private static func word(_ said: JSONObject) -> String { said["medication_id"]?.stringValue ?? "" }

    static func check(_ said: JSONObject) throws(CommandFailure) {
        try Bounds.check(word: word(said), sent("a medication"))
    }
    static func inWireWords(_ said: JSONObject, _ context: DecisionContext) -> JSONObject {
        ["medication_id": .string(context.medications[word(said)]?.id ?? SleepEventWord.normalised(word(said)))]
    }
    static func verb(_ said: JSONObject) -> String { "med take \(SleepEventWord.normalised(word(said)))" }
    static func hasAmount(_ said: JSONObject) -> Bool { true }
    static func medicine(_ said: JSONObject) -> String? { word(said) }
    static func isOfNight(_ said: JSONObject) -> Bool { MedicationCatalogue.standard[word(said)]?.isOxybate ?? false }

    static func record(
        _ said: JSONObject, _ decision: inout CommandDecision
    ) throws(CommandFailure) -> CommandHandler.Recording { try decision.take(word(said)) }

    static func isRepeat(_ first: Event, _ asked: EntryRequest) -> Bool {
        guard let taken = Taken(first.payload), taken.word == word(asked.said) else { return false }
        return taken.stated == asked.options.amountMilligrams && taken.note == asked.options.note
    }

    /// Returns true for the same medicine and no other amount, without an answer that the first recording did not have.
    static func isSameTap(_ first: Event, _ asked: EntryRequest) -> Bool {
        guard let taken = Taken(first.payload), taken.word == word(asked.said) else { return false }
        let answered = Set(first.payload.request?.confirmations ?? [])
        return asked.options.confirmations.isSubset(of: answered)
            && (asked.options.amountMilligrams.map { $0 == taken.amount } ?? true)
    }

    /// The recording of a named medicine: a medicine, or a dose.
    private struct Taken {
        let word: String?
        let amount: Int?
        /// The amount that the person said; nil if the person said none.
        let stated: Int?
        let note: String?

        init?(_ payload: EventPayload) {
            if case .doseRecorded(let dose) = payload {
                (word, amount, stated) = (dose.medicationID, dose.amountMilligrams, dose.statedMilligrams)
                note = dose.note
            } else if let taken: MedicationRecorded = payload.recorded() {
                (word, amount) = (taken.medicationID, taken.milligrams)
                (stated, note) = (taken.isUsualDose ? nil : taken.milligrams, taken.note)
            } else {
                return nil
            }
        }
    }

    func judge(
        _ change: inout EntryAmended, of entry: StandaloneEntry, _ decision: CommandDecision
    ) throws(CommandFailure) {
        try decision.judge(&change, of: medicationID, entry)
    }
}

extension CommandHandler {
    /// Returns the options with a written amount and unit read into mg.
    ///
    /// - Throws: `invalidInput` for a text that is no amount, an amount given twice, or a unit of unknown strength.
    static func weighing(
        _ options: CommandOptions, of command: Command, _ logState: LogState, _ context: DecisionContext
    ) throws(CommandFailure) -> CommandOptions {
        guard let text = options.amountText else { return options }
        guard options.amountMilligrams == nil else { throw .invalidInput(sent("the amount is given twice")) }
        var weighed = options
        do throws(AmountError) {
            let amount = try Amount(text: text)
            let concentration = concentration(for: command, amount.unit, options, logState, context)
            let milligrams = try amount.milligrams(concentration)
            weighed.amountMilligrams = milligrams
            weighed.amountUnit = amount.unit
        } catch { throw .invalidInput(error.description) }
        return weighed
    }

    private static func concentration(
        for command: Command, _ unit: AmountUnit, _ options: CommandOptions, _ logState: LogState,
        _ context: DecisionContext
    ) -> Concentration? {
        guard unit.needsConcentration else { return nil }
        let at = options.at ?? context.now
        var (id, date): (String?, SessionDate?) = (nil, logState.date(of: at, context))
        switch command {
        case .record(let type, let said): id = type.kind?.medicine(said)
        case .amend(let entry):
            if let medicine = logState.standalone.active(entry)?.value.medicine {
                if let own = medicine.concentration { return own.unit == unit ? own : nil }
                (id, date) = (medicine.id, medicine.date)
                break
            }
            let session = logState.sessions.first { $0.doses.contains { $0.id == entry } }
            id = session?.doses.first { $0.id == entry }?.medicationID
            date = session?.date
        default: break
        }
        // A regimen is for one medicine; a dose that names none is of that medicine.
        let regimen = date.flatMap { logState.regimen(on: $0)?.regimen }
        if let regimen, id == nil || id == regimen.medicationID, let own = regimen.concentration, own.unit == unit {
            return own
        }
        return (id ?? regimen?.medicationID).flatMap { context.medications[$0]?.concentration }
    }
}
