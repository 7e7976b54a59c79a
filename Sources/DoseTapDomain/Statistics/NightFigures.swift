/// Figures of some nights. A mean counts the nights that have the value; without such a night it is unknown, never 0.
public struct NightFigures: Hashable, Sendable {
    public var nights: Int
    /// The number of nights by outcome.
    public var outcomes: [NightOutcome: Int]
    /// The number of nights on time that were optimal.
    public var optimal: Int
    /// The number of doses beyond those prescribed, which no other figure counts.
    public var extraDoses: Int
    /// Intervals that count, in whole minutes as each night shows its own, without negative ones.
    public var intervals: Spread
    /// Night scores.
    public var score: Average
    /// Wellness scores of the mornings.
    public var wellness: Average
    /// Measures of the sleep diary by their keys.
    public var sleep: [String: Average]
    /// The same measures as sources recorded them, over the nights that have them.
    public var recordedSleep: [String: Average]

    /// A mean and the number of its values.
    public struct Average: Hashable, Sendable {
        /// The number of known values.
        public var count: Int
        /// The mean, to a tenth; nil without a value.
        public var mean: Double?

        init(_ values: [Int]) { self.init(values.map { Double($0) }) }

        init(_ values: [Double]) {
            count = values.count
            mean = values.isEmpty ? nil : NightFigures.tenth(values.reduce(0, +) / Double(values.count))
        }
    }

    /// The mean, the median and the extremes of some values.
    public struct Spread: Hashable, Sendable {
        public var average: Average
        /// The median, to a tenth; for an even number of values the mean of the middle two.
        public var median: Double?
        /// The shortest, to a tenth.
        public var least: Double?
        /// The longest, to a tenth.
        public var most: Double?

        init(_ values: [Double]) {
            average = Average(values)
            let sorted = values.sorted()
            least = sorted.first.map(NightFigures.tenth)
            most = sorted.last.map(NightFigures.tenth)
            guard !sorted.isEmpty else { return }
            let middle = sorted.count / 2
            median = NightFigures.tenth(
                sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2)
        }
    }

    /// Counts and averages nights.
    public init(_ measured: [MeasuredNight]) {
        nights = measured.count
        outcomes = [:]
        for night in measured { if let outcome = night.night.outcome { outcomes[outcome, default: 0] += 1 } }
        // A file may say any number.
        extraDoses = measured.map(\.night.extraDoses).reduce(0) {
            let (sum, isTooMany) = $0.addingReportingOverflow(max(0, $1))
            return isTooMany ? .max : sum
        }
        let known = measured.compactMap(\.night.countedInterval).filter { $0 >= .zero }
        optimal = known.count(where: DoseWindow.isOptimal)
        intervals = Spread(known.map { Double($0.wholeMinutes) })
        score = Average(measured.compactMap(\.night.nightScore))
        wellness = Average(measured.compactMap(\.night.wellnessScore))
        sleep = [:]
        let measures = measured.map(\.sleep.kept)
        for (place, key) in SleepDiary.keys.enumerated() { sleep[key] = Average(measures.compactMap { $0[place] }) }
        recordedSleep = [:]
        let recorded = measured.compactMap { $0.recorded?.measures.kept }
        for (place, key) in SleepDiary.keys.enumerated() {
            recordedSleep[key] = Average(recorded.compactMap { $0[place] })
        }
    }

    /// The number of nights that expected a second dose and are decided.
    public var judged: Int { outcomes.filter(\.key.isJudged).values.reduce(0, +) }
    /// The number of nights on time.
    public var onTime: Int { outcomes[.onTime] ?? 0 }
    /// The share of the decided nights that were on time, in percent, to a tenth; nil without one.
    public var compliancePercent: Double? {
        judged == 0 ? nil : Self.tenth(100 * Double(onTime) / Double(judged))
    }

    static func tenth(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}

// MARK: Keys

/// Null is unknown.
extension NightFigures {
    static let description = RecordDescription(
        NightFigures([])
    ) { it in
        it.integer("nights", get: { $0.nights }, set: { $0.nights = $1 })
        it.value(
            "counts",
            .object {
                Shape(NightOutcome.allCases.map { Key($0.rawValue, .integer()) } + [Key("optimal", .integer())])
            },
            "nights by their outcome",
            get: { figures in
                var counts = JSONObject()
                for outcome in NightOutcome.allCases {
                    counts.add(outcome.rawValue, .integer(Int64(figures.outcomes[outcome] ?? 0)))
                }
                counts.add("optimal", .integer(Int64(figures.optimal)))
                return .object(counts)
            },
            set: { (figures, value) throws(PayloadError) in
                guard let counts = value?.objectValue else { return false }
                for outcome in NightOutcome.allCases {
                    guard let count = counts[outcome.rawValue]?.integerValue, count > 0 else { continue }
                    figures.outcomes[outcome] = Int(count)
                }
                figures.optimal = counts["optimal"]?.integerValue.map { Int($0) } ?? 0
                return true
            })
        // An older service does not count them.
        it.integerOrNull(
            "extra_doses", "beyond those prescribed, in no other figure", null: .absent,
            get: { $0.extraDoses > 0 ? $0.extraDoses : nil }, set: { $0.extraDoses = $1 ?? 0 })
        it.value(
            "compliance",
            .object {
                Shape([
                    Key("on_time", .integer()), Key("of", .integer()), Key("percent", .number(.percent), .null),
                ])
            },
            get: {
                [
                    "on_time": .integer(Int64($0.onTime)), "of": .integer(Int64($0.judged)),
                    "percent": $0.compliancePercent.map(JSONValue.number) ?? .null,
                ]
            })
        it.record("interval", Spread.description, get: { $0.intervals }, set: { $0.intervals = $1 })
        it.record("night_score", Average.description, get: { $0.score }, set: { $0.score = $1 })
        it.record("wellness_score", Average.description, get: { $0.wellness }, set: { $0.wellness = $1 })
        it.value(
            "sleep", Self.sleepType, get: { Self.json($0.sleep) },
            set: { (figures, value) throws(PayloadError) in
                figures.sleep = try Self.averages(value)
                return true
            })
        it.value(
            "recorded_sleep", Self.sleepType, "by devices and programs, apart from the diary",
            get: { Self.json($0.recordedSleep) },
            set: { (figures, value) throws(PayloadError) in
                // An older service sends no such measures.
                figures.recordedSleep = try Self.averages(value ?? .object(JSONObject()))
                return true
            })
    }

    private static var sleepType: ValueType {
        .object { Shape(SleepDiary.keys.map { Key($0, .object { Average.description.shape }) }) }
    }

    private static func json(_ averages: [String: Average]) -> JSONValue {
        .object(
            JSONObject(SleepDiary.keys.map { ($0, .object((averages[$0] ?? Average([Int]())).json)) }))
    }

    private static func averages(_ value: JSONValue?) throws(PayloadError) -> [String: Average] {
        let measures = try PayloadReader("sleep", json: value ?? .null)
        var averages: [String: Average] = [:]
        for key in SleepDiary.keys {
            averages[key] =
                try measures.optionalNested(key).map { reader throws(PayloadError) in
                    try Average.description.read(reader)
                } ?? Average([Int]())
        }
        return averages
    }
}

extension NightFigures.Average {
    static let description = RecordDescription(
        NightFigures.Average([Int]())
    ) { it in
        it.integer("count", get: { $0.count }, set: { $0.count = $1 })
        it.numberOrNull("mean", get: { $0.mean }, set: { $0.mean = $1 })
    }

    var json: JSONObject { Self.description.json(self) }
}

extension NightFigures.Spread {
    static let description = RecordDescription(
        NightFigures.Spread([])
    ) { it in
        it.integer("count", get: { $0.average.count }, set: { $0.average.count = $1 })
        it.numberOrNull("mean_min", in: .minutes, get: { $0.average.mean }, set: { $0.average.mean = $1 })
        it.numberOrNull("median_min", in: .minutes, get: { $0.median }, set: { $0.median = $1 })
        it.numberOrNull("shortest_min", in: .minutes, get: { $0.least }, set: { $0.least = $1 })
        it.numberOrNull("longest_min", in: .minutes, get: { $0.most }, set: { $0.most = $1 })
    }
}

/// A night in a line with the measures of its sleep diary.
public struct MeasuredNight: Hashable, Sendable {
    public var night: NightSummary
    public var sleep: SleepDiary
    /// The sleep that the one source of the night recorded.
    public var recorded: RecordedSleep?

    /// True if a dose, going to bed, lights out or the final wake is on record.
    public var hasSigns: Bool

    public init(night: NightSummary, sleep: SleepDiary, recorded: RecordedSleep? = nil, hasSigns: Bool = true) {
        self.night = night
        self.hasSigns = hasSigns
        self.sleep = sleep
        self.recorded = recorded
    }

    /// True for a night; a nap, a glass of water by day or a second final wake is no night (R8.11, R9.8, R13.1).
    public var isNight: Bool { hasSigns && night.belongsTo == nil || recorded != nil }

    /// Sums up a session.
    public init(_ session: Session) {
        self.init(night: NightSummary(session), sleep: session.sleepDiary, hasSigns: session.hasSigns)
    }
}

/// One page of measured nights, newest first.
public struct MeasuredPage: Hashable, Sendable {
    public var nights: [MeasuredNight]
    /// The cursor of the next page; empty after the last.
    public var next: String

    public init(nights: [MeasuredNight], next: String) {
        self.nights = nights
        self.next = next
    }
}

/// Kinds of nights to look for; a night may be of several.
public enum NightKind: String, Hashable, Sendable, CaseIterable {
    case onTime = "on_time"
    case early
    case late
    /// Skipped by the person, not by the clock.
    case skipped
    /// Dose 2 was expected, and nothing says what became of it.
    case notRecorded = "not_recorded"
    case extra
    case snoozed
    case open

    /// The outcomes that a night of the kind can have; empty if the kind says nothing about the outcome.
    public var outcomes: [NightOutcome] {
        switch self {
        case .onTime: [.onTime]
        case .early: [.early]
        case .late: [.late]
        case .skipped: [.skipped]
        case .notRecorded: [.notRecorded]
        case .extra, .snoozed, .open: []
        }
    }
}
