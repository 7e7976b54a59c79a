/// The path of an object.
public struct ObjectPath: Hashable, Sendable, CustomStringConvertible {
    /// As on the wire.
    public let text: String
    /// Checked when it is sent.
    public init(_ text: String) { self.text = text }
    /// As on the wire.
    public var description: String { text }
}

/// A D-Bus type signature as a value.
public struct Signature: Hashable, Sendable, CustomStringConvertible {
    /// As on the wire.
    public let text: String
    /// Checked when it is sent.
    public init(_ text: String) { self.text = text }
    /// As on the wire.
    public var description: String { text }
}
