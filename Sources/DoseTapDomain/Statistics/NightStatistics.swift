/// A look back over many nights: the answer of `stats` on every surface.
public struct NightStatistics: Hashable, Sendable {
    /// Figures of all nights.
    public var figures: NightFigures
    /// Date of the oldest night; nil without any.
    public var first: SessionDate?
    /// Date of the newest night.
    public var last: SessionDate?
    /// The target by which the trend is measured, in minutes.
    public var targetMinutes: Int
    /// The trend of the intervals; nil for fewer than four.
    public var trend: Effectiveness.Trend?
    /// The whole minutes of the median interval, held within 165 to 225; nil without an interval.
    public var usualMinutes: Int?
    /// The figures of the nights of each zone, of those with an interval and known sleep.
    public var zones: [Effectiveness.Zone: ZoneFigures]
    /// The known intervals, oldest first.
    public var intervals: [Interval]
    /// Figures of each week or month, newest first; empty if none were asked for.
    public var groups: [Group]

    /// The interval of one night.
    public struct Interval: Hashable, Sendable {
        public var date: SessionDate
        /// Whole minutes, truncated; negative is an anomaly that is shown.
        public var minutes: Int64
    }

    /// The figures of the nights of one zone.
    public struct ZoneFigures: Hashable, Sendable {
        /// Minutes asleep.
        public var totalSleep: NightFigures.Average
        /// The wellness scores of the mornings.
        public var wellness: NightFigures.Average
    }

    /// The figures of one week or month.
    public struct Group: Hashable, Sendable {
        /// The name of the week or month.
        public var key: String
        public var figures: NightFigures
    }

    /// Sums up nights.
    ///
    /// - Parameters:
    ///   - nights: newest first.
    ///   - targetMinutes: the target interval in force.
    public init(_ nights: [MeasuredNight], targetMinutes: Int, by grouping: Grouping? = nil) {
        figures = NightFigures(nights)
        first = nights.map(\.night.sessionDate).min()
        last = nights.map(\.night.sessionDate).max()
        self.targetMinutes = targetMinutes
        let known = nights.reversed().compactMap(\.night.countedInterval).filter { $0 >= .zero }
        trend = Effectiveness.trend(known, targetMinutes: targetMinutes)
        usualMinutes =
            known.isEmpty ? nil : IntervalRecommendation.baseline(known.map { Int($0.wholeMinutes) })
        zones = [:]
        let pairs = nights.filter {
            Effectiveness.isPairable(
                interval: $0.night.countedInterval, totalSleepMinutes: $0.sleep.totalSleepMinutes)
        }
        for zone in Effectiveness.Zone.allCases {
            let own = pairs.filter { Effectiveness.Zone(interval: $0.night.countedInterval) == zone }
            zones[zone] = ZoneFigures(
                totalSleep: .init(own.compactMap(\.sleep.totalSleepMinutes)),
                wellness: .init(own.compactMap(\.night.wellnessScore)))
        }
        intervals = nights.reversed().compactMap { night in
            night.night.countedInterval.map { Interval(date: night.night.sessionDate, minutes: $0.wholeMinutes) }
        }
        groups = grouping.map { Self.groups(nights, by: $0) } ?? []
    }

    private static func groups(_ nights: [MeasuredNight], by grouping: Grouping) -> [Group] {
        var byKey: [String: [MeasuredNight]] = [:]
        for night in nights { byKey[grouping.key(of: night.night.sessionDate), default: []].append(night) }
        return byKey.sorted { $0.key > $1.key }.map { Group(key: $0.key, figures: NightFigures($0.value)) }
    }
}

// MARK: Keys

extension NightStatistics {
    /// The keys; null is unknown.
    public static let description = RecordDescription(
        "stats", "stats --json", NightStatistics([], targetMinutes: 0)
    ) { it in
        it.part(NightFigures.description, get: { $0.figures }, set: { $0.figures = $1 })
        it.dateOrNull("from", "the oldest night", get: { $0.first }, set: { $0.first = $1 })
        it.dateOrNull("to", "the newest night", get: { $0.last }, set: { $0.last = $1 })
        it.integer(
            "target_min", "what the trend is measured by", in: .minutes, get: { $0.targetMinutes },
            set: { $0.targetMinutes = $1 })
        it.recordOrNull(
            "trend", Effectiveness.Trend.description, "null for fewer than four intervals", get: { $0.trend },
            set: { $0.trend = $1 })
        it.integerOrNull(
            "usual_interval_min", in: .minutes, get: { $0.usualMinutes },
            set: { $0.usualMinutes = $1 })
        it.value(
            "zones",
            .object {
                Shape(
                    Effectiveness.Zone.allCases.map {
                        Key($0.rawValue, .object { ZoneFigures.description.shape })
                    })
            },
            get: { statistics in
                var zones = JSONObject()
                for zone in Effectiveness.Zone.allCases {
                    guard let figures = statistics.zones[zone] else { continue }
                    zones.add(zone.rawValue, .object(ZoneFigures.description.json(figures)))
                }
                return .object(zones)
            },
            set: { (statistics, value) throws(PayloadError) in
                let zones = try PayloadReader("zones", json: value ?? .null)
                statistics.zones = [:]
                for zone in Effectiveness.Zone.allCases {
                    guard let figures = try zones.optionalNested(zone.rawValue) else { continue }
                    statistics.zones[zone] = try ZoneFigures.description.read(figures)
                }
                return true
            })
        it.records(
            "intervals", Interval.description, "oldest first", get: { $0.intervals },
            set: { $0.intervals = $1 })
        it.records(
            "groups", Group.description, "weeks or months, newest first; empty where none were asked for",
            get: { $0.groups }, set: { $0.groups = $1 })
    }

    /// The object of `stats --json`, and the answer of D-Bus `Stats`.
    public var json: JSONObject { Self.description.json(self) }

    /// Reads the object back, as a client does.
    public init(json: JSONObject) throws(PayloadError) {
        self = try Self.description.read(PayloadReader("statistics", json))
    }
}

extension NightStatistics.ZoneFigures {
    static let description = RecordDescription(
        NightStatistics.ZoneFigures(totalSleep: .init([Int]()), wellness: .init([Int]()))
    ) { it in
        it.record(
            "total_sleep_min", NightFigures.Average.description, get: { $0.totalSleep },
            set: { $0.totalSleep = $1 })
        it.record(
            "wellness_score", NightFigures.Average.description, get: { $0.wellness }, set: { $0.wellness = $1 })
    }
}

extension NightStatistics.Interval {
    static let description = RecordDescription(
        NightStatistics.Interval(date: SessionDate(CivilDate(daysSinceEpoch: 0)), minutes: 0)
    ) { it in
        it.date("session_date", get: { $0.date }, set: { $0.date = $1 })
        it.integer(
            "interval_min", in: .minutes, get: { Int($0.minutes) }, set: { $0.minutes = Int64($1) })
    }
}

extension NightStatistics.Group {
    static let description = RecordDescription(
        NightStatistics.Group(key: "", figures: NightFigures([]))
    ) { it in
        it.text("key", get: { $0.key }, set: { $0.key = $1 })
        it.part(NightFigures.description, get: { $0.figures }, set: { $0.figures = $1 })
    }
}

extension Effectiveness.Trend {
    fileprivate static let description = RecordDescription(
        Effectiveness.Trend(direction: .stable, earlierMinutes: 0, laterMinutes: 0)
    ) { it in
        it.word("direction", get: { $0.direction }, set: { $0.direction = $1 })
        it.number(
            "earlier_mean_min", in: .minutes, get: { NightFigures.tenth($0.earlierMinutes) },
            set: { $0.earlierMinutes = $1 })
        it.number(
            "later_mean_min", in: .minutes, get: { NightFigures.tenth($0.laterMinutes) },
            set: { $0.laterMinutes = $1 })
    }
}

/// Nights by their dates, both included; nil is open.
public struct NightSpan: Hashable, Sendable {
    public var first: SessionDate?
    public var last: SessionDate?

    public init(first: SessionDate? = nil, last: SessionDate? = nil) {
        self.first = first
        self.last = last
    }

    /// Returns true if a night of the date lies in the span.
    public func contains(_ date: SessionDate) -> Bool {
        first.map { date >= $0 } ?? true && last.map { date <= $0 } ?? true
    }

    /// Returns a query for the nights. A store looks by the start first, which lies within a day or so of the date.
    public func query(
        limit: Int, cursor: String, event: String? = nil, kinds: Set<NightKind> = []
    ) -> SessionQuery {
        SessionQuery(
            from: first.map { Self.midnight($0, plus: -2) }, to: last.map { Self.midnight($0, plus: 3) }, limit: limit,
            cursor: cursor, event: event, dates: self, kinds: kinds)
    }

    private static func midnight(_ date: SessionDate, plus days: Int) -> Instant {
        Instant(seconds: Int64(date.civil.daysSinceEpoch + days) * 86_400)
    }
}

/// The nights of which figures are made.
public struct StatisticsQuery: Hashable, Sendable {
    /// The number of newest nights; nil for all of the span.
    public var range: Int?
    /// The dates of the nights.
    public var span: NightSpan
    /// Also figures for each week or month.
    public var grouping: Grouping?

    /// The most nights figures are made of.
    public static let mostNights = 10_000
    /// The number of nights where no other number is chosen.
    public static let usualRange = 30

    public init(range: Int?, span: NightSpan = NightSpan(), grouping: Grouping? = nil) {
        self.range = range
        self.span = span
        self.grouping = grouping
    }
}

/// The period by which nights are put together.
public enum Grouping: String, Hashable, Sendable, CaseIterable {
    /// ISO 8601 weeks, Monday to Sunday.
    case week
    /// Months of the calendar.
    case month

    /// The name of the group of a date: `2026-W03` or `2026-01`.
    public func key(of date: SessionDate) -> String {
        switch self {
        case .month: return String(date.text.prefix(7))
        case .week:
            // A week belongs to the year of its Thursday.
            let thursday = date.civil.adding(days: Weekday.thursday.rawValue - date.civil.weekday.rawValue)
            let first = CivilDate(year: thursday.year, month: 1, day: 1) ?? thursday
            let week = (thursday.daysSinceEpoch - first.daysSinceEpoch) / 7 + 1
            return "\(SessionDate(thursday).text.prefix(4))-W\(week < 10 ? "0" : "")\(week)"
        }
    }
}
