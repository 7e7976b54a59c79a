extension Array: DBusValue where Element: DBusValue {
    /// One complete D-Bus type.
    public static var signature: String { "a" + Element.signature }

    /// Appends the value to a message.
    public func append(to message: MessageWriter) throws(BusError) {
        try message.openContainer(UInt8(ascii: "a"), Element.signature)
        for element in self { try element.append(to: message) }
        try message.closeContainer()
    }

    /// Reads the next value of a message.
    public static func read(from message: MessageReader) throws(BusError) -> [Element] {
        var elements: [Element] = []
        try message.enter(UInt8(ascii: "a"), Element.signature)
        while try !message.isAtEnd() {
            try message.refuse(elementCount: elements.count + 1)
            elements.append(try Element.read(from: message))
        }
        try message.exit()
        return elements
    }

    /// The value with its type made dynamic.
    public var variant: Variant { .array(element: Element.signature, map(\.variant)) }

    /// The value out of a variant of exactly this type, else nil.
    public init?(variant: Variant) {
        guard case .array(Element.signature, let values) = variant else { return nil }
        var elements: [Element] = []
        elements.reserveCapacity(values.count)
        for value in values {
            guard let element = Element(variant: value) else { return nil }
            elements.append(element)
        }
        self = elements
    }
}
