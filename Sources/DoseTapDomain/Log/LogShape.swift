/// How a log looks from outside: counts and sizes, nothing of what was recorded. It holds no ids, names, amounts, notes
/// and no times of day.
public struct LogShape: Hashable, Sendable {
    /// Events of a type that were recorded in a month.
    public struct Count: Hashable, Sendable {
        /// A word of the contract, or `unknown`.
        public var type: String
        /// `YYYY-MM`, UTC.
        public var month: String
        public var count: Int64

        public init(type: String, month: String, count: Int64) {
            self.type = EventType(rawValue: type)?.rawValue ?? "unknown"
            self.month =
                month.utf8.count == 7 && month.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D }
                ? month : "unknown"
            self.count = count
        }
    }

    /// A file beside the store, by what follows the store's own name.
    public struct File: Hashable, Sendable {
        /// Empty for the store itself.
        public var suffix: String
        public var bytes: Int64
        /// The permissions in octal digits.
        public var mode: String

        public init(suffix: String, bytes: Int64, mode: String) {
            self.suffix = suffix
            self.bytes = bytes
            self.mode = mode
        }
    }

    public var counts: [Count] = []
    public var lastSequence: Int64 = 0
    public var schema: Int64 = 0
    public var sqlite = ""
    public var pages: Int64 = 0
    public var freePages: Int64 = 0
    public var pageBytes: Int64 = 0
    /// Rows of the tables that follow from the log.
    public var rows: [(name: String, count: Int64)] = []
    /// Words for what was found when the store was opened.
    public var findings: [String] = []
    /// How many further things the check of the schema found.
    public var schemaFindings = 0
    public var files: [File] = []
    /// Whether a fresh log beside a damaged store is in use.
    public var isBeside = false

    public init() {}

    public static func == (one: LogShape, other: LogShape) -> Bool { one.json == other.json }

    public func hash(into hasher: inout Hasher) { hasher.combine(json) }

    /// As it stands in a support bundle.
    public var json: JSONObject {
        [
            "schema": .integer(schema), "sqlite": .string(sqlite), "last_sequence": .integer(lastSequence),
            "page_bytes": .integer(pageBytes), "pages": .integer(pages), "free_pages": .integer(freePages),
            "beside_damaged": .bool(isBeside), "findings": .array(findings.map(JSONValue.string)),
            "schema_findings": .integer(Int64(schemaFindings)),
            "rows": .object(JSONObject(rows.map { ($0.name, .integer($0.count)) })),
            "files": .array(
                files.map { file in
                    [
                        "file": .string("dosetap.db" + file.suffix), "bytes": .integer(file.bytes),
                        "mode": .string(file.mode),
                    ]
                }),
            "events": .array(
                counts.map { count in
                    [
                        "month": .string(count.month), "type": .string(count.type), "count": .integer(count.count),
                    ]
                }),
        ]
    }
}
