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

    /// Measures of each night, kept so that statistics need neither date arithmetic nor the log.
    static let second = Migration(
        version: 2,
        sql: """
            CREATE TABLE night_measures(
              session_id TEXT PRIMARY KEY,
              session_date TEXT NOT NULL,
              outcome TEXT NOT NULL,
              interval_ms INTEGER,
              night_score INTEGER,
              time_in_bed_min INTEGER,
              sleep_onset_latency_min INTEGER,
              wake_after_sleep_onset_min INTEGER,
              awakenings INTEGER,
              total_sleep_min INTEGER,
              sleep_efficiency_percent INTEGER
            ) WITHOUT ROWID
            """,
        fills: [.nightMeasures])

    /// Indexes of medicines by time and by session date; a table of regimens.
    static let third = Migration(
        version: 3,
        sql: """
            CREATE INDEX medication_events_time ON medication_events(taken_at_utc);
            CREATE INDEX medication_events_date ON medication_events(session_date);

            CREATE TABLE regimens(
              id TEXT PRIMARY KEY,
              medication_id TEXT NOT NULL,
              from_date TEXT NOT NULL,
              until_date TEXT,
              total TEXT NOT NULL,
              total_mg INTEGER NOT NULL,
              concentration TEXT,
              split TEXT NOT NULL,
              ratios_json TEXT,
              once_nightly INTEGER NOT NULL,
              steps_json TEXT,
              notes TEXT,
              created_at TEXT NOT NULL
            );
            """)

    /// Entries of the stock, one row each; the amount left follows from the rows and is not stored.
    static let fourth = Migration(
        version: 4,
        sql: """
            CREATE TABLE inventory_events(
              id TEXT PRIMARY KEY,
              kind TEXT NOT NULL,
              medication_id TEXT,
              unit_mg INTEGER,
              concentration TEXT,
              bottle_count INTEGER,
              amount_mg INTEGER,
              packet_mg INTEGER,
              dose_type TEXT,
              regimen_id TEXT,
              target_id TEXT,
              session_date TEXT NOT NULL,
              at_utc TEXT NOT NULL,
              local_offset_minutes INTEGER NOT NULL,
              reason TEXT,
              notes TEXT,
              created_at TEXT NOT NULL
            );
            CREATE INDEX inventory_events_time ON inventory_events(at_utc);
            CREATE INDEX inventory_events_kind ON inventory_events(kind, at_utc);
            CREATE INDEX inventory_events_date ON inventory_events(session_date);
            CREATE INDEX inventory_events_target ON inventory_events(target_id) WHERE target_id IS NOT NULL;
            """)

    /// The wall clock at the time of recording, which may be behind `occurred_at`, and the mark of its synchronisation. From
    /// this version on `boot_time_us` holds the counter that nothing slews, before it CLOCK_BOOTTIME.
    static let fifth = Migration(
        version: 5,
        sql: """
            ALTER TABLE events ADD COLUMN wall_utc TEXT;
            ALTER TABLE events ADD COLUMN synchronised INTEGER;
            """)

    /// The time of a night is counted (R2). A night's doses and skips, and the times between them, can differ from the rows of
    /// earlier versions, so the tables of the nights are rebuilt from the log.
    static let sixth = Migration(
        version: 6, sql: "",
        fills: [.sleepSessions, .currentSession, .doseEvents, .sleepEvents, .morningCheckins, .nightMeasures])

    /// The wellness score is stored with the other measures of a night: the answers alone do not show if a person gave any
    /// answer that the score uses.
    static let seventh = Migration(
        version: 7, sql: "ALTER TABLE night_measures ADD COLUMN wellness_score INTEGER", fills: [.nightMeasures])

    /// Recorded sleep, and the values that the score and the latency of a night need beside it.
    static let eighth = Migration(
        version: 8,
        sql: """
            CREATE TABLE sleep_records(
              id TEXT PRIMARY KEY,
              session_date TEXT NOT NULL,
              source TEXT NOT NULL,
              device TEXT,
              start_utc TEXT NOT NULL,
              end_utc TEXT NOT NULL,
              local_offset_minutes INTEGER NOT NULL,
              part TEXT NOT NULL,
              grade TEXT NOT NULL,
              course TEXT NOT NULL,
              in_bed_utc TEXT,
              asleep_utc TEXT,
              asleep_s INTEGER,
              awake_s INTEGER,
              awakenings INTEGER,
              in_bed_s INTEGER,
              deep_s INTEGER,
              notes TEXT,
              created_at TEXT NOT NULL
            );
            CREATE INDEX sleep_records_time ON sleep_records(start_utc);
            CREATE INDEX sleep_records_date ON sleep_records(session_date);
            CREATE TABLE sleep_stages(
              stage_id TEXT PRIMARY KEY,
              record_id TEXT NOT NULL,
              session_date TEXT NOT NULL,
              stage TEXT NOT NULL,
              start_utc TEXT,
              end_utc TEXT,
              seconds INTEGER NOT NULL
            );
            CREATE INDEX sleep_stages_record ON sleep_stages(record_id);
            ALTER TABLE night_measures ADD COLUMN lights_out_utc TEXT;
            ALTER TABLE night_measures ADD COLUMN score_points REAL;
            ALTER TABLE night_measures ADD COLUMN score_weight REAL;
            """,
        fills: [.nightMeasures])

    /// The lab's values of a night, and the answers that a person gave.
    static let tenth = Migration(
        version: 10,
        sql: """
            ALTER TABLE night_measures ADD COLUMN first_share_percent REAL;
            ALTER TABLE night_measures ADD COLUMN bedtime_min INTEGER;
            ALTER TABLE night_measures ADD COLUMN rested INTEGER;
            ALTER TABLE night_measures ADD COLUMN grogginess INTEGER;
            ALTER TABLE night_measures ADD COLUMN clarity INTEGER;
            ALTER TABLE night_measures ADD COLUMN wellness_told INTEGER;
            ALTER TABLE night_measures ADD COLUMN nap_min INTEGER;
            ALTER TABLE night_measures ADD COLUMN naps_unfinished INTEGER;
            ALTER TABLE night_measures ADD COLUMN has_checkin INTEGER;
            ALTER TABLE night_measures ADD COLUMN is_over INTEGER;
            """,
        fills: [.nightMeasures])

    /// A source that tells only the times of sleep knows nothing of being awake.
    static let eleventh = Migration(
        version: 11,
        sql: """
            UPDATE sleep_records SET awake_s = NULL, awakenings = NULL
            WHERE course = 'stages' AND NOT EXISTS (
              SELECT 1 FROM sleep_stages
              WHERE record_id = sleep_records.id AND stage IN ('light', 'deep', 'rem', 'awake'));
            """)

    /// A stretch that is no night, such as a nap by day, has no score.
    static let twelfth = Migration(version: 12, sql: "", fills: [.nightMeasures])

    /// A second dose that no regimen expected makes no night on time, early or late.
    static let thirteenth = Migration(version: 13, sql: "", fills: [.nightMeasures])

    /// A final wake before dose 1 ends no night, and where one dose a night is prescribed no dose 2 is late.
    static let fourteenth = Migration(
        version: 14, sql: "", fills: [.sleepSessions, .currentSession, .nightMeasures, .doseEvents])
}
