extension Migration {
    /// What is measured of each night, kept so that looking back needs no arithmetic on dates and no log.
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
}
