internal import DoseTapDomain
internal import SDBus

/// Objects travel as `a{sv}` with the keys of the CLI's JSON: instants as `t` (microseconds since 1970 UTC, 0 for
/// none), what is null left out.
enum WireCoding {
    /// What a number or a text stands for, by its key.
    private enum Meaning {
        /// `t`, microseconds since 1970 UTC.
        case instant
        /// `u`.
        case count
        /// `t`: a place in the log, or a number of its events.
        case place
        /// Itself.
        case plain

        init(_ key: String) {
            switch key {
            case "at", "timestamp", "recorded_at", "dose1_time", "dose2_time", "window_opens", "window_closes",
                "alarm_time", "start_utc", "end_utc", "standing_at", "nap_open_since", "due", "until",
                "slept_through_from", "counted_at", "counts_at", "fired_at", "poured_at",
                "received_at":
                self = .instant
            case "minutes_to_open", "snooze_count", "snooze_limit", "extra_doses", "dose_index", "limit_mg", "sum_mg",
                "failures":
                self = .count
            case "events", "rows", "cursor", "lag": self = .place
            default: self = .plain
            }
        }
    }

    /// Whether a key names an instant; the moments that questionnaires ask for are theirs to know.
    private static func isInstant(_ key: String) -> Bool {
        Meaning(key) == .instant || Questionnaire.instantKeys.contains(key)
    }

    /// Appends the entries of an object to a message.
    static func write(_ object: JSONObject, to entries: VariantEntryWriter) throws(BusError) {
        for entry in object {
            if case .object(let nested) = entry.value {
                try entries.append(entry.key) { inner throws(BusError) in try write(nested, to: inner) }
            } else if let variant = variant(entry.value, key: entry.key) {
                try entries.append(entry.key, variant)
            }
        }
    }

    /// The dictionary of an object.
    static func variants(_ object: JSONObject) -> [String: Variant] {
        var dictionary: [String: Variant] = [:]
        for entry in object {
            if let variant = variant(entry.value, key: entry.key) { dictionary[entry.key] = variant }
        }
        return dictionary
    }

    /// Bytes of an instant as text, `2026-01-14T22:30:00.000Z`.
    private static let instantLength = 24

    private static func variant(_ value: JSONValue, key: String) -> Variant? {
        switch value {
        case .null: return Meaning(key) == .instant ? .uint64(0) : nil
        case .bool(let value): return .bool(value)
        case .integer(let value):
            switch Meaning(key) {
            case .count: return UInt32(exactly: value).map(Variant.uint32) ?? .int64(value)
            case .place: return UInt64(exactly: value).map(Variant.uint64) ?? .int64(value)
            case .instant, .plain: return .int64(value)
            }
        case .number(let value): return .double(value)
        case .string(let text):
            guard text.utf8.count == Self.instantLength, isInstant(key), let instant = value.instantValue
            else { return .string(text) }
            return variant(.instant(instant), key: key)
        case .instant(let instant): return .uint64(UInt64(max(0, instant.microseconds)))
        case .object(let object): return Variant(variants(object))
        case .array(let values):
            let texts = values.compactMap { $0.stringValue }
            if texts.count == values.count { return .array(element: "s", texts.map(Variant.string)) }
            return .array(element: "v", values.compactMap { variant($0, key: "").map(Variant.variant) })
        }
    }

    /// Reads an object from a message, in the order of its entries.
    static func read(_ message: MessageReader) throws(BusError) -> JSONObject {
        var object = JSONObject()
        try message.readVariantEntries { key, entry throws(BusError) in
            let read: JSONValue? =
                switch entry {
                case .entries(let inner): .object(try self.read(inner))
                case .value(let variant): value(variant, key: key)
                }
            guard let read else { return }
            guard object.appendIfNew(key, read) else {
                throw BusError(name: BusError.Name.invalidArgs, message: "the key \(key) is given twice")
            }
        }
        return object
    }

    /// The object of a dictionary.
    static func object(_ dictionary: [String: Variant]) -> JSONObject {
        var object = JSONObject()
        for (key, variant) in dictionary.sorted(by: { $0.key < $1.key }) { object[key] = value(variant, key: key) }
        return object
    }

    private static func value(_ variant: Variant, key: String) -> JSONValue? {
        switch variant {
        case .uint64(let value):
            guard isInstant(key) else { return .integer(Int64(clamping: value)) }
            return value == 0 ? .null : .instant(Instant(microseconds: Int64(clamping: value)))
        case .bool(let value): return .bool(value)
        case .double(let value): return .number(value)
        case .string(let value): return .string(value)
        case .array(_, let values): return .array(values.compactMap { self.value($0, key: "") })
        case .dictionary: return variant.dictionaryValue.map { .object(object($0)) }
        case .variant(let value): return self.value(value, key: key)
        case .byte, .int16, .uint16, .int32, .uint32, .int64: return variant.integerValue.map(JSONValue.integer)
        case .objectPath, .signature, .unixFD, .structure: return nil
        }
    }
}
