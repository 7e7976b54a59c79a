import DoseTapDomain
import GRDB

/// The rows of what was noted of the stock.
struct InventoryRows: EntryRows {
    static let entity = EntityType.inventory
    static let table = ProjectionTable.inventoryEvents
    let database: Database

    func row(of id: String) throws -> TableRow? {
        let events = try Store.events(database, about: id, .inventory)
        guard let entry = InventoryEntry(events: events), entry.isStanding else { return nil }
        var columns: [String: (any DatabaseValueConvertible)?] = [
            "id": entry.id.text, "kind": entry.item.kind.rawValue, "medication_id": entry.item.medicationID,
            "target_id": entry.item.target?.text, "session_date": entry.date.text, "at_utc": entry.at.iso8601,
            "local_offset_minutes": entry.event.localOffsetMinutes, "reason": entry.recorded.reason,
            "notes": entry.note, "created_at": entry.event.occurredAt.iso8601,
        ]
        switch entry.item {
        case .bottles(let bottles):
            columns["unit_mg"] = bottles.milligrams
            columns["concentration"] = bottles.concentration?.text
            columns["bottle_count"] = bottles.count
        case .cup(let cup):
            columns["amount_mg"] = cup.milligrams
            columns["dose_type"] = cup.dose?.rawValue
            columns["regimen_id"] = cup.regimenID?.text
        case .counted(let count):
            columns["amount_mg"] = count.milligrams
            columns["concentration"] = count.concentration?.text
            columns["packet_mg"] = count.packetMilligrams
        case .cupDiscarded, .bottleDiscarded: break
        }
        return TableRow(.inventoryEvents, Self.table.columns.map { columns[$0] ?? nil })
    }

    /// What a row selected with the table's columns says.
    static func movement(_ row: Row) throws -> StockMovement {
        func word<Word: RawRepresentable>(_ column: String) throws -> Word where Word.RawValue == String {
            guard let text = row[column] as String?, let word = Word(rawValue: text) else { throw fault(column) }
            return word
        }
        func text(_ column: String) throws -> String {
            guard let text = row[column] as String? else { throw fault(column) }
            return text
        }
        func number(_ column: String) throws -> Int {
            guard let number = row[column] as Int? else { throw fault(column) }
            return number
        }
        let concentration = (row["concentration"] as String?).flatMap { Concentration(text: $0) }
        let item: InventoryItem
        switch try word("kind") as InventoryItem.Kind {
        case .bottleReceived:
            item = .bottles(
                .init(
                    medicationID: try text("medication_id"), milligrams: try number("unit_mg"),
                    concentration: concentration, count: try number("bottle_count")))
        case .cupPoured:
            item = .cup(
                .init(
                    medicationID: try text("medication_id"), milligrams: row["amount_mg"],
                    dose: (row["dose_type"] as String?).flatMap(DoseKind.init(rawValue:)),
                    regimenID: (row["regimen_id"] as String?).map(EventID.init)))
        case .cupDiscarded: item = .cupDiscarded(EventID(try text("target_id")))
        case .bottleDiscarded: item = .bottleDiscarded(EventID(try text("target_id")))
        case .stockCounted:
            item = .counted(
                .init(
                    medicationID: try text("medication_id"), milligrams: try number("amount_mg"),
                    concentration: concentration, packetMilligrams: row["packet_mg"],
                    target: (row["target_id"] as String?).map(EventID.init)))
        }
        return StockMovement(
            id: EventID(try text("id")), at: try Instant(iso8601: try text("at_utc")),
            date: try SessionDate(text: try text("session_date")), what: .item(item))
    }

    private static func fault(_ column: String) -> StoreError {
        StoreError(
            code: .damaged, context: "a row of the inventory cannot be read; 'dosetap db rebuild' makes it anew",
            underlying: column)
    }
}
