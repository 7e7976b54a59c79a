/// What a surface said with a person's action, kept so that a repeat can be told from something new.
public struct Request: Hashable, Sendable {
    /// The time the person named; nil when they meant "now".
    public var at: Instant?
    /// The questions the person answered.
    public var confirmations: [Confirmation]

    /// Memberwise.
    public init(at: Instant? = nil, confirmations: [Confirmation] = []) {
        self.at = at
        self.confirmations = confirmations
    }
}
