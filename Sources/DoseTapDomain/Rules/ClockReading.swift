/// What the clocks of the machine said at one moment; handed in, never read in here.
public struct ClockReading: Hashable, Sendable {
    /// CLOCK_REALTIME.
    public let wall: Instant
    /// The counter, in microseconds: it also counts while the machine sleeps, and nothing sets or slews it.
    public let counterMicroseconds: Int64
    /// Which boot `counterMicroseconds` counts from.
    public let bootID: String
    /// Whether something keeps the wall clock right, as far as the kernel knows.
    public let isSynchronised: Bool

    /// Time since an event was recorded: within one boot by the counter, else by the wall clock.
    public func elapsed(since event: Event) -> Duration {
        guard event.clock.bootID == bootID, !bootID.isEmpty else { return wall - event.occurredAt }
        return .microseconds(counterMicroseconds - event.clock.counterMicroseconds)
    }

    /// Memberwise.
    public init(wall: Instant, counterMicroseconds: Int64, bootID: String, isSynchronised: Bool) {
        self.wall = wall
        self.counterMicroseconds = counterMicroseconds
        self.bootID = bootID
        self.isSynchronised = isSynchronised
    }
}
