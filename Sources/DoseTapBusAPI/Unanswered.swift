/// Nothing came from the service in time.
public struct Unanswered: Error, Hashable, Sendable {
    /// How long was waited.
    public let limit: Duration
    /// What was asked for may have been done, or may yet be.
    public let mayHaveActed: Bool
}
