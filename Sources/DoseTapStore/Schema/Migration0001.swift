extension Migration {
    /// The event log, the seven base tables, plugin cursors and the store's own facts.
    static let first = Migration(
        version: 1,
        sql: """
            CREATE TABLE events(
              seq INTEGER PRIMARY KEY AUTOINCREMENT,
              id TEXT NOT NULL UNIQUE,
              type TEXT NOT NULL,
              entity_type TEXT NOT NULL,
              entity_id TEXT NOT NULL,
              session_id TEXT,
              occurred_at TEXT NOT NULL,
              effective_at TEXT NOT NULL,
              time_zone TEXT NOT NULL,
              local_offset_minutes INTEGER NOT NULL,
              boot_time_us INTEGER NOT NULL,
              boot_id TEXT NOT NULL,
              device_id TEXT NOT NULL,
              surface TEXT NOT NULL,
              idempotency_key TEXT,
              payload TEXT NOT NULL,
              prev_hash TEXT NOT NULL,
              hash TEXT NOT NULL
            );
            CREATE INDEX events_entity ON events(entity_id, entity_type, occurred_at);
            CREATE INDEX events_session ON events(session_id, seq);
            CREATE UNIQUE INDEX events_key ON events(idempotency_key) WHERE idempotency_key IS NOT NULL;

            CREATE TABLE current_session(
              id INTEGER PRIMARY KEY CHECK (id = 1),
              dose1_time TEXT,
              dose2_time TEXT,
              snooze_count INTEGER DEFAULT 0,
              dose2_skipped INTEGER DEFAULT 0,
              session_date TEXT NOT NULL,
              session_id TEXT,
              session_start_utc TEXT,
              session_end_utc TEXT,
              terminal_state TEXT,
              updated_at TEXT DEFAULT CURRENT_TIMESTAMP
            );

            CREATE TABLE sleep_sessions(
              session_id TEXT PRIMARY KEY,
              session_date TEXT NOT NULL,
              start_utc TEXT NOT NULL,
              end_utc TEXT,
              terminal_state TEXT,
              created_at TEXT DEFAULT CURRENT_TIMESTAMP,
              updated_at TEXT DEFAULT CURRENT_TIMESTAMP
            );
            CREATE INDEX sleep_sessions_start ON sleep_sessions(start_utc, session_id);
            CREATE INDEX sleep_sessions_date ON sleep_sessions(session_date);

            CREATE TABLE dose_events(
              id TEXT PRIMARY KEY,
              event_type TEXT NOT NULL,
              timestamp TEXT NOT NULL,
              session_date TEXT NOT NULL,
              session_id TEXT,
              metadata TEXT,
              created_at TEXT DEFAULT CURRENT_TIMESTAMP
            );
            CREATE INDEX dose_events_session ON dose_events(session_id, event_type, timestamp);

            CREATE TABLE sleep_events(
              id TEXT PRIMARY KEY,
              event_type TEXT NOT NULL,
              timestamp TEXT NOT NULL,
              session_date TEXT NOT NULL,
              session_id TEXT,
              color_hex TEXT,
              notes TEXT,
              created_at TEXT DEFAULT CURRENT_TIMESTAMP
            );
            CREATE INDEX sleep_events_session ON sleep_events(session_id, timestamp);

            CREATE TABLE morning_checkins(
              id TEXT PRIMARY KEY,
              session_id TEXT NOT NULL,
              timestamp TEXT NOT NULL,
              session_date TEXT NOT NULL,
              sleep_quality INTEGER NOT NULL DEFAULT 3,
              feel_rested TEXT NOT NULL DEFAULT 'moderate',
              grogginess TEXT NOT NULL DEFAULT 'mild',
              sleep_inertia_duration TEXT NOT NULL DEFAULT 'fiveToFifteen',
              dream_recall TEXT NOT NULL DEFAULT 'none',
              has_physical_symptoms INTEGER NOT NULL DEFAULT 0,
              physical_symptoms_json TEXT,
              has_respiratory_symptoms INTEGER NOT NULL DEFAULT 0,
              respiratory_symptoms_json TEXT,
              mental_clarity INTEGER NOT NULL DEFAULT 5,
              mood TEXT NOT NULL DEFAULT 'neutral',
              anxiety_level TEXT NOT NULL DEFAULT 'none',
              readiness_for_day INTEGER NOT NULL DEFAULT 3,
              had_sleep_paralysis INTEGER NOT NULL DEFAULT 0,
              had_hallucinations INTEGER NOT NULL DEFAULT 0,
              had_automatic_behavior INTEGER NOT NULL DEFAULT 0,
              fell_out_of_bed INTEGER NOT NULL DEFAULT 0,
              had_confusion_on_waking INTEGER NOT NULL DEFAULT 0,
              used_sleep_therapy INTEGER NOT NULL DEFAULT 0,
              sleep_therapy_json TEXT,
              has_sleep_environment INTEGER NOT NULL DEFAULT 0,
              sleep_environment_json TEXT,
              notes TEXT
            );
            CREATE INDEX morning_checkins_session ON morning_checkins(session_id);
            CREATE INDEX morning_checkins_date ON morning_checkins(session_date);

            CREATE TABLE pre_sleep_logs(
              id TEXT PRIMARY KEY,
              session_id TEXT,
              created_at_utc TEXT NOT NULL,
              local_offset_minutes INTEGER NOT NULL,
              completion_state TEXT NOT NULL DEFAULT 'partial',
              answers_json TEXT NOT NULL DEFAULT '{}',
              created_at TEXT DEFAULT CURRENT_TIMESTAMP
            );
            CREATE INDEX pre_sleep_logs_session ON pre_sleep_logs(session_id);
            CREATE INDEX pre_sleep_logs_created ON pre_sleep_logs(created_at_utc);

            CREATE TABLE medication_events(
              id TEXT PRIMARY KEY,
              session_id TEXT,
              session_date TEXT NOT NULL,
              medication_id TEXT NOT NULL,
              dose_mg INTEGER NOT NULL,
              dose_unit TEXT NOT NULL DEFAULT 'mg',
              formulation TEXT NOT NULL DEFAULT 'ir',
              taken_at_utc TEXT NOT NULL,
              local_offset_minutes INTEGER NOT NULL DEFAULT 0,
              notes TEXT,
              confirmed_duplicate INTEGER NOT NULL DEFAULT 0,
              created_at TEXT DEFAULT CURRENT_TIMESTAMP
            );
            CREATE INDEX medication_events_session ON medication_events(session_id);
            CREATE INDEX medication_events_taken ON medication_events(medication_id, taken_at_utc);

            CREATE TABLE plugin_cursors(
              plugin_id TEXT PRIMARY KEY NOT NULL,
              seq INTEGER NOT NULL
            );

            CREATE TABLE store_meta(
              id INTEGER PRIMARY KEY CHECK (id = 1),
              store_id TEXT NOT NULL,
              device_id TEXT NOT NULL,
              created TEXT NOT NULL
            );
            """)
}
