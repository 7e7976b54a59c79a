import DoseTapDomain
import GRDB

/// Recreates the tables from the log; runs inside a transaction.
struct Rebuild {
    /// Events read.
    private(set) var events: Int64 = 0
    /// Rows written.
    private(set) var rows: Int64 = 0

    init(_ database: Database) throws {
        try database.execute(sql: "REINDEX")
        let writer = TableWriter(database: database)
        for table in ProjectionTable.all { try writer.deleteRows(of: table) }
        var newestOpen: (start: Instant, row: TableRow)?
        for id in try SessionStream.ids(database) {
            let events = try Store.events(database, ofSession: id)
            self.events += Int64(events.count)
            guard let session = Session(events: events) else { continue }
            for row in SessionRows.of(session) {
                guard row.table != .currentSession else {
                    if newestOpen.map({ $0.start <= session.start }) ?? true { newestOpen = (session.start, row) }
                    continue
                }
                try writer.insert(row)
                rows += 1
            }
        }
        if let newestOpen {
            try writer.insert(newestOpen.row)
            rows += 1
        }
        for entries in EntryTable.all {
            for id in try entries.ids(database) {
                guard let row = try entries.row(of: id, database) else { continue }
                try writer.insert(row)
                rows += 1
            }
        }
        events += try Int64.fetchOne(database, sql: "SELECT count(*) FROM events WHERE session_id IS NULL") ?? 0
    }
}
