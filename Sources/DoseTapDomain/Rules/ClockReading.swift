/// What the clocks of the machine said at one moment; handed in, never read in here.
public struct ClockReading: Hashable, Sendable {
    /// CLOCK_REALTIME.
    public let wall: Instant
    /// The counter, in microseconds: it also counts while the machine sleeps, and nothing sets or slews it. Held within
    /// a quarter of what the type holds, so that the difference of any two, also from a damaged log, can be told.
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

    /// Whether an event was recorded so long ago at the most, as far as the clocks vouch for it: by one counter that went
    /// on, or by a wall clock that was synchronised then and is now. What is ahead by more than a second is not recent.
    func vouches(that event: Event, isWithin window: Duration) -> Bool {
        let isCounted = event.clock.bootID == bootID && !bootID.isEmpty
        guard isCounted || isSynchronised && event.clock.isSynchronised else { return false }
        return (.seconds(-1)...window).contains(elapsed(since: event))
    }

    private static let counterRange = Int64.min / 4...Int64.max / 4

    /// Memberwise.
    public init(wall: Instant, counterMicroseconds: Int64, bootID: String, isSynchronised: Bool) {
        self.wall = wall
        self.counterMicroseconds = min(
            max(counterMicroseconds, Self.counterRange.lowerBound), Self.counterRange.upperBound)
        self.bootID = bootID
        self.isSynchronised = isSynchronised
    }
}
