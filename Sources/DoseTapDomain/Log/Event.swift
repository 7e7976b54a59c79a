/// One fact of the log: what happened, when, and who said so. Never changed once recorded, so a class: a copy is a pointer
/// and not a dozen texts.
public final class Event: Hashable, Sendable {
    /// Identity of the event; for a recording also the id of the entry it created.
    public let id: EventID
    /// What happened.
    public let payload: EventPayload
    /// What the event is about.
    public let entityType: EntityType
    /// Id of what the event is about.
    public let entityID: String
    /// The session it belongs to, if any.
    public let sessionID: SessionID?
    /// When it was recorded; never earlier than any event before it.
    public let occurredAt: Instant
    /// When it happened.
    public let effectiveAt: Instant
    /// Identifier of the zone in force.
    public let timeZone: String
    /// UTC offset in force, in minutes east.
    public let localOffsetMinutes: Int
    /// What the clocks said when it was recorded; their wall may be behind ``occurredAt``.
    public let clock: ClockReading
    /// The machine that recorded it.
    public let deviceID: String
    /// What asked for it.
    public let surface: Surface
    /// Who asked, as far as the bus can tell.
    public let origin: Origin?
    /// The caller's own key against doubled recording, unique in the log.
    public let idempotencyKey: String?

    /// Memberwise; the store adds only the sequence number and the hashes.
    public init(
        id: EventID, payload: EventPayload, entityType: EntityType, entityID: String, sessionID: SessionID?,
        occurredAt: Instant, effectiveAt: Instant, timeZone: String, localOffsetMinutes: Int,
        clock: ClockReading, deviceID: String, surface: Surface, origin: Origin?,
        idempotencyKey: String?
    ) {
        self.id = id
        self.payload = payload
        self.entityType = entityType
        self.entityID = entityID
        self.sessionID = sessionID
        self.occurredAt = occurredAt
        self.effectiveAt = effectiveAt
        self.timeZone = timeZone
        self.localOffsetMinutes = localOffsetMinutes
        self.clock = clock
        self.deviceID = deviceID
        self.surface = surface
        self.origin = origin
        self.idempotencyKey = idempotencyKey
    }

    /// Compares all of both.
    public static func == (one: Event, other: Event) -> Bool {
        one === other
            || one.id == other.id && one.payload == other.payload && one.entityType == other.entityType
                && one.entityID == other.entityID && one.sessionID == other.sessionID
                && one.occurredAt == other.occurredAt && one.effectiveAt == other.effectiveAt
                && one.timeZone == other.timeZone && one.localOffsetMinutes == other.localOffsetMinutes
                && one.clock == other.clock && one.deviceID == other.deviceID && one.surface == other.surface
                && one.origin == other.origin && one.idempotencyKey == other.idempotencyKey
    }

    /// By the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// The wire word of what happened.
    public var type: EventType { payload.type }

    /// Whether its time is more than that of the event before it: the wall clock showed it, or a person stood by it.
    var saysWhen: Bool {
        if case .clockStepped(let step) = payload, step.suspect { return true }
        return payload.request != nil || clock.wall >= occurredAt - ElapsedTime.tolerance
    }

    /// Whether it is an entry of the dose window or corrects one.
    var isOfWindow: Bool { [.dose, .skip, .snooze, .wake].contains(entityType) }
}
