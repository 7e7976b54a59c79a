/// One fact of the log: what happened, when, and who said so. An event never changes once recorded, so it is a class: a copy
/// is a pointer and not a dozen texts.
public final class Event: Hashable, Sendable {
    /// Identity of the event; for a recording also the id of the entry it created.
    public let id: EventID
    public let payload: EventPayload
    /// The kind of thing that the event is about.
    public let entityType: EntityType
    /// The id of the thing that the event is about.
    public let entityID: String
    /// The session of the event; nil for none.
    public let sessionID: SessionID?
    /// The time of recording; never earlier than that of any event before.
    public let occurredAt: Instant
    /// The time at which the fact happened.
    public let effectiveAt: Instant
    /// Identifier of the zone in force.
    public let timeZone: String
    /// UTC offset in force, in minutes east.
    public let localOffsetMinutes: Int
    /// The clocks at the time of recording. Their wall clock may be behind ``occurredAt``.
    public let clock: ClockReading
    /// The id of the machine that recorded the event.
    public let deviceID: String
    /// The surface that asked for the event.
    public let surface: Surface
    /// The sender of the command, as far as the bus can tell.
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

    /// Compares all properties.
    public static func == (one: Event, other: Event) -> Bool {
        one === other
            || one.id == other.id && one.payload == other.payload && one.entityType == other.entityType
                && one.entityID == other.entityID && one.sessionID == other.sessionID
                && one.occurredAt == other.occurredAt && one.effectiveAt == other.effectiveAt
                && one.timeZone == other.timeZone && one.localOffsetMinutes == other.localOffsetMinutes
                && one.clock == other.clock && one.deviceID == other.deviceID && one.surface == other.surface
                && one.origin == other.origin && one.idempotencyKey == other.idempotencyKey
    }

    /// Hashes the id only.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// The wire word of what happened.
    public var type: EventType { payload.type }

    /// True if the time of the event is more than that of the event before: the wall clock showed it, or a person stood by it.
    var saysWhen: Bool {
        if case .clockStepped(let step) = payload, step.suspect { return true }
        return payload.request != nil || clock.wall >= occurredAt - ElapsedTime.tolerance
    }

    /// True if a program recorded a sleep (R30) or something of the lab (R34.11) by itself. Such a record is no action of a person,
    /// although it has a request.
    public var isOfDevice: Bool { surface != .cli && (payload.type.kind?.isSentByPrograms == true || isOfLab) }

    /// True for a question or a plan of the lab, a kept result of one, or a correction of these.
    public var isOfLab: Bool { EntityType.ofLab.contains(entityType) }

    /// True if an import took the event from a file (R29): the event is no action of just now.
    public var isImported: Bool { surface == .importer && origin == .file }

    /// True for one of the many entries of an import. No surface tells of these one by one.
    package var isOfFile: Bool { isImported && type != .importRecorded }

    /// True for an entry of the dose window or a correction of one.
    var isOfWindow: Bool { [.dose, .skip, .snooze, .wake].contains(entityType) }

    /// True for the recording of a dose or a skip.
    var isDoseOrSkip: Bool {
        switch payload {
        case .doseRecorded, .doseSkipped: true
        default: false
        }
    }

    /// True for the undo or deletion of an entry of a night's window.
    var isRemoval: Bool {
        switch payload {
        case .actionUndone, .entryDeleted: isOfWindow
        default: false
        }
    }
}

/// The person's input with an action, kept so that a repetition can be told from a new action.
public struct Request: Hashable, Sendable {
    /// The time the person named; nil for "now".
    public var at: Instant?
    /// True if the person said how long ago the action was, not a time of day.
    public var isAgo = false
    /// The questions the person answered.
    public var confirmations: [Confirmation]

    public init(at: Instant? = nil, isAgo: Bool = false, confirmations: [Confirmation] = []) {
        self.at = at
        self.isAgo = isAgo
        self.confirmations = confirmations
    }
}

/// The sender of a command, as far as the bus can tell: the detail of an event's surface.
public struct Origin: Hashable, Sendable {
    /// Unique bus name (`:1.42`); nil peer-to-peer.
    public internal(set) var sender: String?
    /// Process id of the sender.
    public internal(set) var processID: Int32?
    /// The sender's command name as the kernel has it (at most 15 bytes).
    public internal(set) var command: String?

    /// The origin of events that an import took from a file. No caller of the bus has a command without a process.
    public static let file = Origin(command: "import")

    /// The origin of events that were lost and recorded again, in the log behind events that were recorded after them (R21.20).
    public static let again = Origin(command: "again")

    /// All parts are optional: a peer-to-peer caller has no name.
    public init(sender: String? = nil, processID: Int32? = nil, command: String? = nil) {
        self.sender = sender
        self.processID = processID
        self.command = command
    }
}

/// An event as one JSON object, for places outside the log.
extension Event {
    /// All properties, under the names of the log's columns.
    public var json: JSONValue {
        var object = JSONObject()
        object["id"] = .string(id.text)
        object["type"] = .string(type.rawValue)
        object["entity_type"] = .string(entityType.rawValue)
        object["entity_id"] = .string(entityID)
        object["session_id"] = sessionID.map { .string($0.text) }
        object["occurred_at"] = .instant(occurredAt)
        object["effective_at"] = .instant(effectiveAt)
        object["time_zone"] = .string(timeZone)
        object["local_offset_minutes"] = .integer(Int64(localOffsetMinutes))
        object["counter_us"] = .integer(clock.counterMicroseconds)
        object["boot_id"] = .string(clock.bootID)
        object["wall"] = .instant(clock.wall)
        object["synchronised"] = .bool(clock.isSynchronised)
        object["device_id"] = .string(deviceID)
        object["surface"] = .string(surface.rawValue)
        object["idempotency_key"] = idempotencyKey.map(JSONValue.string)
        object["payload"] = payload.json(origin: origin)
        return .object(object)
    }

    /// Reads the object of ``json``; nil for any other value.
    public convenience init?(json: JSONValue) {
        guard case .object(let object) = json, let id = object["id"]?.stringValue,
            let type = object["type"]?.stringValue.flatMap(EventType.init(rawValue:)),
            let entityType = object["entity_type"]?.stringValue.flatMap(EntityType.init(rawValue:)),
            let entityID = object["entity_id"]?.stringValue,
            let occurredAt = object["occurred_at"]?.stringValue.flatMap({ try? Instant(iso8601: $0) }),
            let effectiveAt = object["effective_at"]?.stringValue.flatMap({ try? Instant(iso8601: $0) }),
            let timeZone = object["time_zone"]?.stringValue,
            let offset = object["local_offset_minutes"]?.integerValue,
            let counter = object["counter_us"]?.integerValue, let bootID = object["boot_id"]?.stringValue,
            let wall = object["wall"]?.stringValue.flatMap({ try? Instant(iso8601: $0) }),
            let synchronised = object["synchronised"]?.boolValue,
            let deviceID = object["device_id"]?.stringValue,
            let surface = object["surface"]?.stringValue.flatMap(Surface.init(rawValue:)),
            let stored = object["payload"], let payload = try? EventPayload(type: type, json: stored)
        else { return nil }
        self.init(
            id: EventID(id), payload: payload, entityType: entityType, entityID: entityID,
            sessionID: object["session_id"]?.stringValue.map(SessionID.init), occurredAt: occurredAt,
            effectiveAt: effectiveAt, timeZone: timeZone, localOffsetMinutes: Int(clamping: offset),
            clock: ClockReading(
                wall: wall, counterMicroseconds: counter, bootID: bootID, isSynchronised: synchronised),
            deviceID: deviceID, surface: surface,
            origin: EventPayload.origin(in: stored), idempotencyKey: object["idempotency_key"]?.stringValue)
    }

    /// Returns the same event with another time of recording: an event that is recorded after its acknowledgement must not go back.
    public func recorded(at instant: Instant) -> Event { copy(payload, occurredAt: instant, origin: origin) }

    /// The event without medicines, amounts, notes and sender, for places that others read. Nil for an event that has nothing
    /// left without these.
    public var withoutDetails: Event? {
        switch payload {
        case .doseRecorded(var dose):
            (dose.amountMilligrams, dose.medicationID, dose.regimenID, dose.note) = (nil, nil, nil, nil)
            return copy(.doseRecorded(dose), occurredAt: occurredAt, origin: nil)
        case .doseSkipped(var skip):
            if !skip.isAutomatic { skip.reason = nil }
            skip.note = nil
            return copy(.doseSkipped(skip), occurredAt: occurredAt, origin: nil)
        case .snoozeRecorded(var snooze):
            snooze.note = nil
            return copy(.snoozeRecorded(snooze), occurredAt: occurredAt, origin: nil)
        case .finalWakeRecorded(var wake):
            wake.note = nil
            return copy(.finalWakeRecorded(wake), occurredAt: occurredAt, origin: nil)
        case .sleepEventRecorded(var event) where SleepEventCatalogue.standard[event.type] != nil:
            event.note = nil
            return copy(.sleepEventRecorded(event), occurredAt: occurredAt, origin: nil)
        case .entryDeleted(var deletion):
            deletion.reason = nil
            return copy(.entryDeleted(deletion), occurredAt: occurredAt, origin: nil)
        case .sessionOpened, .sessionClosed, .actionUndone, .reminderFired, .reminderDropped, .reminderDelivered,
            .reminderAcknowledged, .clockStepped:
            return copy(payload, occurredAt: occurredAt, origin: nil)
        default: return nil
        }
    }

    /// Returns the same event, to be recorded again behind events that were recorded after it.
    public func recordedAgain(at instant: Instant) -> Event { copy(payload, occurredAt: instant, origin: .again) }

    /// Inserts the event at its place in the order of the first recording.
    func insert(into ordered: inout [Event]) {
        func isLater(_ other: Event) -> Bool {
            guard other.clock.bootID == clock.bootID, !clock.bootID.isEmpty else {
                return other.clock.wall > clock.wall
            }
            let gain = other.clock.counter(since: clock.counterMicroseconds)
            return gain > .zero || gain == .zero && type == .sessionOpened
        }
        ordered.insert(self, at: ordered.firstIndex(where: isLater) ?? ordered.endIndex)
    }

    /// The same event without a key that another event has.
    public var withoutKey: Event { copy(payload, occurredAt: occurredAt, origin: origin, key: nil) }

    private func copy(_ payload: EventPayload, occurredAt: Instant, origin: Origin?) -> Event {
        copy(payload, occurredAt: occurredAt, origin: origin, key: idempotencyKey)
    }

    private func copy(_ payload: EventPayload, occurredAt: Instant, origin: Origin?, key: String?) -> Event {
        Event(
            id: id, payload: payload, entityType: entityType, entityID: entityID, sessionID: sessionID,
            occurredAt: occurredAt, effectiveAt: effectiveAt, timeZone: timeZone,
            localOffsetMinutes: localOffsetMinutes, clock: clock, deviceID: deviceID, surface: surface,
            origin: origin, idempotencyKey: key)
    }

    /// Returns a new opening event for a night that lost its own and is invisible without one. The entry gives the date.
    ///
    /// - Parameter id: the id of the new event.
    public static func opening(_ session: SessionID, by entry: Event, _ rules: NightRules, id: EventID) -> Event {
        let zone = Zone(fixedOffsetMinutes: entry.localOffsetMinutes)
        let date = SessionDate.key(of: entry.effectiveAt, in: zone, rolloverHour: rules.rolloverHour)
        return Event(
            id: id, payload: .sessionOpened(SessionOpened(date: date, backfilled: false, rules: rules, cause: nil)),
            entityType: .session, entityID: session.text, sessionID: session, occurredAt: entry.occurredAt,
            effectiveAt: entry.effectiveAt, timeZone: entry.timeZone, localOffsetMinutes: entry.localOffsetMinutes,
            clock: entry.clock, deviceID: entry.deviceID, surface: .service, origin: nil, idempotencyKey: nil)
    }
}

extension EventPayload {
    /// The name of the recorded entry in a person's words, without medicines, amounts and notes.
    public var entryWords: String {
        switch self {
        case .doseRecorded(let payload):
            switch payload.kind {
            case .dose1: "dose 1"
            case .dose2: "dose 2"
            case .extra: "an extra dose"
            }
        case .doseSkipped: "the skip of dose 2"
        case .snoozeRecorded: "a snooze"
        case .finalWakeRecorded: "the final wake"
        case .sleepEventRecorded(let payload):
            SleepEventCatalogue.standard[payload.type] == nil
                ? sent("a sleep event") : SleepEventCatalogue.displayName(of: payload.type)
        case .checkinRecorded: "the morning check-in"
        case .entry(let entry): Swift.type(of: entry.value).words
        case .entryAmended: "an amendment"
        case .entryDeleted: "a deletion"
        case .actionUndone: "an undo"
        case .sessionOpened, .sessionClosed: "the life of the night"
        case .settingChanged: "a setting"
        case .reminderFired, .reminderDropped, .reminderDelivered, .reminderAcknowledged: "a reminder"
        case .clockStepped: "a step of the clock"
        case .storeRestored: "what was found in the store"
        case .importRecorded: "an import"
        }
    }
}
