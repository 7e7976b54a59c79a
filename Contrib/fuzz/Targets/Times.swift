@testable import DoseTapDomain

extension FuzzTarget {
    /// Times, dates and durations as people type them. The first two bytes choose the zone and the moment.
    static let times = FuzzTarget("times", longest: 80) { bytes in
        guard bytes.count > 2 else { return }
        let zone = zonesToReadIn[Int(bytes[0]) % zonesToReadIn.count]
        let now = Instant(seconds: 1_767_225_600 + Int64(bytes[1]) * 123_457)
        let text = bytes.from(2).text
        if let expression = try? TimeExpression(text) {
            if case .instant(let instant)? = try? expression.resolve(now: now, in: zone) { check(instant, zone) }
            if case .repeated(let one, let other)? = try? expression.resolve(now: now, in: zone) {
                promise(one < other, "of a time that was twice the earlier is not the first")
            }
            _ = try? expression.resolve(correcting: now, now: now, in: zone, rolloverHour: 18)
            _ = expression.doubt(now, isOfNight: true, now: now, in: zone, rolloverHour: 18)
        }
        if let instant = try? Instant(iso8601: text) { check(instant, zone) }
        if let duration = try? TimeExpression.parseDuration(text) {
            promise(duration >= .zero && duration <= .hours(24 * 400), "a duration is out of its range")
            _ = LocalTimeFormat.interval(duration)
        }
        if let night = try? NightExpression(text) { _ = try? night.date(present: SessionDate(zone.date(at: now))) }
        if let clock = try? ClockTime(text: text) { promise((0..<24).contains(clock.hour), "an hour is out of range") }
        if let date = try? SessionDate(text: text) { promise((try? SessionDate(text: date.text)) == date, "a date") }
    }

    private static func check(_ instant: Instant, _ zone: Zone) {
        promise((try? Instant(iso8601: instant.iso8601)) == instant, "an instant does not read back")
        let local = LocalTimeFormat.iso8601(instant, in: zone)
        // A text cannot have a year beyond 9999, which the clocks of a zone may show in the last hours of that year.
        if zone.offset(at: instant) % 60 == 0, instant < Instant.max - .hours(26), instant > Instant.min + .hours(26) {
            promise((try? Instant(iso8601: local)) == instant, "a local time does not read back: \(local)")
        }
        let moments = Moments(zone: zone)
        _ = (moments.clock(instant), moments.dateAndCell(instant), moments.typed(instant))
    }

    private static let zonesToReadIn: [Zone] =
        [.utc]
        + ["CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT,M3.2.0,M11.1.0", "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"]
        .compactMap { try? Zone(posixRule: $0) }
}
