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
    public init(_ options: [String: Variant]) throws(ServiceError) {
        self.init(range: nil)
        span = try NightOptions.read(options, known: "range, by") { (key, variant) throws(ServiceError) in
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
        _ options: [String: Variant]
    ) throws(ServiceError) -> (span: NightSpan, grouping: Grouping) {
        var grouping = Grouping.month
        let span = try NightOptions.read(options, known: "by") { (key, variant) throws(ServiceError) in
            guard key == "by" else { return false }
            grouping = try NightOptions.grouping(variant)
            return true
        }
        return (span, grouping)
    }
}

/// The intervals of one week or month as they travel, `(suddd)`: key, count, mean, shortest, longest. A list of many is
/// read several times as fast as dictionaries are.
public typealias WireInterval = DBusStruct<String, UInt32, Double, Double, Double>

extension IntervalMean {
    /// As sent.
    public var wire: WireInterval {
        WireInterval(key, UInt32(clamping: count), meanMinutes, shortestMinutes, longestMinutes)
    }

    /// As received.
    public init(_ wire: WireInterval) {
        let (key, count, mean, shortest, longest) = wire.fields
        self.init(
            key: key, count: Int(count), meanMinutes: mean, shortestMinutes: shortest, longestMinutes: longest)
    }
}

extension NightStatistics {
    /// Puts back the lists that travel as nothing where they are empty.
    static func complete(_ object: JSONObject) -> JSONObject {
        var object = object
        for key in ["intervals", "groups"] where object[key] == nil { object[key] = .array([]) }
        return object
    }
}
