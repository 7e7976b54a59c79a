/// Where events lie that the log does not take yet.
public enum KeptPlace: String, Hashable, Sendable, CaseIterable {
    /// In the reserve beside the store, which was allocated while there was room.
    case reserve
    /// In the configuration folder.
    case configuration
    /// In the journal alone, without amounts and notes.
    case journal
}

/// What lies in the reserve.
public struct ReservedEvents: Hashable, Sendable {
    /// The events in the order in which they were recorded.
    public var events: [Event]
    /// The last place of the log when they were written.
    public var lastSequence: Int64

    /// Memberwise.
    public init(events: [Event], lastSequence: Int64) {
        self.events = events
        self.lastSequence = lastSequence
    }
}
