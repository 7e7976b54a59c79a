/// What a surface said with a person's action, kept so that a repeat can be told from something new.
public struct Request: Hashable, Sendable {
    /// The time the person named; nil when they meant "now".
    public var at: Instant?
    /// They said how long ago it was, not a time of day.
    public var isAgo = false
    /// The questions the person answered.
    public var confirmations: [Confirmation]

    /// Memberwise.
    public init(at: Instant? = nil, isAgo: Bool = false, confirmations: [Confirmation] = []) {
        self.at = at
        self.isAgo = isAgo
        self.confirmations = confirmations
    }
}
