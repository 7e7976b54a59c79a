/// The end of the log: the place and the hash of its last event.
struct ChainHead: Hashable, Sendable {
    /// Sequence number of the last event; 0 for an empty log.
    var sequence: Int64
    /// Its hash; the store's id for an empty log.
    var hash: String
}
