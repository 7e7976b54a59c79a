/// The fact of an event, one typed struct per event type. A switch over the payload is exhaustive on purpose: the author of a
/// new type must decide at every place.
public enum EventPayload: Hashable, Sendable {
    case sessionOpened(SessionOpened)
    case sessionClosed(SessionClosed)
    case doseRecorded(DoseRecorded)
    case doseSkipped(DoseSkipped)
    case snoozeRecorded(SnoozeRecorded)
    case finalWakeRecorded(FinalWakeRecorded)
    case sleepEventRecorded(SleepEventRecorded)
    case checkinRecorded(CheckInRecorded)
    /// An entry that is no part of a session's fold; the kind in its payload decides what happens at each place.
    case entry(EntryPayload)
    case entryAmended(EntryAmended)
    case entryDeleted(EntryDeleted)
    case actionUndone(ActionUndone)
    case settingChanged(SettingChanged)
    case reminderFired(ReminderFired)
    case reminderDropped(ReminderDropped)
    case reminderDelivered(ReminderDelivered)
    case reminderAcknowledged(ReminderAcknowledged)
    case clockStepped(ClockStepped)
    case storeRestored(StoreRestored)
    case importRecorded(ImportRecorded)

    public var type: EventType {
        switch self {
        case .sessionOpened: .sessionOpened
        case .sessionClosed: .sessionClosed
        case .doseRecorded: .doseRecorded
        case .doseSkipped: .doseSkipped
        case .snoozeRecorded: .snoozeRecorded
        case .finalWakeRecorded: .finalWakeRecorded
        case .sleepEventRecorded: .sleepEventRecorded
        case .checkinRecorded: .checkinRecorded
        case .entry(let payload): payload.type
        case .entryAmended: .entryAmended
        case .entryDeleted: .entryDeleted
        case .actionUndone: .actionUndone
        case .settingChanged: .settingChanged
        case .reminderFired: .reminderFired
        case .reminderDropped: .reminderDropped
        case .reminderDelivered: .reminderDelivered
        case .reminderAcknowledged: .reminderAcknowledged
        case .clockStepped: .clockStepped
        case .storeRestored: .storeRestored
        case .importRecorded: .importRecorded
        }
    }

    /// The reminder of the event, by identity; nil for an event about anything else.
    public var reminder: ReminderPlan.Item? {
        switch self {
        case .reminderFired(let payload): ReminderPlan.Item(id: payload.reminder, due: payload.due)
        case .reminderDropped(let payload): ReminderPlan.Item(id: payload.reminder, due: payload.due)
        case .reminderDelivered(let payload): ReminderPlan.Item(id: payload.reminder, due: payload.due)
        case .reminderAcknowledged(let payload): ReminderPlan.Item(id: payload.reminder, due: payload.due)
        default: nil
        }
    }

    /// The person's input with an action; nil for what follows from time.
    public var request: Request? {
        switch self {
        case .doseRecorded(let payload): payload.request
        case .doseSkipped(let payload): payload.request
        case .snoozeRecorded(let payload): payload.request
        case .finalWakeRecorded(let payload): payload.request
        case .sleepEventRecorded(let payload): payload.request
        case .checkinRecorded(let payload): payload.request
        case .entry(let payload): payload.value.request
        case .entryAmended(let payload): payload.request
        case .entryDeleted(let payload): payload.request
        case .actionUndone(let payload): payload.request
        default: nil
        }
    }

    /// True for a change that time alone makes to a night.
    var followsFromTime: Bool {
        switch self {
        case .sessionClosed: true
        case .doseSkipped(let payload): payload.isAutomatic
        default: false
        }
    }

    /// The action from which this event follows, if both were recorded together.
    public var cause: EventID? {
        switch self {
        case .sessionOpened(let payload): payload.cause
        case .sessionClosed(let payload): payload.cause
        case .doseSkipped(let payload): payload.cause
        case .settingChanged(let payload): payload.cause
        case .reminderDropped(let payload): payload.cause
        default: nil
        }
    }
}

/// The payload column: one JSON object with a version; unknown keys are ignored when read.
extension EventPayload {
    /// Version written with every payload.
    public static let version: Int64 = 1

    /// Returns the object for the payload column, with `origin` in it.
    public func json(origin: Origin?) -> JSONValue {
        var object = JSONObject()
        object["v"] = .integer(Self.version)
        write(into: &object)
        if let origin {
            var detail = JSONObject()
            detail["sender"] = origin.sender.map(JSONValue.string)
            detail["pid"] = origin.processID.map { .integer(Int64($0)) }
            detail["comm"] = origin.command.map(JSONValue.string)
            object["origin"] = .object(detail)
        }
        return .object(object)
    }

    private func write(into object: inout JSONObject) {
        switch self {
        case .sessionOpened(let payload):
            object["session_date"] = .string(payload.date.text)
            object["backfilled"] = .bool(payload.backfilled)
            object["rules"] = payload.rules.json
            object["cause"] = payload.cause.map { .string($0.text) }
        case .sessionClosed(let payload):
            object["terminal_state"] = .string(payload.state.rawValue)
            object["cause"] = payload.cause.map { .string($0.text) }
        case .doseRecorded(let payload): payload.write(into: &object)
        case .doseSkipped(let payload): payload.write(into: &object)
        case .snoozeRecorded(let payload): payload.write(into: &object)
        case .finalWakeRecorded(let payload): payload.write(into: &object)
        case .sleepEventRecorded(let payload): payload.write(into: &object)
        case .checkinRecorded(let payload): payload.write(into: &object)
        case .entry(let payload): payload.value.write(into: &object)
        case .entryAmended(let payload):
            object["target"] = .string(payload.target.text)
            object["at"] = payload.at.map(JSONValue.instant)
            object["session_date"] = payload.date.map { .string($0.text) }
            object["amount_mg"] = payload.amountMilligrams.map { .integer(Int64($0)) }
            object["note"] = payload.note.map(JSONValue.string)
            object["request"] = payload.request.json
        case .entryDeleted(let payload):
            object["target"] = .string(payload.target.text)
            object["reason"] = payload.reason.map(JSONValue.string)
            object["request"] = payload.request.json
        case .actionUndone(let payload):
            object["action"] = .string(payload.action.text)
            object["events"] = .array(payload.events.map { .string($0.text) })
            object["request"] = payload.request.json
        case .settingChanged(let payload):
            object["rules"] = payload.rules.json
            object["cause"] = payload.cause.map { .string($0.text) }
        case .reminderFired(let payload):
            object["reminder"] = .string(payload.reminder.rawValue)
            object["due"] = .instant(payload.due)
        case .reminderDropped(let payload):
            object["reminder"] = .string(payload.reminder.rawValue)
            object["due"] = .instant(payload.due)
            object["reason"] = .string(payload.reason.rawValue)
            object["cause"] = payload.cause.map { .string($0.text) }
        case .reminderDelivered(let payload):
            object["reminder"] = .string(payload.reminder.rawValue)
            object["due"] = .instant(payload.due)
            object["channel"] = .string(payload.channel.text)
            object["late_ms"] = .integer(payload.lateMilliseconds)
        case .reminderAcknowledged(let payload):
            object["reminder"] = .string(payload.reminder.rawValue)
            object["due"] = .instant(payload.due)
            object["by"] = .string(payload.by.rawValue)
            object["action"] = payload.action.map { .string($0.text) }
        case .clockStepped(let payload):
            object["by_ms"] = .integer(payload.byMilliseconds)
            object["suspect"] = .bool(payload.suspect)
            object["elapsed_ms"] = payload.elapsedMilliseconds.map(JSONValue.integer)
            object["most_ms"] = payload.mostMilliseconds.map(JSONValue.integer)
            object["by_clock_ms"] = payload.byWallMilliseconds.map(JSONValue.integer)
        case .storeRestored(let payload):
            object["expected_seq"] = .integer(payload.expectedSequence)
            object["found_seq"] = .integer(payload.foundSequence)
            object["finding"] = .string(payload.finding)
            if payload.isByPerson { object["by_person"] = .bool(true) }
        case .importRecorded(let payload): payload.write(into: &object)
        }
    }

    /// Reads a payload column.
    ///
    /// - Throws: ``PayloadError`` naming the key that is missing or malformed.
    public init(type: EventType, json: JSONValue) throws(PayloadError) {
        let reader = try PayloadReader("payload of a \(type.rawValue) event", json: json)
        switch type {
        case .sessionOpened:
            self = .sessionOpened(
                SessionOpened(
                    date: try reader.date("session_date"), backfilled: try reader.bool("backfilled"),
                    rules: try NightRules(reader.nested("rules")), cause: try reader.optionalEventID("cause")))
        case .sessionClosed:
            self = .sessionClosed(
                SessionClosed(
                    state: try reader.word("terminal_state"), cause: try reader.optionalEventID("cause")))
        case .doseRecorded: self = .doseRecorded(try DoseRecorded(reader))
        case .doseSkipped: self = .doseSkipped(try DoseSkipped(reader))
        case .snoozeRecorded: self = .snoozeRecorded(try SnoozeRecorded(reader))
        case .finalWakeRecorded: self = .finalWakeRecorded(try FinalWakeRecorded(reader))
        case .sleepEventRecorded: self = .sleepEventRecorded(try SleepEventRecorded(reader))
        case .checkinRecorded: self = .checkinRecorded(try CheckInRecorded(reader))
        case .entryAmended:
            self = .entryAmended(
                EntryAmended(
                    target: try reader.eventID("target"), at: try reader.optionalInstant("at"),
                    date: try reader.value("session_date") == nil ? nil : reader.date("session_date"),
                    amountMilligrams: try reader.optionalInteger("amount_mg"),
                    note: try reader.optionalString("note"), request: try reader.request()))
        case .entryDeleted:
            self = .entryDeleted(
                EntryDeleted(
                    target: try reader.eventID("target"), reason: try reader.optionalString("reason"),
                    request: try reader.request()))
        case .actionUndone:
            self = .actionUndone(
                ActionUndone(
                    action: try reader.eventID("action"), events: try reader.eventIDs("events"),
                    request: try reader.request()))
        case .settingChanged:
            self = .settingChanged(
                SettingChanged(
                    rules: try NightRules(reader.nested("rules")), cause: try reader.optionalEventID("cause")))
        case .reminderFired:
            self = .reminderFired(
                ReminderFired(reminder: try reader.word("reminder"), due: try reader.instant("due")))
        case .reminderDropped:
            self = .reminderDropped(
                ReminderDropped(
                    reminder: try reader.word("reminder"), due: try reader.instant("due"),
                    reason: try reader.word("reason"), cause: try reader.optionalEventID("cause")))
        case .reminderDelivered:
            self = .reminderDelivered(
                ReminderDelivered(
                    reminder: try reader.word("reminder"), due: try reader.instant("due"),
                    channel: try reader.channel("channel"), lateMilliseconds: Int64(try reader.integer("late_ms"))))
        case .reminderAcknowledged:
            self = .reminderAcknowledged(
                ReminderAcknowledged(
                    reminder: try reader.word("reminder"), due: try reader.instant("due"), by: try reader.word("by"),
                    action: try reader.optionalEventID("action")))
        case .clockStepped:
            var stepped = ClockStepped(
                byMilliseconds: Int64(try reader.integer("by_ms")), suspect: try reader.bool("suspect"))
            stepped.elapsedMilliseconds = try reader.optionalInteger("elapsed_ms").map { Int64($0) }
            stepped.mostMilliseconds = try reader.optionalInteger("most_ms").map { Int64($0) }
            stepped.byWallMilliseconds = try reader.optionalInteger("by_clock_ms").map { Int64($0) }
            self = .clockStepped(stepped)
        case .storeRestored:
            self = .storeRestored(
                StoreRestored(
                    expectedSequence: Int64(try reader.integer("expected_seq")),
                    foundSequence: Int64(try reader.integer("found_seq")), finding: try reader.string("finding"),
                    isByPerson: try reader.flag("by_person")))
        case .importRecorded: self = .importRecorded(try ImportRecorded(reader))
        default:
            guard let kind = type.kind else { throw reader.fault("") }
            self = .entry(EntryPayload(try kind.init(reader)))
        }
    }

    /// The origin kept in a payload column, if any.
    public static func origin(in json: JSONValue) -> Origin? {
        guard case .object(let object) = json, case .object(let detail)? = object["origin"] else { return nil }
        return Origin(
            sender: detail["sender"]?.stringValue, processID: detail["pid"]?.integerValue.flatMap(Int32.init(exactly:)),
            command: detail["comm"]?.stringValue)
    }
}

extension Request {
    var json: JSONValue {
        var object = JSONObject()
        object["at"] = at.map(JSONValue.instant)
        if isAgo { object["ago"] = .bool(true) }
        if !confirmations.isEmpty {
            object["confirm"] = .array(confirmations.map { .string($0.rawValue) })
        }
        return .object(object)
    }
}
