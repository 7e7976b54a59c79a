/// What asked for an entry (R4): anything that can send a command.
public enum Surface: String, Hashable, Sendable, CaseIterable {
    case cli
    case dbus
    case notification
    case hook
    case plugin
    case importer
    /// The service itself: what follows from the passage of time.
    case service
}
