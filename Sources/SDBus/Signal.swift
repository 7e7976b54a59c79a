/// A signal that was received.
public struct Signal: Sendable, Hashable {
    /// The unique name of the sender, nil with a peer.
    public let sender: String?
    /// The object that emitted it.
    public let path: ObjectPath
    /// The interface.
    public let interface: String
    /// The name.
    public let member: String
    /// The arguments.
    public let arguments: [Variant]

    /// The arguments with the expected types, such as `(String, UInt32).self`; nil when they are others.
    public func decode<each Value: DBusValue>(_: (repeat each Value).Type) -> (repeat each Value)? {
        unpack(arguments, as: repeat (each Value).self)
    }
}
