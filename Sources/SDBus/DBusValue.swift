/// A Swift type with a D-Bus type of its own.
///
/// The signature belongs to the type, not to a value, so that empty arrays and dictionaries travel.
public protocol DBusValue: Sendable {
    /// One complete D-Bus type.
    static var signature: String { get }
    /// Appends the value to a message.
    func append(to message: MessageWriter) throws(BusError)
    /// Reads the next value of a message.
    static func read(from message: MessageReader) throws(BusError) -> Self
    /// The value with its type made dynamic.
    var variant: Variant { get }
    /// The value out of a variant of exactly this type, else nil.
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
