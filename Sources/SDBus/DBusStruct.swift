/// A D-Bus struct of the given field types, such as `(su)`.
public struct DBusStruct<each Field: DBusValue>: DBusValue {
    /// The fields in order.
    public var fields: (repeat each Field)

    /// A struct with these fields.
    public init(_ field: repeat each Field) {
        fields = (repeat each field)
    }

    private static var contents: String { SDBus.signature(of: repeat (each Field).self) }

    /// One complete D-Bus type.
    public static var signature: String { "(\(contents))" }

    /// Appends the value to a message.
    public func append(to message: MessageWriter) throws(BusError) {
        try message.openContainer(UInt8(ascii: "r"), Self.contents)
        for field in repeat each fields { try field.append(to: message) }
        try message.closeContainer()
    }

    /// Reads the next value of a message.
    public static func read(from message: MessageReader) throws(BusError) -> DBusStruct {
        try message.enter(UInt8(ascii: "r"), contents)
        let value = DBusStruct(repeat try (each Field).read(from: message))
        try message.exit()
        return value
    }

    /// The value with its type made dynamic.
    public var variant: Variant {
        var values: [Variant] = []
        for field in repeat each fields { values.append(field.variant) }
        return .structure(values)
    }

    /// The value out of a variant of exactly this type, else nil.
    public init?(variant: Variant) {
        guard case .structure(let values) = variant, let fields = unpack(values, as: repeat (each Field).self) else {
            return nil
        }
        self.fields = fields
    }
}

extension DBusStruct: Equatable {
    /// Whether all fields are equal.
    public static func == (left: DBusStruct, right: DBusStruct) -> Bool {
        left.variant == right.variant
    }
}

/// Gives each variant its expected type; nil when one has another or when there are more or fewer.
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
