/// A time as people type it: `22:30`, `9pm`, `yesterday 23:05`, `12 Nov 22:30`, `20m ago` or ISO 8601 with its offset.
///
/// Reading it needs neither clock nor zone; ``resolve(now:in:)`` is given both and says which instant is meant.
public struct TimeExpression: Hashable, Sendable {
    enum Form: Hashable, Sendable {
        case now
        case instant(Instant)
        case ago(Duration)
        case ahead(Duration)
        /// The most recent time a clock showed this.
        case clock(TimeOfDay)
        /// That time of today, or of that many days before.
        case daysBack(Int, TimeOfDay)
        case tomorrow(TimeOfDay)
        /// That time of the night that began at the last noon.
        case tonight(TimeOfDay)
        /// That time of the most recent such day, today included.
        case weekday(Weekday, TimeOfDay)
        /// That time of the most recent such date, today included.
        case day(month: Int, day: Int, TimeOfDay)
        case date(CivilDate, TimeOfDay)
    }

    struct TimeOfDay: Hashable, Sendable {
        let hour: Int
        let minute: Int
        let second: Int
    }

    /// What an expression means at one moment in one zone.
    public enum Resolution: Hashable, Sendable {
        /// Exactly this instant.
        case instant(Instant)
        /// The local clock showed the time twice because it was put back; somebody must say which is meant.
        case repeated(earlier: Instant, later: Instant)
    }

    let form: Form
    /// What was typed, for messages.
    let text: String

    /// Reads an expression: `now`, `22:30`, `22.30`, `22:30:15`, `9pm`, `1:10am`, any of these after `today`, `yesterday`,
    /// `tonight`, `tomorrow`, a weekday, `12 Nov`, `Nov 12`, `12 Nov 2026` or `2026-01-14`; `20m ago`, `1h 20m ago`, `in 1h`,
    /// or ISO 8601 with an offset as ``Instant/init(iso8601:)`` does.
    ///
    /// Words may be in either case and have more than one blank between them.
    ///
    /// - Throws: ``TimeParseError``.
    public init(_ text: some StringProtocol) throws(TimeParseError) {
        var scanner = try TimeScanner(text)
        form = try scanner.expression()
        self.text = scanner.text
    }

    /// Whether it says how long ago something was: no clock was read for it.
    public var isAgo: Bool {
        switch form {
        case .now, .ago: true
        case .instant, .ahead, .clock, .daysBack, .tomorrow, .tonight, .weekday, .day, .date: false
        }
    }

    /// Reads a duration: `20m`, `1h30m`, `1h 20m`, `90 min`, `90s`, `2h`, from zero to 400 days.
    ///
    /// - Throws: ``TimeParseError``.
    public static func parseDuration(_ text: some StringProtocol) throws(TimeParseError) -> Duration {
        var scanner = try TimeScanner(text)
        scanner.skipBlanks()
        let duration = try scanner.duration()
        guard scanner.isAtEnd else { throw .malformedDuration(scanner.text) }
        return duration
    }
}
