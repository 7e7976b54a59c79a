import DoseTapDomain

/// A table that follows from the log, with its columns; the first column is the key. Each is made once and known by its
/// identity.
final class ProjectionTable: Hashable, Sendable {
    let name: String
    /// Columns in the order of the schema.
    let columns: [String]
    /// Writes a row in place of the one with its key.
    let insertion: String

    /// The column that identifies a row.
    var key: String { columns[0] }

    init(_ name: String, _ columns: [String]) {
        self.name = name
        self.columns = columns
        let marks = columns.map { _ in "?" }.joined(separator: ",")
        insertion = "INSERT OR REPLACE INTO \(name)(\(columns.joined(separator: ","))) VALUES (\(marks))"
    }

    static func == (lhs: ProjectionTable, rhs: ProjectionTable) -> Bool { lhs === rhs }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// All of them.
    static let all =
        [sleepSessions, currentSession, doseEvents, sleepEvents, morningCheckins] + EntryTable.all.map(\.table)
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
        ["session_id", "session_date", "outcome", "interval_ms", "night_score"] + SleepDiary.keys + ["wellness_score"])
}
