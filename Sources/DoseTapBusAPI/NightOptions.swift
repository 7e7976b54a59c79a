import DoseTapDomain
import SDBus

/// What the options of the calls that look back have in common.
enum NightOptions {
    /// Reads the options one by one; `own` takes those that only this call has and says whether it knows the key.
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
                guard try own(key, variant) else {
                    throw ServiceError(
                        "Unknown option '\(key.prefix(40))'.", option: key, known: ["from", "to"] + known)
                }
            }
        }
        if let first = span.first, let last = span.last, last < first {
            throw ServiceError("Option 'to' lies before 'from'.", option: "to")
        }
        return span
    }

    /// The options of a span.
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
