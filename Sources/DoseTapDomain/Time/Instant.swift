/// A point on the UTC time line, in whole milliseconds.
///
/// Milliseconds are the only unit the domain keeps: whatever is finer is cut off (towards the past) where it comes in,
/// so that two readers of one stored text can never disagree about an order. Days have 86,400 seconds, as on every
/// POSIX clock. The range is the years 0001 to 9999; arithmetic that would leave it stops at its ends.
public struct Instant: Hashable, Comparable, Sendable, InstantProtocol {
    /// The unit of differences between instants.
    public typealias Duration = Swift.Duration

    /// Milliseconds since 1970-01-01T00:00:00Z, negative before.
    public let milliseconds: Int64

    /// The instant that many milliseconds after 1970-01-01T00:00:00Z, held within ``min`` and ``max``.
    public init(milliseconds: Int64) {
        self.milliseconds = Swift.min(Swift.max(milliseconds, Self.earliestMilliseconds), Self.latestMilliseconds)
    }

    /// The millisecond that contains the given microsecond since 1970-01-01T00:00:00Z.
    public init(microseconds: Int64) {
        self.init(milliseconds: microseconds.flooredQuotient(1000))
    }

    /// The first instant of the given second since 1970-01-01T00:00:00Z.
    public init(seconds: Int64) {
        let product = seconds.multipliedReportingOverflow(by: 1000)
        self.init(milliseconds: product.overflow ? (seconds < 0 ? .min : .max) : product.partialValue)
    }

    /// Microseconds since 1970-01-01T00:00:00Z, always a multiple of 1000.
    public var microseconds: Int64 { milliseconds * 1000 }

    /// Whole seconds since 1970-01-01T00:00:00Z, rounded towards the past.
    public var seconds: Int64 { milliseconds.flooredQuotient(1000) }

    /// 0001-01-01T00:00:00.000Z.
    public static var min: Instant { Instant(milliseconds: earliestMilliseconds) }

    /// 9999-12-31T23:59:59.999Z.
    public static var max: Instant { Instant(milliseconds: latestMilliseconds) }

    static var earliestMilliseconds: Int64 { -62_135_596_800_000 }
    static var latestMilliseconds: Int64 { 253_402_300_799_999 }

    /// Whether `lhs` is earlier than `rhs`.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.milliseconds < rhs.milliseconds }
}
