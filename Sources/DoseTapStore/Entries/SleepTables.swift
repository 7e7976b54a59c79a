import DoseTapDomain
import GRDB

extension EntryTable {
    static let sleepRecords = EntryTable(
        .sleepRecord, "sleep_records", time: "start_utc",
        [
            "id": { entry, _ in entry.id.text },
            "session_date": own { (sleep: SleepRecord) in sleep.now.date.text },
            "source": own { (sleep: SleepRecord) in sleep.now.source },
            "device": own { (sleep: SleepRecord) in sleep.now.device },
            "start_utc": own { (sleep: SleepRecord) in sleep.now.start.iso8601 },
            "end_utc": own { (sleep: SleepRecord) in sleep.now.end.iso8601 },
            "local_offset_minutes": own { (sleep: SleepRecord) in
                sleep.now.offsetMinutes ?? sleep.event.localOffsetMinutes
            },
            "part": own { (sleep: SleepRecord) in sleep.now.part.rawValue },
            "grade": own { (sleep: SleepRecord) in sleep.now.grade.rawValue },
            "course": own { (sleep: SleepRecord) in SleepCandidate.Course(sleep.now.course).rawValue },
            "in_bed_utc": figure { $0.inBed?.iso8601 },
            "asleep_utc": figure { $0.firstAsleep?.iso8601 },
            "asleep_s": figure { $0.asleepSeconds },
            "awake_s": figure { $0.awakeSeconds },
            "awakenings": figure { $0.awakenings },
            "in_bed_s": figure { $0.inBedSeconds },
            "deep_s": figure { $0.seconds[.deep] },
            "notes": own { (sleep: SleepRecord) in sleep.note },
            "created_at": { entry, _ in entry.event.occurredAt.iso8601 },
        ], parts: Parts(sleepStages, of: "record_id", stages), found: SleepRows.ids)

    private static func figure(_ value: @escaping @Sendable (SleepFigures) -> Value) -> Cell {
        own { (sleep: SleepRecord) in value(SleepFigures(sleep.now)) }
    }

    static let sleepStages = ProjectionTable(
        "sleep_stages", ["stage_id", "record_id", "session_date", "stage", "start_utc", "end_utc", "seconds"])

    /// One row for each stage, in order; for durations one row for each stage, without times.
    private static let stages: @Sendable (StandaloneEntry) -> [[Value]] = { entry in
        guard let sleep = SleepRecord(entry) else { return [] }
        let (id, date) = (sleep.id.text, sleep.now.date.text)
        func row(_ place: Int, _ stage: ImportedSleep.Stage, _ span: ImportedSleep.Span?, _ seconds: Int) -> [Value] {
            let number = String(place + 10_001).dropFirst()
            return ["\(id)/\(number)", id, date, stage.rawValue, span?.start.iso8601, span?.end.iso8601, seconds]
        }
        switch sleep.now.course {
        case .stages(let spans):
            return spans.enumerated().map { place, span in
                row(place, span.stage, span, Int((span.end - span.start).wholeMilliseconds / 1_000))
            }
        case .durations(let seconds):
            return ImportedSleep.Stage.allCases.compactMap { stage in seconds[stage].map { (stage, $0) } }
                .enumerated().map { place, said in row(place, said.0, nil, said.1) }
        }
    }
}

/// Recorded sleep and the nights it belongs to. The link follows from both tables and stands in neither (R30.3).
enum SleepRows {
    /// Most time between the start of a sleep and the start of a night that it belongs to.
    private static let reach: Duration = .hours(72)

    /// Returns the records of a night or a day by their start; nil for another scope.
    @Sendable static func ids(_ scope: EntryScope, _ database: Database) throws -> [String]? {
        switch scope {
        case .night(let session, let date):
            let sql = "SELECT start_utc, end_utc FROM sleep_sessions WHERE session_id = ?"
            let night = try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [session.text])
            guard let night, let start = try instant(night[0]) else { return [] }
            let found = try candidates(
                database, "start_utc < ?1 AND start_utc >= ?2 AND end_utc > ?3 OR session_date = ?4",
                [
                    (try instant(night[1]))?.iso8601 ?? "~", (start - SleepRecorded.longest).iso8601, start.iso8601,
                    date.text,
                ])
            return try belonging(found, database).filter { $0.night == session }.map(\.sleep.id.text)
        case .day(let date):
            let found = try candidates(database, "session_date = ?", [date.text])
            return try belonging(found, database).filter { $0.night == nil }.map(\.sleep.id.text)
        case .around, .newest, .deleted, .about: return nil
        }
    }

    /// Returns the records that may belong to nights that begin within a span, each with its night.
    static func belonging(
        to span: ClosedRange<Instant>, _ database: Database
    ) throws -> [(sleep: SleepCandidate, night: SessionID?)] {
        try belonging(
            candidates(
                database, "start_utc BETWEEN ?1 AND ?2",
                [(span.lowerBound - reach).iso8601, (span.upperBound + reach).iso8601]), database)
    }

    private static func belonging(
        _ found: [SleepCandidate], _ database: Database
    ) throws -> [(sleep: SleepCandidate, night: SessionID?)] {
        guard let first = found.first, let last = found.last else { return [] }
        let sql = """
            SELECT session_id, session_date, start_utc, end_utc FROM sleep_sessions WHERE start_utc BETWEEN ? AND ?
            ORDER BY start_utc
            """
        let rows = try Row.fetchAll(
            database.cachedStatement(sql: sql),
            arguments: [(first.start - reach).iso8601, (last.start + reach).iso8601])
        let nights = try rows.compactMap { row -> SleepNight? in
            guard let id = row[0] as String?, let date = row[1] as String?, let start = try instant(row[2]) else {
                return nil
            }
            return SleepNight(
                id: SessionID(id), date: try SessionDate(text: date), start: start, end: try instant(row[3]))
        }
        // Both lists are in order of time, so only the nights near a sleep are looked at.
        var from = 0
        return found.map { sleep in
            while from < nights.count, nights[from].start < sleep.start - reach { from += 1 }
            let near = nights[from...].prefix { $0.start <= sleep.start + reach }
            return (sleep, SleepNight.of(start: sleep.start, end: sleep.end, date: sleep.date, among: near))
        }
    }

    /// Returns the number of session dates with records, naps aside, for each source.
    static func dates(_ database: Database) throws -> [SleepSource: Int] {
        let sql = """
            SELECT source, device, count(DISTINCT session_date) FROM sleep_records WHERE part <> 'nap'
            GROUP BY source, device
            """
        var dates: [SleepSource: Int] = [:]
        for row in try Row.fetchAll(database.cachedStatement(sql: sql)) {
            guard let source = row[0] as String? else { continue }
            dates[SleepSource(source, device: row[1])] = row[2]
        }
        return dates
    }

    /// The end of the last stage that is sleep; null if only durations are known. The stages are in their order.
    private static let lastAsleep = """
        (SELECT end_utc FROM sleep_stages WHERE record_id = sleep_records.id
          AND stage IN (\(SleepFigures.asleep.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")))
          ORDER BY stage_id DESC LIMIT 1)
        """

    /// Returns the records in order of their start.
    private static func candidates(
        _ database: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [SleepCandidate] {
        let sql = """
            SELECT id, source, device, start_utc, end_utc, session_date, part, grade, course, deep_s, asleep_s, awake_s,
              awakenings, in_bed_s, in_bed_utc, asleep_utc, \(lastAsleep)
            FROM sleep_records WHERE \(condition) ORDER BY start_utc, id
            """
        return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments).compactMap { row in
            guard let id = row[0] as String?, let source = row[1] as String?, let start = try instant(row[3]),
                let end = try instant(row[4]), let date = row[5] as String?,
                let part = (row[6] as String?).flatMap(ImportedSleep.Part.init),
                let grade = (row[7] as String?).flatMap(ImportedSleep.Grade.init),
                let course = (row[8] as String?).flatMap(SleepCandidate.Course.init)
            else { throw damaged }
            return SleepCandidate(
                id: EventID(id), source: SleepSource(source, device: row[2]), start: start, end: end,
                date: try SessionDate(text: date), part: part, grade: grade, course: course,
                figures: SleepFigures(
                    deepSeconds: row[9], asleepSeconds: row[10], awakeSeconds: row[11], awakenings: row[12],
                    inBedSeconds: row[13], inBed: try instant(row[14]), firstAsleep: try instant(row[15]),
                    lastAsleep: try instant(row[16])))
        }
    }

    private static var damaged: StoreError {
        StoreError(
            code: .damaged, context: "the table of recorded sleep cannot be read; rebuild it from the log",
            underlying: "sleep_records")
    }

    private static func instant(_ text: String?) throws -> Instant? {
        do { return try text.map { try Instant(iso8601: $0) } } catch { throw damaged }
    }
}
