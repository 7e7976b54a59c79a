internal import DoseTapDomain

/// Writes instants as the clock on the wall showed them; the zone is named only where it is not the person's own.
struct Moments: Sendable {
    let zone: Zone
    /// Whether the zone is another one than that in force.
    let isForeign: Bool

    private var suffix: String { isForeign ? " (\(SafeText.line(zone.identifier)))" : "" }

    /// `22:30`.
    func clock(_ instant: Instant) -> String { bareClock(instant) + suffix }

    /// `22:30`, the zone never named.
    func bareClock(_ instant: Instant) -> String { LocalTimeFormat.clock(instant, in: zone) }

    /// `2026-01-14 22:30`.
    func dateAndClock(_ instant: Instant) -> String { LocalTimeFormat.dateAndClock(instant, in: zone) + suffix }

    /// `22:30`, or with the date where it is far from another moment.
    func clock(_ instant: Instant, near other: Instant) -> String {
        let distance = instant - other
        return distance > .hours(20) || distance < .zero - .hours(20) ? dateAndClock(instant) : clock(instant)
    }
}
