public import DoseTapDomain
public import SDBus

/// An object of the JSON contract on the bus: an `a{sv}` with the same keys, instants as `t` (microseconds since 1970
/// UTC, 0 for none), without null values.
public struct WireObject: DBusValue, Hashable {
    /// The object. One read from a message has its keys in the order of the message.
    public let object: JSONObject
    /// Types of the keys of an object to send.
    private let shape: Shape

    public init(_ object: JSONObject, _ shape: Shape) {
        self.object = object
        self.shape = shape
    }

    public static func == (lhs: WireObject, rhs: WireObject) -> Bool { lhs.object == rhs.object }

    public func hash(into hasher: inout Hasher) { hasher.combine(object) }

    public static var signature: String { "a{sv}" }

    public func append(to message: MessageWriter) throws(BusError) {
        try message.appendVariantEntries { entries throws(BusError) in try WireCoding.write(object, shape, to: entries)
        }
    }

    public static func read(from message: MessageReader) throws(BusError) -> WireObject {
        WireObject(try WireCoding.read(message), .unknown)
    }

    public var variant: Variant { Variant(WireCoding.variants(object, shape)) }

    public init?(variant: Variant) {
        guard let dictionary = variant.dictionaryValue else { return nil }
        self.init(WireCoding.object(dictionary), .unknown)
    }
}

/// Objects travel as `a{sv}` with the keys of the CLI's JSON. The type of a value is that of its key in the object's `Shape`:
/// instants as `t` (microseconds since 1970 UTC, 0 for none); null values are left out.
enum WireCoding {
    static func write(_ object: JSONObject, _ shape: Shape, to entries: VariantEntryWriter) throws(BusError) {
        var place = 0
        for entry in object {
            let key = shape.key(entry.key, from: &place)
            if case .object(let object) = entry.value {
                try entries.append(entry.key) { inner throws(BusError) in
                    try write(object, nested(key?.type), to: inner)
                }
            } else if case .array(let values) = entry.value, let objects = objects(values) {
                let shape = nested(element(key?.type))
                try entries.append(entry.key, each: objects) { object, inner throws(BusError) in
                    try write(object, shape, to: inner)
                }
            } else if let variant = variant(entry.value, key) {
                try entries.append(entry.key, variant)
            }
        }
    }

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

    private static func element(_ type: ValueType?) -> ValueType? {
        if case .list(let element) = type { element } else { nil }
    }

    /// Returns the objects of a list; nil for an empty list, and for one with other values.
    private static func objects(_ values: [JSONValue]) -> [JSONObject]? {
        var objects: [JSONObject] = []
        for value in values {
            guard case .object(let object) = value else { return nil }
            objects.append(object)
        }
        return objects.isEmpty ? nil : objects
    }

    /// Returns nil for a value that is left out.
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
            // An instant read from the log is text.
            guard case .instant = type, let instant = value.instantValue else { return .string(text) }
            return variant(.instant(instant), type)
        case .instant(let instant): return .uint64(UInt64(max(0, instant.microseconds)))
        case .object(let object): return Variant(variants(object, nested(type)))
        case .array(let values):
            let texts = values.compactMap { $0.stringValue }
            if texts.count == values.count { return .array(element: "s", texts.map(Variant.string)) }
            let element = element(type)
            return .array(element: "v", values.compactMap { variant($0, element).map(Variant.variant) })
        }
    }

    /// Reads an object from a message, in the order of its entries. ``DoseTapDomain/Shape/completed(_:)`` adds the keys that
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

    static func object(_ dictionary: [String: Variant]) -> JSONObject {
        var object = JSONObject()
        for (key, variant) in dictionary.sorted(by: { $0.key < $1.key }) { object[key] = value(variant) }
        return object
    }

    /// Smallest number that is read as an instant. A smaller one is a sequence number; as an instant it would lie in the first
    /// 72 minutes of 1970.
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
