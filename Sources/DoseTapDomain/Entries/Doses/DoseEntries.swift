/// A standing dose of a night, amendments applied.
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

/// A standing skip of dose 2.
public struct Skip: Hashable, Sendable {
    /// The entry.
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

/// A standing snooze.
public struct Snooze: Hashable, Sendable {
    /// The entry.
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

/// A standing final wake.
public struct FinalWake: Hashable, Sendable {
    /// The entry.
    public let id: EventID
    /// When the person got up, on the night's own scale (R2.16): by it entries are compared.
    public let at: Instant
    /// When by the wall clock, as that was when it was said: so it is shown and stored.
    public let wall: Instant
    /// The person's words.
    public let note: String?
    /// The event that recorded it.
    public let event: Event
}

/// A standing sleep event.
public struct SleepEvent: Hashable, Sendable {
    /// The entry.
    public let id: EventID
    /// Wire word of its type.
    public let type: String
    /// When it happened, on the night's own scale (R2.16): by it entries are compared.
    public let at: Instant
    /// When by the wall clock, as that was when it was said: so it is shown and stored.
    public let wall: Instant
    /// The person's words.
    public let note: String?
    /// The event that recorded it.
    public let event: Event
}

/// What became of a reminder.
public struct ReminderFact: Hashable, Sendable {
    /// Which reminder, by identity.
    public let item: ReminderPlan.Item
    /// Nil when it was told.
    public let dropped: ReminderDrop?
    /// When it was told or dropped.
    public let at: Instant
    /// The same on the night's own scale.
    let moment: Instant
    /// What the clocks showed then.
    let clock: ClockReading
}

/// A reminder reached a channel.
public struct ReminderDelivery: Hashable, Sendable {
    /// Which reminder, by identity.
    public let item: ReminderPlan.Item
    /// Which channel.
    public let channel: ReminderChannel
    /// When.
    public let at: Instant
}

/// A reminder was answered, and those told before it with it.
public struct ReminderAcknowledgement: Hashable, Sendable {
    /// Which reminder, by identity.
    public let item: ReminderPlan.Item
    /// By what.
    public let by: ReminderAnswer
    /// When.
    public let at: Instant
    /// How many facts of reminders were on record by then.
    let facts: Int
}
