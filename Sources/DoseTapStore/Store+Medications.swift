public import DoseTapDomain
import GRDB

extension Store {
    /// The events about the standing medicines of a scope, one array per entry, in log order; the newest first where they
    /// are asked for as such.
    public func medications(_ scope: MedicationScope) throws -> [[Event]] {
        try read("reading medicines") { try Self.medications($0, scope) }
    }

    static func medications(_ database: Database, _ scope: MedicationScope) throws -> [[Event]] {
        let condition: String
        let arguments: StatementArguments
        switch scope {
        case .around(let span):
            condition = "WHERE taken_at_utc BETWEEN ? AND ? ORDER BY taken_at_utc, id"
            arguments = [span.lowerBound.iso8601, span.upperBound.iso8601]
        case .night(let session, let date):
            condition = """
                WHERE session_id = ? OR session_id IS NULL AND session_date = ? ORDER BY taken_at_utc, id
                """
            arguments = [session.text, date.text]
        case .day(let date):
            condition = "WHERE session_id IS NULL AND session_date = ? ORDER BY taken_at_utc, id"
            arguments = [date.text]
        case .newest(let limit):
            condition = "ORDER BY taken_at_utc DESC, id DESC LIMIT ?"
            arguments = [max(0, limit)]
        }
        let statement = try database.cachedStatement(sql: "SELECT id FROM medication_events \(condition)")
        let ids = try String.fetchAll(statement, arguments: arguments)
        return try ids.map { try events(database, about: $0, .medication) }
    }

    /// The events about one entry; none when there is none.
    public func events(about id: EventID, _ entity: EntityType) throws -> [Event] {
        try read("reading an entry") { try Self.events($0, about: id.text, entity) }
    }

    static func events(_ database: Database, about id: String, _ entity: EntityType) throws -> [Event] {
        try rows(
            database,
            "SELECT \(LogRow.columns) FROM events WHERE entity_id = ? AND entity_type = ? ORDER BY seq",
            [id, entity.rawValue]
        ).map { try $0.event() }
    }
}
