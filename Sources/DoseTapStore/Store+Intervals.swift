public import DoseTapDomain
import GRDB

extension Store {
    /// The interval means of weeks or months, newest first: one aggregate over the kept intervals.
    public func intervalMeans(_ span: NightSpan, by grouping: Grouping) throws -> [IntervalMean] {
        try read("reading intervals") { database in
            let statement = try database.cachedStatement(sql: grouping == .month ? Self.monthSQL : Self.weekSQL)
            let rows = try Row.fetchCursor(statement, arguments: [span.first?.text ?? "", span.last?.text ?? "~"])
            var means: [IntervalMean] = []
            while let row = try rows.next() {
                guard let text = String.fromDatabaseValue(row[0]), let date = try? SessionDate(text: text),
                    let count = Int.fromDatabaseValue(row[1]), let sum = Int64.fromDatabaseValue(row[2]),
                    let shortest = Int64.fromDatabaseValue(row[3]), let longest = Int64.fromDatabaseValue(row[4])
                else {
                    throw StoreError(
                        code: .damaged, context: "the table of measures cannot be read; rebuild it from the log")
                }
                means.append(
                    IntervalMean(
                        key: grouping.key(of: date), count: count, sum: sum, shortest: shortest, longest: longest))
            }
            return means
        }
    }

    private static let monthSQL = meanSQL(by: "substr(session_date, 1, 7)")
    /// A week by its Monday.
    private static let weekSQL = meanSQL(by: "date(session_date, 'weekday 0', '-6 days')")

    private static func meanSQL(by period: String) -> String {
        """
        SELECT min(session_date), count(*), sum(interval_ms), min(interval_ms), max(interval_ms)
        FROM night_measures WHERE interval_ms >= 0 AND session_date >= ? AND session_date <= ?
        GROUP BY \(period) ORDER BY 1 DESC
        """
    }
}
