public import DoseTapDomain
import GRDB

extension Store {
    /// Sessions that ended within this time before now are loaded at start.
    static let recentNights: Duration = .hours(48)
    /// At most so many ended sessions are loaded at start.
    static let mostRecentNights = 8
    /// No session is longer: its closing instants lie within two days of its start, so older ones need no look.
    static let longestNight: Duration = .hours(7 * 24)

    /// What is needed at start; its cost does not grow with history.
    ///
    /// Sessions named by the last events of the log are looked at whatever the tables say.
    public func load(now: Instant) throws -> LogSnapshot {
        let head = try self.head
        let snapshot = try read("reading the log") { database in
            var ids = try String.fetchAll(
                database.cachedStatement(
                    sql: "SELECT session_id FROM current_session WHERE session_id IS NOT NULL"))
            ids += try String.fetchAll(
                database.cachedStatement(
                    sql: "SELECT session_id FROM sleep_sessions WHERE start_utc >= ? AND end_utc >= ? "
                        + "ORDER BY start_utc DESC LIMIT \(Self.mostRecentNights)"),
                arguments: [
                    (now - Self.recentNights - Self.longestNight).iso8601, (now - Self.recentNights).iso8601,
                ])
            let newest = try Self.rows(
                database, "SELECT \(LogRow.columns) FROM events WHERE seq > ? ORDER BY seq",
                [head.sequence - Int64(Tail.length)])
            ids += newest.compactMap(\.sessionID)
            var sessions: [[Event]] = []
            var seen: Set<String> = []
            for id in ids where seen.insert(id).inserted {
                let events = try Self.events(database, ofSession: id)
                guard let session = Session(events: events) else { continue }
                if session.end.map({ $0 >= now - Self.recentNights }) ?? true { sessions.append(events) }
            }
            let last = try newest.last.map { try $0.event().occurredAt }
            let recent = try Self.recent(database, since: max(now, last ?? now))
            return LogSnapshot(
                sessions: sessions, recent: recent, newest: last, lastSequence: head.sequence,
                cursors: try Self.cursors(database, upTo: head.sequence),
                standalone: try EntryTable.load(
                    database, since: now - Self.recentNights, touchedBy: recent))
        }
        nightFile.replace(snapshot.events)
        return snapshot
    }

    /// The events recorded within ``DoseTapDomain/Diary/actionMemory`` of a moment, in log order.
    private static func recent(_ database: Database, since moment: Instant) throws -> [Event] {
        let oldest = (moment - Diary.actionMemory).iso8601
        let sql = "SELECT \(LogRow.columns) FROM events ORDER BY seq DESC"
        let cursor = try Row.fetchCursor(database.cachedStatement(sql: sql))
        var events: [Event] = []
        while let row = try cursor.next() {
            let row = try LogRow(row)
            guard row.occurredAt >= oldest else { break }
            events.append(try row.event())
        }
        return events.reversed()
    }

    private static func cursors(_ database: Database, upTo last: Int64) throws -> [String: Int64] {
        var cursors: [String: Int64] = [:]
        let rows = try Row.fetchCursor(database, sql: "SELECT plugin_id, seq FROM plugin_cursors")
        while let row = try rows.next() {
            guard case .string(let plugin) = (row[0] as DatabaseValue).storage,
                case .int64(let sequence) = (row[1] as DatabaseValue).storage
            else { continue }
            // A cursor beyond the end, after a rollback, would skip what is recorded next.
            cursors[plugin] = min(max(0, sequence), last)
        }
        return cursors
    }

    /// Events after a place in the log, oldest first, at most `limit`.
    public func events(after sequence: Int64, limit: Int) throws -> [StoredEvent] {
        try read("reading the log") { database in
            try Self.rows(
                database, "SELECT \(LogRow.columns) FROM events WHERE seq > ? ORDER BY seq LIMIT ?",
                [sequence, max(0, limit)]
            ).map { try $0.stored() }
        }
    }

    /// The event recorded under a caller's key, with its session as of its commit.
    public func event(key: String) throws -> KeyedEvent? {
        try read("looking for a key") { database in
            let sql = "SELECT \(LogRow.columns) FROM events WHERE idempotency_key = ?"
            guard let row = try Self.rows(database, sql, [key]).first else { return nil }
            let event = try row.event()
            guard let id = row.sessionID else { return KeyedEvent(event: event, session: []) }
            let sql2 = "SELECT \(LogRow.columns) FROM events WHERE session_id = ? ORDER BY seq"
            var session: [Event] = []
            for other in try Self.rows(database, sql2, [id]) {
                let candidate = try other.event()
                if other.sequence > row.sequence {
                    // What was recorded in one breath follows in the same moment and was nobody's own action.
                    guard other.occurredAt == row.occurredAt, candidate.payload.request == nil else { break }
                }
                session.append(candidate)
            }
            return KeyedEvent(event: event, session: session)
        }
    }

    static func rows(
        _ database: Database, _ sql: String, _ arguments: StatementArguments
    ) throws -> [LogRow] {
        let statement = try database.cachedStatement(sql: sql)
        let cursor = try Row.fetchCursor(statement, arguments: arguments)
        var rows: [LogRow] = []
        while let row = try cursor.next() { rows.append(try LogRow(row)) }
        return rows
    }

    static func events(_ database: Database, ofSession id: String) throws -> [Event] {
        try rows(database, "SELECT \(LogRow.columns) FROM events WHERE session_id = ? ORDER BY seq", [id])
            .map { try $0.event() }
    }
}
