public import DoseTapDomain
import GRDB

extension Store {
    /// Shortest beginning of an id that is looked up.
    static let shortestPrefix = 8

    /// The events of all sessions that touch a span of time, one array per session in the order of their start.
    public func sessions(around span: ClosedRange<Instant>) throws -> [[Event]] {
        try read("reading sessions") { database in
            let ids = try String.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT session_id FROM (
                          SELECT session_id, start_utc FROM sleep_sessions
                            WHERE start_utc BETWEEN ?1 AND ?2 AND end_utc >= ?3
                          UNION
                          SELECT session_id, session_start_utc FROM current_session
                            WHERE session_id IS NOT NULL AND session_start_utc <= ?2
                        ) ORDER BY start_utc, session_id
                        """),
                arguments: [
                    (span.lowerBound - Self.longestNight).iso8601, span.upperBound.iso8601, span.lowerBound.iso8601,
                ])
            return try ids.map { try Self.events(database, ofSession: $0) }
        }
    }

    /// The events of the session with this id or date, or of the session an entry belongs to.
    ///
    /// - Parameter name: a session id, a date (its newest session), an entry id, or a beginning of an id
    ///   (8 characters or more) that leads to one session only.
    public func session(named name: String) throws -> [Event]? {
        if let date = try? SessionDate(text: name) { return try sessions(on: date).last }
        let name = name.lowercased()
        guard Self.isPrefix(name) else { return nil }
        return try read("looking for a session") { database in
            let sql = """
                SELECT session_id FROM events
                  WHERE session_id >= ?1 AND session_id < ?2
                UNION
                SELECT session_id FROM events
                  WHERE id >= ?1 AND id < ?2 AND id = entity_id AND session_id IS NOT NULL
                LIMIT 2
                """
            let ids = try String.fetchAll(
                database.cachedStatement(sql: sql), arguments: [name, name + Self.afterAnyDigit])
            guard ids.count == 1, let id = ids.first else { return nil }
            return try Self.events(database, ofSession: id)
        }
    }

    /// The sessions of a date, oldest first.
    public func sessions(on date: SessionDate) throws -> [[Event]] {
        try read("reading sessions") { database in
            let ids = try String.fetchAll(
                database.cachedStatement(
                    sql: "SELECT session_id FROM sleep_sessions WHERE session_date = ? "
                        + "ORDER BY start_utc, session_id"),
                arguments: [date.text])
            return try ids.map { try Self.events(database, ofSession: $0) }
        }
    }

    /// The entries whose id begins like this, at most five: a second one says that the beginning is ambiguous. None for
    /// fewer than 8 characters.
    public func entryIDs(beginning prefix: String) throws -> [EventID] {
        let prefix = prefix.lowercased()
        guard Self.isPrefix(prefix) else { return [] }
        return try read("looking for an entry") { database in
            let sql = """
                SELECT id FROM events
                  WHERE id >= ? AND id < ? AND id = entity_id
                    AND entity_type NOT IN (\(Self.noEntries))
                  ORDER BY id LIMIT 5
                """
            return try String.fetchAll(
                database.cachedStatement(sql: sql), arguments: [prefix, prefix + Self.afterAnyDigit]
            ).map(EventID.init)
        }
    }

    /// The events whose own id begins like this, at most five. None for fewer than 8 characters.
    public func events(beginning prefix: String) throws -> [StoredEvent] {
        let prefix = prefix.lowercased()
        guard Self.isPrefix(prefix) else { return [] }
        return try read("looking for an event") { database in
            try Self.rows(
                database, "SELECT \(LogRow.columns) FROM events WHERE id >= ? AND id < ? ORDER BY id LIMIT 5",
                [prefix, prefix + Self.afterAnyDigit]
            ).map { try $0.stored() }
        }
    }

    private static let noEntries = EntityType.others.map { "'\($0.rawValue)'" }.joined(separator: ", ")

    /// Sorts behind every character of an id.
    private static let afterAnyDigit = "~"

    private static func isPrefix(_ text: String) -> Bool {
        (shortestPrefix...36).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
