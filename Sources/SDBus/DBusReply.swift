/// What a reply can hold: one value, several, or nothing.
public protocol DBusReply: Sendable {
    /// All complete types of the reply.
    static var replySignature: String { get }
    /// Reads the whole reply.
    static func read(reply message: borrowing MessageReader) throws(BusError) -> Self
    /// Appends the whole reply.
    func append(reply message: borrowing MessageWriter) throws(BusError)
}

extension DBusReply where Self: DBusValue {
    public static var replySignature: String { signature }
    public static func read(reply message: borrowing MessageReader) throws(BusError) -> Self {
        try read(from: message)
    }
    public func append(reply message: borrowing MessageWriter) throws(BusError) { try append(to: message) }
}

extension Bool: DBusReply {}
extension UInt8: DBusReply {}
extension Int16: DBusReply {}
extension UInt16: DBusReply {}
extension Int32: DBusReply {}
extension UInt32: DBusReply {}
extension Int64: DBusReply {}
extension UInt64: DBusReply {}
extension Double: DBusReply {}
extension String: DBusReply {}
extension ObjectPath: DBusReply {}
extension Signature: DBusReply {}
extension UnixFD: DBusReply {}
extension Variant: DBusReply {}
extension DBusStruct: DBusReply {}
extension Array: DBusReply where Element: DBusValue {}
extension Dictionary: DBusReply where Key: DBusBasicValue, Value: DBusValue {}

/// A reply or an argument list of several values, or of none.
public struct DBusTuple<each Element: DBusValue>: DBusReply {
    /// The values in order.
    public let elements: (repeat each Element)

    /// The values in order.
    public init(_ elements: repeat each Element) { self.elements = (repeat each elements) }

    public static var replySignature: String {
        var text = ""
        for type in repeat (each Element).self { text += type.signature }
        return text
    }

    public static func read(reply message: borrowing MessageReader) throws(BusError) -> DBusTuple {
        DBusTuple(repeat try (each Element).read(from: message))
    }

    public func append(reply message: borrowing MessageWriter) throws(BusError) {
        for element in repeat each elements { try element.append(to: message) }
    }
}

/// Nothing.
public typealias DBusVoid = DBusTuple<>
