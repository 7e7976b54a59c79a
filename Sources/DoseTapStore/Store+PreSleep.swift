public import DoseTapDomain
import GRDB

extension Store {
    /// The events about the pre-sleep logs that count within a span of time, one array per log.
    public func preSleepLogs(around span: ClosedRange<Instant>) throws -> [[Event]] {
        try preSleepLogs(
            where: "created_at_utc BETWEEN ? AND ?", [span.lowerBound.iso8601, span.upperBound.iso8601])
    }

    /// The events about the pre-sleep logs that belong to a session, one array per log.
    public func preSleepLogs(of session: SessionID) throws -> [[Event]] {
        try preSleepLogs(where: "session_id = ?", [session.text])
    }

    private func preSleepLogs(where condition: String, _ arguments: StatementArguments) throws -> [[Event]] {
        try read("reading pre-sleep logs") { database in
            try Self.preSleepLogs(database, where: condition, arguments)
        }
    }

    static func preSleepLogs(
        _ database: Database, where condition: String, _ arguments: StatementArguments
    ) throws -> [[Event]] {
        let sql = "SELECT id FROM pre_sleep_logs WHERE \(condition) ORDER BY created_at_utc, id"
        let ids = try String.fetchAll(database.cachedStatement(sql: sql), arguments: arguments)
        return try ids.map { try Self.events(database, about: $0, .preSleep) }
    }
}
