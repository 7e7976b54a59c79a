public import DoseTapDomain
public import SDBus

/// An object of the JSON contract as it travels: an `a{sv}` with the same keys, instants as `t` (microseconds since
/// 1970 UTC, 0 for none), what is null left out.
public struct WireObject: DBusValue, Hashable {
    /// The object; a received one has its keys in the order of the message.
    public let object: JSONObject
    /// The types of the keys of an object to send.
    private let shape: Shape

    /// An object to send.
    public init(_ object: JSONObject, _ shape: Shape) {
        self.object = object
        self.shape = shape
    }

    /// Whether the objects are equal.
    public static func == (lhs: WireObject, rhs: WireObject) -> Bool { lhs.object == rhs.object }

    /// Feeds the object to `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(object) }

    /// One complete D-Bus type.
    public static var signature: String { "a{sv}" }

    /// Appends the value to a message.
    public func append(to message: MessageWriter) throws(BusError) {
        try message.appendVariantEntries { entries throws(BusError) in try WireCoding.write(object, shape, to: entries)
        }
    }

    /// Reads the next value of a message.
    public static func read(from message: MessageReader) throws(BusError) -> WireObject {
        WireObject(try WireCoding.read(message), .unknown)
    }

    /// The value with its type made dynamic.
    public var variant: Variant { Variant(WireCoding.variants(object, shape)) }

    /// The value out of a variant of exactly this type, else nil.
    public init?(variant: Variant) {
        guard let dictionary = variant.dictionaryValue else { return nil }
        self.init(WireCoding.object(dictionary), .unknown)
    }
}
