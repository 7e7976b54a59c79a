/// The intervals between the doses in one week or month. Nights without an interval take no part, nor do anomalies.
public struct IntervalMean: Hashable, Sendable {
    /// The name of the week or month, as of ``Grouping/key(of:)``.
    public var key: String
    /// How many nights have an interval; at least 1.
    public var count: Int
    /// Their mean, in minutes, to a tenth.
    public var meanMinutes: Double
    /// The shortest, in minutes, to a tenth.
    public var shortestMinutes: Double
    /// The longest, in minutes, to a tenth.
    public var longestMinutes: Double

    /// Memberwise.
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
    ///   - sum: of all intervals, in milliseconds, as the others.
    public init(key: String, count: Int, sum: Int64, shortest: Int64, longest: Int64) {
        self.init(
            key: key, count: count, meanMinutes: NightFigures.tenth(Double(sum) / Double(max(1, count)) / 60_000),
            shortestMinutes: NightFigures.tenth(Double(shortest) / 60_000),
            longestMinutes: NightFigures.tenth(Double(longest) / 60_000))
    }

    /// The keys of `interval` in `stats --json`, and which week or month.
    /// Its keys, for writing, reading and the JSON Schema.
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
