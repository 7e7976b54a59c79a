/// One step of the schema. Released steps are never edited: SQL text only, so that a step outlives the types.
struct Migration: Sendable {
    /// The `user_version` after this step, counted from 1.
    let version: Int32
    /// SQL statements, separated by semicolons.
    let sql: String
    /// Tables it makes that follow from the log and are filled from it.
    var fills: Set<ProjectionTable> = []
}
