/// An active dose of a night, amendments applied.
public struct Dose: Hashable, Sendable {
    /// The id of the event that recorded the dose, which is the id of the entry.
    public let id: EventID
    public let kind: DoseKind
    /// The time of the dose on the night's own scale (R2.16). Entries are compared by this time.
    public internal(set) var at: Instant
    /// The time by the wall clock as it stood when the time was said. This time is shown and stored.
    public let wall: Instant
    /// Amount in mg; nil is unknown.
    public let amountMilligrams: Int?
    /// The oxybate; nil if none was named.
    public let medicationID: String?
    /// The regimen from which the amount was taken; nil once the amount is amended.
    public let regimenID: EventID?
    /// The person's words.
    public let note: String?
    /// The event that recorded the entry.
    public let event: Event
    /// The time of the dose as it was said, with the clocks when it was said.
    let said: SaidMoment
    /// The event that said the time: the event of the dose, or the amendment of its time.
    let saidBy: EventID
}

/// An active skip of dose 2.
public struct Skip: Hashable, Sendable {
    /// The event that recorded the skip.
    public let id: EventID
    /// The time of the skip on the night's own scale (R2.16). Entries are compared by this time.
    public let at: Instant
    /// The time by the wall clock as it stood when the time was said. This time is shown and stored.
    public let wall: Instant
    /// The reason, `slept_through` for an automatic one.
    public let reason: String?
    /// The person's words.
    public let note: String?
    /// True if nobody asked for the skip.
    public let isAutomatic: Bool
    /// The event that recorded the entry.
    public let event: Event
}

/// An active snooze.
public struct Snooze: Hashable, Sendable {
    /// The event that recorded the snooze.
    public let id: EventID
    /// The time of the snooze on the night's own scale (R2.16). Entries are compared by this time.
    public let at: Instant
    /// The time by the wall clock as it stood when the time was said. This time is shown and stored.
    public let wall: Instant
    /// The most time that may have passed since dose 1; nil if the clocks leave no doubt.
    public internal(set) var sinceDose1: Duration?
    public let stepMinutes: Int
    /// The person's words.
    public let note: String?
    /// The number of the snooze in the night, from 1.
    public let count: Int
    /// The event that recorded the entry.
    public let event: Event
}

/// A dose was taken, at the event's effective instant.
public struct DoseRecorded: Hashable, Sendable {
    public var kind: DoseKind
    /// Amount in mg; nil is unknown, never zero.
    public var amountMilligrams: Int?
    /// The oxybate in ``MedicationCatalogue``; nil if none was named.
    public var medicationID: String?
    /// The regimen from which the amount is taken, if nobody said the amount.
    public var regimenID: EventID?
    /// The person's words.
    public var note: String?
    /// The person's input.
    public var request: Request
    /// The time since dose 1 by the person's answer about the clock; nil if the clocks left no doubt.
    public var sinceDose1Milliseconds: Int64?
    /// True for a dose 1 of a medicine that is taken once a night.
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
    /// The amount that the person said; nil if the person said none.
    var statedMilligrams: Int? { regimenID == nil ? amountMilligrams : nil }
}

/// Dose 2 was skipped, by the person or by sleeping through.
public struct DoseSkipped: Hashable, Sendable {
    /// The person's reason, or `slept_through`.
    public var reason: String?
    /// The person's words.
    public var note: String?
    /// The instant of dose 1 from which an automatic skip was derived. The skip holds only as long as dose 1 stays there.
    public var sleptThroughFrom: Instant?
    /// The person's input; nil for an automatic skip.
    public var request: Request?
    /// The action in whose commit an automatic skip was derived, if any.
    public var cause: EventID?

    public init(reason: String?, note: String?, sleptThroughFrom: Instant?, request: Request?, cause: EventID?) {
        self.reason = reason
        self.note = note
        self.sleptThroughFrom = sleptThroughFrom
        self.request = request
        self.cause = cause
    }

    /// True if nobody asked for the skip.
    public var isAutomatic: Bool { sleptThroughFrom != nil }
}

/// The alarm was put off.
public struct SnoozeRecorded: Hashable, Sendable {
    public var stepMinutes: Int
    /// The person's words.
    public var note: String?
    /// The person's input.
    public var request: Request
    /// The most time that may have passed since dose 1, by which reminders go; nil if the clocks left no doubt.
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
