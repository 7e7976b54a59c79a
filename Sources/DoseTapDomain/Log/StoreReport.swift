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

extension StoreReport {
    /// Its keys, for writing, reading and the JSON Schema.
    public static let description = RecordDescription(
        "db", "db check, verify and rebuild --json", StoreReport(events: 0, rows: 0, findings: [])
    ) { it in
        it.bool("ok", get: { $0.isSound })
        it.integer("events", as: .place, get: { Int($0.events) }, set: { $0.events = Int64($1) })
        it.integer("rows", as: .place, get: { Int($0.rows) }, set: { $0.rows = Int64($1) })
        it.texts("findings", "what is wrong, a sentence each", get: { $0.findings }, set: { $0.findings = $1 })
        it.texts("repairs", "what was put right", get: { $0.repairs }, set: { $0.repairs = $1 })
        it.texts("notes", "findings of earlier days", get: { $0.notes }, set: { $0.notes = $1 })
    }

    /// What D-Bus `Check`, `Verify` and `Rebuild` answer.
    public var json: JSONObject { Self.description.json(self) }

    /// Reads the object back, as a client does.
    public init(json: JSONObject) throws(PayloadError) {
        self = try Self.description.read(PayloadReader("report", Self.description.shape.completed(json)))
    }
}
