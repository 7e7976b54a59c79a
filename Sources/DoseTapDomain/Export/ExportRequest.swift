/// The kinds of content that an export can write (R27).
public enum ExportContent: Hashable, Sendable {
    /// The log, an event a line, verifiable by itself.
    case log
    /// The nights, each an object in a line.
    case nights
    /// The values that the lab takes of each night, an object a line.
    case lab
    /// A table as CSV.
    case table(String)

    /// The table that is made of the nights themselves: a row a night.
    public static let nightTable = "nights"

    /// The tables that follow from the log, as the schema calls them, and the table of the nights.
    public static let tables = [
        nightTable, "sleep_sessions", "current_session", "dose_events", "sleep_events", "morning_checkins",
        "pre_sleep_logs", "medication_events", "regimens", "inventory_events", "sleep_records", "sleep_stages",
        "night_measures", "lab_questions", "lab_plans", "lab_nights",
    ]

    /// The content with a word of the contract: `log`, `nights`, `lab` or `table:NAME`; nil for any other.
    public init?(word: String) {
        switch word {
        case "log": self = .log
        case "nights": self = .nights
        case "lab": self = .lab
        default:
            let prefix = "table:"
            guard word.hasPrefix(prefix) else { return nil }
            let name = String(word.dropFirst(prefix.count))
            guard Self.tables.contains(name) else { return nil }
            self = .table(name)
        }
    }

    /// The word of the contract.
    public var word: String {
        switch self {
        case .log: "log"
        case .nights: "nights"
        case .lab: "lab"
        case .table(let name): "table:\(name)"
        }
    }

    /// All words of the contract.
    public static var words: [String] { ["log", "nights", "lab"] + tables.map { ExportContent.table($0).word } }

    /// True if the rows have a session date by which they can be chosen.
    public var hasDates: Bool {
        switch self {
        case .log: false
        case .nights, .lab: true
        case .table(let name):
            !["pre_sleep_logs", "regimens", "lab_questions", "lab_plans", "lab_nights"].contains(name)
        }
    }

    /// True for CSV, which guards cells that a spreadsheet would calculate.
    public var isTable: Bool { if case .table = self { true } else { false } }
}

public struct ExportRequest: Hashable, Sendable {
    public var content: ExportContent
    /// Only rows of these session dates.
    public var span: NightSpan
    /// True to keep cells as they are on record, without the guard (R27.8).
    public var isExact: Bool
    /// The order of preference among sources of sleep; the engine fills it in.
    public var sleepOrder: [String] = []
    /// The hour from which a moment counts to the session date of its day; the engine fills it in.
    public var rolloverHour = NightRules.standard.rolloverHour

    public init(_ content: ExportContent, span: NightSpan = NightSpan(), isExact: Bool = false) {
        self.content = content
        self.span = span
        self.isExact = isExact
    }
}

public struct ExportReport: Hashable, Sendable {
    /// A word of ``ExportContent``.
    public var what: String
    /// Events, nights or rows; headers are not counted.
    public var rows: Int64
    public var bytes: Int64
    /// Identity of the record.
    public var storeID: String
    /// The last event of the log when the export began, and its hash.
    public var sequence: Int64
    public var hash: String
    /// True if something was recorded meanwhile: the rows may be of two states. A log is always the one of its head.
    public var isMoved: Bool
    /// False if the reader went away before the end.
    public var isComplete: Bool
    /// The command's own file; empty otherwise.
    public var path: String
    /// Further notes for the person, a sentence each.
    public var notes: [String]

    public init(
        what: String, rows: Int64 = 0, bytes: Int64 = 0, storeID: String = "", sequence: Int64 = 0, hash: String = "",
        isMoved: Bool = false, isComplete: Bool = true, path: String = "", notes: [String] = []
    ) {
        self.what = what
        self.rows = rows
        self.bytes = bytes
        self.storeID = storeID
        self.sequence = sequence
        self.hash = hash
        self.isMoved = isMoved
        self.isComplete = isComplete
        self.path = path
        self.notes = notes
    }

    public static let description = RecordDescription(
        "export", "export -o FILE --json", ExportReport(what: "")
    ) { it in
        it.text(
            "what", "log, nights, lab, table:NAME, or what a filter made of the nights: fhir, ical, ios, report",
            get: { $0.what }, set: { $0.what = $1 })
        it.text("path", get: { $0.path }, set: { $0.path = $1 })
        it.integer(
            "rows", "events, nights or rows, without a header", as: .place, get: { Int($0.rows) },
            set: { $0.rows = Int64($1) })
        it.integer("bytes", as: .place, get: { Int($0.bytes) }, set: { $0.bytes = Int64($1) })
        it.text("store_id", get: { $0.storeID }, set: { $0.storeID = $1 })
        it.integer(
            "head_sequence", "the last event of the log when the export began", as: .place,
            get: { Int($0.sequence) }, set: { $0.sequence = Int64($1) })
        it.text("head_hash", "its hash", get: { $0.hash }, set: { $0.hash = $1 })
        it.bool(
            "moved", "something was recorded meanwhile, and the rows may be of two states", get: { $0.isMoved },
            set: { $0.isMoved = $1 })
        it.bool(
            "complete", "false where the reader went away", get: { $0.isComplete }, set: { $0.isComplete = $1 })
        it.texts("notes", "what else is to be known of it", get: { $0.notes }, set: { $0.notes = $1 })
    }

    /// The report as it is printed and as it travels.
    public var json: JSONObject { Self.description.json(self) }

    /// Reads the object back, as a client does.
    public init(json: JSONObject) throws(PayloadError) {
        self = try Self.description.read(PayloadReader("export", Self.description.shape.completed(json)))
    }
}
