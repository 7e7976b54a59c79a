extension Migration {
    /// What the wall clock said when an event was recorded, which may be behind `occurred_at`, and whether it was
    /// synchronised; from here on `boot_time_us` holds the counter that nothing slews, before it CLOCK_BOOTTIME.
    static let fifth = Migration(
        version: 5,
        sql: """
            ALTER TABLE events ADD COLUMN wall_utc TEXT;
            ALTER TABLE events ADD COLUMN synchronised INTEGER;
            """)
}
