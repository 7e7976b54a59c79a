extension Bool: DBusBasicValue {
    /// One complete D-Bus type.
    public static var signature: String { "b" }

    /// Appends the value to a message.
    public func append(to message: MessageWriter) throws(BusError) {
        // sd-bus takes booleans as C ints.
        var value: Int32 = self ? 1 : 0
        try message.appendBasic(UInt8(ascii: "b"), &value)
    }

    /// Reads the next value of a message.
    public static func read(from message: MessageReader) throws(BusError) -> Bool {
        var value: Int32 = 0
        try message.readBasic(UInt8(ascii: "b"), into: &value)
        return value != 0
    }

    /// The value with its type made dynamic.
    public var variant: Variant { .bool(self) }

    /// The value out of a variant of exactly this type, else nil.
    public init?(variant: Variant) {
        guard case .bool(let value) = variant else { return nil }
        self = value
    }
}
