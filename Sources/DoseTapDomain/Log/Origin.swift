/// Who sent a command, as far as the bus can tell: the detail of an event's surface.
public struct Origin: Hashable, Sendable {
    /// Unique bus name (`:1.42`); nil peer-to-peer.
    public internal(set) var sender: String?
    /// Process id of the sender.
    public internal(set) var processID: Int32?
    /// The sender's command name as the kernel has it (at most 15 bytes).
    public internal(set) var command: String?

    /// All parts are optional: a peer-to-peer caller has no name.
    public init(sender: String? = nil, processID: Int32? = nil, command: String? = nil) {
        self.sender = sender
        self.processID = processID
        self.command = command
    }
}
