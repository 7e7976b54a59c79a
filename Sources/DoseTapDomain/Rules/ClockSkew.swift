/// How far the wall clock went ahead of the time since boot since dose 1 was recorded (R2).
///
/// Positive: the wall clock was set forward. A window opens only when both clocks say so and closes as soon as
/// either does, so a forward step delays the opening and a backward step hastens the closing.
public struct ClockSkew: Hashable, Sendable {
    /// The difference. Across boots the wall clock counts: there it is zero, unless the wall clock shows less than has
    /// passed for certain.
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
        guard event.clock.bootID == now.bootID, !now.bootID.isEmpty else {
            self = .none
            return
        }
        let wall = now.wall - event.occurredAt
        let boot = Duration.microseconds(now.counterMicroseconds - event.clock.counterMicroseconds)
        let difference = wall - boot
        let isNoise = difference < Self.noise && difference > .zero - Self.noise
        self.duration = isNoise ? .zero : difference
    }

    /// The difference since an event of a night, across boots too: no time that has passed for certain is taken back, so
    /// what a clock that is never set has closed stays closed.
    ///
    /// - Parameter later: what was recorded after it, in the order of the log.
    public init(since event: Event, then later: some Sequence<Event>, now: ClockReading) {
        guard event.clock.bootID != now.bootID, !event.clock.bootID.isEmpty, !now.bootID.isEmpty else {
            self.init(since: event, now: now)
            return
        }
        let difference = now.wall - event.occurredAt - Self.passed(since: event, then: later, now: now)
        self.init(duration: difference > .zero - Self.noise ? .zero : difference)
    }

    /// The least time that has passed since an event: what the clocks since boot counted between one event and the next.
    /// How long the machine was off in between nobody knows.
    private static func passed(
        since event: Event, then later: some Sequence<Event>, now: ClockReading
    ) -> Duration {
        var passed: Duration = .zero
        // By how much each boot's clock is behind what had passed; the log says which of two readings was first.
        var behind: [String: Duration] = [:]
        func read(_ clock: ClockReading) {
            let (boot, reading) = (clock.bootID, Duration.microseconds(clock.counterMicroseconds))
            let known = behind[boot] ?? passed - reading
            passed = max(passed, reading + known)
            behind[boot] = max(known, passed - reading)
        }
        read(event.clock)
        for event in later where !event.clock.bootID.isEmpty { read(event.clock) }
        read(now)
        return passed
    }

    /// True when the person has to be told.
    public var isAnnounced: Bool { duration > Self.announced || duration < .zero - Self.announced }

    /// Added to a wall-clock instant at which something opens.
    var opensLater: Duration { max(.zero, duration) }
    /// Added to a wall-clock instant at which something closes.
    var closesSooner: Duration { min(.zero, duration) }
}
