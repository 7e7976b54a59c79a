extension Migration {
    /// The time of a night is counted (R2): which entries are a night's doses and skips, and how far they lie apart, can
    /// differ from what earlier versions wrote, so the tables of the nights are rebuilt from the log.
    static let sixth = Migration(
        version: 6, sql: "",
        fills: [.sleepSessions, .currentSession, .doseEvents, .sleepEvents, .morningCheckins, .nightMeasures])
}
