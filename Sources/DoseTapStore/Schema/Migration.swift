/// One step of the schema. Released steps are never edited: SQL text only, so that a step outlives the types.
struct Migration: Sendable {
    /// The `user_version` after this step, counted from 1.
    let version: Int32
    /// SQL statements, separated by semicolons.
    let sql: String
    /// Tables whose rows of the nights it makes from the log.
    var fills: Set<ProjectionTable> = []
}
