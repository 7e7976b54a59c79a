public import DoseTapDomain
import GRDB
import GRDBSQLite

extension Store {
    /// Returns a page of nights, newest first, from the tables alone.
    ///
    /// - Throws: `.internal` for a cursor of another form.
    public func summaries(_ query: SessionQuery) throws -> SessionPage {
        let page = try self.page(query)
        let last = page.nights.last?.night
        return SessionPage(nights: page.nights.map(\.night), next: page.isLast ? "" : last.map(Self.cursor) ?? "")
    }

    /// Returns a page of nights with their measures, newest first, from the tables alone.
    ///
    /// - Throws: `.internal` for a cursor of another form.
    public func measuredNights(_ query: SessionQuery) throws -> MeasuredPage {
        let page = try self.page(query)
        let last = page.nights.last?.night
        return MeasuredPage(nights: page.nights, next: page.isLast ? "" : last.map(Self.cursor) ?? "")
    }

    /// Returns the number of session dates with records, naps aside, for each source of recorded sleep.
    public func sleepDates() throws -> [SleepSource: Int] {
        try read("reading recorded sleep") { database in try SleepRows.dates(database) }
    }

    private func page(_ query: SessionQuery) throws -> (nights: [MeasuredNight], isLast: Bool) {
        let limit = min(max(query.limit, 1), 1_000)
        let place = try Self.place(query.cursor)
        return try read("reading nights") { database in
            let filter = SessionFilter(query)
            let sql = filter == nil ? Self.summarySQL : Self.filteredSQL
            var arguments: StatementArguments = [
                query.from?.iso8601 ?? "", query.to?.iso8601 ?? Self.afterAnyTime, place.start, place.id, limit + 1,
            ]
            if let filter { arguments += filter.arguments }
            let row = try RawRow(database, sql, arguments)
            defer { row.reset() }
            var nights: [MeasuredNight] = []
            var facts: [SleepFacts] = []
            var isLast = true
            while try row.step() {
                guard nights.count < limit else {
                    isLast = false
                    break
                }
                var measures: [Int?] = []
                for column in 11..<17 { measures.append(try Self.integer(row, column)) }
                var night = try Self.summary(row)
                night.belongsTo = try Self.optionalText(row, 22).map(SessionID.init)
                if night.belongsTo != nil { night.nightScore = nil }
                let hasSigns =
                    try night.dose1 != nil || night.nightScore != nil || Self.integer(row, 21) != nil
                nights.append(MeasuredNight(night: night, sleep: SleepDiary(kept: measures), hasSigns: hasSigns))
                facts.append(
                    SleepFacts(
                        lightsOut: try Self.optionalText(row, 18), points: try Self.number(row, 19),
                        weight: try Self.number(row, 20)))
            }
            try Self.add(facts, query.sleepOrder, to: &nights, database)
            return (nights, isLast)
        }
    }

    /// The values of a night's row that its recorded sleep needs.
    private struct SleepFacts {
        let lightsOut: String?
        let points: Double?
        let weight: Double?
    }

    /// Adds the sleep that the chosen source of each night recorded, and makes the night's score anew with it.
    private static func add(
        _ facts: [SleepFacts], _ order: [String], to nights: inout [MeasuredNight], _ database: Database
    ) throws {
        guard let first = nights.last?.night.start, let last = nights.first?.night.start,
            try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM sleep_records)") == true
        else { return }
        var byNight: [SessionID: [SleepCandidate]] = [:]
        for (sleep, night) in try SleepRows.belonging(to: min(first, last)...max(first, last), database) {
            if let night { byNight[night, default: []].append(sleep) }
        }
        guard !byNight.isEmpty else { return }
        let sources = SleepSources(order: order, dates: try SleepRows.dates(database))
        for place in nights.indices {
            guard let own = byNight[nights[place].night.sessionID] else { continue }
            let lightsOut = try facts[place].lightsOut.map { try instant(Substring($0), 18) }
            guard
                let recorded = sources.choice(
                    own, lightsOut: lightsOut, end: nights[place].night.end)
            else { continue }
            nights[place].recorded = recorded
            // A night without a score gets none from recorded sleep.
            guard nights[place].night.nightScore != nil, let total = recorded.measures.totalSleepMinutes,
                let points = facts[place].points, let weight = facts[place].weight
            else { continue }
            nights[place].night.nightScore = NightScore.of(
                NightScore.Base(points: points, weight: weight), totalSleepMinutes: Double(total),
                deepSleepMinutes: recorded.deepMinutes.map { Double($0) })
        }
    }

    private static let afterAnyTime = "~"

    /// One row for each night. Its doses, skips and snoozes come as one text from an index that covers them, which costs a
    /// third of joining and grouping.
    private static let summarySQL = summarySQL(where: "")
    private static let filteredSQL = summarySQL(where: SessionFilter.condition)

    private static func summarySQL(where condition: String) -> String {
        """
        SELECT s.session_id, s.session_date, start_utc, end_utc, terminal_state,
          (SELECT group_concat(event_type || ' ' || timestamp) FROM dose_events WHERE session_id = s.session_id),
          (SELECT time_zone FROM events WHERE session_id = s.session_id ORDER BY seq LIMIT 1),
          m.wellness_score,
          (SELECT group_concat(completion_state) FROM pre_sleep_logs WHERE session_id = s.session_id),
          m.outcome, m.night_score, m.time_in_bed_min, m.sleep_onset_latency_min, m.wake_after_sleep_onset_min,
          m.awakenings, m.total_sleep_min, m.sleep_efficiency_percent, m.interval_ms, m.lights_out_utc,
          m.score_points, m.score_weight, m.bedtime_min, \(belongsSQL)
        FROM sleep_sessions s LEFT JOIN night_measures m ON m.session_id = s.session_id
        WHERE start_utc >= ?1 AND start_utc < ?2 AND (start_utc, s.session_id) < (?3, ?4) \(condition)
        ORDER BY start_utc DESC, s.session_id DESC LIMIT ?5
        """
    }

    /// The night with doses to which a session belongs (R8.11), as ``DoseTapDomain/LogState/night(behind:)`` has it. Times have
    /// milliseconds, so less than twelve hours is at most 11:59:59.999.
    private static let belongsSQL = """
        CASE WHEN m.outcome = 'no_dose1' AND NOT EXISTS (SELECT 1 FROM dose_events
            WHERE session_id = s.session_id AND event_type IN ('dose1', 'dose2', 'extra_dose'))
        AND NOT EXISTS (SELECT 1 FROM sleep_events
            WHERE session_id = s.session_id AND event_type IN ('\(SleepEventWord.inBed)', '\(SleepEventWord.lightsOut)'))
        THEN (SELECT n.session_id FROM sleep_sessions n
            WHERE n.start_utc BETWEEN strftime('%Y-%m-%dT%H:%M:%fZ', s.start_utc, '-36 hours')
            AND strftime('%Y-%m-%dT%H:%M:%fZ', s.start_utc, '+36 hours')
            AND n.session_id != s.session_id AND n.end_utc IS NOT NULL
            AND (SELECT max(timestamp) FROM dose_events
                WHERE session_id = n.session_id AND event_type IN ('dose1', 'dose2', 'extra_dose'))
            >= strftime('%Y-%m-%dT%H:%M:%fZ', s.start_utc, '-11 hours', '-59 minutes', '-59.999 seconds')
            AND (SELECT min(timestamp) FROM dose_events
                WHERE session_id = n.session_id AND event_type IN ('dose1', 'dose2', 'extra_dose')) <= s.start_utc
            ORDER BY n.start_utc DESC, n.session_id DESC LIMIT 1)
        END
        """

    private static func summary(_ row: RawRow) throws(StoreError) -> NightSummary {
        var night = NightSummary(
            sessionID: SessionID(try text(row, 0)), sessionDate: try date(row, 1), start: try instant(row, 2),
            end: try optionalInstant(row, 3), dose1: nil, dose2: nil, dose2Skipped: false, extraDoses: 0,
            snoozeCount: 0, interval: try integer(row, 17).map(Duration.milliseconds), terminalState: try state(row, 4),
            timeZone: try text(row, 6))
        try add(try optionalText(row, 5) ?? "", to: &night)
        night.outcome = try optionalText(row, 9).flatMap(NightOutcome.init(stored:))
        // A skip recorded by time alone is not a person's skip.
        if let outcome = night.outcome { night.dose2Skipped = outcome == .skipped }
        night.nightScore = try integer(row, 10)
        night.wellnessScore = try integer(row, 7)
        for word in try optionalText(row, 8)?.split(separator: ",") ?? [] {
            guard let state = PreSleepCompletion(rawValue: String(word)) else { throw fault(8) }
            night.preSleep = max(night.preSleep ?? state, state)
        }
        return night
    }

    /// Adds `dose1 2025-07-01T21:00:00.000Z,snooze …` to a night.
    private static func add(_ entries: String, to night: inout NightSummary) throws(StoreError) {
        // The split is by bytes, not by characters: words and times are ASCII, and this loop is most of the cost of a page.
        for entry in entries.utf8.split(separator: UInt8(ascii: ",")) {
            guard let space = entry.firstIndex(of: UInt8(ascii: " ")) else { throw fault(5) }
            let time = Substring(entry[space...].dropFirst())
            switch String(Substring(entry[..<space])) {
            case "dose1": night.dose1 = earlier(night.dose1, try instant(time, 5))
            case "dose2": night.dose2 = earlier(night.dose2, try instant(time, 5))
            case "extra_dose": night.extraDoses += 1
            case "dose2_skipped": night.dose2Skipped = true
            case "snooze": night.snoozeCount += 1
            default: throw fault(5)
            }
        }
        if night.dose2 != nil { night.dose2Skipped = false }
    }

    private static func earlier(_ known: Instant?, _ other: Instant) -> Instant {
        known.map { min($0, other) } ?? other
    }

    private static func fault(_ column: Int) -> StoreError {
        StoreError(
            code: .damaged, context: "the table of nights cannot be read; rebuild it from the log",
            underlying: "column \(column) of a night")
    }

    private static func optionalText(_ row: RawRow, _ column: Int) throws(StoreError) -> String? {
        switch row.type(column) {
        case SQLITE_NULL: return nil
        case SQLITE_TEXT: return try row.string(column)
        default: throw fault(column)
        }
    }

    private static func integer(_ row: RawRow, _ column: Int) throws(StoreError) -> Int? {
        switch row.type(column) {
        case SQLITE_NULL: return nil
        case SQLITE_INTEGER: return Int(row.integer(column))
        default: throw fault(column)
        }
    }

    private static func number(_ row: RawRow, _ column: Int) throws(StoreError) -> Double? {
        switch row.type(column) {
        case SQLITE_NULL: return nil
        case SQLITE_FLOAT: return row.number(column)
        default: throw fault(column)
        }
    }

    private static func text(_ row: RawRow, _ column: Int) throws(StoreError) -> String {
        guard let text = try optionalText(row, column) else { throw fault(column) }
        return text
    }

    private static func date(_ row: RawRow, _ column: Int) throws(StoreError) -> SessionDate {
        let text = try text(row, column)
        do { return try SessionDate(text: text) } catch { throw fault(column) }
    }

    private static func instant(_ text: Substring, _ column: Int) throws(StoreError) -> Instant {
        do { return try Instant(iso8601: text) } catch { throw fault(column) }
    }

    private static func optionalInstant(_ row: RawRow, _ column: Int) throws(StoreError) -> Instant? {
        switch row.type(column) {
        case SQLITE_NULL: return nil
        case SQLITE_TEXT:
            var instant: Instant?
            try row.text(column) { instant = try? Instant(iso8601: $0) }
            guard let instant else { throw fault(column) }
            return instant
        default: throw fault(column)
        }
    }

    private static func instant(_ row: RawRow, _ column: Int) throws(StoreError) -> Instant {
        guard let instant = try optionalInstant(row, column) else { throw fault(column) }
        return instant
    }

    private static func state(_ row: RawRow, _ column: Int) throws(StoreError) -> TerminalState? {
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

extension Store {
    /// The lab's values of a night, and the place of the night among the nights.
    struct StoredLabNight: Sendable {
        let start: String
        let id: String
        let date: SessionDate
        /// Nil for a night whose events could not be read when the row was made.
        let values: LabNight?
    }

    /// Returns a page of the lab's values of the nights (R34.1, R34.2), oldest first, from the tables alone.
    func exportLab(
        after place: (start: String, id: String), _ span: NightSpan, of head: ExportHead
    ) throws -> [StoredLabNight] {
        try checkGeneration(head)
        return try read("exporting") { database in
            let row = try RawRow(
                database, Self.labSQL, [place.start, place.id, span.first?.text ?? "", span.last?.text ?? "~"])
            defer { row.reset() }
            var nights: [StoredLabNight] = []
            while try row.step() {
                nights.append(
                    StoredLabNight(
                        start: try Self.text(row, 0), id: try Self.text(row, 1), date: try Self.date(row, 2),
                        values: try Self.labNight(row)))
            }
            return nights
        }
    }

    /// The plus sign before a column makes SQLite use the index of the order. With the index of the dates SQLite would sort for
    /// each page.
    private static let labSQL = """
        SELECT s.start_utc, s.session_id, s.session_date,
          CASE WHEN m.outcome != '\(NightOutcome.onceNightly.rawValue)' THEN m.interval_ms END, m.first_share_percent,
          m.bedtime_min, m.rested, m.grogginess, m.clarity, m.wellness_told, m.nap_min, m.naps_unfinished, m.has_checkin,
          m.is_over,
          (SELECT answers_json FROM pre_sleep_logs WHERE session_id = s.session_id
           ORDER BY created_at_utc DESC, created_at DESC, id DESC LIMIT 1)
        FROM sleep_sessions s LEFT JOIN night_measures m ON m.session_id = s.session_id
        WHERE (s.start_utc, s.session_id) > (?1, ?2) AND +s.session_date >= ?3 AND +s.session_date <= ?4
        ORDER BY s.start_utc, s.session_id LIMIT 500
        """

    private static func labNight(_ row: RawRow) throws(StoreError) -> LabNight? {
        guard let napMinutes = try integer(row, 10) else { return nil }
        var night = LabNight(date: try date(row, 2))
        night.intervalMilliseconds = try integer(row, 3)
        night.firstSharePercent = try number(row, 4)
        night.bedtimeMinutes = try integer(row, 5)
        night.rested = try integer(row, 6)
        night.grogginess = try integer(row, 7)
        night.clarity = try integer(row, 8)
        night.wellness = try integer(row, 9)
        night.napMinutes = napMinutes
        night.hasUnfinishedNap = try integer(row, 11) == 1
        night.hasCheckIn = try integer(row, 12) == 1
        night.isOver = try integer(row, 13) == 1
        guard let answers = try optionalText(row, 14) else { return night }
        guard let said = (try? JSONValue.parse(answers))?.objectValue else { throw fault(14) }
        night.take(preSleep: said)
        return night
    }
}

/// Conditions of a query other than dates, as one SQL condition, so that one statement serves all queries.
private struct SessionFilter {
    /// The condition on `sleep_sessions s` and `night_measures m`, with parameters from 6 on.
    static let condition = """
        AND (?6 IS NULL OR EXISTS (SELECT 1 FROM sleep_events WHERE session_id = s.session_id AND event_type = ?6))
        AND s.session_date >= ?7 AND s.session_date <= ?8
        AND (?9 OR instr(?10, ',' || m.outcome || ',') OR ?11 AND end_utc IS NULL
          OR ?12 AND EXISTS (SELECT 1 FROM dose_events WHERE session_id = s.session_id AND event_type = 'extra_dose')
          OR ?13 AND EXISTS (SELECT 1 FROM dose_events WHERE session_id = s.session_id AND event_type = 'snooze'))
        """

    let arguments: StatementArguments

    /// Nil for a query without such conditions.
    init?(_ query: SessionQuery) {
        guard query.event != nil || query.dates != NightSpan() || !query.kinds.isEmpty else { return nil }
        let outcomes = Set(query.kinds.flatMap(\.outcomes)).flatMap(\.stored).sorted()
        arguments = [
            query.event, query.dates.first?.text ?? "", query.dates.last?.text ?? "~", query.kinds.isEmpty,
            outcomes.isEmpty ? "" : ",\(outcomes.joined(separator: ",")),", query.kinds.contains(.open),
            query.kinds.contains(.extra), query.kinds.contains(.snoozed),
        ]
    }
}

extension Store {
    /// Returns the interval means of weeks or months, newest first: one aggregate over the kept intervals.
    public func intervalMeans(_ span: NightSpan, by grouping: Grouping) throws -> [IntervalMean] {
        try read("reading intervals") { database in
            let period = grouping == .month ? "substr(session_date, 1, 7)" : Self.monday
            // Without a span no date is read: most questions are about all nights.
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

    /// Returns the name of a month, or of a week, which is that of its Monday.
    private static func key(_ period: String, _ grouping: Grouping) -> String? {
        switch grouping {
        case .month: period
        case .week: (try? SessionDate(text: period)).map(grouping.key)
        }
    }

    private static let monday = "date(session_date, 'weekday 0', '-6 days')"

    private static func meanSQL(by period: String, isBounded: Bool) -> String {
        """
        SELECT \(period) AS period, count(*), sum(interval_ms / 60000), min(interval_ms) / 60000, max(interval_ms) / 60000
        FROM night_measures WHERE interval_ms >= 0 AND outcome != '\(NightOutcome.onceNightly.rawValue)'
        \(isBounded ? "AND session_date >= ? AND session_date <= ?" : "")
        GROUP BY period ORDER BY period DESC
        """
    }
}
