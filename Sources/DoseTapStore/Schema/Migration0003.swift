extension Migration {
    /// Medicines are looked for by when they were taken and by the date they count under; regimens have a table.
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
}
