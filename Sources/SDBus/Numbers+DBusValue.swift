extension UInt8: DBusNumber {
    static var code: UInt8 { UInt8(ascii: "y") }

    /// The value with its type made dynamic.
    public var variant: Variant { .byte(self) }

    /// The value out of a variant of exactly this type, else nil.
    public init?(variant: Variant) {
        guard case .byte(let value) = variant else { return nil }
        self = value
    }
}

extension Int16: DBusNumber {
    static var code: UInt8 { UInt8(ascii: "n") }

    /// The value with its type made dynamic.
    public var variant: Variant { .int16(self) }

    /// The value out of a variant of exactly this type, else nil.
    public init?(variant: Variant) {
        guard case .int16(let value) = variant else { return nil }
        self = value
    }
}

extension UInt16: DBusNumber {
    static var code: UInt8 { UInt8(ascii: "q") }

    /// The value with its type made dynamic.
    public var variant: Variant { .uint16(self) }

    /// The value out of a variant of exactly this type, else nil.
    public init?(variant: Variant) {
        guard case .uint16(let value) = variant else { return nil }
        self = value
    }
}

extension Int32: DBusNumber {
    static var code: UInt8 { UInt8(ascii: "i") }

    /// The value with its type made dynamic.
    public var variant: Variant { .int32(self) }

    /// The value out of a variant of exactly this type, else nil.
    public init?(variant: Variant) {
        guard case .int32(let value) = variant else { return nil }
        self = value
    }
}

extension UInt32: DBusNumber {
    static var code: UInt8 { UInt8(ascii: "u") }

    /// The value with its type made dynamic.
    public var variant: Variant { .uint32(self) }

    /// The value out of a variant of exactly this type, else nil.
    public init?(variant: Variant) {
        guard case .uint32(let value) = variant else { return nil }
        self = value
    }
}

extension Int64: DBusNumber {
    static var code: UInt8 { UInt8(ascii: "x") }

    /// The value with its type made dynamic.
    public var variant: Variant { .int64(self) }

    /// The value out of a variant of exactly this type, else nil.
    public init?(variant: Variant) {
        guard case .int64(let value) = variant else { return nil }
        self = value
    }
}

extension UInt64: DBusNumber {
    static var code: UInt8 { UInt8(ascii: "t") }

    /// The value with its type made dynamic.
    public var variant: Variant { .uint64(self) }

    /// The value out of a variant of exactly this type, else nil.
    public init?(variant: Variant) {
        guard case .uint64(let value) = variant else { return nil }
        self = value
    }
}

extension Double: DBusNumber {
    static var code: UInt8 { UInt8(ascii: "d") }

    /// The value with its type made dynamic.
    public var variant: Variant { .double(self) }

    /// The value out of a variant of exactly this type, else nil.
    public init?(variant: Variant) {
        guard case .double(let value) = variant else { return nil }
        self = value
    }
}
