/// A medicine was taken, at the event's effective instant; never an oxybate, which is a dose.
public struct MedicationRecorded: Hashable, Sendable {
    /// The id of the medicine in ``MedicationCatalogue``.
    public var medicationID: String
    /// The amount in mg.
    public var milligrams: Int
    /// The unit in which it was said.
    public var unit: AmountUnit
    public var formulation: Medication.Formulation
    /// True if nobody said an amount, so that the amount is the usual dose.
    public var isUsualDose: Bool
    /// The session date under which the entry counts; the date of its session if it has one.
    public var date: SessionDate
    /// The person's words.
    public var note: String?
    /// True if another dose was recorded less than five minutes from this one, and the person said that this is one more.
    public var confirmedDuplicate: Bool
    public var warning: MedicationWarning?
    /// The person's input.
    public var request: Request

    public init(
        medicationID: String, milligrams: Int, unit: AmountUnit, formulation: Medication.Formulation,
        isUsualDose: Bool, date: SessionDate, note: String?, confirmedDuplicate: Bool, warning: MedicationWarning?,
        request: Request
    ) {
        self.medicationID = medicationID
        self.milligrams = milligrams
        self.unit = unit
        self.formulation = formulation
        self.isUsualDose = isUsualDose
        self.date = date
        self.note = note
        self.confirmedDuplicate = confirmedDuplicate
        self.warning = warning
        self.request = request
    }
}

/// Another dose of the same ingredient was near when a medicine was recorded.
public struct MedicationWarning: Hashable, Sendable {
    /// The other entry.
    public var entry: EventID
    /// Whole minutes between the two, truncated.
    public var minutesApart: Int
    /// The minutes in which another dose raises a warning.
    public var spanMinutes: Int

    public init(entry: EventID, minutesApart: Int, spanMinutes: Int) {
        self.entry = entry
        self.minutesApart = minutesApart
        self.spanMinutes = spanMinutes
    }
}

extension EventPayload {
    public static func medicationRecorded(_ taken: MedicationRecorded) -> EventPayload { .entry(EntryPayload(taken)) }
}

extension MedicationRecorded: EntryKind {
    static var type: EventType { .medicationRecorded }
    static var entity: EntityType { .medication }
    static var words: String { "a medicine" }
    static var list: (key: String, prose: String)? { ("medications", "medicines that belong to no night") }

    func write(into object: inout JSONObject) {
        object["medication_id"] = .string(medicationID)
        object["dose_mg"] = .integer(Int64(milligrams))
        object["dose_unit"] = .string(unit.rawValue)
        object["formulation"] = .string(formulation.rawValue)
        object["usual_dose"] = .bool(isUsualDose)
        object["session_date"] = .string(date.text)
        object["note"] = note.map(JSONValue.string)
        object["confirmed_duplicate"] = .bool(confirmedDuplicate)
        object["warning"] = warning.map { .object($0.json) }
        object["request"] = request.json
    }

    init(_ reader: PayloadReader) throws(PayloadError) {
        self.init(
            medicationID: try reader.string("medication_id"), milligrams: try reader.integer("dose_mg"),
            unit: try reader.word("dose_unit"), formulation: try reader.word("formulation"),
            isUsualDose: try reader.bool("usual_dose"), date: try reader.date("session_date"),
            note: try reader.optionalString("note"), confirmedDuplicate: try reader.bool("confirmed_duplicate"),
            warning: try Self.warning(reader), request: try reader.request())
    }

    var countsUnder: SessionDate? {
        get { date }
        set { date = newValue ?? date }
    }

    mutating func amend(_ change: EntryAmended) {
        date = change.date ?? date
        milligrams = change.amountMilligrams ?? milligrams
        note = change.note ?? note
        if change.request.confirmations.contains(.duplicate) { confirmedDuplicate = true }
    }

    func details(_ event: Event) -> JSONObject {
        var object: JSONObject = [
            "medication_id": .string(medicationID), "dose_mg": .integer(Int64(milligrams)),
            "dose_unit": .string(unit.rawValue), "formulation": .string(formulation.rawValue),
        ]
        let isUnchanged = event.payload.recorded(as: Self.self).map { $0.milligrams == milligrams } ?? true
        if isUsualDose, isUnchanged { object["usual_dose"] = true }
        if confirmedDuplicate { object["confirmed_duplicate"] = true }
        object["warning"] = warning.map { .object($0.json) }
        return object
    }

    func receipt(_ event: Event, open: Session?) -> JSONObject {
        var object = metadata(event)
        let cautions = MedicationCatalogue.standard[medicationID]?.cautions ?? []
        if !cautions.isEmpty { object["cautions"] = .array(cautions.map { .object($0.json) }) }
        return object
    }

    var rules: [RuleNote] {
        guard let warning else {
            return [RuleNote("R11.1", "A medicine is recorded with its session, or with its session date alone.")]
        }
        return [
            RuleNote(
                "R11.4",
                "Another dose of the same ingredient within \(warning.spanMinutes) minutes is warned of, never refused."
            )
        ]
    }

    var names: [String] { [medicationID] }
    var journalLine: String { "Recorded a medication" }
    var medicine: (id: String?, date: SessionDate?, concentration: Concentration?) { (medicationID, nil, nil) }

    private static func warning(_ reader: PayloadReader) throws(PayloadError) -> MedicationWarning? {
        guard let nested = try reader.optionalNested("warning") else { return nil }
        return try MedicationWarning(nested)
    }
}

extension MedicationWarning {
    var json: JSONObject {
        [
            "entry": .string(entry.text), "minutes_apart": .integer(Int64(minutesApart)),
            "span_min": .integer(Int64(spanMinutes)),
        ]
    }

    init(_ reader: PayloadReader) throws(PayloadError) {
        self.init(
            entry: try reader.eventID("entry"), minutesApart: try reader.integer("minutes_apart"),
            spanMinutes: try reader.integer("span_min"))
    }
}

/// A medicine that was taken, folded from the events about it, amendments applied.
public typealias MedicationEntry = EntryOf<MedicationRecorded>

extension MedicationEntry {
    /// The session date under which the entry counts.
    public var date: SessionDate { now.date }
    /// The amount in mg.
    public var milligrams: Int { now.milligrams }
    /// The person's words.
    public var note: String? { now.note?.isEmpty == true ? nil : now.note }
    /// True if the medicine was taken although another dose was near, and the person said so.
    public var confirmedDuplicate: Bool { now.confirmedDuplicate }
    /// The session in which the entry was recorded, if any; fixed from then on.
    public var sessionID: SessionID? { event.sessionID }
}

extension LogState {
    /// Loaded medicines taken, those undone and deleted included.
    public var medications: [MedicationEntry] { standalone.of() }
}
