import DoseTapDomain
import GRDB

/// The rows of a table whose entries are no part of a session's fold: each follows from the events about it.
protocol EntryRows {
    /// What the events are about.
    static var entity: EntityType { get }
    /// The table.
    static var table: ProjectionTable { get }
    var database: Database { get }
    /// The row of an entry; nil when it does not stand.
    func row(of id: String) throws -> TableRow?
}

extension EntryRows {
    /// All tables of that kind.
    static func all(_ database: Database) -> [any EntryRows] {
        [
            PreSleepRows(database: database), MedicationRows(database: database), RegimenRows(database: database),
            InventoryRows(database: database),
        ]
    }

    /// All entries there are, deleted ones included.
    func ids() throws -> [String] {
        try String.fetchAll(
            database,
            sql: "SELECT entity_id FROM events NOT INDEXED WHERE entity_type = ? GROUP BY entity_id ORDER BY MIN(seq)",
            arguments: [Self.entity.rawValue])
    }

    /// Writes what events say about entries.
    func refresh(_ events: [Event]) throws {
        var seen: Set<String> = []
        for event in events where event.entityType == Self.entity && seen.insert(event.entityID).inserted {
            try write(event.entityID)
        }
    }

    /// Writes the row of an entry, or takes it away.
    func write(_ id: String) throws {
        if let row = try row(of: id) {
            try TableWriter(database: database).insert(row)
        } else {
            try TableWriter(database: database).delete(Self.table, id.databaseValue)
        }
    }
}
