/// The source of a recorded sleep: its word, and the device if one is named.
public struct SleepSource: Hashable, Sendable, Comparable {
    public var source: String
    public var device: String?

    public init(_ source: String, device: String? = nil) {
        self.source = source
        self.device = device
    }

    private var key: (String, String) { (source, device ?? "") }

    public static func < (left: SleepSource, right: SleepSource) -> Bool { left.key < right.key }

    /// Returns true if a word of the setting `sleep.sources` names the source or its device, in any case of letters.
    func isNamed(_ word: String) -> Bool {
        word.lowercased() == source.lowercased() || word.lowercased() == device?.lowercased()
    }
}

/// A recorded sleep of a night, with the facts that decide which sleep counts.
public struct SleepCandidate: Hashable, Sendable {
    /// The form in which a record tells the course of the sleep; the raw value is the column.
    public enum Course: String, Hashable, Sendable, CaseIterable {
        case stages
        case durations

        public init(_ course: ImportedSleep.Course) {
            self = if case .stages = course { .stages } else { .durations }
        }
    }

    public var id: EventID
    public var source: SleepSource
    public var start: Instant
    public var end: Instant
    public var date: SessionDate
    public var part: ImportedSleep.Part
    public var grade: ImportedSleep.Grade
    public var course: Course
    public var figures: SleepFigures

    public init(
        id: EventID, source: SleepSource, start: Instant, end: Instant, date: SessionDate, part: ImportedSleep.Part,
        grade: ImportedSleep.Grade, course: Course, figures: SleepFigures
    ) {
        self.id = id
        self.source = source
        self.start = start
        self.end = end
        self.date = date
        self.part = part
        self.grade = grade
        self.course = course
        self.figures = figures.withTimeInBed(until: end)
    }

    public init(_ record: SleepRecord) {
        self.init(
            id: record.id, source: SleepSource(record.now.source, device: record.now.device), start: record.now.start,
            end: record.now.end, date: record.now.date, part: record.now.part, grade: record.now.grade,
            course: Course(record.now.course), figures: SleepFigures(record.now))
    }

    /// The rank, lowest first: stages that tell waking, then durations and spans of sleep alone, then the word of a person.
    fileprivate var rank: Int { grade == .told ? 2 : course == .stages && figures.awakeSeconds != nil ? 0 : 1 }
    /// The seconds of sleep if they are known, else the seconds of the record.
    fileprivate var sleptSeconds: Int { figures.asleepSeconds ?? Int((end - start).wholeSeconds) }
}

/// The facts that decide the source of a night (R30.4).
public struct SleepSources: Hashable, Sendable {
    /// The setting `sleep.sources`: words of sources or devices, the preferred one first.
    public var order: [String]
    /// The number of session dates with records of each source, naps apart.
    public var dates: [SleepSource: Int]

    public init(order: [String] = [], dates: [SleepSource: Int] = [:]) {
        self.order = order
        self.dates = dates
    }

    /// Returns the sleep of the night by its one source; nil if no source recorded the night.
    ///
    /// - Parameters:
    ///   - candidates: the records that belong to the night. Naps take no part.
    ///   - lightsOut: the lights out of the night.
    ///   - end: the end of the night; nil while the night goes on.
    public func choice(_ candidates: [SleepCandidate], lightsOut: Instant?, end: Instant?) -> RecordedSleep? {
        let whole = candidates.filter { sleep in
            sleep.part == .main || sleep.part == .unknown && end.map { sleep.start < $0 } ?? true
        }
        let bySource = Dictionary(grouping: whole, by: \.source)
        func place(_ source: SleepSource) -> Int { order.firstIndex(where: source.isNamed) ?? order.count }
        func rank(_ source: SleepSource) -> Int { bySource[source]?.map(\.rank).min() ?? 0 }
        let chosen = bySource.keys.min { left, right in
            (place(left), rank(left), -(dates[left] ?? 0), left) < (
                place(right), rank(right), -(dates[right] ?? 0), right
            )
        }
        guard let chosen, let own = bySource[chosen] else { return nil }
        // Two records of one source about the same time are one sleep.
        var kept: [SleepCandidate] = []
        for record in own.sorted(by: { Self.isBetter($0, $1) })
        where !kept.contains(where: { $0.start < record.end && record.start < $0.end }) {
            kept.append(record)
        }
        kept.sort { $0.start < $1.start }
        return RecordedSleep(Self.night(kept), others: bySource.count - 1, lightsOut: lightsOut)
    }

    /// The longest pause within a night. A longer pause parts the night from a sleep of the day that the source calls no nap.
    private static let longestPause: Duration = .hours(3)

    /// Returns the records without sleeps of the day that no source called a nap. The parts that the source calls main sleep
    /// stay, else the part with most sleep.
    ///
    /// - Parameter records: in order of time.
    private static func night(_ records: [SleepCandidate]) -> [SleepCandidate] {
        var parts: [[SleepCandidate]] = []
        for record in records {
            if let last = parts.last?.last, record.start - last.end <= longestPause {
                parts[parts.count - 1].append(record)
            } else {
                parts.append([record])
            }
        }
        let main = parts.filter { $0.contains { $0.part == .main } }
        guard main.isEmpty else { return main.flatMap { $0 } }
        func slept(_ part: [SleepCandidate]) -> Int { part.reduce(0) { $0 + $1.sleptSeconds } }
        // Among equals the first part stays.
        return parts.reduce([]) { slept($1) > slept($0) || $0.isEmpty ? $1 : $0 }
    }

    private static func isBetter(_ left: SleepCandidate, _ right: SleepCandidate) -> Bool {
        (left.rank, left.start - left.end, left.id.text) < (right.rank, right.start - right.end, right.id.text)
    }
}

/// The record of a night's sleep by one source. The record stands beside the sleep diary and never in it.
public struct RecordedSleep: Hashable, Sendable {
    public var source: String
    public var device: String?
    public var grade: ImportedSleep.Grade
    /// The beginning and the end of the sleep.
    public var start: Instant
    public var end: Instant
    /// The number of records of which the sleep is made.
    public var records: Int
    /// The number of further sources that recorded the night.
    public var others: Int
    /// The figures under the names they have in the sleep diary.
    public var measures: SleepDiary
    /// Deep sleep, whole minutes; nil if a record does not tell it.
    public var deepMinutes: Int?

    /// - Parameter records: records of one source, in order of time, of which no two share time; without records the result is nil.
    init?(_ records: [SleepCandidate], others: Int, lightsOut: Instant?) {
        guard let first = records.first, let last = records.last else { return nil }
        (source, device) = (first.source.source, first.source.device)
        grade = records.map(\.grade).first { $0 != .told } ?? .told
        (start, end) = (first.start, last.end)
        (self.records, self.others) = (records.count, others)
        var sum = first.figures
        for record in records.dropFirst() { sum.add(record.figures) }
        measures = sum.measures(lightsOut: lightsOut)
        // Spans of undivided sleep tell neither waking nor deep sleep.
        let isDeepKnown = records.allSatisfy { record in
            record.figures.seconds[.deep] != nil || record.course == .stages && record.figures.awakeSeconds != nil
        }
        deepMinutes = isDeepKnown ? sum.seconds[.deep].map { $0 / 60 } : nil
    }
}

extension SleepFigures {
    /// Adds a later record of the same night. A figure that one record does not know is unknown in the sum, apart from the seconds
    /// of stages. The time from the last sleep of the one to the first sleep of the other counts as awake.
    fileprivate mutating func add(_ other: SleepFigures) {
        func sum(_ left: Int?, _ right: Int?) -> Int? { left.flatMap { left in right.map { left + $0 } } }
        let awakeBetween = lastAsleep.flatMap { last in other.firstAsleep.map { Int(($0 - last).wholeSeconds) } }
        seconds.merge(other.seconds, uniquingKeysWith: +)
        asleepSeconds = sum(asleepSeconds, other.asleepSeconds)
        awakeSeconds = sum(sum(awakeSeconds, other.awakeSeconds), awakeBetween)
        awakenings = sum(sum(awakenings, other.awakenings), awakeBetween.map { $0 > 0 ? 1 : 0 })
        inBedSeconds = sum(inBedSeconds, other.inBedSeconds)
        lastAsleep = other.lastAsleep
    }

    /// Creates figures from the columns of a table.
    public init(
        deepSeconds: Int?, asleepSeconds: Int?, awakeSeconds: Int?, awakenings: Int?, inBedSeconds: Int?,
        inBed: Instant?, firstAsleep: Instant?, lastAsleep: Instant?
    ) {
        seconds = deepSeconds.map { [.deep: $0] } ?? [:]
        self.asleepSeconds = asleepSeconds
        self.awakeSeconds = awakeSeconds
        self.awakenings = awakenings
        self.inBedSeconds = inBedSeconds
        self.inBed = inBed
        self.firstAsleep = firstAsleep
        self.lastAsleep = lastAsleep
    }
}

// MARK: Keys

extension RecordedSleep {
    private static let blank = RecordedSleep(
        [
            SleepCandidate(
                id: EventID(""), source: SleepSource(""), start: .min, end: .min,
                date: SessionDate(CivilDate(daysSinceEpoch: 0)), part: .unknown, grade: .told, course: .durations,
                figures: SleepFigures(.durations([:])))
        ], others: 0, lightsOut: nil)

    static let description: RecordDescription<RecordedSleep> = {
        guard let blank else { preconditionFailure("a record of one candidate") }
        return RecordDescription(blank) { it in
            it.text("source", get: { $0.source }, set: { $0.source = $1 })
            it.textOrNull("device", get: { $0.device }, set: { $0.device = $1 })
            it.word("grade", get: { $0.grade }, set: { $0.grade = $1 })
            it.instant("start_utc", get: { $0.start }, set: { $0.start = $1 })
            it.instant("end_utc", get: { $0.end }, set: { $0.end = $1 })
            it.integer("records", "of which it is made", get: { $0.records }, set: { $0.records = $1 })
            it.integer(
                "other_sources", "that recorded the night and do not count", get: { $0.others },
                set: { $0.others = $1 })
            it.integerOrNull("deep_sleep_min", in: .minutes, get: { $0.deepMinutes }, set: { $0.deepMinutes = $1 })
            it.part(SleepDiary.description, get: { $0.measures }, set: { $0.measures = $1 })
        }
    }()
}
