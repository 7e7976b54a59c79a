public import DoseTapDomain
import GRDB

extension Store {
    /// The events about the standing entries of a scope, one array per entry, in log order.
    public func inventory(_ scope: InventoryScope) throws -> [[Event]] {
        try read("reading the inventory") { try Self.inventory($0, scope) }
    }

    static func inventory(_ database: Database, _ scope: InventoryScope) throws -> [[Event]] {
        let condition: String
        let arguments: StatementArguments
        switch scope {
        case .around(let span):
            condition = "at_utc BETWEEN ? AND ?"
            arguments = [span.lowerBound.iso8601, span.upperBound.iso8601]
        case .day(let date):
            condition = "session_date = ?"
            arguments = [date.text]
        case .about(let id):
            condition = "id = ?1 OR target_id = ?1 OR id = (SELECT target_id FROM inventory_events WHERE id = ?1)"
            arguments = [id.text]
        }
        let statement = try database.cachedStatement(
            sql: "SELECT id FROM inventory_events WHERE \(condition) ORDER BY at_utc, id")
        let ids = try String.fetchAll(statement, arguments: arguments)
        return try ids.map { try events(database, about: $0, .inventory) }
    }

    /// The entries of the last nights, those they speak of, and those that were lately corrected.
    static func recentInventory(
        _ database: Database, since moment: Instant, touchedBy recent: [Event]
    ) throws -> [[Event]] {
        var entries = try inventory(database, .around(moment...Instant.max))
        var seen = Set(entries.compactMap(\.first?.entityID))
        let touched = recent.filter { $0.entityType == .inventory && seen.insert($0.entityID).inserted }
        entries += try touched.map { try events(database, about: $0.entityID, .inventory) }
        return entries
    }

    /// What there is of each medicine, from the tables alone. Cups and doses are read from where the first medicine begins
    /// to be followed: a count of all there is of it makes what was before it idle.
    ///
    /// - Parameters:
    ///   - recent: from this session date on it is told what each night took.
    ///   - prescribed: the medicine prescribed for a session date.
    public func stock(
        recent: SessionDate, _ prescribed: @Sendable (SessionDate) -> String?
    ) throws -> StockLedger {
        let movements = try read("reading the stock") { database -> [StockMovement] in
            // Most people keep none: they are not kept waiting for it.
            guard try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM inventory_events)") == true else {
                return []
            }
            // Cups that a later dose is drunk from, and the nights of which is told what they took.
            let recentStart = Instant(milliseconds: Int64(recent.civil.daysSinceEpoch - 1) * 86_400_000)
            let since = try Self.stockBegins(database)
            let from = since.map { min($0 - PreparedCups.reach, recentStart) } ?? recentStart
            var movements = try Self.items(database, since: from)
            movements += try Self.doses(database, since: from)
            return movements
        }
        return StockLedger(movements.inOrder, recent: recent, prescribed)
    }

    /// When the first medicine begins to be followed: at its last count of all there is, else with what came in first.
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

    /// All that ever came in, for it says which medicine a dose is of that names none; of the rest what is recent.
    private static func items(_ database: Database, since: Instant) throws -> [StockMovement] {
        let columns = ProjectionTable.inventoryEvents.columns.joined(separator: ",")
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(columns) FROM inventory_events
                WHERE at_utc >= ? OR kind IN ('bottle_received', 'bottle_discarded', 'stock_counted')
                """)
        let rows = try Row.fetchCursor(statement, arguments: [since.iso8601])
        var movements: [StockMovement] = []
        while let row = try rows.next() { movements.append(try InventoryRows.movement(row)) }
        return movements
    }

    /// By way of the nights, which have an index by time; no dose lies further from the start of its night.
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
                throw StoreError(code: .damaged, context: "a dose cannot be read; 'dosetap db rebuild' makes it anew")
            }
            movements.append(
                StockMovement(
                    id: EventID(id), at: try Instant(iso8601: at), date: try SessionDate(text: date),
                    what: .dose(.init(kind: kind, milligrams: row[4], medicationID: row[5]))))
        }
        return movements
    }
}
