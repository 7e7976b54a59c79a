/// Where a connection leads.
public enum BusAddress: Hashable, Sendable {
    /// The user's bus: `DBUS_SESSION_BUS_ADDRESS`, else the runtime directory's socket.
    case session
    /// The system bus.
    case system
    /// A bus at an address (`unix:path=…`).
    case address(String)
    /// The other end of a connected socket, without a bus between; the descriptor is taken over.
    case peer(descriptor: Int32, isServer: Bool)

    /// True without a bus: there are no names and no senders.
    public var isPeer: Bool {
        if case .peer = self { return true }
        return false
    }
}
