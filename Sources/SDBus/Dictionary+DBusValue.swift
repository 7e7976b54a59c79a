extension Dictionary: DBusValue where Key: DBusBasicValue, Value: DBusValue {
    private static var entry: String { Key.signature + Value.signature }

    /// One complete D-Bus type.
    public static var signature: String { "a{\(entry)}" }

    /// Appends the value to a message.
    public func append(to message: MessageWriter) throws(BusError) {
        let entry = Self.entry
        try message.openContainer(UInt8(ascii: "a"), "{\(entry)}")
        for (key, value) in self {
            try message.openContainer(UInt8(ascii: "e"), entry)
            try key.append(to: message)
            try value.append(to: message)
            try message.closeContainer()
        }
        try message.closeContainer()
    }

    /// Reads the next value of a message. A key that comes twice is refused: either of its values could be meant.
    public static func read(from message: MessageReader) throws(BusError) -> [Key: Value] {
        var pairs: [Key: Value] = [:]
        let entry = Self.entry
        try message.enter(UInt8(ascii: "a"), "{\(entry)}")
        while try !message.isAtEnd() {
            try message.refuse(elementCount: pairs.count + 1)
            try message.enter(UInt8(ascii: "e"), entry)
            let key = try Key.read(from: message)
            if pairs.updateValue(try Value.read(from: message), forKey: key) != nil {
                throw message.limits.refusal("the key \(key) is given twice")
            }
            try message.exit()
        }
        try message.exit()
        return pairs
    }

    /// The value with its type made dynamic.
    public var variant: Variant {
        var pairs: [Variant: Variant] = [:]
        for (key, value) in self { pairs[key.variant] = value.variant }
        return .dictionary(key: Key.signature, value: Value.signature, pairs)
    }

    /// The value out of a variant of exactly this type, else nil.
    public init?(variant: Variant) {
        guard case .dictionary(Key.signature, Value.signature, let pairs) = variant else { return nil }
        var typed: [Key: Value] = [:]
        for (key, value) in pairs {
            guard let key = Key(variant: key), let value = Value(variant: value) else { return nil }
            typed[key] = value
        }
        self = typed
    }
}
