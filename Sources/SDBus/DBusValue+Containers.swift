extension Array: DBusValue where Element: DBusValue {
    public static var signature: String { "a" + Element.signature }
    public func append(to message: borrowing MessageWriter) throws(BusError) {
        try message.open("a", Element.signature)
        for element in self { try element.append(to: message) }
        try message.close()
    }
    public static func read(from message: borrowing MessageReader) throws(BusError) -> [Element] {
        var elements: [Element] = []
        try message.enter("a", Element.signature)
        while try !message.isAtEnd() {
            guard elements.count < message.limits.arrayElements else {
                throw .invalidArguments("an array holds more than \(message.limits.arrayElements) elements")
            }
            elements.append(try Element.read(from: message))
        }
        try message.exit()
        return elements
    }
    public var variant: Variant { .array(Signature(Element.signature), map(\.variant)) }
    public init?(variant: Variant) {
        guard case .array(let signature, let values) = variant, signature.text == Element.signature else { return nil }
        var elements: [Element] = []
        elements.reserveCapacity(values.count)
        for value in values {
            guard let element = Element(variant: value) else { return nil }
            elements.append(element)
        }
        self = elements
    }
}

extension Dictionary: DBusValue where Key: DBusBasicValue, Value: DBusValue {
    public static var signature: String { "a{" + Key.signature + Value.signature + "}" }
    public func append(to message: borrowing MessageWriter) throws(BusError) {
        let entry = Key.signature + Value.signature
        try message.open("a", "{" + entry + "}")
        for (key, value) in self {
            try message.open("e", entry)
            try key.append(to: message)
            try value.append(to: message)
            try message.close()
        }
        try message.close()
    }
    public static func read(from message: borrowing MessageReader) throws(BusError) -> [Key: Value] {
        var dictionary: [Key: Value] = [:]
        let entry = Key.signature + Value.signature
        try message.enter("a", "{" + entry + "}")
        var count = 0
        while try !message.isAtEnd() {
            count += 1
            guard count <= message.limits.arrayElements else {
                throw .invalidArguments("a dictionary holds more than \(message.limits.arrayElements) entries")
            }
            try message.enter("e", entry)
            let key = try Key.read(from: message)
            guard dictionary[key] == nil else { throw .invalidArguments("a dictionary names a key twice") }
            dictionary[key] = try Value.read(from: message)
            try message.exit()
        }
        try message.exit()
        return dictionary
    }
    public var variant: Variant {
        .dictionary(
            key: Signature(Key.signature), value: Signature(Value.signature),
            map { Variant.Entry(key: $0.key.variant, value: $0.value.variant) })
    }
    public init?(variant: Variant) {
        guard case .dictionary(let key, let value, let entries) = variant, key.text == Key.signature,
            value.text == Value.signature
        else { return nil }
        var dictionary: [Key: Value] = [:]
        for entry in entries {
            guard let key = Key(variant: entry.key), let value = Value(variant: entry.value) else { return nil }
            dictionary[key] = value
        }
        self = dictionary
    }
}
