/// A dose was taken, at the event's effective instant.
public struct DoseRecorded: Hashable, Sendable {
    /// Which dose.
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

    /// Memberwise.
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

    /// Memberwise.
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

    /// Memberwise.
    public init(stepMinutes: Int, note: String?, request: Request, sinceDose1Milliseconds: Int64? = nil) {
        self.sinceDose1Milliseconds = sinceDose1Milliseconds
        self.stepMinutes = stepMinutes
        self.note = note
        self.request = request
    }
}
