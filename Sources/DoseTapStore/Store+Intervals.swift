public import DoseTapDomain
import GRDB

extension Store {
    /// The interval means of weeks or months, newest first: one aggregate over the kept intervals.
    public func intervalMeans(_ span: NightSpan, by grouping: Grouping) throws -> [IntervalMean] {
        try read("reading intervals") { database in
            let period = grouping == .month ? "substr(session_date, 1, 7)" : Self.monday
            // Without a span no date is looked at: most of what is asked is all nights.
            let isBounded = span != NightSpan()
            let statement = try database.cachedStatement(sql: Self.meanSQL(by: period, isBounded: isBounded))
            let arguments: StatementArguments = isBounded ? [span.first?.text ?? "", span.last?.text ?? "~"] : []
            let rows = try Row.fetchCursor(statement, arguments: arguments)
            var means: [IntervalMean] = []
            while let row = try rows.next() { means.append(try Self.mean(row, grouping)) }
            return means
        }
    }

    private static func mean(_ row: Row, _ grouping: Grouping) throws(StoreError) -> IntervalMean {
        guard let period = String.fromDatabaseValue(row[0]), let key = key(period, grouping),
            let count = Int.fromDatabaseValue(row[1]), let sum = Int64.fromDatabaseValue(row[2]),
            let shortest = Int64.fromDatabaseValue(row[3]), let longest = Int64.fromDatabaseValue(row[4])
        else {
            throw StoreError(code: .damaged, context: "the table of measures cannot be read; rebuild it from the log")
        }
        return IntervalMean(key: key, count: count, sum: sum, shortest: shortest, longest: longest)
    }

    /// A month is its own name, a week that of its Monday.
    private static func key(_ period: String, _ grouping: Grouping) -> String? {
        switch grouping {
        case .month: period
        case .week: (try? SessionDate(text: period)).map(grouping.key)
        }
    }

    private static let monday = "date(session_date, 'weekday 0', '-6 days')"

    private static func meanSQL(by period: String, isBounded: Bool) -> String {
        """
        SELECT \(period) AS period, count(*), sum(interval_ms), min(interval_ms), max(interval_ms)
        FROM night_measures WHERE interval_ms >= 0\(isBounded ? " AND session_date >= ? AND session_date <= ?" : "")
        GROUP BY period ORDER BY period DESC
        """
    }
}
