extension Migration {
    /// The wellness score is kept with the other measures of a night: whether it rests on what somebody answered, the
    /// answers alone do not say.
    static let seventh = Migration(
        version: 7, sql: "ALTER TABLE night_measures ADD COLUMN wellness_score INTEGER", fills: [.nightMeasures])
}
