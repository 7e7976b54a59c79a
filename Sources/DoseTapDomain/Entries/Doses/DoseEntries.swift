/// A active dose of a night, amendments applied.
public struct Dose: Hashable, Sendable {
    /// The entry: the id of the event that recorded it.
    public let id: EventID
    public let kind: DoseKind
    /// When it was taken, on the night's own scale (R2.16): by it entries are compared.
    public internal(set) var at: Instant
    /// When by the wall clock, as that was when it was said: so it is shown and stored.
    public let wall: Instant
    /// Amount in mg; nil is unknown.
    public let amountMilligrams: Int?
    /// The oxybate, where one was named.
    public let medicationID: String?
    /// The regimen that its amount was taken from, unless it was amended.
    public let regimenID: EventID?
    /// The person's words.
    public let note: String?
    /// The event that recorded it.
    public let event: Event
    /// Who said when it was, and when that was said.
    let said: SaidMoment
    /// The event that said it: this one, or the amendment of its time.
    let saidBy: EventID
}

/// A active skip of dose 2.
public struct Skip: Hashable, Sendable {
    /// The event that recorded the skip.
    public let id: EventID
    /// When dose 2 was skipped, on the night's own scale (R2.16): by it entries are compared.
    public let at: Instant
    /// When by the wall clock, as that was when it was said: so it is shown and stored.
    public let wall: Instant
    /// The reason, `slept_through` for an automatic one.
    public let reason: String?
    /// The person's words.
    public let note: String?
    /// Nobody asked for it.
    public let isAutomatic: Bool
    /// The event that recorded it.
    public let event: Event
}

/// A active snooze.
public struct Snooze: Hashable, Sendable {
    /// The event that recorded the snooze.
    public let id: EventID
    /// When the alarm was put off, on the night's own scale (R2.16): by it entries are compared.
    public let at: Instant
    /// When by the wall clock, as that was when it was said: so it is shown and stored.
    public let wall: Instant
    /// The most that had passed since dose 1, where the clocks leave doubt.
    public internal(set) var sinceDose1: Duration?
    /// By how many minutes.
    public let stepMinutes: Int
    /// The person's words.
    public let note: String?
    /// Which snooze of the night, from 1.
    public let count: Int
    /// The event that recorded it.
    public let event: Event
}

/// A dose was taken, at the event's effective instant.
public struct DoseRecorded: Hashable, Sendable {
    public var kind: DoseKind
    /// Amount in mg; nil is unknown, never zero.
    public var amountMilligrams: Int?
    /// The oxybate in ``MedicationCatalogue``, where one was named.
    public var medicationID: String?
    /// The regimen the amount is taken from, where nobody said how much it was.
    public var regimenID: EventID?
    /// The person's words.
    public var note: String?
    /// What the surface said.
    public var request: Request
    /// Where the clocks left doubt: the time since dose 1 that the person's answer made of it.
    public var sinceDose1Milliseconds: Int64?
    /// A dose 1 of a medicine that is taken once a night.
    public var isOnceNightly: Bool

    public init(
        kind: DoseKind, amountMilligrams: Int?, medicationID: String? = nil, regimenID: EventID? = nil, note: String?,
        request: Request, sinceDose1Milliseconds: Int64? = nil, isOnceNightly: Bool = false
    ) {
        self.isOnceNightly = isOnceNightly
        self.sinceDose1Milliseconds = sinceDose1Milliseconds
        self.kind = kind
        self.amountMilligrams = amountMilligrams
        self.medicationID = medicationID
        self.regimenID = regimenID
        self.note = note
        self.request = request
    }
}

extension DoseRecorded {
    /// What the person said of its amount; nil for nothing.
    var statedMilligrams: Int? { regimenID == nil ? amountMilligrams : nil }
}

/// Dose 2 was skipped, by the person or by sleeping through.
public struct DoseSkipped: Hashable, Sendable {
    /// The person's reason, or `slept_through`.
    public var reason: String?
    /// The person's words.
    public var note: String?
    /// For an automatic skip the dose 1 instant it was derived from: it holds only as long as dose 1 stands there.
    public var sleptThroughFrom: Instant?
    /// What the surface said; nil for an automatic skip.
    public var request: Request?
    /// For an automatic skip the action in whose commit it was derived, if any.
    public var cause: EventID?

    public init(reason: String?, note: String?, sleptThroughFrom: Instant?, request: Request?, cause: EventID?) {
        self.reason = reason
        self.note = note
        self.sleptThroughFrom = sleptThroughFrom
        self.request = request
        self.cause = cause
    }

    /// True when nobody asked for it.
    public var isAutomatic: Bool { sleptThroughFrom != nil }
}

/// The alarm was put off.
public struct SnoozeRecorded: Hashable, Sendable {
    /// By how many minutes.
    public var stepMinutes: Int
    /// The person's words.
    public var note: String?
    /// What the surface said.
    public var request: Request
    /// Where the clocks left doubt: the most that had passed since dose 1, by which reminders go.
    public var sinceDose1Milliseconds: Int64?

    public init(stepMinutes: Int, note: String?, request: Request, sinceDose1Milliseconds: Int64? = nil) {
        self.sinceDose1Milliseconds = sinceDose1Milliseconds
        self.stepMinutes = stepMinutes
        self.note = note
        self.request = request
    }
}

// MARK: Coding

extension DoseRecorded {
    func write(into object: inout JSONObject) {
        object["kind"] = .string(kind.rawValue)
        object["amount_mg"] = amountMilligrams.map { .integer(Int64($0)) }
        object["medication_id"] = medicationID.map(JSONValue.string)
        object["regimen_id"] = regimenID.map { .string($0.text) }
        object["note"] = note.map(JSONValue.string)
        object["since_dose1_ms"] = sinceDose1Milliseconds.map(JSONValue.integer)
        if isOnceNightly { object["once_nightly"] = .bool(true) }
        object["request"] = request.json
    }

    init(_ reader: PayloadReader) throws(PayloadError) {
        self.init(
            kind: try reader.word("kind"), amountMilligrams: try reader.optionalInteger("amount_mg"),
            medicationID: try reader.optionalString("medication_id"),
            regimenID: try reader.optionalEventID("regimen_id"), note: try reader.optionalString("note"),
            request: try reader.request(),
            sinceDose1Milliseconds: try reader.optionalInteger("since_dose1_ms").map { Int64($0) },
            isOnceNightly: try reader.flag("once_nightly"))
    }
}

extension DoseSkipped {
    func write(into object: inout JSONObject) {
        object["reason"] = reason.map(JSONValue.string)
        object["note"] = note.map(JSONValue.string)
        object["slept_through_from"] = sleptThroughFrom.map(JSONValue.instant)
        object["request"] = request?.json
        object["cause"] = cause.map { .string($0.text) }
    }

    init(_ reader: PayloadReader) throws(PayloadError) {
        self.init(
            reason: try reader.optionalString("reason"), note: try reader.optionalString("note"),
            sleptThroughFrom: try reader.optionalInstant("slept_through_from"),
            request: try reader.optionalRequest(), cause: try reader.optionalEventID("cause"))
    }
}

extension SnoozeRecorded {
    func write(into object: inout JSONObject) {
        object["step_minutes"] = .integer(Int64(stepMinutes))
        object["since_dose1_ms"] = sinceDose1Milliseconds.map(JSONValue.integer)
        object["note"] = note.map(JSONValue.string)
        object["request"] = request.json
    }

    init(_ reader: PayloadReader) throws(PayloadError) {
        self.init(
            stepMinutes: try reader.integer("step_minutes"), note: try reader.optionalString("note"),
            request: try reader.request(),
            sinceDose1Milliseconds: try reader.optionalInteger("since_dose1_ms").map { Int64($0) })
    }
}
