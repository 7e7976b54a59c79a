/// An item of the stock was noted, at the event's effective instant. The present stock follows from all items and is written
/// nowhere.
public struct InventoryRecorded: Hashable, Sendable {
    public var item: InventoryItem
    /// The session date under which the item counts.
    public var date: SessionDate
    /// The reason, for an item that is thrown away or counted anew.
    public var reason: String?
    /// The person's words.
    public var note: String?
    /// The person's input.
    public var request: Request

    public init(item: InventoryItem, date: SessionDate, reason: String?, note: String?, request: Request) {
        self.item = item
        self.date = date
        self.reason = reason
        self.note = note
        self.request = request
    }
}

extension EventPayload {
    public static func inventoryRecorded(_ noted: InventoryRecorded) -> EventPayload { .entry(EntryPayload(noted)) }
}

extension InventoryRecorded: EntryKind {
    static var type: EventType { .inventoryRecorded }
    static var entity: EntityType { .inventory }
    static var words: String { "an entry of the inventory" }
    static var isShownInNight: Bool { false }
    static var list: (key: String, prose: String)? { ("inventory", "what was noted of the stock") }
    static var refersToOthers: Bool { true }

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

    var countsUnder: SessionDate? {
        get { date }
        set { date = newValue ?? date }
    }

    mutating func amend(_ change: EntryAmended) {
        date = change.date ?? date
        item = change.amountMilligrams.map(item.amended) ?? item
        note = change.note ?? note
    }

    func details(_ event: Event) -> JSONObject {
        var object = JSONObject()
        item.write(into: &object)
        object["reason"] = reason.map(JSONValue.string)
        return object
    }

    var amounts: ClosedRange<Int> { item.isStock ? InventoryDraft.milligrams : Bounds.amountMilligrams }
    var medicine: (id: String?, date: SessionDate?, concentration: Concentration?) {
        (item.medicationID, date, item.concentration)
    }
}

extension InventoryRecorded {
    /// The name that people use for the item.
    var names: [String] {
        switch item {
        case .bottles: ["bottle"]
        case .cup: ["cup"]
        case .cupDiscarded, .bottleDiscarded: ["discard"]
        case .counted: ["count"]
        }
    }

    var rules: [RuleNote] {
        switch item {
        case .bottles:
            [RuleNote("R14.1", "What there is follows from what came in and went out; it is stored nowhere.")]
        case .cup:
            [
                RuleNote(
                    "R14.3", "A cup is taken out of the bottle when it is poured; the dose drunk from it takes no more."
                )
            ]
        case .cupDiscarded: [RuleNote("R14.4", "A cup that was thrown away stays lost, and no dose is drunk from it.")]
        case .bottleDiscarded: [RuleNote("R14.5", "With a bottle goes what was left in it.")]
        case .counted: [RuleNote("R14.6", "What was counted goes before all that was noted earlier.")]
        }
    }
}

/// A noted item of the stock, folded from the events about it, amendments applied.
public typealias InventoryEntry = EntryOf<InventoryRecorded>

extension InventoryEntry {
    /// The present item, amendments applied.
    public var item: InventoryItem { now.item }
    /// The session date under which the item counts.
    public var date: SessionDate { now.date }
    /// The person's words.
    public var note: String? { now.note?.isEmpty == true ? nil : now.note }
    /// The change of the stock by the entry.
    public var movement: StockMovement { StockMovement(id: id, at: at, date: date, what: .item(item)) }
}

extension LogState {
    /// Loaded entries of the inventory, those undone and deleted included.
    public var inventory: [InventoryEntry] { standalone.of() }
}
