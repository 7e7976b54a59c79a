internal import CSystemd

extension Bool: DBusBasicValue {
    public static var signature: String { "b" }
    public func append(to message: borrowing MessageWriter) throws(BusError) {
        try message.basic("b", CInt(self ? 1 : 0))
    }
    public static func read(from message: borrowing MessageReader) throws(BusError) -> Bool {
        try message.basic("b", CInt(0)) != 0
    }
    public var variant: Variant { .bool(self) }
    public init?(variant: Variant) {
        guard case .bool(let value) = variant else { return nil }
        self = value
    }
}

extension UInt8: DBusBasicValue {
    public static var signature: String { "y" }
    public func append(to message: borrowing MessageWriter) throws(BusError) { try message.basic("y", self) }
    public static func read(from message: borrowing MessageReader) throws(BusError) -> UInt8 {
        try message.basic("y", 0)
    }
    public var variant: Variant { .byte(self) }
    public init?(variant: Variant) {
        guard case .byte(let value) = variant else { return nil }
        self = value
    }
}

extension Int16: DBusBasicValue {
    public static var signature: String { "n" }
    public func append(to message: borrowing MessageWriter) throws(BusError) { try message.basic("n", self) }
    public static func read(from message: borrowing MessageReader) throws(BusError) -> Int16 {
        try message.basic("n", 0)
    }
    public var variant: Variant { .int16(self) }
    public init?(variant: Variant) {
        guard case .int16(let value) = variant else { return nil }
        self = value
    }
}

extension UInt16: DBusBasicValue {
    public static var signature: String { "q" }
    public func append(to message: borrowing MessageWriter) throws(BusError) { try message.basic("q", self) }
    public static func read(from message: borrowing MessageReader) throws(BusError) -> UInt16 {
        try message.basic("q", 0)
    }
    public var variant: Variant { .uint16(self) }
    public init?(variant: Variant) {
        guard case .uint16(let value) = variant else { return nil }
        self = value
    }
}

extension Int32: DBusBasicValue {
    public static var signature: String { "i" }
    public func append(to message: borrowing MessageWriter) throws(BusError) { try message.basic("i", self) }
    public static func read(from message: borrowing MessageReader) throws(BusError) -> Int32 {
        try message.basic("i", 0)
    }
    public var variant: Variant { .int32(self) }
    public init?(variant: Variant) {
        guard case .int32(let value) = variant else { return nil }
        self = value
    }
}

extension UInt32: DBusBasicValue {
    public static var signature: String { "u" }
    public func append(to message: borrowing MessageWriter) throws(BusError) { try message.basic("u", self) }
    public static func read(from message: borrowing MessageReader) throws(BusError) -> UInt32 {
        try message.basic("u", 0)
    }
    public var variant: Variant { .uint32(self) }
    public init?(variant: Variant) {
        guard case .uint32(let value) = variant else { return nil }
        self = value
    }
}

extension Int64: DBusBasicValue {
    public static var signature: String { "x" }
    public func append(to message: borrowing MessageWriter) throws(BusError) { try message.basic("x", self) }
    public static func read(from message: borrowing MessageReader) throws(BusError) -> Int64 {
        try message.basic("x", 0)
    }
    public var variant: Variant { .int64(self) }
    public init?(variant: Variant) {
        guard case .int64(let value) = variant else { return nil }
        self = value
    }
}

extension UInt64: DBusBasicValue {
    public static var signature: String { "t" }
    public func append(to message: borrowing MessageWriter) throws(BusError) { try message.basic("t", self) }
    public static func read(from message: borrowing MessageReader) throws(BusError) -> UInt64 {
        try message.basic("t", 0)
    }
    public var variant: Variant { .uint64(self) }
    public init?(variant: Variant) {
        guard case .uint64(let value) = variant else { return nil }
        self = value
    }
}

extension Double: DBusBasicValue {
    public static var signature: String { "d" }
    public func append(to message: borrowing MessageWriter) throws(BusError) { try message.basic("d", self) }
    public static func read(from message: borrowing MessageReader) throws(BusError) -> Double {
        try message.basic("d", 0)
    }
    public var variant: Variant { .double(self) }
    public init?(variant: Variant) {
        guard case .double(let value) = variant else { return nil }
        self = value
    }
}

extension String: DBusBasicValue {
    public static var signature: String { "s" }
    public func append(to message: borrowing MessageWriter) throws(BusError) { try message.text("s", self) }
    public static func read(from message: borrowing MessageReader) throws(BusError) -> String { try message.text("s") }
    public var variant: Variant { .string(self) }
    public init?(variant: Variant) {
        guard case .string(let value) = variant else { return nil }
        self = value
    }
}

extension ObjectPath: DBusBasicValue {
    public static var signature: String { "o" }
    public func append(to message: borrowing MessageWriter) throws(BusError) { try message.text("o", text) }
    public static func read(from message: borrowing MessageReader) throws(BusError) -> ObjectPath {
        ObjectPath(try message.text("o"))
    }
    public var variant: Variant { .objectPath(self) }
    public init?(variant: Variant) {
        guard case .objectPath(let value) = variant else { return nil }
        self = value
    }
}

extension Signature: DBusBasicValue {
    public static var signature: String { "g" }
    public func append(to message: borrowing MessageWriter) throws(BusError) { try message.text("g", text) }
    public static func read(from message: borrowing MessageReader) throws(BusError) -> Signature {
        Signature(try message.text("g"))
    }
    public var variant: Variant { .signature(self) }
    public init?(variant: Variant) {
        guard case .signature(let value) = variant else { return nil }
        self = value
    }
}

extension UnixFD: DBusValue {
    public static var signature: String { "h" }
    public func append(to message: borrowing MessageWriter) throws(BusError) { try message.basic("h", descriptor) }
    public static func read(from message: borrowing MessageReader) throws(BusError) -> UnixFD {
        // The descriptor belongs to the message: keep a copy of our own.
        try UnixFD(duplicating: message.basic("h", CInt(-1)))
    }
    public var variant: Variant { .fileDescriptor(self) }
    public init?(variant: Variant) {
        guard case .fileDescriptor(let value) = variant else { return nil }
        self = value
    }
}
