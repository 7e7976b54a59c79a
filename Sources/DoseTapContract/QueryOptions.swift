public import DoseTapDomain
public import SDBus

/// Common options of the calls about past nights.
private enum NightOptions {
    /// Reads the options one by one. `own` takes the options of one call and returns true if it knows the key.
    ///
    /// - Returns: the dates `from` and `to`.
    /// - Throws: ``ServiceError`` of kind `invalidInput` for an unknown key, named, or a span that ends before it begins.
    static func read(
        _ options: VariantEntries, known: [String],
        _ own: (String, Variant) throws(ServiceError) -> Bool
    ) throws(ServiceError) -> NightSpan {
        var span = NightSpan()
        for (key, variant) in options.pairs {
            switch key {
            case "from": span.first = try date(variant, key)
            case "to": span.last = try date(variant, key)
            default:
                guard try own(key, variant) else { throw .unknown(option: key, known: ["from", "to"] + known) }
            }
        }
        if let first = span.first, let last = span.last, last < first {
            throw ServiceError(sent("Option 'to' lies before 'from'."), option: "to")
        }
        return span
    }

    static func variants(_ span: NightSpan) -> VariantEntries {
        var options = VariantEntries()
        if let first = span.first { options["from"] = Variant(first.text) }
        if let last = span.last { options["to"] = Variant(last.text) }
        return options
    }

    static func grouping(_ variant: Variant) throws(ServiceError) -> Grouping {
        guard let grouping = variant.stringValue.flatMap(Grouping.init) else {
            throw wrong("by", "s, week or month")
        }
        return grouping
    }

    /// The error for a value of the wrong type or out of range.
    static func wrong(_ key: String, _ expected: String) -> ServiceError {
        ServiceError("Option '\(key)' has no valid value: expected \(expected).", option: key)
    }

    private static func date(_ variant: Variant, _ key: String) throws(ServiceError) -> SessionDate {
        guard let date = variant.stringValue.flatMap({ try? SessionDate(text: $0) }) else {
            throw wrong(key, "s, a date such as 2026-01-14")
        }
        return date
    }
}

/// The `options a{sv}` of `FindSessions`.
extension SessionQuery {
    public var variants: VariantEntries {
        var options = NightOptions.variants(dates)
        options["limit"] = Variant(UInt32(clamping: limit))
        if !cursor.isEmpty { options["cursor"] = Variant(cursor) }
        if let event { options["with"] = Variant(event) }
        if !kinds.isEmpty { options["only"] = Variant(kinds.map(\.rawValue).sorted()) }
        return options
    }

    /// Reads options as received: unknown keys, words and values out of range are refused by name. A limit is 1 to 1,000, 30 if
    /// left out.
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
                guard let text = variant.stringValue else {
                    throw ServiceError.wrongType(option: key, expected: "s, what next said")
                }
                cursor = text
            case "with":
                guard let text = variant.stringValue else {
                    throw ServiceError.wrongType(option: key, expected: "s, a sleep event")
                }
                event = text
            case "only": kinds = try Self.kinds(variant)
            default: return false
            }
            return true
        }
        self = span.query(limit: limit, cursor: cursor, event: event, kinds: kinds)
    }

    private static func kinds(_ variant: Variant) throws(ServiceError) -> Set<NightKind> {
        guard let words = variant.as([String].self) else {
            throw .wrongType(option: "only", expected: "as, kinds of nights")
        }
        var kinds = Set<NightKind>()
        for word in words {
            guard let kind = NightKind(rawValue: word) else {
                throw ServiceError(
                    sent("Unknown kind of night '\(word.prefix(40))'."), option: "only",
                    known: NightKind.allCases.map(\.rawValue))
            }
            kinds.insert(kind)
        }
        return kinds
    }
}

/// The `options a{sv}` of `Stats`.
extension StatisticsQuery {
    public var variants: VariantEntries {
        var options = NightOptions.variants(span)
        if let range { options["range"] = Variant(UInt32(clamping: range)) }
        if let grouping { options["by"] = Variant(grouping.rawValue) }
        return options
    }

    /// Reads options as received: unknown keys, wrong types and values out of range are refused by name.
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
    public static func variants(_ span: NightSpan, by grouping: Grouping) -> VariantEntries {
        var options = NightOptions.variants(span)
        options["by"] = Variant(grouping.rawValue)
        return options
    }

    /// Reads options as received: unknown keys and wrong types are refused by name; without `by` the means are of months.
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

/// The `what` and the `options a{sv}` of `Export`.
extension ExportRequest {
    public var variants: VariantEntries {
        var options = NightOptions.variants(span)
        if isExact { options["exact"] = Variant(true) }
        return options
    }

    /// Reads a request as received: unknown words and keys are refused by name, as are options without a meaning for the
    /// content.
    ///
    /// - Throws: ``ServiceError`` of kind `invalidInput`.
    public init(_ what: String, _ options: VariantEntries) throws(ServiceError) {
        guard let content = ExportContent(word: what) else {
            throw ServiceError(
                sent("There is nothing '\(what.prefix(40))' to export."), option: "what", known: ExportContent.words)
        }
        var isExact = false
        let span = try NightOptions.read(options, known: ["exact"]) { (key, variant) throws(ServiceError) in
            guard key == "exact" else { return false }
            guard let flag = variant.boolValue else { throw ServiceError.wrongType(option: key, expected: "b") }
            isExact = flag
            return true
        }
        guard content.hasDates || span == NightSpan() else {
            throw ServiceError(sent("'\(what)' has no session dates to choose by."), option: "from")
        }
        self.init(content, span: span, isExact: isExact)
    }
}

/// The `options a{sv}` of `Import`.
public struct ImportOptions: Sendable {
    public var dryRun = false
    /// The kind of input: `log` for a log, nil for import lines. No other word is accepted.
    public var source: ImportSource?
    /// True if the log of another record is brought in as entries.
    public var merge = false
    /// The zone of rows without an offset; nil is the zone in force.
    public var timeZone: String?
    /// A file that gets every row and its outcome.
    public var list: UnixFD?

    public init() {}

    public var variants: VariantEntries {
        var options = VariantEntries()
        if dryRun { options["dry_run"] = Variant(true) }
        if let source { options["source"] = Variant(source.rawValue) }
        if merge { options["merge"] = Variant(true) }
        if let timeZone { options["time_zone"] = Variant(timeZone) }
        if let list { options["list"] = Variant(list) }
        return options
    }

    /// Reads options as received: unknown keys and wrong types are refused by name.
    ///
    /// - Throws: ``ServiceError`` of kind `invalidInput`.
    public init(_ options: VariantEntries) throws(ServiceError) {
        for (key, variant) in options.pairs {
            switch key {
            case "dry_run":
                guard let flag = variant.boolValue else { throw .wrongType(option: key, expected: "b") }
                dryRun = flag
            case "source":
                guard variant.stringValue == ImportSource.log.rawValue else {
                    throw ServiceError("'source' can only be log.", option: key)
                }
                source = .log
            case "merge":
                guard let flag = variant.boolValue else { throw .wrongType(option: key, expected: "b") }
                merge = flag
            case "time_zone":
                guard let name = variant.stringValue else { throw .wrongType(option: key, expected: "s") }
                timeZone = name
            case "list":
                guard let file = variant.as(UnixFD.self) else { throw .wrongType(option: key, expected: "h") }
                list = file
            default:
                throw .unknown(option: key, known: ["dry_run", "source", "merge", "time_zone", "list"])
            }
        }
        if merge, source != .log { throw ServiceError(sent("Only a log is merged."), option: "merge") }
        if timeZone != nil, source == .log { throw ServiceError(sent("A log says its zones."), option: "time_zone") }
    }
}

/// Intervals on the bus, a column for each value: a few numbers of many months are read several times as fast as from
/// dictionaries.
public struct IntervalColumns: Sendable {
    /// Weeks or months.
    public var keys: [String] = []
    /// The number of nights of each week or month.
    public var counts: [UInt32] = []
    /// Mean intervals, in minutes.
    public var means: [Double] = []
    /// Shortest intervals, in minutes.
    public var shortest: [Double] = []
    /// Longest intervals, in minutes.
    public var longest: [Double] = []

    public init(_ intervals: [IntervalMean]) {
        for interval in intervals {
            keys.append(interval.key)
            counts.append(UInt32(clamping: interval.count))
            means.append(interval.meanMinutes)
            shortest.append(interval.shortestMinutes)
            longest.append(interval.longestMinutes)
        }
    }

    /// Reads columns as received; rows without a value in every column are left out.
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
