/// Something noted of the stock, folded from the events about it, amendments applied.
public typealias InventoryEntry = EntryOf<InventoryRecorded>

extension InventoryEntry {
    /// What it says now.
    public var item: InventoryItem { now.item }
    /// The session date it counts under.
    public var date: SessionDate { now.date }
    /// The person's words.
    public var note: String? { now.note?.isEmpty == true ? nil : now.note }
    /// What it does to the stock.
    public var movement: StockMovement { StockMovement(id: id, at: at, date: date, what: .item(item)) }
}

extension Diary {
    /// What is loaded of the inventory, what was undone and deleted included.
    public var inventory: [InventoryEntry] { standalone.of() }
}
