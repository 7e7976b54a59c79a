/// A D-Bus value with its type: the contents of a `v`.
///
/// `["at": .uint64(now), "note": .string("x")]` is an `a{sv}`. Values read from a message are complete, to the depth
/// that the reader's limits allow.
public enum Variant: Sendable, Hashable {
    /// `b`
    case bool(Bool)
    /// `y`
    case byte(UInt8)
    /// `n`
    case int16(Int16)
    /// `q`
    case uint16(UInt16)
    /// `i`
    case int32(Int32)
    /// `u`
    case uint32(UInt32)
    /// `x`
    case int64(Int64)
    /// `t`
    case uint64(UInt64)
    /// `d`
    case double(Double)
    /// `s`
    case string(String)
    /// `o`
    case objectPath(ObjectPath)
    /// `g`
    case signature(Signature)
    /// `h`
    case unixFD(UnixFD)
    /// `a…` with the signature of its elements.
    indirect case array(element: String, [Variant])
    /// `a{…}` with the signatures of keys and values.
    indirect case dictionary(key: String, value: String, [Variant: Variant])
    /// `(…)`
    case structure([Variant])
    /// `v`
    indirect case variant(Variant)

    public init(_ value: some DBusValue) {
        self = value.variant
    }

    public var contentSignature: String {
        switch self {
        case .bool: Bool.signature
        case .byte: UInt8.signature
        case .int16: Int16.signature
        case .uint16: UInt16.signature
        case .int32: Int32.signature
        case .uint32: UInt32.signature
        case .int64: Int64.signature
        case .uint64: UInt64.signature
        case .double: Double.signature
        case .string: String.signature
        case .objectPath: ObjectPath.signature
        case .signature: Signature.signature
        case .unixFD: UnixFD.signature
        case .array(let element, _): "a" + element
        case .dictionary(let key, let value, _): "a{\(key)\(value)}"
        case .structure(let fields): "(" + fields.map(\.contentSignature).joined() + ")"
        case .variant: "v"
        }
    }
}

extension Variant: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
    public init(stringLiteral value: String) {
        self = .string(value)
    }

    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }
}

extension Variant {
    /// The value inside if it has exactly this type, else nil.
    public func `as`<Value: DBusValue>(_: Value.Type) -> Value? {
        Value(variant: self)
    }

    /// The text of a string, object path or signature.
    public var stringValue: String? {
        switch self {
        case .string(let value): value
        case .objectPath(let value): value.rawValue
        case .signature(let value): value.rawValue
        default: nil
        }
    }

    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// Any integer that fits.
    public var integerValue: Int64? {
        switch self {
        case .byte(let value): Int64(value)
        case .int16(let value): Int64(value)
        case .uint16(let value): Int64(value)
        case .int32(let value): Int64(value)
        case .uint32(let value): Int64(value)
        case .int64(let value): value
        case .uint64(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// Any non-negative integer.
    public var unsignedValue: UInt64? {
        if case .uint64(let value) = self { return value }
        return integerValue.flatMap(UInt64.init(exactly:))
    }

    /// A floating-point number, or any integer as one.
    public var doubleValue: Double? {
        if case .double(let value) = self { return value }
        if case .uint64(let value) = self { return Double(value) }
        return integerValue.map(Double.init)
    }

    public var arrayValue: [Variant]? {
        if case .array(_, let values) = self { values } else { nil }
    }

    /// The entries of an `a{sv}`.
    public var dictionaryValue: [String: Variant]? {
        self.as([String: Variant].self)
    }

    /// The value inside nested variants.
    public var unwrapped: Variant {
        var value = self
        while case .variant(let inner) = value { value = inner }
        return value
    }
}

extension Variant: DBusValue {
    public static var signature: String { "v" }

    /// Appends the value, with its type, to a message.
    public func append(to message: MessageWriter) throws(BusError) {
        let variant = UInt8(ascii: "v")
        // The most frequent types come first.
        switch self {
        case .string: try message.openContainer(variant, of: "s")
        case .uint64: try message.openContainer(variant, of: "t")
        case .int64: try message.openContainer(variant, of: "x")
        case .uint32: try message.openContainer(variant, of: "u")
        case .bool: try message.openContainer(variant, of: "b")
        default: try message.openContainer(variant, contentSignature)
        }
        try appendContent(to: message)
        try message.closeContainer()
    }

    private func appendContent(to message: MessageWriter) throws(BusError) {
        switch self {
        case .bool(let value): try value.append(to: message)
        case .byte(let value): try value.append(to: message)
        case .int16(let value): try value.append(to: message)
        case .uint16(let value): try value.append(to: message)
        case .int32(let value): try value.append(to: message)
        case .uint32(let value): try value.append(to: message)
        case .int64(let value): try value.append(to: message)
        case .uint64(let value): try value.append(to: message)
        case .double(let value): try value.append(to: message)
        case .string(let value): try value.append(to: message)
        case .objectPath(let value): try value.append(to: message)
        case .signature(let value): try value.append(to: message)
        case .unixFD(let value): try value.append(to: message)
        case .variant(let value): try value.append(to: message)
        case .array(let element, let values):
            try message.openContainer(UInt8(ascii: "a"), element)
            for value in values { try value.appendContent(to: message) }
            try message.closeContainer()
        case .dictionary(let keyType, let valueType, let pairs):
            try message.openContainer(UInt8(ascii: "a"), "{\(keyType)\(valueType)}")
            for (key, value) in pairs {
                try message.openContainer(UInt8(ascii: "e"), keyType + valueType)
                try key.appendContent(to: message)
                try value.appendContent(to: message)
                try message.closeContainer()
            }
            try message.closeContainer()
        case .structure(let fields):
            try message.openContainer(UInt8(ascii: "r"), fields.map(\.contentSignature).joined())
            for field in fields { try field.appendContent(to: message) }
            try message.closeContainer()
        }
    }

    public static func read(from message: MessageReader) throws(BusError) -> Variant {
        guard let (type, contents) = try message.peek(), type == UInt8(ascii: "v") else {
            throw BusError.invalidArgs("a variant is missing")
        }
        var inside = message
        try inside.deepen()
        try message.enter(UInt8(ascii: "v"), contents)
        guard let value = try readAny(from: inside) else { throw BusError.invalidArgs("a variant is empty") }
        try message.exit()
        return value
    }

    /// The value inside another variant.
    public var variant: Variant { .variant(self) }

    /// The inner variant of a variant.
    public init?(variant: Variant) {
        guard case .variant(let value) = variant else { return nil }
        self = value
    }

    /// Reads the contents of an entered variant; the most frequent types come first.
    static func read(_ contents: String, from message: MessageReader) throws(BusError) -> Variant {
        switch contents {
        case "s": return .string(try .read(from: message))
        case "t": return .uint64(try .read(from: message))
        case "x": return .int64(try .read(from: message))
        case "u": return .uint32(try .read(from: message))
        case "b": return .bool(try .read(from: message))
        case "d": return .double(try .read(from: message))
        default:
            guard let value = try readAny(from: message) else { throw BusError.invalidArgs("a variant is empty") }
            return value
        }
    }

    /// Reads the next value whatever its type; nil at the end of the container or message.
    static func readAny(from message: MessageReader) throws(BusError) -> Variant? {
        guard let (type, contents) = try message.peek() else { return nil }
        switch type {
        case UInt8(ascii: "b"): return .bool(try .read(from: message))
        case UInt8(ascii: "y"): return .byte(try .read(from: message))
        case UInt8(ascii: "n"): return .int16(try .read(from: message))
        case UInt8(ascii: "q"): return .uint16(try .read(from: message))
        case UInt8(ascii: "i"): return .int32(try .read(from: message))
        case UInt8(ascii: "u"): return .uint32(try .read(from: message))
        case UInt8(ascii: "x"): return .int64(try .read(from: message))
        case UInt8(ascii: "t"): return .uint64(try .read(from: message))
        case UInt8(ascii: "d"): return .double(try .read(from: message))
        case UInt8(ascii: "s"): return .string(try .read(from: message))
        case UInt8(ascii: "o"): return .objectPath(try .read(from: message))
        case UInt8(ascii: "g"): return .signature(try .read(from: message))
        case UInt8(ascii: "h"): return .unixFD(try .read(from: message))
        case UInt8(ascii: "v"): return .variant(try .read(from: message))
        case UInt8(ascii: "a"): return try readArray(contents, from: message)
        case UInt8(ascii: "r"):
            try message.enter(type, contents)
            var fields: [Variant] = []
            while let field = try readAny(from: message) { fields.append(field) }
            try message.exit()
            return .structure(fields)
        default:
            throw BusError.invalidArgs("the type code \(type) is not known")
        }
    }

    private static func readArray(_ contents: String, from message: MessageReader) throws(BusError) -> Variant {
        try message.enter(UInt8(ascii: "a"), contents)
        guard contents.hasPrefix("{") else {
            var elements: [Variant] = []
            while let element = try readAny(from: message) {
                elements.append(element)
                try message.refuse(elementCount: elements.count)
            }
            try message.exit()
            return .array(element: contents, elements)
        }
        let entry = String(contents.dropFirst().dropLast())
        var pairs: [Variant: Variant] = [:]
        while try !message.isAtEnd() {
            try message.enter(UInt8(ascii: "e"), entry)
            guard let key = try readAny(from: message), let value = try readAny(from: message) else {
                throw BusError.invalidArgs("a dictionary entry is incomplete")
            }
            if pairs.updateValue(value, forKey: key) != nil {
                throw message.limits.refusal("a key is given twice")
            }
            try message.refuse(elementCount: pairs.count)
            try message.exit()
        }
        try message.exit()
        return .dictionary(key: String(entry.prefix(1)), value: String(entry.dropFirst()), pairs)
    }
}
