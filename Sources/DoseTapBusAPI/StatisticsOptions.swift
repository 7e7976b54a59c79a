public import DoseTapDomain
public import SDBus

/// The `options a{sv}` of `Stats`.
extension StatisticsQuery {
    /// As sent.
    public var variants: VariantEntries {
        var options = NightOptions.variants(span)
        if let range { options["range"] = Variant(UInt32(clamping: range)) }
        if let grouping { options["by"] = Variant(grouping.rawValue) }
        return options
    }

    /// As received: unknown keys, wrong types and values out of range are refused by name.
    ///
    /// - Throws: ``ServiceError`` of kind `invalidInput`.
    public init(_ options: VariantEntries) throws(ServiceError) {
        self.init(range: nil)
        span = try NightOptions.read(options, known: ["range", "by"]) { (key, variant) throws(ServiceError) in
            switch key {
            case "range":
                guard let range = variant.as(UInt32.self), (1...Self.mostNights).contains(Int(range)) else {
                    throw NightOptions.wrong(key, "u, 1 to \(Self.mostNights)")
                }
                self.range = Int(range)
            case "by": grouping = try NightOptions.grouping(variant)
            default: return false
            }
            return true
        }
        if range == nil, span == NightSpan() { range = Self.usualRange }
    }
}

/// The `options a{sv}` of `Intervals`.
public enum IntervalOptions {
    /// As sent.
    public static func variants(_ span: NightSpan, by grouping: Grouping) -> VariantEntries {
        var options = NightOptions.variants(span)
        options["by"] = Variant(grouping.rawValue)
        return options
    }

    /// As received: unknown keys and wrong types are refused by name; without `by` it is months.
    ///
    /// - Throws: ``ServiceError`` of kind `invalidInput`.
    public static func read(
        _ options: VariantEntries
    ) throws(ServiceError) -> (span: NightSpan, grouping: Grouping) {
        var grouping = Grouping.month
        let span = try NightOptions.read(options, known: ["by"]) { (key, variant) throws(ServiceError) in
            guard key == "by" else { return false }
            grouping = try NightOptions.grouping(variant)
            return true
        }
        return (span, grouping)
    }
}

/// Intervals as they travel, a column for each value: a few numbers of many months are read several times as fast as
/// dictionaries are.
public struct IntervalColumns: Sendable {
    /// Names of the weeks or months.
    public var keys: [String] = []
    /// Nights of each.
    public var counts: [UInt32] = []
    /// Minutes.
    public var means: [Double] = []
    /// Minutes.
    public var shortest: [Double] = []
    /// Minutes.
    public var longest: [Double] = []

    /// As sent.
    public init(_ intervals: [IntervalMean]) {
        for interval in intervals {
            keys.append(interval.key)
            counts.append(UInt32(clamping: interval.count))
            means.append(interval.meanMinutes)
            shortest.append(interval.shortestMinutes)
            longest.append(interval.longestMinutes)
        }
    }

    /// As received; what one column lacks is left out.
    static func intervals(
        _ keys: [String], _ counts: [UInt32], _ means: [Double], _ shortest: [Double], _ longest: [Double]
    ) -> [IntervalMean] {
        let known = [keys.count, counts.count, means.count, shortest.count, longest.count].min() ?? 0
        return (0..<known).map { index in
            IntervalMean(
                key: keys[index], count: Int(counts[index]), meanMinutes: means[index],
                shortestMinutes: shortest[index], longestMinutes: longest[index])
        }
    }
}
