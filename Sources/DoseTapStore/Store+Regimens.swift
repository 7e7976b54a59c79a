import DoseTapDomain
import GRDB

extension Store {
    /// The events about all standing regimens, and those lately corrected, one array per regimen.
    static func regimens(_ database: Database, touchedBy recent: [Event]) throws -> [[Event]] {
        var ids = try String.fetchAll(database.cachedStatement(sql: "SELECT id FROM regimens ORDER BY id"))
        for event in recent where event.entityType == .regimen && !ids.contains(event.entityID) {
            ids.append(event.entityID)
        }
        return try ids.map { try events(database, about: $0, .regimen) }
    }
}
