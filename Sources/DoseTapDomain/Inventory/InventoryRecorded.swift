/// Something of the stock was noted, at the event's effective instant. How much there is follows from all of it and is
/// written nowhere.
public struct InventoryRecorded: Hashable, Sendable {
    /// What was noted.
    public var item: InventoryItem
    /// The session date it counts under.
    public var date: SessionDate
    /// Why, for what is thrown away or counted anew.
    public var reason: String?
    /// The person's words.
    public var note: String?
    /// What the surface said.
    public var request: Request

    /// Memberwise.
    public init(item: InventoryItem, date: SessionDate, reason: String?, note: String?, request: Request) {
        self.item = item
        self.date = date
        self.reason = reason
        self.note = note
        self.request = request
    }
}

extension InventoryRecorded {
    func write(into object: inout JSONObject) {
        item.write(into: &object)
        object["session_date"] = .string(date.text)
        object["reason"] = reason.map(JSONValue.string)
        object["note"] = note.map(JSONValue.string)
        object["request"] = request.json
    }

    init(_ reader: PayloadReader) throws(PayloadError) {
        self.init(
            item: try InventoryItem(reader), date: try reader.date("session_date"),
            reason: try reader.optionalString("reason"), note: try reader.optionalString("note"),
            request: try reader.request())
    }
}
