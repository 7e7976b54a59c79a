/// An event as it stands in the log: with its place and its links in the hash chain.
public struct StoredEvent: Hashable, Sendable {
    /// Place in the log, from 1, without gaps.
    public let sequence: Int64
    /// The fact itself.
    public let event: Event
    /// SHA-256 of the event before it (the store's id for the first), lowercase hexadecimal.
    public let previousHash: String
    /// SHA-256 over this event's columns and `previousHash`, lowercase hexadecimal.
    public let hash: String

    /// Memberwise.
    public init(sequence: Int64, event: Event, previousHash: String, hash: String) {
        self.sequence = sequence
        self.event = event
        self.previousHash = previousHash
        self.hash = hash
    }
}
