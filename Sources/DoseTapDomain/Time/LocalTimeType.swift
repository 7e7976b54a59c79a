/// One of the ways a zone has counted its local time.
struct LocalTimeType: Hashable, Sendable {
    /// Seconds east of UTC.
    let offset: Int
    let isDaylight: Bool
    let abbreviation: String

    /// Offsets further from UTC are refused, as RFC 9636 section 3.2 advises.
    static var offsetRange: ClosedRange<Int> { -93_599...93_599 }
}
