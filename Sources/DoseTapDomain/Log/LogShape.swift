/// The size of a log in counts, without its content. The shape holds no ids, names, amounts or notes and no times of day.
public struct LogShape: Hashable, Sendable {
    /// The number of events of one type that were recorded in one month.
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

    /// A file beside the store, named by the end of its name, after the store's own.
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
    /// The numbers of rows of the tables that follow from the log.
    public var rows: [(name: String, count: Int64)] = []
    /// Wire words of the findings from the opening of the store.
    public var findings: [String] = []
    /// The number of findings of the check of the schema.
    public var schemaFindings = 0
    public var files: [File] = []
    /// True if a fresh log beside a damaged store is in use.
    public var isBeside = false

    public init() {}

    public static func == (one: LogShape, other: LogShape) -> Bool { one.json == other.json }

    public func hash(into hasher: inout Hasher) { hasher.combine(json) }

    /// The object for a support bundle.
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
