import DoseTapDomain
import GRDB

/// Makes rows of the nights from the log, in tables that a migration has made or whose rows it makes anew. A night that
/// cannot be read keeps the rows it has, for an unreadable one must not keep the store from opening; `check` names it.
struct Backfill {
    let database: Database

    func fill(_ tables: Set<ProjectionTable>) throws {
        let writer = TableWriter(database: database)
        var newestOpen: (start: Instant, row: TableRow)?
        for id in try SessionStream.ids(database) {
            guard let events = try? Store.events(database, ofSession: id) else { continue }
            for table in tables { try writer.deleteRows(of: table, session: id) }
            guard let night = Session(events: events) else { continue }
            for row in SessionRows.of(night) where tables.contains(row.table) {
                guard row.table == .currentSession else {
                    try writer.insert(row)
                    continue
                }
                if newestOpen.map({ $0.start <= night.start }) ?? true { newestOpen = (night.start, row) }
            }
        }
        if let newestOpen { try writer.insert(newestOpen.row) }
    }
}
