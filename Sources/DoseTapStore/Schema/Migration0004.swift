extension Migration {
    /// What was noted of the stock, one row an entry; how much there is follows from the rows and is kept nowhere.
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
}
