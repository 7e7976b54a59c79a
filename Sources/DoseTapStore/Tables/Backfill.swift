import DoseTapDomain
import GRDB

/// Fills a table that a migration has made from the log. A night that cannot be read is left out, for an unreadable one must
/// not keep the store from opening; `check` names it.
struct Backfill {
    let database: Database

    func fill(_ tables: Set<ProjectionTable>) throws {
        let writer = TableWriter(database: database)
        for id in try SessionStream.ids(database) {
            guard let night = Session(events: (try? Store.events(database, ofSession: id)) ?? []) else { continue }
            for row in SessionRows.of(night) where tables.contains(row.table) { try writer.insert(row) }
        }
    }
}
