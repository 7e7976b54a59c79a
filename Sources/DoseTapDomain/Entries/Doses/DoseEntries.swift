/// A active dose of a night, amendments applied.
public struct Dose: Hashable, Sendable {
    /// The entry: the id of the event that recorded it.
    public let id: EventID
    /// Which dose.
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
