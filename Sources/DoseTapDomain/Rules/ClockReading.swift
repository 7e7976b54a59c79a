/// What both clocks of the machine said at one moment; handed in, never read in here.
public struct ClockReading: Hashable, Sendable {
    /// CLOCK_REALTIME.
    public let wall: Instant
    /// CLOCK_BOOTTIME in microseconds: it also counts while the machine sleeps, and is never set.
    public let bootMicroseconds: Int64
    /// Which boot `bootMicroseconds` counts from.
    public let bootID: String

    /// Time since an event was recorded: within one boot by the clock that is never set, else by the wall clock.
    func elapsed(since event: Event) -> Duration {
        guard event.bootID == bootID, !bootID.isEmpty else { return wall - event.occurredAt }
        return .microseconds(bootMicroseconds - event.bootMicroseconds)
    }

    /// Memberwise.
    public init(wall: Instant, bootMicroseconds: Int64, bootID: String) {
        self.wall = wall
        self.bootMicroseconds = bootMicroseconds
        self.bootID = bootID
    }
}
