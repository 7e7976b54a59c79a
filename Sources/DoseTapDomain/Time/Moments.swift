/// Writes times for people. All surfaces show clock times and dates through this one type.
///
/// A time that occurs twice, because the clock was put back, says which of the two it is. A zone is named only where its clock
/// differs from the one that the person has now (R23.15). Texts are ASCII.
public struct Moments: Hashable, Sendable {
    /// The zone whose clock is shown.
    public let zone: Zone
    /// The zone in force, whose clock the person has now; nil if the zone shown was asked for, and all times are told in it.
    public let inForce: Zone?
    /// Twelve hours or twenty-four.
    public let style: ClockStyle

    public init(zone: Zone, inForce: Zone? = nil, style: ClockStyle = .hours24) {
        self.zone = zone
        self.inForce = inForce
        self.style = style
    }

    /// Returns the moments for times of a night; these moments where nothing is known of its zone, or where a zone was asked for.
    public func told(in night: Zone?) -> Moments {
        guard let night, let inForce else { return self }
        return Moments(zone: night, inForce: inForce, style: style)
    }

    /// Returns true if the clock that is shown differs at an instant from the clock that the person has now.
    public func isForeign(at instant: Instant) -> Bool {
        inForce.map { $0.offset(at: instant) != zone.offset(at: instant) } ?? false
    }

    /// `22:30`; `02:20 winter time, the second 02:20`; with the zone if it is foreign.
    public func clock(_ instant: Instant) -> String { bareClock(instant) + name(at: instant) }

    /// The text of ``clock(_:)``, without the zone if that stands at another time beside it.
    public func clock(_ instant: Instant, beside other: Instant) -> String {
        isForeign(at: other) ? bareClock(instant) : clock(instant)
    }

    /// The text of ``clock(_:)`` without the zone.
    public func bareClock(_ instant: Instant) -> String {
        let clock = digits(instant)
        guard let pass = pass(of: instant) else { return clock }
        return pass.isSecond
            ? tr("\(clock) \(pass.time), the second \(clock)") : tr("\(clock) \(pass.time), the first \(clock)")
    }

    /// The text of ``clock(_:)``, rounded up to the next whole minute, for an instant before which a dose is too early (R23.3).
    public func clockRoundedUp(_ instant: Instant) -> String { clock(Self.roundedUp(instant)) }

    /// Returns the next whole minute, or the instant itself if it is one.
    public static func roundedUp(_ instant: Instant) -> Instant {
        let over = instant.milliseconds.flooredRemainder(60_000)
        return over == 0 ? instant : instant + .milliseconds(60_000 - over)
    }

    /// `22:30`, `02:20 (2nd)`, for the cells of a table; with the zone if it is foreign.
    public func cell(_ instant: Instant) -> String { bareCell(instant) + name(at: instant) }

    /// The text of ``cell(_:)``, without the zone if that stands at another time beside it.
    public func cell(_ instant: Instant, beside other: Instant) -> String {
        isForeign(at: other) ? bareCell(instant) : cell(instant)
    }

    /// The text of ``cell(_:)`` without the zone, for a table that names it.
    public func bareCell(_ instant: Instant) -> String {
        digits(instant) + (pass(of: instant).map { $0.isSecond ? tr(" (2nd)") : tr(" (1st)") } ?? "")
    }

    /// `Wed 2026-01-14 22:30`, for the cells of a table.
    public func dateAndCell(_ instant: Instant) -> String {
        "\(Self.date(zone.date(at: instant))) \(cell(instant))"
    }

    /// `Wed 2026-01-14 22:30`.
    public func dateAndClock(_ instant: Instant) -> String {
        "\(Self.date(zone.date(at: instant))) \(clock(instant))"
    }

    /// The text of ``clock(_:)``, with the date if the instant is far from another moment.
    public func clock(_ instant: Instant, near other: Instant) -> String {
        let distance = instant - other
        return distance > .hours(20) || distance < .zero - .hours(20) ? dateAndClock(instant) : clock(instant)
    }

    /// The time of an entry for the person who made it just now. An entry of more than an hour ago, or of another date, has its
    /// weekday, its date and the time since.
    ///
    /// - Parameter isDose: true for a dose, which tells the time since from a minute on.
    public func entryTime(_ instant: Instant, now: Instant, isDose: Bool = false) -> String {
        let ago = now - instant
        guard ago >= .minutes(1), ago > .hours(1) || zone.date(at: instant) != zone.date(at: now) else {
            let clock = clock(instant, near: now)
            return isDose && ago >= .minutes(1) ? "\(clock), \(Self.ago(ago))" : clock
        }
        return "\(dateAndClock(instant)), \(Self.ago(ago))"
    }

    /// The instant as a person types it, `2026-01-14 22:30`; with its offset if the short form, which is read in the zone in force,
    /// would mean another one.
    public func typed(_ instant: Instant) -> String {
        let local = zone.local(instant)
        let time = LocalDateTime(date: local.date, time: local.time)
        guard case .unique(instant) = (inForce ?? zone).resolve(time) else {
            return LocalTimeFormat.iso8601(instant, in: zone)
        }
        return "\(local.date.iso8601) \(local.time)"
    }

    /// The text of ``typed(_:)`` to the minute, for a time that need not be exact.
    public func typedToTheMinute(_ instant: Instant) -> String {
        let past = instant.milliseconds % 60_000
        return typed(instant - .milliseconds(past < 0 ? past + 60_000 : past))
    }

    /// `8 h 25 min ago`, `3 days ago`.
    public static func ago(_ duration: Duration) -> String {
        duration < .hours(48)
            ? tr("\(LocalTimeFormat.interval(duration)) ago") : tr("\(duration.wholeSeconds / 86_400) days ago")
    }

    /// `Wed 2026-01-14`.
    public static func date(_ date: CivilDate) -> String { "\(date.weekday.short) \(date.iso8601)" }

    /// `Wed 2026-01-14`.
    public static func date(_ date: SessionDate) -> String { Self.date(date.civil) }

    /// ` (Europe/Berlin)` if the zone is foreign at an instant.
    private func name(at instant: Instant) -> String {
        guard isForeign(at: instant) else { return "" }
        let shown = zone.identifier.unicodeScalars.prefix(64).map { (" "..."~").contains($0) ? $0 : "?" }
        return " (\(String(String.UnicodeScalarView(shown))))"
    }

    private func digits(_ instant: Instant) -> String {
        let time = zone.local(instant).time
        guard style == .hours12 else { return time.description }
        var text = TimeText()
        text.append((time.hour + 11) % 12 + 1, width: 1)
        text.append(":")
        text.append(time.minute, width: 2)
        return text.string + (time.hour < 12 ? " AM" : " PM")
    }

    /// Returns the pass of an instant if its time occurs twice; nil for every other time.
    private func pass(of instant: Instant) -> (time: String, isSecond: Bool)? {
        let local = zone.local(instant)
        guard case .repeated(let earlier, let later) = zone.resolve(LocalDateTime(date: local.date, time: local.time))
        else { return nil }
        let own = zone.offset(at: instant)
        let isSecond = own == zone.offset(at: later)
        let other = zone.offset(at: isSecond ? earlier : later)
        // The offsets decide: some zone data calls winter time the daylight saving time, as Ireland's law does.
        let isSeasonal = zone.isDaylight(at: earlier) != zone.isDaylight(at: later)
        let season = own > other ? tr("summer time") : tr("winter time")
        return (isSeasonal ? season : "(UTC\(LocalTimeFormat.offset(seconds: own)))", isSecond)
    }
}

/// Formats instants with their offset, offsets and lengths of time, in ASCII digits. ``Moments`` formats clock times.
public enum LocalTimeFormat {
    /// `YYYY-MM-DDTHH:MM:SS.mmm±HH:MM`, which `Instant.init(iso8601:)` reads back as the same instant.
    ///
    /// If an old local time differs from UTC by seconds too, these are left out of the offset and of the time.
    public static func iso8601(_ instant: Instant, in zone: Zone) -> String {
        iso8601(instant, offsetMinutes: zone.offsetMinutes(at: instant))
    }

    /// The text of ``iso8601(_:in:)`` by an offset that was noted.
    ///
    /// - Parameter offsetMinutes: minutes ahead of UTC, within a few days.
    public static func iso8601(_ instant: Instant, offsetMinutes: Int) -> String {
        let local = LocalDateTime(millisecondsSinceEpoch: instant.milliseconds + Int64(offsetMinutes) * 60_000)
        var text = TimeText()
        text.append(local, separator: "T", fraction: true)
        text.append(offsetSeconds: offsetMinutes * 60)
        return text.string
    }

    /// `+02:00`, seconds cut off towards zero.
    ///
    /// - Parameter seconds: Seconds east of UTC.
    public static func offset(seconds: Int) -> String {
        var text = TimeText()
        text.append(offsetSeconds: seconds)
        return text.string
    }

    /// `2 h 45 min`, `12 min` or, below one minute, `45 s`; finer parts are cut off.
    public static func interval(_ duration: Duration) -> String {
        let total = duration.wholeSeconds
        let sign = total < 0 ? "-" : ""
        let seconds = total.magnitude
        let hours = seconds / 3600
        let minutes = seconds / 60 % 60
        if seconds < 60 { return seconds == 0 ? "0 min" : "\(sign)\(seconds) s" }
        if hours == 0 { return "\(sign)\(minutes) min" }
        return minutes == 0 ? "\(sign)\(hours) h" : "\(sign)\(hours) h \(minutes) min"
    }

    /// The text of ``interval(_:)``, from a minute on rounded up to a whole one: a time that has to pass first (R23.3).
    public static func wait(_ duration: Duration) -> String {
        let over = duration.wholeMilliseconds % 60_000
        return interval(duration < .minutes(1) || over == 0 ? duration : duration + .milliseconds(60_000 - over))
    }
}

/// The style of a clock for a person.
public enum ClockStyle: String, CaseIterable, Sendable {
    /// `22:30`.
    case hours24 = "24h"
    /// `10:30 PM`.
    case hours12 = "12h"

    /// The style of a locale such as `en_US.UTF-8`; 24 hours if the name does not decide it.
    public init(locale: some StringProtocol) {
        let name = locale.prefix { $0 != "." && $0 != "@" }
        let parts = name.split(separator: "_", maxSplits: 1)
        guard parts.count == 2, !Self.exceptions.contains(String(name)) else {
            self = .hours24
            return
        }
        self = Self.territories.contains(String(parts[1])) ? .hours12 : .hours24
    }

    // Territories whose clocks are read in twelve hours, as the Unicode CLDR lists them; Canada without French.
    private static var exceptions: [String] { ["fr_CA"] }
    private static var territories: [String] {
        [
            "AE", "AU", "BD", "BH", "CA", "CO", "DO", "EG", "GH", "IN", "IQ", "JO", "KR", "KW", "LB", "MX", "MY", "NZ",
            "OM", "PA", "PH", "PK", "PR", "QA", "SA", "SD", "SG", "SY", "US", "VE", "YE",
        ]
    }
}
