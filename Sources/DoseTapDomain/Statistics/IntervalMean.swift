/// The intervals between the doses in one week or month. Nights without an interval and anomalies take no part.
public struct IntervalMean: Hashable, Sendable {
    /// The name of the week or month, as of ``Grouping/key(of:)``.
    public var key: String
    /// The number of nights with an interval; at least 1.
    public var count: Int
    /// The mean, in minutes, to a tenth.
    public var meanMinutes: Double
    /// The shortest, in minutes.
    public var shortestMinutes: Double
    /// The longest, in minutes.
    public var longestMinutes: Double

    public init(
        key: String, count: Int, meanMinutes: Double, shortestMinutes: Double, longestMinutes: Double
    ) {
        self.key = key
        self.count = count
        self.meanMinutes = meanMinutes
        self.shortestMinutes = shortestMinutes
        self.longestMinutes = longestMinutes
    }

    /// Makes the mean of a sum.
    ///
    /// - Parameters:
    ///   - sum: the sum of all intervals, in whole minutes like the other lengths.
    public init(key: String, count: Int, sum: Int64, shortest: Int64, longest: Int64) {
        self.init(
            key: key, count: count, meanMinutes: NightFigures.tenth(Double(sum) / Double(max(1, count))),
            shortestMinutes: Double(shortest), longestMinutes: Double(longest))
    }

    /// The keys of `interval` in `stats --json`, and the week or month.
    public static let description = RecordDescription(
        IntervalMean(key: "", count: 0, meanMinutes: 0, shortestMinutes: 0, longestMinutes: 0)
    ) { it in
        it.text("key", get: { $0.key })
        it.integer("count", least: 1, get: { $0.count })
        it.number("mean_min", in: .minutes, least: 0, get: { $0.meanMinutes })
        it.number("shortest_min", in: .minutes, least: 0, get: { $0.shortestMinutes })
        it.number("longest_min", in: .minutes, least: 0, get: { $0.longestMinutes })
    }

    /// The keys of ``description``.
    public var json: JSONObject { Self.description.json(self) }
}

/// An interval worked out from earlier nights: a figure of the record, held within the window, and no advice.
public enum IntervalRecommendation {
    /// The stage of sleep that a tracker sees at the moment.
    public enum Stage: String, Hashable, Sendable, CaseIterable {
        case awake
        case light
        case deep
        case rem
    }

    /// The moment of a running night.
    public struct Live: Hashable, Sendable {
        /// Whole minutes since dose 1.
        public var minutes: Int
        /// The stage of sleep; nil if unknown.
        public var stage: Stage?

        public init(minutes: Int, stage: Stage?) {
            self.minutes = minutes
            self.stage = stage
        }
    }

    static let window = 150...240

    /// Returns the whole minutes of the median of the samples within the window, held within 165 to 225; 165 without a sample.
    ///
    /// - Parameter samples: whole minutes.
    public static func baseline(_ samples: [Int]) -> Int { min(225, max(165, median(samples).map { Int($0) } ?? 165)) }

    /// Returns the median of the samples within the window; nil without one.
    ///
    /// - Parameter samples: whole minutes; of an even number the mean of the middle two counts, which may be a half.
    public static func median(_ samples: [Int]) -> Double? {
        Quartiles(samples.filter(window.contains).map { Double($0) })?.median
    }

    /// Returns the minutes after dose 1 for a running night: now, if the person is awake or sleeps lightly within the
    /// window; else ten more than the baseline before 180, at most 240; else the baseline.
    ///
    /// - Parameter live: nil if unknown, which gives the baseline.
    public static func minutes(_ samples: [Int], live: Live?) -> Int {
        let baseline = baseline(samples)
        guard let live, let stage = live.stage else { return baseline }
        switch stage {
        case .awake, .light:
            if window.contains(live.minutes) { return live.minutes }
        case .deep, .rem: break
        }
        return live.minutes < 180 ? min(240, baseline + 10) : baseline
    }
}
