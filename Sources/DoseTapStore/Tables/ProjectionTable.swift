import DoseTapDomain
import GRDB

/// A table that follows from the log, with its columns; the first column is the key. Each table is made once and compared by
/// identity.
final class ProjectionTable: Hashable, Sendable {
    let name: String
    /// Columns in the order of the schema.
    let columns: [String]
    /// Inserts or replaces a row.
    let insertion: String

    var key: String { columns[0] }

    init(_ name: String, _ columns: [String]) {
        self.name = name
        self.columns = columns
        let marks = columns.map { _ in "?" }.joined(separator: ",")
        insertion = "INSERT OR REPLACE INTO \(name)(\(columns.joined(separator: ","))) VALUES (\(marks))"
    }

    static func == (lhs: ProjectionTable, rhs: ProjectionTable) -> Bool { lhs === rhs }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    static let all =
        [sleepSessions, currentSession, doseEvents, sleepEvents, morningCheckins] + EntryTable.all.flatMap(\.tables)
        + [nightMeasures]

    static let sleepSessions = ProjectionTable(
        "sleep_sessions",
        ["session_id", "session_date", "start_utc", "end_utc", "terminal_state", "created_at", "updated_at"])
    static let currentSession = ProjectionTable(
        "current_session",
        [
            "id", "dose1_time", "dose2_time", "snooze_count", "dose2_skipped", "session_date", "session_id",
            "session_start_utc", "session_end_utc", "terminal_state", "updated_at",
        ])
    static let doseEvents = ProjectionTable(
        "dose_events", ["id", "event_type", "timestamp", "session_date", "session_id", "metadata", "created_at"])
    static let sleepEvents = ProjectionTable(
        "sleep_events",
        ["id", "event_type", "timestamp", "session_date", "session_id", "color_hex", "notes", "created_at"])
    static let morningCheckins = ProjectionTable(
        "morning_checkins",
        [
            "id", "session_id", "timestamp", "session_date", "sleep_quality", "feel_rested", "grogginess",
            "sleep_inertia_duration", "dream_recall", "has_physical_symptoms", "physical_symptoms_json",
            "has_respiratory_symptoms", "respiratory_symptoms_json", "mental_clarity", "mood", "anxiety_level",
            "readiness_for_day", "had_sleep_paralysis", "had_hallucinations", "had_automatic_behavior",
            "fell_out_of_bed", "had_confusion_on_waking", "used_sleep_therapy", "sleep_therapy_json",
            "has_sleep_environment", "sleep_environment_json", "notes",
        ])
    static let nightMeasures = ProjectionTable(
        "night_measures",
        ["session_id", "session_date", "outcome", "interval_ms", "night_score"] + SleepDiary.keys
            + [
                "wellness_score", "lights_out_utc", "score_points", "score_weight", "first_share_percent",
                "bedtime_min", "rested", "grogginess", "clarity", "wellness_told", "nap_min", "naps_unfinished",
                "has_checkin", "is_over",
            ])
}

/// One row of a projection.
struct TableRow: Hashable, Sendable {
    let table: ProjectionTable
    /// Values in the order of the table's columns; the first is the key.
    let values: [DatabaseValue]

    init(_ table: ProjectionTable, _ values: [(any DatabaseValueConvertible)?]) {
        self.table = table
        self.values = values.map { $0?.databaseValue ?? .null }
    }

    init(_ table: ProjectionTable, _ row: Row) {
        self.table = table
        values = Array(row.databaseValues)
    }

    var key: Key { Key(table: table, value: values[0]) }

    /// A row's identity across all tables.
    struct Key: Hashable {
        let table: ProjectionTable
        let value: DatabaseValue
    }
}

/// The changes of rows between two states of some sessions.
struct RowDifference: Sendable {
    private(set) var deletions: [TableRow] = []
    /// Former and new values.
    private(set) var updates: [(before: TableRow, after: TableRow)] = []
    private(set) var insertions: [TableRow] = []

    init(from before: [TableRow], to after: [TableRow]) {
        var former: [TableRow.Key: TableRow] = [:]
        for row in before { former[row.key] = row }
        for row in after {
            guard let old = former.removeValue(forKey: row.key) else {
                insertions.append(row)
                continue
            }
            if old != row { updates.append((old, row)) }
        }
        deletions = before.filter { former[$0.key] != nil }
    }

    var isEmpty: Bool { deletions.isEmpty && updates.isEmpty && insertions.isEmpty }
}

/// Writes rows of the projections with statements that are prepared once.
struct TableWriter {
    let database: Database

    func apply(_ difference: RowDifference) throws {
        for row in difference.deletions { try delete(row) }
        for (before, after) in difference.updates { try update(from: before, to: after) }
        for row in difference.insertions { try insert(row) }
    }

    /// Adds a row. An existing row, which only a damaged table has, is replaced: a table must not prevent the recording of an
    /// event.
    func insert(_ row: TableRow) throws {
        let statement = try database.cachedStatement(sql: row.table.insertion)
        statement.setUncheckedArguments(StatementArguments(row.values))
        try statement.execute()
        guard database.changesCount == 1 else { throw Self.prevented(row.table.name) }
    }

    private func delete(_ row: TableRow) throws { try delete(row.table, row.values[0]) }

    /// Removes a row. A missing row, as in a damaged table, does not prevent the recording of an event.
    func delete(_ table: ProjectionTable, _ key: DatabaseValue) throws {
        let statement = try database.cachedStatement(sql: "DELETE FROM \(table.name) WHERE \(table.key) = ?")
        statement.setUncheckedArguments([key])
        try statement.execute()
        guard database.changesCount != 1 else { return }
        let question = try database.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM \(table.name) WHERE \(table.key) = ?)")
        guard try Bool.fetchOne(question, arguments: [key]) == false else { throw Self.prevented(table.name) }
    }

    /// Returns the error for a change of a row that a trigger or the like prevented.
    static func prevented(_ table: String) -> StoreError {
        StoreError(
            code: .damaged, context: "something in the store prevents a change of its tables",
            underlying: table)
    }

    func deleteRows(of table: ProjectionTable) throws {
        try database.execute(sql: "DELETE FROM \(table.name)")
        guard try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM \(table.name))") == false else {
            throw Self.prevented(table.name)
        }
    }

    /// Removes the rows of a session.
    func deleteRows(of table: ProjectionTable, session id: String) throws {
        try deleteRows(of: table, where: "session_id", is: id)
    }

    /// Removes the rows with a value in a column that names their owner.
    func deleteRows(of table: ProjectionTable, where column: String, is id: String) throws {
        let statement = try database.cachedStatement(sql: "DELETE FROM \(table.name) WHERE \(column) = ?")
        statement.setUncheckedArguments([id])
        try statement.execute()
        let question = try database.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM \(table.name) WHERE \(column) = ?)")
        guard try Bool.fetchOne(question, arguments: [id]) == false else { throw Self.prevented(table.name) }
    }

    private func update(from before: TableRow, to after: TableRow) throws {
        var assignments = ""
        var values: [DatabaseValue] = []
        for (column, (old, new)) in zip(after.table.columns, zip(before.values, after.values)) where old != new {
            assignments += assignments.isEmpty ? "\(column) = ?" : ", \(column) = ?"
            values.append(new)
        }
        values.append(after.values[0])
        let sql = "UPDATE \(after.table.name) SET \(assignments) WHERE \(after.table.key) = ?"
        let statement = try database.cachedStatement(sql: sql)
        statement.setUncheckedArguments(StatementArguments(values))
        try statement.execute()
        if database.changesCount == 0 { try insert(after) }
    }
}
