/// What both clocks of the machine said at one moment; handed in, never read in here.
public struct ClockReading: Hashable, Sendable {
    /// CLOCK_REALTIME.
    public let wall: Instant
    /// CLOCK_BOOTTIME in microseconds: it also counts while the machine sleeps, and is never set.
    public let bootMicroseconds: Int64
    /// Which boot `bootMicroseconds` counts from.
    public let bootID: String

    /// Memberwise.
    public init(wall: Instant, bootMicroseconds: Int64, bootID: String) {
        self.wall = wall
        self.bootMicroseconds = bootMicroseconds
        self.bootID = bootID
    }
}
