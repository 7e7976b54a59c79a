extension Instant {
    /// The millisecond that contains this instant plus `duration`; ``min`` or ``max`` where that lies outside the range.
    public func advanced(by duration: Swift.Duration) -> Instant {
        Instant(clamping: Int128(milliseconds) + duration.attoseconds.flooredQuotient(attosecondsPerMillisecond))
    }

    /// The time from this instant to `other`, negative if `other` is earlier.
    public func duration(to other: Instant) -> Swift.Duration {
        .milliseconds(other.milliseconds - milliseconds)
    }

    /// ``advanced(by:)``.
    public static func + (lhs: Instant, rhs: Swift.Duration) -> Instant { lhs.advanced(by: rhs) }

    /// The millisecond that contains `lhs` minus `rhs`, held within the range.
    public static func - (lhs: Instant, rhs: Swift.Duration) -> Instant {
        let back = -(rhs.attoseconds / attosecondsPerMillisecond)
        let finer: Int128 = rhs.attoseconds % attosecondsPerMillisecond > 0 ? -1 : 0
        return Instant(clamping: Int128(lhs.milliseconds) + back + finer)
    }

    /// The time from `rhs` to `lhs`.
    public static func - (lhs: Instant, rhs: Instant) -> Swift.Duration { rhs.duration(to: lhs) }

    /// Moves this instant by `rhs`.
    public static func += (lhs: inout Instant, rhs: Swift.Duration) { lhs = lhs + rhs }

    /// Moves this instant back by `rhs`.
    public static func -= (lhs: inout Instant, rhs: Swift.Duration) { lhs = lhs - rhs }

    private init(clamping milliseconds: Int128) {
        self.init(milliseconds: Int64(clamping: milliseconds))
    }
}

private let attosecondsPerMillisecond: Int128 = 1_000_000_000_000_000
