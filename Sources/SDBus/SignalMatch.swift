/// Which signals to receive; what is nil matches everything.
public struct SignalMatch: Sendable, Hashable {
    /// A unique or well-known name; leave it out with a peer.
    public var sender: String?
    /// The object.
    public var path: ObjectPath?
    /// The interface.
    public var interface: String?
    /// The signal's name.
    public var member: String?
    /// The first argument, if it is a string.
    public var firstArgument: String?

    /// A match on the given parts.
    public init(
        sender: String? = nil,
        path: ObjectPath? = nil,
        interface: String? = nil,
        member: String? = nil,
        firstArgument: String? = nil
    ) {
        self.sender = sender
        self.path = path
        self.interface = interface
        self.member = member
        self.firstArgument = firstArgument
    }

    /// The rule in the bus's own syntax.
    var rule: String {
        var parts = ["type='signal'"]
        let keys = [
            ("sender", sender), ("path", path?.rawValue), ("interface", interface), ("member", member),
            ("arg0", firstArgument),
        ]
        for (key, value) in keys {
            guard let value else { continue }
            // A quote ends the quoted part, an escaped quote follows, and a new quoted part begins.
            let quoted = value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
            parts.append("\(key)='\(quoted)'")
        }
        return parts.joined(separator: ",")
    }
}
