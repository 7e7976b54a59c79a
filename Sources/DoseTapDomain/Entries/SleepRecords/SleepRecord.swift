/// A night or a nap as a device, another program or the person told it (R30). The record opens, wakes and closes nothing.
public struct SleepRecorded: Hashable, Sendable {
    /// The word of the source: the word of an import, or ``byHand``.
    public var source: String
    /// The device or program that recorded the sleep, as the source names it.
    public var device: String?
    public var start: Instant
    public var end: Instant
    /// The offset from UTC at the start, in minutes east; nil if the source does not say the offset.
    public var offsetMinutes: Int?
    public var part: ImportedSleep.Part
    public var grade: ImportedSleep.Grade
    public var course: ImportedSleep.Course
    /// The session date of the middle of the sleep. The record counts under that date if it shares no time with a session.
    public var date: SessionDate
    /// The person's words.
    public var note: String?
    /// The person's input.
    public var request: Request

    /// The source of a sleep that a person types.
    public static let byHand = "hand"
    /// The longest sleep in one record.
    public static let longest: Duration = .hours(24)
    /// The most stages in one record.
    public static let mostStages = 2_000
    /// The most characters in a source or a device.
    public static let nameScalars = 64
}

/// A recorded sleep, folded from the events about it.
public typealias SleepRecord = EntryOf<SleepRecorded>

extension SleepRecord {
    /// The person's words.
    public var note: String? { now.note?.isEmpty == true ? nil : now.note }
}

extension LogState {
    /// Loaded sleep records, those undone and deleted included.
    public var sleepRecords: [SleepRecord] { standalone.of() }
}

extension SleepRecorded: EntryKind {
    static var type: EventType { .sleepRecorded }
    static var entity: EntityType { .sleepRecord }
    static var words: String { "a recorded sleep" }
    static var canBeMoved: Bool { false }
    static var isSentByPrograms: Bool { true }
    static var list: (key: String, prose: String)? { ("sleep_records", "recorded sleep that belongs to no night") }

    func write(into object: inout JSONObject) {
        Self.write(self, into: &object)
        object["session_date"] = .string(date.text)
        object["note"] = note.map(JSONValue.string)
        object["request"] = request.json
    }

    init(_ reader: PayloadReader) throws(PayloadError) {
        self = try Self.read(
            reader, date: try reader.date("session_date"), note: try reader.optionalString("note"),
            request: try reader.request())
    }

    var countsUnder: SessionDate? {
        get { date }
        set { date = newValue ?? date }
    }

    func details(_ event: Event) -> JSONObject {
        // The key `source` of every entry says if the entry is automatic, so the source of a sleep has its own key.
        var object: JSONObject = ["sleep_source": .string(source)]
        object["device"] = device.map(JSONValue.string)
        object["part"] = .string(part.rawValue)
        object["grade"] = .string(grade.rawValue)
        object["end_utc"] = .instant(end)
        let figures = SleepFigures(self).withTimeInBed(until: end)
        object["sleep"] = .object(figures.measures.json)
        object["stage_s"] = .object(
            JSONObject(
                ImportedSleep.Stage.allCases.compactMap { stage in
                    figures.seconds[stage].map { (stage.rawValue, .integer(Int64($0))) }
                }))
        if case .stages(let spans) = course {
            object["stages"] = .array(
                spans.map { span in
                    .object([
                        "stage": .string(span.stage.rawValue), "start_utc": .instant(span.start),
                        "end_utc": .instant(span.end),
                    ])
                })
        }
        return object
    }

    var rules: [RuleNote] {
        [
            RuleNote("R30.1", "A recorded sleep opens, wakes and closes nothing."),
            RuleNote(
                "R30.3", "A recorded sleep belongs to the session with which it shares most time, else to its date."),
        ]
    }
    var names: [String] { ["sleep"] }
}

// MARK: What is said

/// The keys that a payload and a command share. A stage is `[stage, from, to]` in milliseconds from the start.
extension SleepRecorded {
    /// Returns the object of ``Command`` for a sleep of a source.
    static func said(_ sleep: ImportedSleep, source: String) -> JSONObject {
        var object = JSONObject()
        write(
            SleepRecorded(
                source: source, device: sleep.device, start: sleep.start, end: sleep.end,
                offsetMinutes: sleep.offsetMinutes, part: sleep.part, grade: sleep.grade, course: sleep.course,
                date: SessionDate(CivilDate(daysSinceEpoch: 0)), note: nil, request: Request()),
            into: &object)
        return object
    }

    private static func write(_ sleep: SleepRecorded, into object: inout JSONObject) {
        object["source"] = .string(sleep.source)
        object["device"] = sleep.device.map(JSONValue.string)
        object["start"] = .instant(sleep.start)
        object["end"] = .instant(sleep.end)
        object["offset_minutes"] = sleep.offsetMinutes.map { .integer(Int64($0)) }
        object["part"] = .string(sleep.part.rawValue)
        object["grade"] = .string(sleep.grade.rawValue)
        switch sleep.course {
        case .stages(let spans):
            object["stages"] = .array(
                spans.map { span in
                    .array([
                        .string(span.stage.rawValue), .integer((span.start - sleep.start).wholeMilliseconds),
                        .integer((span.end - sleep.start).wholeMilliseconds),
                    ])
                })
        case .durations(let seconds):
            object["durations"] = .object(
                JSONObject(
                    ImportedSleep.Stage.allCases.compactMap { stage in
                        seconds[stage].map { (stage.rawValue, .integer(Int64($0))) }
                    }))
        }
    }

    /// Reads what is said, within the bounds of R30.2.
    static func read(
        _ reader: PayloadReader, date: SessionDate, note: String?, request: Request
    ) throws(PayloadError) -> SleepRecorded {
        let start = try moment(reader, "start")
        let end = try moment(reader, "end")
        guard start < end, end - start <= longest else { throw reader.fault("end") }
        let offset = try reader.optionalInteger("offset_minutes")
        guard offset.map((-1_440...1_440).contains) ?? true else { throw reader.fault("offset_minutes") }
        guard let source = try name(reader, "source") else { throw reader.fault("source") }
        return SleepRecorded(
            source: source, device: try name(reader, "device"), start: start, end: end, offsetMinutes: offset,
            part: try reader.word("part"), grade: try reader.word("grade"),
            course: try course(reader, from: start, to: end), date: date, note: note, request: request)
    }

    /// Reads a moment, also as microseconds since 1970, which is the form on D-Bus.
    private static func moment(_ reader: PayloadReader, _ key: String) throws(PayloadError) -> Instant {
        if let microseconds = reader.value(key)?.integerValue { return Instant(microseconds: microseconds) }
        return try reader.instant(key)
    }

    private static func name(_ reader: PayloadReader, _ key: String) throws(PayloadError) -> String? {
        guard let text = try reader.optionalString(key) else { return nil }
        guard (1...nameScalars).contains(text.unicodeScalars.count),
            !text.unicodeScalars.contains(where: { $0.isControlOrBidirectional || $0 == "\n" || $0 == "\t" })
        else { throw reader.fault(key) }
        return text
    }

    private static func course(
        _ reader: PayloadReader, from start: Instant, to end: Instant
    ) throws(PayloadError) -> ImportedSleep.Course {
        let length = (end - start).wholeMilliseconds
        guard reader.value("stages") != nil else { return .durations(try durations(reader, length)) }
        guard reader.value("durations") == nil else { throw reader.fault("durations") }
        let values = try reader.list("stages")
        guard (1...mostStages).contains(values.count) else { throw reader.fault("stages") }
        var spans: [ImportedSleep.Span] = []
        spans.reserveCapacity(values.count)
        var (before, inBed): (Int64, Int64) = (0, 0)
        for value in values {
            guard case .array(let parts) = value, parts.count == 3,
                let stage = parts[0].stringValue.flatMap(ImportedSleep.Stage.init), let from = parts[1].integerValue,
                let to = parts[2].integerValue, from < to, to <= length
            else { throw reader.fault("stages") }
            // Time in bed lies under the stages of sleep.
            guard from >= (stage == .inBed ? inBed : before) else { throw reader.fault("stages") }
            if stage == .inBed { inBed = to } else { before = to }
            spans.append(.init(stage, start + .milliseconds(from), start + .milliseconds(to)))
        }
        guard zip(spans, spans.dropFirst()).allSatisfy({ $0.start <= $1.start }) else { throw reader.fault("stages") }
        return .stages(spans)
    }

    private static func durations(
        _ reader: PayloadReader, _ length: Int64
    ) throws(PayloadError) -> [ImportedSleep.Stage: Int] {
        var seconds: [ImportedSleep.Stage: Int] = [:]
        for entry in try reader.object("durations").entries {
            guard let stage = ImportedSleep.Stage(rawValue: entry.key), let count = entry.value.integerValue,
                (0...86_400).contains(count)
            else { throw reader.fault("durations") }
            seconds[stage] = Int(count)
        }
        // Each duration may be rounded up, so each adds a second.
        let most = (length + 999) / 1_000 + Int64(seconds.count)
        let asleep = seconds.filter { $0.key != .inBed }.values.reduce(0, +)
        guard Int64(max(asleep, seconds[.inBed] ?? 0)) <= most else { throw reader.fault("durations") }
        return seconds
    }
}
