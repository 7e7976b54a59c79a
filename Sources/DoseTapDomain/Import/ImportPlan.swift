/// The plan of an import: the events to record, and the outcome of each row.
public struct ImportPlan: Sendable {
    /// The rows in the order in which they were decided.
    public let rows: [ImportRow]
    /// The content of the last event.
    public let fact: ImportRecorded
    /// All events of the one transaction; empty if nothing would be recorded.
    public let events: [Event]
    /// The nights that the events change.
    public let changes: [SessionChange]
    /// The report about the rows. It is made with the plan and not in the doses' way, because it looks at each row.
    private let told: ImportReport

    public init(rows: [ImportRow], fact: ImportRecorded, events: [Event] = [], changes: [SessionChange] = []) {
        self.rows = rows
        self.fact = fact
        self.events = events
        self.changes = changes
        told = Self.report(rows, fact)
    }

    /// Most rows that are told one by one in an answer; a report in a file has all.
    private static let mostTold = 200
    /// Most nights that are told one by one.
    private static let mostNights = 400

    /// Returns the report for a person.
    public func report(notes: [String], isDryRun: Bool) -> ImportReport {
        var report = told
        report.isDryRun = isDryRun
        report.id = isDryRun ? nil : events.last?.id
        report.notes = notes
        return report
    }

    private static func report(_ rows: [ImportRow], _ fact: ImportRecorded) -> ImportReport {
        var report = ImportReport(source: fact.source)
        (report.from, report.to, report.nights) = (fact.from, fact.to, fact.nights)
        report.counts = fact.counts
        (report.linked, report.known) = (fact.linked, fact.known)
        (report.heldBack, report.notTaken) = (fact.heldBack, fact.notTaken)
        var reasons: [String: Int] = [:]
        var nights: [SessionDate: ImportReport.Night] = [:]
        for row in rows {
            for flag in row.flags { report.flags[flag.rawValue, default: 0] += 1 }
            if let reason = row.reason { reasons[reason.word.rawValue, default: 0] += 1 }
            // A dose of tonight is told among however many rows.
            if row.outcome == .heldBack || row.outcome == .notTaken, report.rows.count < mostTold || row.isDoseOfTonight
            {
                report.rows.append(row)
            }
            guard let date = row.night else { continue }
            var night = nights[date] ?? ImportReport.Night(date: date)
            switch row.outcome {
            case .new: night.new += 1
            case .linked: night.linked += 1
            case .known: night.known += 1
            case .heldBack, .notTaken: night.notTaken += 1
            }
            nights[date] = night
        }
        report.reasons = reasons
        report.byNight = Array(nights.values.sorted { $0.date < $1.date }.suffix(mostNights))
        return report
    }
}

/// The report of an import that was made, or of a dry run.
public struct ImportReport: Hashable, Sendable {
    /// The outcome of the rows of a night.
    public struct Night: Hashable, Sendable {
        public var date: SessionDate
        public var new = 0
        public var linked = 0
        public var known = 0
        public var notTaken = 0

        public init(date: SessionDate) { self.date = date }
    }

    public var source: String
    public var isDryRun = false
    /// The event of the import, by which the import can be taken back; nil if nothing was recorded.
    public var id: EventID?
    /// New entries by the words of their lines.
    public var counts: [String: Int] = [:]
    public var linked = 0
    public var known = 0
    public var heldBack = 0
    public var notTaken = 0
    /// Nights that change.
    public var nights = 0
    public var from: SessionDate?
    public var to: SessionDate?
    /// The number of rows that are not recorded, by reason.
    public var reasons: [String: Int] = [:]
    /// The number of new entries that are early, late, extra and the like.
    public var flags: [String: Int] = [:]
    /// The last nights of the file.
    public var byNight: [Night] = []
    /// The first rows that are held back or not taken.
    public var rows: [ImportRow] = []
    /// Further notes for the person, a sentence each.
    public var notes: [String] = []

    public init(source: String) { self.source = source }

    /// The number of new entries.
    public var new: Int { counts.values.reduce(0, +) }
}

extension ImportReport {
    private static let night = RecordDescription(Night(date: SessionDate(CivilDate(daysSinceEpoch: 0)))) { it in
        it.date("session_date", get: { $0.date }, set: { $0.date = $1 })
        it.integer("new", as: .count, get: { $0.new }, set: { $0.new = $1 })
        it.integer("linked", as: .count, get: { $0.linked }, set: { $0.linked = $1 })
        it.integer("known", as: .count, get: { $0.known }, set: { $0.known = $1 })
        it.integer("not_taken", "held back ones included", as: .count, get: { $0.notTaken }, set: { $0.notTaken = $1 })
    }

    public static let description = RecordDescription(
        "import", "import SOURCE FILE --json", ImportReport(source: "")
    ) { it in
        it.text("source", get: { $0.source }, set: { $0.source = $1 })
        it.bool("dry_run", "nothing was changed", get: { $0.isDryRun }, set: { $0.isDryRun = $1 })
        it.textOrNull(
            "import_id", "by which it can be taken back; null where nothing was recorded", get: { $0.id?.text },
            set: { $0.id = $1.map(EventID.init) })
        it.integer("new", "entries that are recorded", as: .count, get: { $0.new }, set: { _, _ in })
        it.integer(
            "linked", "rows that an entry on record says already", as: .count, get: { $0.linked },
            set: { $0.linked = $1 })
        it.integer(
            "known", "rows that an earlier import brought, or that are there twice", as: .count, get: { $0.known },
            set: { $0.known = $1 })
        it.integer(
            "held_back", "rows of tonight, or of the last 12 hours", as: .count, get: { $0.heldBack },
            set: { $0.heldBack = $1 })
        it.integer(
            "not_taken", "places of the file: rows, or parts of rows", as: .count, get: { $0.notTaken },
            set: { $0.notTaken = $1 })
        it.integer("nights", "that change", as: .count, get: { $0.nights }, set: { $0.nights = $1 })
        it.dateOrNull("from", "the first session date that changes", get: { $0.from }, set: { $0.from = $1 })
        it.dateOrNull("to", "the last one", get: { $0.to }, set: { $0.to = $1 })
        it.object(
            "counts", .any, "new entries by kind", get: { Self.object($0.counts) }, set: { $0.counts = Self.counts($1) }
        )
        it.object(
            "reasons", .any, "how many rows are not recorded for each reason", get: { Self.object($0.reasons) },
            set: { $0.reasons = Self.counts($1) })
        it.object(
            "flags", .any, "how many new doses are early, late, extra, over_limit and the like",
            get: { Self.object($0.flags) }, set: { $0.flags = Self.counts($1) })
        it.records(
            "by_night", Self.night, "the last 400 nights of the file", get: { $0.byNight }, set: { $0.byNight = $1 })
        it.records(
            "rows", ImportRow.description, "the first 200 rows that are held back or not taken", get: { $0.rows },
            set: { $0.rows = $1 })
        it.texts("notes", "what else is to be known", get: { $0.notes }, set: { $0.notes = $1 })
    }

    private static func object(_ counts: [String: Int]) -> JSONObject {
        JSONObject(counts.sorted { $0.key < $1.key }.map { ($0.key, .integer(Int64($0.value))) })
    }

    private static func counts(_ object: JSONObject) -> [String: Int] {
        var counts: [String: Int] = [:]
        for entry in object.entries { counts[entry.key] = entry.value.integerValue.flatMap(Int.init(exactly:)) }
        return counts
    }

    /// The report as it is printed and as it travels.
    public var json: JSONObject { Self.description.json(self) }

    /// Reads the object back, as a client does.
    public init(json: JSONObject) throws(PayloadError) {
        self = try Self.description.read(PayloadReader("import", Self.description.shape.completed(json)))
    }
}

extension ImportRow {
    static let description = RecordDescription(ImportRow(row: "", kind: "", outcome: .notTaken)) { it in
        it.text("row", "its place in the file", get: { $0.row }, set: { $0.row = $1 })
        it.text("kind", get: { $0.kind }, set: { $0.kind = $1 })
        it.instantOrNull("at", get: { $0.at }, set: { $0.at = $1 })
        it.word("outcome", get: { $0.outcome }, set: { $0.outcome = $1 })
        it.wordOrNull(
            "reason", get: { $0.reason?.word },
            set: { (row, word: ImportReason.Word?) in row.reason = word.map { ImportReason($0) } })
        it.text(
            "detail", "of the reason: a sentence, the word of a refusal or the time of the other entry",
            get: { $0.reason?.detail ?? "" }, set: { $0.reason?.detail = $1 })
    }
}

/// An import on record.
public struct ImportOnRecord: Hashable, Sendable {
    public var id: EventID
    public var at: Instant
    public var source: String
    public var entries: Int
    public var nights: Int
    public var from: SessionDate?
    public var to: SessionDate?
    /// The time at which the import was taken back; nil while the import holds.
    public var takenBack: Instant?

    public init(_ id: EventID, _ fact: ImportRecorded, at: Instant, takenBack: Instant?) {
        (self.id, self.at, self.takenBack) = (id, at, takenBack)
        (source, entries, nights, from, to) = (fact.source, fact.entries, fact.nights, fact.from, fact.to)
    }

    public static let description = RecordDescription(
        ImportOnRecord(EventID(""), ImportRecorded(source: ""), at: .min, takenBack: nil)
    ) { it in
        it.text("import_id", get: { $0.id.text }, set: { $0.id = EventID($1) })
        it.instant("at", "when it was recorded", get: { $0.at }, set: { $0.at = $1 })
        it.text("source", get: { $0.source }, set: { $0.source = $1 })
        it.integer("entries", as: .count, get: { $0.entries }, set: { $0.entries = $1 })
        it.integer("nights", as: .count, get: { $0.nights }, set: { $0.nights = $1 })
        it.dateOrNull("from", "the first session date", get: { $0.from }, set: { $0.from = $1 })
        it.dateOrNull("to", "the last one", get: { $0.to }, set: { $0.to = $1 })
        it.instantOrNull("taken_back", "when it was taken back", get: { $0.takenBack }, set: { $0.takenBack = $1 })
    }

    public var json: JSONObject { Self.description.json(self) }

    public init(json: JSONObject) throws(PayloadError) {
        self = try Self.description.read(PayloadReader("import", Self.description.shape.completed(json)))
    }

    /// Returns the imports that events of the log tell of, the newest first.
    public static func of(_ events: [Event]) -> [ImportOnRecord] {
        var taken: [EventID: Instant] = [:]
        var found: [ImportOnRecord] = []
        for event in events {
            guard case .importRecorded(let fact) = event.payload else { continue }
            if let id = fact.takesBack {
                taken[id] = event.occurredAt
            } else {
                found.append(ImportOnRecord(event.id, fact, at: event.occurredAt, takenBack: nil))
            }
        }
        for index in found.indices { found[index].takenBack = taken[found[index].id] }
        return found.reversed()
    }
}
