internal import DoseTapDomain
internal import SDBus

/// Objects travel as `a{sv}` with the keys of the CLI's JSON. The type of a value is that of its key in the object's
/// `Shape`: instants as `t` (microseconds since 1970 UTC, 0 for none), what is null left out.
enum WireCoding {
    /// Appends the entries of an object to a message.
    static func write(_ object: JSONObject, _ shape: Shape, to entries: VariantEntryWriter) throws(BusError) {
        var place = 0
        for entry in object {
            let key = shape.key(entry.key, from: &place)
            if case .object(let object) = entry.value {
                try entries.append(entry.key) { inner throws(BusError) in
                    try write(object, nested(key?.type), to: inner)
                }
            } else if let variant = variant(entry.value, key) {
                try entries.append(entry.key, variant)
            }
        }
    }

    /// The dictionary of an object.
    static func variants(_ object: JSONObject, _ shape: Shape) -> [String: Variant] {
        var dictionary: [String: Variant] = [:]
        var place = 0
        for entry in object {
            if let variant = variant(entry.value, shape.key(entry.key, from: &place)) {
                dictionary[entry.key] = variant
            }
        }
        return dictionary
    }

    private static func nested(_ type: ValueType?) -> Shape {
        switch type {
        case .object(let shape), .open(let shape): shape()
        default: .unknown
        }
    }

    /// Nil for what is left out.
    private static func variant(_ value: JSONValue, _ key: Key?) -> Variant? {
        guard case .null = value else { return variant(value, key?.type) }
        return key?.isZeroOnBus == true ? .uint64(0) : nil
    }

    private static func variant(_ value: JSONValue, _ type: ValueType?) -> Variant? {
        switch value {
        case .null: return nil
        case .bool(let value): return .bool(value)
        case .integer(let value):
            switch type {
            case .integer(_, .count, _): return UInt32(exactly: value).map(Variant.uint32) ?? .int64(value)
            case .integer(_, .place, _): return UInt64(exactly: value).map(Variant.uint64) ?? .int64(value)
            default: return .int64(value)
            }
        case .number(let value): return .double(value)
        case .string(let text):
            // What was read from the log is a text.
            guard case .instant = type, let instant = value.instantValue else { return .string(text) }
            return variant(.instant(instant), type)
        case .instant(let instant): return .uint64(UInt64(max(0, instant.microseconds)))
        case .object(let object): return Variant(variants(object, nested(type)))
        case .array(let values):
            let texts = values.compactMap { $0.stringValue }
            if texts.count == values.count { return .array(element: "s", texts.map(Variant.string)) }
            var element: ValueType?
            if case .list(let type) = type { element = type }
            return .array(element: "v", values.compactMap { variant($0, element).map(Variant.variant) })
        }
    }

    /// Reads an object from a message, in the order of its entries. ``DoseTapDomain/Shape/completed(_:)`` puts back what
    /// D-Bus left out.
    static func read(_ message: MessageReader) throws(BusError) -> JSONObject {
        var object = JSONObject()
        try message.readVariantEntries { key, entry throws(BusError) in
            let read: JSONValue? =
                switch entry {
                case .entries(let inner): .object(try self.read(inner))
                case .value(let variant): value(variant)
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
        for (key, variant) in dictionary.sorted(by: { $0.key < $1.key }) { object[key] = value(variant) }
        return object
    }

    /// What is less is a place in the log; as an instant it would lie in the first 72 minutes of 1970.
    private static let firstInstant: UInt64 = 1 << 32

    private static func value(_ variant: Variant) -> JSONValue? {
        switch variant {
        case .uint64(0): .null
        case .uint64(let value) where value < firstInstant: .integer(Int64(value))
        case .uint64(let value): .instant(Instant(microseconds: Int64(clamping: value)))
        case .bool(let value): .bool(value)
        case .double(let value): .number(value)
        case .string(let value): .string(value)
        case .array(_, let values): .array(values.compactMap { self.value($0) })
        case .dictionary: variant.dictionaryValue.map { .object(object($0)) }
        case .variant(let value): self.value(value)
        case .byte, .int16, .uint16, .int32, .uint32, .int64: variant.integerValue.map(JSONValue.integer)
        case .objectPath, .signature, .unixFD, .structure: nil
        }
    }
}
