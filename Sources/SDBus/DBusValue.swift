/// A Swift type with a D-Bus signature of its own, so that also an empty array knows what it holds.
public protocol DBusValue: Sendable {
    /// One complete type.
    static var signature: String { get }
    /// Appends the value to a message.
    func append(to message: borrowing MessageWriter) throws(BusError)
    /// Reads one value.
    static func read(from message: borrowing MessageReader) throws(BusError) -> Self
    /// The value as the content of a variant.
    var variant: Variant { get }
    /// The content of a variant, if it is of this type.
    init?(variant: Variant)
}

/// A type that may key a dictionary.
public protocol DBusBasicValue: DBusValue, Hashable {}
