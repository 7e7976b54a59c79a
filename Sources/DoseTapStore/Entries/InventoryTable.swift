public import DoseTapDomain
import GRDB

extension EntryTable {
    static let inventoryEvents = EntryTable(
        .inventory, "inventory_events", time: "at_utc",
        [
            "id": { entry, _ in entry.id.text },
            "kind": item { $0.kind.rawValue },
            "medication_id": item { $0.medicationID },
            "unit_mg": item { if case .bottles(let bottles) = $0 { bottles.milligrams } else { nil } },
            "concentration": item { item in
                switch item {
                case .bottles(let bottles): bottles.concentration?.text
                case .counted(let count): count.concentration?.text
                case .cup, .cupDiscarded, .bottleDiscarded: nil
                }
            },
            "bottle_count": item { if case .bottles(let bottles) = $0 { bottles.count } else { nil } },
            "amount_mg": item { item in
                switch item {
                case .cup(let cup): cup.milligrams
                case .counted(let count): count.milligrams
                case .bottles, .cupDiscarded, .bottleDiscarded: nil
                }
            },
            "packet_mg": item { if case .counted(let count) = $0 { count.packetMilligrams } else { nil } },
            "dose_type": item { if case .cup(let cup) = $0 { cup.dose?.rawValue } else { nil } },
            "regimen_id": item { if case .cup(let cup) = $0 { cup.regimenID?.text } else { nil } },
            "target_id": item { $0.target?.text },
            "session_date": own { (noted: InventoryEntry) in noted.date.text },
            "at_utc": { entry, _ in entry.at.iso8601 },
            "local_offset_minutes": { entry, _ in entry.event.localOffsetMinutes },
            "reason": own { (noted: InventoryEntry) in noted.now.reason },
            "notes": own { (noted: InventoryEntry) in noted.note },
            "created_at": { entry, _ in entry.event.occurredAt.iso8601 },
        ])

    private static func item(_ value: @escaping @Sendable (InventoryItem) -> Value) -> Cell {
        own { (noted: InventoryEntry) in value(noted.item) }
    }

    /// Reads a movement from a row selected with the table's columns.
    fileprivate static func movement(_ row: Row) throws -> StockMovement {
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
            code: .damaged, context: "a row of the inventory cannot be read" + "; a rebuild makes it anew",
            underlying: column)
    }
}

extension Store {
    /// Returns the stock of each medicine, from the tables alone. Cups and doses are read from the time at which the first
    /// medicine begins to be followed: a full count of a medicine makes earlier entries idle.
    ///
    /// - Parameters:
    ///   - recent: the first session date for which the stock tells what each night took.
    ///   - prescribed: the medicine prescribed for a session date.
    public func stock(
        recent: SessionDate, _ prescribed: @Sendable (SessionDate) -> String?
    ) throws -> StockLedger {
        let movements = try read("reading the stock") { database -> [StockMovement] in
            // Most people keep no stock: they must not wait for it.
            guard try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM inventory_events)") == true else {
                return []
            }
            // The reading begins early enough for cups of a later dose, and for the nights whose use is told.
            let recentStart = Instant(milliseconds: Int64(recent.civil.daysSinceEpoch - 1) * 86_400_000)
            let since = try Self.stockBegins(database)
            let from = since.map { min($0 - PreparedCups.reach, recentStart) } ?? recentStart
            var movements = try Self.items(database, since: from)
            movements += try Self.doses(database, since: from)
            return movements
        }
        return StockLedger(movements.inOrder, recent: recent, prescribed)
    }

    /// Returns the time at which the first medicine begins to be followed: its last full count, else its first arrival or
    /// count.
    private static func stockBegins(_ database: Database) throws -> Instant? {
        let sql = """
            SELECT min(since) FROM (
              SELECT coalesce(max(CASE WHEN kind = 'stock_counted' AND target_id IS NULL THEN at_utc END), min(at_utc))
                AS since
              FROM inventory_events WHERE kind IN ('bottle_received', 'stock_counted')
              GROUP BY medication_id, coalesce(packet_mg, CASE WHEN concentration IS NULL THEN unit_mg END))
            """
        let text = try String.fetchOne(database.cachedStatement(sql: sql))
        return try text.map { try Instant(iso8601: $0) }
    }

    /// Reads all arrivals, discards and counts, which tell the medicine of a dose that names none, and the recent rest.
    private static func items(_ database: Database, since: Instant) throws -> [StockMovement] {
        let columns = EntryTable.inventoryEvents.table.columns.joined(separator: ",")
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(columns) FROM inventory_events
                WHERE at_utc >= ? OR kind IN ('bottle_received', 'bottle_discarded', 'stock_counted')
                """)
        let rows = try Row.fetchCursor(statement, arguments: [since.iso8601])
        var movements: [StockMovement] = []
        while let row = try rows.next() { movements.append(try EntryTable.movement(row)) }
        return movements
    }

    /// Reads the doses by way of the nights, which have an index by time; no dose lies further from the start of its night.
    private static func doses(_ database: Database, since: Instant) throws -> [StockMovement] {
        let sql = """
            SELECT d.id, d.event_type, d.timestamp, d.session_date, json_extract(d.metadata, '$.amount_mg'),
              json_extract(d.metadata, '$.medication_id')
            FROM sleep_sessions s JOIN dose_events d ON d.session_id = s.session_id
            WHERE s.start_utc >= ?1 AND d.event_type IN ('dose1', 'dose2', 'extra_dose') AND d.timestamp >= ?2
            """
        let rows = try Row.fetchCursor(
            database.cachedStatement(sql: sql), arguments: [(since - longestNight).iso8601, since.iso8601])
        var movements: [StockMovement] = []
        while let row = try rows.next() {
            guard let id = row[0] as String?, let kind = (row[1] as String?).flatMap(DoseKind.init(rawValue:)),
                let at = row[2] as String?, let date = row[3] as String?
            else {
                throw StoreError(code: .damaged, context: "a dose cannot be read" + "; a rebuild makes it anew")
            }
            movements.append(
                StockMovement(
                    id: EventID(id), at: try Instant(iso8601: at), date: try SessionDate(text: date),
                    what: .dose(.init(kind: kind, milligrams: row[4], medicationID: row[5]))))
        }
        return movements
    }
}
