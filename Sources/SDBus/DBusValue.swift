/// A Swift type with a D-Bus type of its own.
///
/// The signature belongs to the type, not to a value, so that empty arrays and dictionaries travel.
public protocol DBusValue: Sendable {
    static var signature: String { get }
    func append(to message: MessageWriter) throws(BusError)
    static func read(from message: MessageReader) throws(BusError) -> Self
    var variant: Variant { get }
    init?(variant: Variant)
}

/// A D-Bus basic type, which may be the key of a dictionary.
public protocol DBusBasicValue: DBusValue, Hashable {}

/// The signature of several values in a row.
func signature<each Value: DBusValue>(of _: repeat (each Value).Type) -> String {
    var text = ""
    for type in repeat (each Value).self {
        text += type.signature
    }
    return text
}

/// A fixed-size type whose memory is what sd-bus reads and writes.
protocol DBusNumber: DBusBasicValue, BitwiseCopyable {
    static var code: UInt8 { get }
    init()
}

extension DBusNumber {
    public static var signature: String { String(UnicodeScalar(code)) }

    public func append(to message: MessageWriter) throws(BusError) {
        var value = self
        try message.appendBasic(Self.code, &value)
    }

    public static func read(from message: MessageReader) throws(BusError) -> Self {
        var value = Self()
        try message.readBasic(code, into: &value)
        return value
    }
}

extension UInt8: DBusNumber {
    static var code: UInt8 { UInt8(ascii: "y") }

    public var variant: Variant { .byte(self) }

    public init?(variant: Variant) {
        guard case .byte(let value) = variant else { return nil }
        self = value
    }
}

extension Int16: DBusNumber {
    static var code: UInt8 { UInt8(ascii: "n") }

    public var variant: Variant { .int16(self) }

    public init?(variant: Variant) {
        guard case .int16(let value) = variant else { return nil }
        self = value
    }
}

extension UInt16: DBusNumber {
    static var code: UInt8 { UInt8(ascii: "q") }

    public var variant: Variant { .uint16(self) }

    public init?(variant: Variant) {
        guard case .uint16(let value) = variant else { return nil }
        self = value
    }
}

extension Int32: DBusNumber {
    static var code: UInt8 { UInt8(ascii: "i") }

    public var variant: Variant { .int32(self) }

    public init?(variant: Variant) {
        guard case .int32(let value) = variant else { return nil }
        self = value
    }
}

extension UInt32: DBusNumber {
    static var code: UInt8 { UInt8(ascii: "u") }

    public var variant: Variant { .uint32(self) }

    public init?(variant: Variant) {
        guard case .uint32(let value) = variant else { return nil }
        self = value
    }
}

extension Int64: DBusNumber {
    static var code: UInt8 { UInt8(ascii: "x") }

    public var variant: Variant { .int64(self) }

    public init?(variant: Variant) {
        guard case .int64(let value) = variant else { return nil }
        self = value
    }
}

extension UInt64: DBusNumber {
    static var code: UInt8 { UInt8(ascii: "t") }

    public var variant: Variant { .uint64(self) }

    public init?(variant: Variant) {
        guard case .uint64(let value) = variant else { return nil }
        self = value
    }
}

extension Double: DBusNumber {
    static var code: UInt8 { UInt8(ascii: "d") }

    public var variant: Variant { .double(self) }

    public init?(variant: Variant) {
        guard case .double(let value) = variant else { return nil }
        self = value
    }
}

extension Bool: DBusBasicValue {
    public static var signature: String { "b" }

    public func append(to message: MessageWriter) throws(BusError) {
        // sd-bus takes booleans as C ints.
        var value: Int32 = self ? 1 : 0
        try message.appendBasic(UInt8(ascii: "b"), &value)
    }

    public static func read(from message: MessageReader) throws(BusError) -> Bool {
        var value: Int32 = 0
        try message.readBasic(UInt8(ascii: "b"), into: &value)
        return value != 0
    }

    public var variant: Variant { .bool(self) }

    public init?(variant: Variant) {
        guard case .bool(let value) = variant else { return nil }
        self = value
    }
}

extension Array: DBusValue where Element: DBusValue {
    public static var signature: String { "a" + Element.signature }

    public func append(to message: MessageWriter) throws(BusError) {
        try message.openContainer(UInt8(ascii: "a"), Element.signature)
        for element in self { try element.append(to: message) }
        try message.closeContainer()
    }

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

    public var variant: Variant { .array(element: Element.signature, map(\.variant)) }

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

extension Dictionary: DBusValue where Key: DBusBasicValue, Value: DBusValue {
    private static var entry: String { Key.signature + Value.signature }

    public static var signature: String { "a{\(entry)}" }

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

    public var variant: Variant {
        var pairs: [Variant: Variant] = [:]
        for (key, value) in self { pairs[key.variant] = value.variant }
        return .dictionary(key: Key.signature, value: Value.signature, pairs)
    }

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

/// A D-Bus struct of the given field types, such as `(su)`.
public struct DBusStruct<each Field: DBusValue>: DBusValue {
    public var fields: (repeat each Field)

    public init(_ field: repeat each Field) {
        fields = (repeat each field)
    }

    private static var contents: String { SDBus.signature(of: repeat (each Field).self) }

    public static var signature: String { "(\(contents))" }

    public func append(to message: MessageWriter) throws(BusError) {
        try message.openContainer(UInt8(ascii: "r"), Self.contents)
        for field in repeat each fields { try field.append(to: message) }
        try message.closeContainer()
    }

    public static func read(from message: MessageReader) throws(BusError) -> DBusStruct {
        try message.enter(UInt8(ascii: "r"), contents)
        let value = DBusStruct(repeat try (each Field).read(from: message))
        try message.exit()
        return value
    }

    public var variant: Variant {
        var values: [Variant] = []
        for field in repeat each fields { values.append(field.variant) }
        return .structure(values)
    }

    public init?(variant: Variant) {
        guard case .structure(let values) = variant, let fields = unpack(values, as: repeat (each Field).self) else {
            return nil
        }
        self.fields = fields
    }
}

extension DBusStruct: Equatable {
    public static func == (left: DBusStruct, right: DBusStruct) -> Bool {
        left.variant == right.variant
    }
}

/// Gives each variant its expected type; nil if one has another type, or if there are more or fewer variants.
func unpack<each Value: DBusValue>(_ values: [Variant], as _: repeat (each Value).Type) -> (repeat each Value)? {
    var rest = values[...]
    func next<Next: DBusValue>(_: Next.Type) throws -> Next {
        guard let value = rest.popFirst(), let typed = Next(variant: value) else { throw Mismatch.found }
        return typed
    }
    guard let typed = try? (repeat next((each Value).self)), rest.isEmpty else { return nil }
    return typed
}

private enum Mismatch: Error { case found }
