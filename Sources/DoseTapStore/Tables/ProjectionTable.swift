import DoseTapDomain

/// The tables that follow from the log, with their columns; the first column is the key. Seven are base tables, made by
/// ``Migration/first``; the others came with later steps.
enum ProjectionTable: String, Hashable, Sendable, CaseIterable {
    case sleepSessions = "sleep_sessions"
    case currentSession = "current_session"
    case doseEvents = "dose_events"
    case sleepEvents = "sleep_events"
    case morningCheckins = "morning_checkins"
    case preSleepLogs = "pre_sleep_logs"
    case medicationEvents = "medication_events"
    case regimens
    case inventoryEvents = "inventory_events"
    case nightMeasures = "night_measures"

    /// Columns in the order of the schema.
    var columns: [String] {
        switch self {
        case .sleepSessions: Self.sleepSessionColumns
        case .currentSession: Self.currentSessionColumns
        case .doseEvents: Self.doseEventColumns
        case .sleepEvents: Self.sleepEventColumns
        case .morningCheckins: Self.morningCheckinColumns
        case .preSleepLogs: Self.preSleepLogColumns
        case .medicationEvents: Self.medicationEventColumns
        case .regimens: Self.regimenColumns
        case .inventoryEvents: Self.inventoryEventColumns
        case .nightMeasures: Self.nightMeasureColumns
        }
    }

    /// The column that identifies a row.
    var key: String { columns[0] }

    private static let sleepSessionColumns = [
        "session_id", "session_date", "start_utc", "end_utc", "terminal_state", "created_at", "updated_at",
    ]
    private static let currentSessionColumns = [
        "id", "dose1_time", "dose2_time", "snooze_count", "dose2_skipped", "session_date", "session_id",
        "session_start_utc", "session_end_utc", "terminal_state", "updated_at",
    ]
    private static let doseEventColumns = [
        "id", "event_type", "timestamp", "session_date", "session_id", "metadata", "created_at",
    ]
    private static let sleepEventColumns = [
        "id", "event_type", "timestamp", "session_date", "session_id", "color_hex", "notes", "created_at",
    ]
    private static let morningCheckinColumns = [
        "id", "session_id", "timestamp", "session_date", "sleep_quality", "feel_rested", "grogginess",
        "sleep_inertia_duration", "dream_recall", "has_physical_symptoms", "physical_symptoms_json",
        "has_respiratory_symptoms", "respiratory_symptoms_json", "mental_clarity", "mood", "anxiety_level",
        "readiness_for_day", "had_sleep_paralysis", "had_hallucinations", "had_automatic_behavior",
        "fell_out_of_bed", "had_confusion_on_waking", "used_sleep_therapy", "sleep_therapy_json",
        "has_sleep_environment", "sleep_environment_json", "notes",
    ]
    private static let preSleepLogColumns = [
        "id", "session_id", "created_at_utc", "local_offset_minutes", "completion_state", "answers_json", "created_at",
    ]
    private static let medicationEventColumns = [
        "id", "session_id", "session_date", "medication_id", "dose_mg", "dose_unit", "formulation", "taken_at_utc",
        "local_offset_minutes", "notes", "confirmed_duplicate", "created_at",
    ]
    private static let regimenColumns = [
        "id", "medication_id", "from_date", "until_date", "total", "total_mg", "concentration", "split", "ratios_json",
        "once_nightly", "steps_json", "notes", "created_at",
    ]
    private static let inventoryEventColumns = [
        "id", "kind", "medication_id", "unit_mg", "concentration", "bottle_count", "amount_mg", "packet_mg",
        "dose_type",
        "regimen_id", "target_id", "session_date", "at_utc", "local_offset_minutes", "reason", "notes", "created_at",
    ]
    private static let nightMeasureColumns =
        ["session_id", "session_date", "outcome", "interval_ms", "night_score"] + SleepDiary.keys + ["wellness_score"]
}
