/// The path of an object on a bus, such as `/org/example/Thing`.
///
/// An invalid one is refused when a message is built with it.
public struct ObjectPath: DBusBasicValue, ExpressibleByStringLiteral, CustomStringConvertible {
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
    public static var signature: String { "o" }

    /// Appends the value to a message.
    public func append(to message: MessageWriter) throws(BusError) {
        try message.appendText(UInt8(ascii: "o"), rawValue)
    }

    /// Reads the next value of a message.
    public static func read(from message: MessageReader) throws(BusError) -> ObjectPath {
        ObjectPath(try message.readText(UInt8(ascii: "o")))
    }

    /// The value with its type made dynamic.
    public var variant: Variant { .objectPath(self) }

    /// The value out of a variant of exactly this type, else nil.
    public init?(variant: Variant) {
        guard case .objectPath(let value) = variant else { return nil }
        self = value
    }
}
