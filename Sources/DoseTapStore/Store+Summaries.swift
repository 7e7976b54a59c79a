public import DoseTapDomain
import GRDB

extension Store {
    /// A page of nights, newest first, from the tables alone.
    ///
    /// - Throws: `.internal` for a cursor that is none of ours.
    public func summaries(_ query: SessionQuery) throws -> SessionPage {
        let limit = min(max(query.limit, 1), 1_000)
        let place = try Self.place(query.cursor)
        return try read("reading nights") { database in
            let statement = try database.cachedStatement(sql: Self.summarySQL)
            let rows = try Row.fetchCursor(
                statement,
                arguments: [
                    query.from?.iso8601 ?? "", query.to?.iso8601 ?? Self.afterAnyTime, place.start, place.id, limit + 1,
                ])
            var nights: [NightSummary] = []
            while let row = try rows.next() {
                guard nights.count < limit else {
                    return SessionPage(nights: nights, next: nights.last.map(Self.cursor) ?? "")
                }
                nights.append(try Self.summary(row))
            }
            return SessionPage(nights: nights, next: "")
        }
    }

    private static let afterAnyTime = "~"

    private static let summarySQL = """
        SELECT s.session_id, s.session_date, s.start_utc, s.end_utc, s.terminal_state,
          MIN(CASE WHEN d.event_type = 'dose1' THEN d.timestamp END),
          MIN(CASE WHEN d.event_type = 'dose2' THEN d.timestamp END),
          COUNT(CASE WHEN d.event_type = 'dose2_skipped' THEN 1 END),
          COUNT(CASE WHEN d.event_type = 'extra_dose' THEN 1 END),
          COUNT(CASE WHEN d.event_type = 'snooze' THEN 1 END),
          (SELECT time_zone FROM events WHERE session_id = s.session_id ORDER BY seq LIMIT 1)
        FROM (
          SELECT * FROM sleep_sessions
          WHERE start_utc >= ?1 AND start_utc < ?2 AND (start_utc, session_id) < (?3, ?4)
          ORDER BY start_utc DESC, session_id DESC LIMIT ?5
        ) s LEFT JOIN dose_events d ON d.session_id = s.session_id
        GROUP BY s.start_utc, s.session_id
        ORDER BY s.start_utc DESC, s.session_id DESC
        """

    private static func summary(_ row: Row) throws(StoreError) -> NightSummary {
        let dose1 = try optionalInstant(row, 5)
        let dose2 = try optionalInstant(row, 6)
        let date: SessionDate
        do { date = try SessionDate(text: try text(row, 1)) } catch { throw fault(1) }
        var interval: Int64?
        if let dose1, let dose2 { interval = (dose2 - dose1).wholeMinutes }
        let skips = try count(row, 7)
        return NightSummary(
            sessionID: SessionID(try text(row, 0)), sessionDate: date, start: try instant(row, 2),
            end: try optionalInstant(row, 3), dose1: dose1, dose2: dose2,
            dose2Skipped: dose2 == nil && skips > 0, extraDoses: try count(row, 8),
            snoozeCount: try count(row, 9), intervalMinutes: interval, terminalState: try state(row, 4),
            timeZone: try text(row, 10))
    }

    private static func fault(_ column: Int) -> StoreError {
        StoreError(
            code: .damaged, context: "the table of nights cannot be read; rebuild it from the log",
            underlying: "column \(column) of a night")
    }

    private static func optionalText(_ row: Row, _ column: Int) throws(StoreError) -> String? {
        switch (row[column] as DatabaseValue).storage {
        case .null: return nil
        case .string(let text): return text
        case .int64, .double, .blob: throw fault(column)
        }
    }

    private static func text(_ row: Row, _ column: Int) throws(StoreError) -> String {
        guard let text = try optionalText(row, column) else { throw fault(column) }
        return text
    }

    private static func count(_ row: Row, _ column: Int) throws(StoreError) -> Int {
        guard case .int64(let count) = (row[column] as DatabaseValue).storage else { throw fault(column) }
        return Int(count)
    }

    private static func optionalInstant(_ row: Row, _ column: Int) throws(StoreError) -> Instant? {
        guard let text = try optionalText(row, column) else { return nil }
        do { return try Instant(iso8601: text) } catch { throw fault(column) }
    }

    private static func instant(_ row: Row, _ column: Int) throws(StoreError) -> Instant {
        guard let instant = try optionalInstant(row, column) else { throw fault(column) }
        return instant
    }

    private static func state(_ row: Row, _ column: Int) throws(StoreError) -> TerminalState? {
        guard let word = try optionalText(row, column) else { return nil }
        guard let state = TerminalState(rawValue: word) else { throw fault(column) }
        return state
    }

    private static func cursor(_ night: NightSummary) -> String { "\(night.start.iso8601)|\(night.sessionID.text)" }

    private static func place(_ cursor: String) throws(StoreError) -> (start: String, id: String) {
        guard !cursor.isEmpty else { return (afterAnyTime, "") }
        let parts = cursor.split(separator: "|", omittingEmptySubsequences: false)
        guard parts.count == 2, let start = try? Instant(iso8601: parts[0]) else {
            throw StoreError(code: .internal, context: "the cursor is none that this store gave")
        }
        return (start.iso8601, String(parts[1]))
    }
}
