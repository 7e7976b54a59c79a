/// How far the wall clock went ahead of the time since boot since dose 1 was recorded (DOMAIN 2, two clocks).
///
/// Positive: the wall clock was set forward. A window opens only when both clocks say so and closes as soon as
/// either does, so a forward step delays the opening and a backward step hastens the closing.
public struct ClockSkew: Hashable, Sendable {
    /// The difference; zero across boots, where only the wall clock counts.
    public let duration: Duration

    /// No disagreement.
    public static let none = ClockSkew(duration: .zero)

    /// Under one second the two readings differ by the moment they were taken and by slewing: no step.
    static let noise: Duration = .seconds(1)
    /// Above this the person is told.
    static let announced: Duration = .seconds(60)

    /// A known difference.
    public init(duration: Duration) { self.duration = duration }

    /// The difference since an event was recorded.
    public init(since event: Event, now: ClockReading) {
        guard event.bootID == now.bootID, !event.bootID.isEmpty else {
            self = .none
            return
        }
        let wall = now.wall - event.occurredAt
        let boot = Duration.microseconds(now.bootMicroseconds - event.bootMicroseconds)
        let difference = wall - boot
        let isNoise = difference < Self.noise && difference > .zero - Self.noise
        self.duration = isNoise ? .zero : difference
    }

    /// True when the person has to be told.
    public var isAnnounced: Bool { duration > Self.announced || duration < .zero - Self.announced }

    /// Added to a wall-clock instant at which something opens.
    var opensLater: Duration { max(.zero, duration) }
    /// Added to a wall-clock instant at which something closes.
    var closesSooner: Duration { min(.zero, duration) }
}
