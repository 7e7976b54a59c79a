extension String: DBusBasicValue {
    /// One complete D-Bus type.
    public static var signature: String { "s" }

    /// Appends the value to a message; a NUL inside is refused.
    public func append(to message: MessageWriter) throws(BusError) {
        try message.appendText(UInt8(ascii: "s"), self)
    }

    /// Reads the next value of a message.
    public static func read(from message: MessageReader) throws(BusError) -> String {
        try message.readText(UInt8(ascii: "s"))
    }

    /// The value with its type made dynamic.
    public var variant: Variant { .string(self) }

    /// The value out of a variant of exactly this type, else nil.
    public init?(variant: Variant) {
        guard case .string(let value) = variant else { return nil }
        self = value
    }
}
