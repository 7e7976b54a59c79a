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

    /// The boolean.
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

    /// The elements of an array.
    public var arrayValue: [Variant]? {
        if case .array(_, let values) = self { values } else { nil }
    }

    /// The strings of an `as`.
    public var stringArrayValue: [String]? {
        self.as([String].self)
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
