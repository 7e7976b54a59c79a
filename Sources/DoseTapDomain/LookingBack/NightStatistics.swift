/// A look back over many nights: the answer of `stats` on every surface.
public struct NightStatistics: Hashable, Sendable {
    /// Figures of all of them.
    public var figures: NightFigures
    /// Date of the oldest night; nil without any.
    public var first: SessionDate?
    /// Date of the newest night.
    public var last: SessionDate?
    /// What the trend is measured by, in minutes.
    public var targetMinutes: Int
    /// Where the intervals are going; nil for fewer than four.
    public var trend: Effectiveness.Trend?
    /// The median interval held within 165 to 225 minutes; nil without an interval.
    public var recommendedMinutes: Int?
    /// What the nights of each zone were like, those with an interval and known sleep.
    public var zones: [Effectiveness.Zone: ZoneFigures]
    /// The known intervals, oldest first.
    public var intervals: [Interval]
    /// Figures of each week or month, newest first; empty where none were asked for.
    public var groups: [Group]

    /// The interval of one night.
    public struct Interval: Hashable, Sendable {
        /// Its date.
        public var date: SessionDate
        /// Whole minutes, truncated; negative is an anomaly that is shown.
        public var minutes: Int64
    }

    /// What the nights of one zone were like.
    public struct ZoneFigures: Hashable, Sendable {
        /// Minutes asleep.
        public var totalSleep: NightFigures.Average
        /// How the mornings felt.
        public var wellness: NightFigures.Average
    }

    /// The figures of one week or month.
    public struct Group: Hashable, Sendable {
        /// Its name.
        public var key: String
        /// Its figures.
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
        let known = nights.reversed().compactMap(\.night.interval).filter { $0 >= .zero }
        trend = Effectiveness.trend(known, targetMinutes: targetMinutes)
        recommendedMinutes =
            known.isEmpty ? nil : IntervalRecommendation.baseline(known.map { Int($0.wholeMinutes) })
        zones = [:]
        let pairs = nights.filter {
            Effectiveness.isPairable(interval: $0.night.interval, totalSleepMinutes: $0.sleep.totalSleepMinutes)
        }
        for zone in Effectiveness.Zone.allCases {
            let own = pairs.filter { Effectiveness.Zone(interval: $0.night.interval) == zone }
            zones[zone] = ZoneFigures(
                totalSleep: .init(own.compactMap(\.sleep.totalSleepMinutes)),
                wellness: .init(own.compactMap(\.night.wellnessScore)))
        }
        intervals = nights.reversed().compactMap { night in
            night.night.intervalMinutes.map { Interval(date: night.night.sessionDate, minutes: $0) }
        }
        groups = grouping.map { Self.groups(nights, by: $0) } ?? []
    }

    private static func groups(_ nights: [MeasuredNight], by grouping: Grouping) -> [Group] {
        var byKey: [String: [MeasuredNight]] = [:]
        for night in nights { byKey[grouping.key(of: night.night.sessionDate), default: []].append(night) }
        return byKey.sorted { $0.key > $1.key }.map { Group(key: $0.key, figures: NightFigures($0.value)) }
    }
}
