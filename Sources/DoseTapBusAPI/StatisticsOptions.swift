public import DoseTapDomain
public import SDBus

/// The `options a{sv}` of `Stats`.
extension StatisticsQuery {
    /// As sent.
    public var variants: VariantEntries {
        var options = VariantEntries()
        if let range { options["range"] = Variant(UInt32(clamping: range)) }
        if let first = span.first { options["from"] = Variant(first.text) }
        if let last = span.last { options["to"] = Variant(last.text) }
        if let grouping { options["by"] = Variant(grouping.rawValue) }
        return options
    }

    /// As received: unknown keys, wrong types and values out of range are refused by name.
    ///
    /// - Throws: ``ServiceError`` of kind `invalidInput`.
    public init(_ options: [String: Variant]) throws(ServiceError) {
        self.init(range: nil)
        for (key, variant) in options.sorted(by: { $0.key < $1.key }) {
            switch key {
            case "range":
                guard let range = variant.as(UInt32.self), (1...Self.mostNights).contains(Int(range)) else {
                    throw Self.wrong(key, "u, 1 to \(Self.mostNights)")
                }
                self.range = Int(range)
            case "from": span.first = try Self.date(variant, key)
            case "to": span.last = try Self.date(variant, key)
            case "by":
                guard let grouping = variant.stringValue.flatMap(Grouping.init) else {
                    throw Self.wrong(key, "s, week or month")
                }
                self.grouping = grouping
            default:
                throw ServiceError(
                    .invalidInput, "Unknown option '\(key.prefix(40))'.", hint: "known: range, from, to, by")
            }
        }
        if let first = span.first, let last = span.last, last < first {
            throw ServiceError(.invalidInput, "Option 'to' lies before 'from'.")
        }
        if range == nil, span == NightSpan() { range = Self.usualRange }
    }

    private static func date(_ variant: Variant, _ key: String) throws(ServiceError) -> SessionDate {
        guard let date = variant.stringValue.flatMap({ try? SessionDate(text: $0) }) else {
            throw wrong(key, "s, a date such as 2026-01-14")
        }
        return date
    }

    private static func wrong(_ key: String, _ expected: String) -> ServiceError {
        ServiceError(.invalidInput, "Option '\(key)' has no valid value: expected \(expected).")
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
