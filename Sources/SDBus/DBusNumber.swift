/// A fixed-size type whose memory is what sd-bus reads and writes.
protocol DBusNumber: DBusBasicValue, BitwiseCopyable {
    static var code: UInt8 { get }
    init()
}

extension DBusNumber {
    /// One complete D-Bus type.
    public static var signature: String { String(UnicodeScalar(code)) }

    /// Appends the value to a message.
    public func append(to message: MessageWriter) throws(BusError) {
        var value = self
        try message.appendBasic(Self.code, &value)
    }

    /// Reads the next value of a message.
    public static func read(from message: MessageReader) throws(BusError) -> Self {
        var value = Self()
        try message.readBasic(code, into: &value)
        return value
    }
}
