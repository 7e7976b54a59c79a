/// Something noted of the stock, folded from the events about it, amendments applied.
public struct InventoryEntry: LooseEntry {
    /// All events about it, in the order of the log.
    public let events: [Event]
    /// The event that recorded it.
    public let event: Event
    /// What was recorded.
    public let recorded: InventoryRecorded
    /// What it says now.
    public let item: InventoryItem
    /// When it counts.
    public let at: Instant
    /// The session date it counts under.
    public let date: SessionDate
    /// The person's words.
    public let note: String?
    /// Neither undone nor deleted.
    public let isStanding: Bool

    /// The entry: the id of the event that recorded it.
    public var id: EventID { event.id }

    /// Folds the events about one entry.
    ///
    /// - Returns: nil when none of them records it.
    public init?(events: [Event]) {
        let undone = events.undoneIDs
        let first = events.lazy.compactMap { event -> (event: Event, payload: InventoryRecorded)? in
            if case .inventoryRecorded(let payload) = event.payload { (event, payload) } else { nil }
        }.first
        guard let found = first else { return nil }
        var isStanding = !undone.contains(found.event.id)
        var (at, date) = (found.event.effectiveAt, found.payload.date)
        var (item, note) = (found.payload.item, found.payload.note)
        for event in events where !undone.contains(event.id) {
            switch event.payload {
            case .entryAmended(let change):
                at = change.at ?? at
                date = change.date ?? date
                item = change.amountMilligrams.map(item.amended) ?? item
                note = change.note ?? note
            case .entryDeleted: isStanding = false
            default: break
            }
        }
        self.events = events
        event = found.event
        recorded = found.payload
        self.item = item
        self.at = at
        self.date = date
        self.note = note?.isEmpty == true ? nil : note
        self.isStanding = isStanding
    }

    /// The `metadata` of the entry.
    public var metadata: JSONObject {
        var object = JSONObject()
        item.write(into: &object)
        object["reason"] = recorded.reason.map(JSONValue.string)
        object["note"] = note.map(JSONValue.string)
        object["surface"] = .string(event.surface.rawValue)
        object["source"] = .string(event.surface == .importer ? "imported" : "manual")
        object["local_offset_minutes"] = .integer(Int64(event.localOffsetMinutes))
        return object
    }

    /// What it does to the stock.
    public var movement: StockMovement { StockMovement(id: id, at: at, date: date, what: .item(item)) }
}

/// Which entries of the inventory to look for.
public enum InventoryScope: Hashable, Sendable {
    /// Those that count within a span of time.
    case around(ClosedRange<Instant>)
    /// Those of a session date.
    case day(SessionDate)
    /// An entry, those that say something of it, and the one that it says something of.
    case about(EventID)
}
