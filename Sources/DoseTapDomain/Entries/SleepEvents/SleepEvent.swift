/// The person got up for good.
public struct FinalWakeRecorded: Hashable, Sendable {
    /// The person's words.
    public var note: String?
    /// What the surface said.
    public var request: Request

    /// Memberwise.
    public init(note: String?, request: Request) {
        self.note = note
        self.request = request
    }
}

/// Something happened beside the doses, at the event's effective instant.
public struct SleepEventRecorded: Hashable, Sendable {
    /// Wire word of its type.
    public var type: String
    /// The person's words.
    public var note: String?
    /// What the surface said.
    public var request: Request

    /// Memberwise.
    public init(type: String, note: String?, request: Request) {
        self.type = type
        self.note = note
        self.request = request
    }
}

extension FinalWakeRecorded {
    func write(into object: inout JSONObject) {
        object["note"] = note.map(JSONValue.string)
        object["request"] = request.json
    }

    init(_ reader: PayloadReader) throws(PayloadError) {
        self.init(note: try reader.optionalString("note"), request: try reader.request())
    }
}

extension SleepEventRecorded {
    func write(into object: inout JSONObject) {
        object["type"] = .string(type)
        object["note"] = note.map(JSONValue.string)
        object["request"] = request.json
    }

    init(_ reader: PayloadReader) throws(PayloadError) {
        self.init(
            type: try reader.string("type"), note: try reader.optionalString("note"), request: try reader.request())
    }
}

/// A active final wake.
public struct FinalWake: Hashable, Sendable {
    /// The event that recorded the final wake.
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

/// A active sleep event.
public struct SleepEvent: Hashable, Sendable {
    /// The event that recorded it.
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
