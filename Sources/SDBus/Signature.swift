/// A sequence of D-Bus types, such as `a{sv}`.
///
/// An invalid one is refused when a message is built with it.
public struct Signature: DBusBasicValue, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The text as it travels.
    public let rawValue: String

    /// Takes the text as it is.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// Takes the text as it is.
    public init(stringLiteral value: String) {
        rawValue = value
    }

    /// The text as it travels.
    public var description: String { rawValue }

    /// One complete D-Bus type.
    public static var signature: String { "g" }

    /// Appends the value to a message.
    public func append(to message: MessageWriter) throws(BusError) {
        try message.appendText(UInt8(ascii: "g"), rawValue)
    }

    /// Reads the next value of a message.
    public static func read(from message: MessageReader) throws(BusError) -> Signature {
        Signature(try message.readText(UInt8(ascii: "g")))
    }

    /// The value with its type made dynamic.
    public var variant: Variant { .signature(self) }

    /// The value out of a variant of exactly this type, else nil.
    public init?(variant: Variant) {
        guard case .signature(let value) = variant else { return nil }
        self = value
    }
}
