import DoseTapDomain
import GRDB

/// The rows of pre-sleep logs. They are no session's own: which one a log belongs to follows from the table of
/// sessions, which is written first.
struct PreSleepRows: EntryRows {
    static let entity = EntityType.preSleep
    static let table = ProjectionTable.preSleepLogs
    let database: Database

    /// The row of a log; nil when it does not stand.
    func row(of id: String) throws -> TableRow? {
        guard let log = PreSleepLog(events: try Store.events(database, about: id, .preSleep)), log.isStanding else {
            return nil
        }
        return TableRow(
            .preSleepLogs,
            [
                log.id.text, try link(of: log), log.at.iso8601, log.event.localOffsetMinutes, log.completion.rawValue,
                JSONValue.object(log.answers.values).serialized(), log.event.occurredAt.iso8601,
            ])
    }

    /// Finds the sessions anew of the logs that one which came or went may have had.
    func relink(_ changes: [SessionChange]) throws {
        for change in changes where (change.before == nil) != (change.after == nil) {
            guard let start = (change.before ?? change.after)?.start else { continue }
            let sql = "SELECT id FROM pre_sleep_logs WHERE created_at_utc BETWEEN ? AND ?"
            let ids = try String.fetchAll(
                database.cachedStatement(sql: sql), arguments: [(start - PreSleepLog.reach).iso8601, start.iso8601])
            for id in ids { try write(id) }
        }
    }

    private func link(of log: PreSleepLog) throws -> String? {
        let sql = """
            SELECT session_id, start_utc FROM sleep_sessions WHERE start_utc BETWEEN ? AND ?
            ORDER BY start_utc, created_at, session_id
            """
        let found = try Row.fetchAll(
            database.cachedStatement(sql: sql),
            arguments: [log.at.iso8601, (log.at + PreSleepLog.reach).iso8601])
        let sessions = try found.compactMap { row -> (id: SessionID, start: Instant)? in
            guard let id = row[0] as String?, let start = row[1] as String? else { return nil }
            return (SessionID(id), try Instant(iso8601: start))
        }
        return log.link(among: sessions)?.text
    }
}
