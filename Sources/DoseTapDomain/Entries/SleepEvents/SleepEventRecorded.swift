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
