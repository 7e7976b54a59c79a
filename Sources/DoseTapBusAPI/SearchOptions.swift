public import DoseTapDomain
public import SDBus

/// The `options a{sv}` of `FindSessions`.
extension SessionQuery {
    /// As sent.
    public var variants: VariantEntries {
        var options = NightOptions.variants(dates)
        options["limit"] = Variant(UInt32(clamping: limit))
        if !cursor.isEmpty { options["cursor"] = Variant(cursor) }
        if let event { options["with"] = Variant(event) }
        if !kinds.isEmpty { options["only"] = Variant(kinds.map(\.rawValue).sorted()) }
        return options
    }

    /// As received: unknown keys, words and values out of range are refused by name. A limit is 1 to 1,000, 30 without
    /// one.
    ///
    /// - Throws: ``ServiceError`` of kind `invalidInput`.
    public init(_ options: VariantEntries) throws(ServiceError) {
        var (limit, cursor, event, kinds) = (30, "", String?.none, Set<NightKind>())
        let span = try NightOptions.read(
            options, known: ["limit", "cursor", "with", "only"]
        ) { (key, variant) throws(ServiceError) in
            switch key {
            case "limit":
                guard let number = variant.as(UInt32.self), (1...1_000).contains(number) else {
                    throw NightOptions.wrong(key, "u, 1 to 1000")
                }
                limit = Int(number)
            case "cursor":
                guard let text = variant.stringValue else { throw NightOptions.wrong(key, "s, what next said") }
                cursor = text
            case "with":
                guard let text = variant.stringValue else { throw NightOptions.wrong(key, "s, a sleep event") }
                event = text
            case "only": kinds = try Self.kinds(variant)
            default: return false
            }
            return true
        }
        self = span.query(limit: limit, cursor: cursor, event: event, kinds: kinds)
    }

    private static func kinds(_ variant: Variant) throws(ServiceError) -> Set<NightKind> {
        guard let words = variant.as([String].self) else { throw NightOptions.wrong("only", "as, kinds of nights") }
        var kinds = Set<NightKind>()
        for word in words {
            guard let kind = NightKind(rawValue: word) else {
                throw ServiceError(
                    "Unknown kind of night '\(word.prefix(40))'.", option: "only",
                    known: NightKind.allCases.map(\.rawValue))
            }
            kinds.insert(kind)
        }
        return kinds
    }
}
