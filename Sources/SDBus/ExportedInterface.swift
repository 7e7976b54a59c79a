/// An interface that is served, with all its members.
public struct ExportedInterface: Sendable {
    /// The interface's name.
    public let name: String
    /// Bounds of what callers may send.
    public let limits: InputLimits
    let members: [ExportedMember]

    /// An interface; introspection lists its members in this order.
    public init(_ name: String, limits: InputLimits = InputLimits(), members: [ExportedMember]) {
        self.name = name
        self.limits = limits
        self.members = members
    }
}

/// An object that is served: a path and its interfaces.
public struct ExportedObject: Sendable {
    /// Where the object is.
    public let path: ObjectPath
    /// What it can do.
    public let interfaces: [ExportedInterface]

    /// An object with these interfaces.
    public init(_ path: ObjectPath, interfaces: [ExportedInterface]) {
        self.path = path
        self.interfaces = interfaces
    }
}
