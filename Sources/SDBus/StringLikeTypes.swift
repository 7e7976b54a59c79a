/// The path of an object on a bus, such as `/org/example/Thing`.
///
/// An invalid path is refused when a message is built with it.
public struct ObjectPath: DBusBasicValue, ExpressibleByStringLiteral, CustomStringConvertible {
    public let rawValue: String

    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    public init(stringLiteral value: String) {
        rawValue = value
    }

    public var description: String { rawValue }

    public static var signature: String { "o" }

    public func append(to message: MessageWriter) throws(BusError) {
        try message.appendText(UInt8(ascii: "o"), rawValue)
    }

    public static func read(from message: MessageReader) throws(BusError) -> ObjectPath {
        ObjectPath(try message.readText(UInt8(ascii: "o")))
    }

    public var variant: Variant { .objectPath(self) }

    public init?(variant: Variant) {
        guard case .objectPath(let value) = variant else { return nil }
        self = value
    }
}

extension String: DBusBasicValue {
    public static var signature: String { "s" }

    /// Appends the value to a message; a NUL inside is refused.
    public func append(to message: MessageWriter) throws(BusError) {
        try message.appendText(UInt8(ascii: "s"), self)
    }

    public static func read(from message: MessageReader) throws(BusError) -> String {
        try message.readText(UInt8(ascii: "s"))
    }

    public var variant: Variant { .string(self) }

    public init?(variant: Variant) {
        guard case .string(let value) = variant else { return nil }
        self = value
    }
}

/// A sequence of D-Bus types, such as `a{sv}`.
///
/// An invalid signature is refused when a message is built with it.
public struct Signature: DBusBasicValue, ExpressibleByStringLiteral, CustomStringConvertible {
    public let rawValue: String

    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    public init(stringLiteral value: String) {
        rawValue = value
    }

    public var description: String { rawValue }

    public static var signature: String { "g" }

    public func append(to message: MessageWriter) throws(BusError) {
        try message.appendText(UInt8(ascii: "g"), rawValue)
    }

    public static func read(from message: MessageReader) throws(BusError) -> Signature {
        Signature(try message.readText(UInt8(ascii: "g")))
    }

    public var variant: Variant { .signature(self) }

    public init?(variant: Variant) {
        guard case .signature(let value) = variant else { return nil }
        self = value
    }
}

extension Signature {
    /// The complete types that follow one another, such as `a{sv}` and `s` of `a{sv}s`.
    public var types: [String] {
        var types: [String] = []
        var current = ""
        var depth = 0
        for character in rawValue {
            current.append(character)
            switch character {
            case "(", "{": depth += 1
            case ")", "}": depth -= 1
            case "a": continue
            default: break
            }
            if depth == 0 {
                types.append(current)
                current = ""
            }
        }
        return types
    }
}
