import GRDB

/// The sessions of the log one after the other.
enum SessionStream {
    /// All session ids, in the order of their first event.
    static func ids(_ database: Database) throws -> [String] {
        try String.fetchAll(
            database,
            sql: "SELECT session_id FROM events NOT INDEXED WHERE session_id IS NOT NULL GROUP BY session_id "
                + "ORDER BY MIN(seq)")
    }
}
