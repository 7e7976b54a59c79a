/// What a look at the store found (`db check`, `db verify`, `db rebuild`).
public struct StoreReport: Hashable, Sendable {
    /// Events looked at.
    public var events: Int64
    /// Rows looked at or written in the tables.
    public var rows: Int64
    /// What is wrong, a sentence each; empty when all is well.
    public var findings: [String]
    /// What was put right, a sentence each.
    public var repairs: [String]
    /// What is worth knowing and not wrong now, a sentence each: findings of earlier days that are on record.
    public var notes: [String]

    /// Memberwise.
    public init(events: Int64, rows: Int64, findings: [String], repairs: [String] = [], notes: [String] = []) {
        self.events = events
        self.rows = rows
        self.findings = findings
        self.repairs = repairs
        self.notes = notes
    }

    /// Nothing is wrong.
    public var isSound: Bool { findings.isEmpty }
}
