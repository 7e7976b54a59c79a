/// A D-Bus struct: `DBusStruct<String, UInt32>` is `(su)`.
public struct DBusStruct<each Element: DBusValue>: DBusValue {
    /// The members in order.
    public let elements: (repeat each Element)

    /// The members in order.
    public init(_ elements: repeat each Element) { self.elements = (repeat each elements) }

    public static var signature: String { "(" + contents + ")" }

    private static var contents: String {
        var text = ""
        for type in repeat (each Element).self { text += type.signature }
        return text
    }

    public func append(to message: borrowing MessageWriter) throws(BusError) {
        try message.open("r", Self.contents)
        for element in repeat each elements { try element.append(to: message) }
        try message.close()
    }

    public static func read(from message: borrowing MessageReader) throws(BusError) -> DBusStruct {
        try message.enter("r", contents)
        let elements = DBusStruct(repeat try (each Element).read(from: message))
        try message.exit()
        return elements
    }

    public var variant: Variant {
        var values: [Variant] = []
        for element in repeat each elements { values.append(element.variant) }
        return .structure(values)
    }

    public init?(variant: Variant) {
        guard case .structure(let values) = variant else { return nil }
        var rest = values[...]
        func next<Member: DBusValue>(_: Member.Type) throws -> Member {
            guard let value = rest.popFirst(), let member = Member(variant: value) else {
                throw BusError.invalidArguments("a struct of another type")
            }
            return member
        }
        do { self.init(repeat try next((each Element).self)) } catch { return nil }
        guard rest.isEmpty else { return nil }
    }
}
