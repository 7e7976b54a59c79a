/// A time as people type it: `22:30`, `9pm`, `yesterday 23:05`, `12 Nov 22:30`, `20m ago` or ISO 8601 with its offset.
///
/// The reading needs neither clock nor zone; ``resolve(now:in:)`` gets both and returns the instant that is meant.
public struct TimeExpression: Hashable, Sendable {
    enum Form: Hashable, Sendable {
        case now
        case instant(Instant)
        case ago(Duration)
        case ahead(Duration)
        /// The most recent moment at which a clock showed this time.
        case clock(TimeOfDay)
        /// A time of today, or of so many days before.
        case daysBack(Int, TimeOfDay)
        case tomorrow(TimeOfDay)
        /// A time of the night that began at the last noon.
        case tonight(TimeOfDay)
        /// A time of the most recent such day, today included.
        case weekday(Weekday, TimeOfDay)
        /// A time of the most recent such date, today included.
        case day(month: Int, day: Int, TimeOfDay)
        case date(CivilDate, TimeOfDay)
    }

    struct TimeOfDay: Hashable, Sendable {
        let hour: Int
        let minute: Int
        let second: Int
    }

    /// The meaning of an expression at one moment in one zone.
    public enum Resolution: Hashable, Sendable {
        /// An exact instant.
        case instant(Instant)
        /// The local clock showed the time twice because it was put back; the person must choose.
        case repeated(earlier: Instant, later: Instant)

        /// The earlier of the instants that may be meant.
        var earliest: Instant {
            switch self {
            case .instant(let instant), .repeated(let instant, _): instant
            }
        }
    }

    let form: Form
    /// The typed text, for messages.
    let text: String

    /// Reads an expression: `now`, `midnight`, `22:30`, `22.30`, `22:30:15`, `9pm`, `1:10am`, `noon`, any clock time after `today`,
    /// `yesterday`, `tonight`, `tomorrow`, a weekday, `12 Nov`, `Nov 12`, `12 Nov 2026` or `2026-01-14`; `20m ago`, `1h 20m ago`,
    /// `in 1h`, or ISO 8601 with an offset as `Instant.init(iso8601:)` does.
    ///
    /// Words may be in either case and have more than one blank between them.
    ///
    /// - Throws: ``TimeParseError``.
    public init(_ text: some StringProtocol) throws(TimeParseError) {
        var scanner = try TimeScanner(text)
        form = try scanner.expression()
        self.text = scanner.text
    }

    /// True if the expression says how long ago something was, or `now`: the person read no clock.
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
        guard text.contains(where: { !$0.isWhitespace }) else { throw .malformedDuration(String(text)) }
        var scanner = try TimeScanner(text)
        scanner.skipBlanks()
        let duration = try scanner.duration()
        guard scanner.isAtEnd else { throw .malformedDuration(scanner.text) }
        return duration
    }
}

extension TimeExpression {
    /// Returns the instant that a person means who says this at `now` in `zone`.
    ///
    /// A bare clock time is the most recent one: today's, unless that lies more than a minute ahead, else the one of the day
    /// before. If a time is shown twice and the second showing is still to come, the first is meant.
    ///
    /// - Throws: ``TimeParseError/skipped(_:zone:)`` for a local time that never was, ``TimeParseError/outOfRange(_:)``.
    public func resolve(now: Instant, in zone: Zone) throws(TimeParseError) -> Resolution {
        switch form {
        case .now: return .instant(now)
        case .instant(let instant): return .instant(instant)
        case .ago(let duration):
            guard Instant.min + duration <= now else { throw .outOfRange(text) }
            return .instant(now - duration)
        case .ahead(let duration):
            guard now <= Instant.max - duration else { throw .outOfRange(text) }
            return .instant(now + duration)
        case .clock(let time): return try mostRecent(time, now: now, zone: zone)
        case .tomorrow(let time): return try resolution(time, of: zone.date(at: now).adding(days: 1), in: zone)
        case .tonight(let time):
            let (today, isMorning) = (zone.date(at: now), zone.local(now).hour < 12)
            let evening = isMorning ? zone.date(before: today, days: 1) : today
            return try resolution(time, of: time.hour < 12 ? evening.adding(days: 1) : evening, in: zone)
        case .weekday(let weekday, let time):
            let today = zone.date(at: now)
            let back = (today.weekday.rawValue - weekday.rawValue + 7) % 7
            let meant = try resolution(time, of: today.adding(days: -back), in: zone)
            guard back == 0, meant.earliest > now + .seconds(60) else { return meant }
            return try resolution(time, of: today.adding(days: -7), in: zone)
        case .day(let month, let day, let time):
            guard let date = zone.date(at: now).latest(month: month, day: day) else { throw .noSuchDate(text) }
            return try resolution(time, of: date, in: zone)
        case .daysBack(let days, let time):
            return try resolution(time, of: zone.date(before: zone.date(at: now), days: days), in: zone)
        case .date(let date, let time): return try resolution(time, of: date, in: zone)
        }
    }

    /// True for a clock time without a date.
    public var isBareClock: Bool {
        if case .clock = form { true } else { false }
    }

    /// True if the meant instant depends on the zone.
    public var isLocal: Bool {
        switch form {
        case .clock, .daysBack, .tomorrow, .tonight, .weekday, .day, .date: true
        case .now, .instant, .ago, .ahead: false
        }
    }

    private func mostRecent(_ time: TimeOfDay, now: Instant, zone: Zone) throws(TimeParseError) -> Resolution {
        // A person reads a clock that may run a little ahead of this one, even over midnight.
        let latest = now + .seconds(60)
        let today = zone.date(at: now)
        for date in [today.adding(days: 1), today] {
            guard let local = time.on(date) else { throw .noSuchClockTime(text) }
            let meant = zone.resolve(local)
            guard meant.first <= latest else { continue }
            if case .repeated(let earlier, let later) = meant, later > latest { return .instant(earlier) }
            return try resolution(meant, in: zone)
        }
        return try resolution(time, of: zone.date(before: today, days: 1), in: zone)
    }

    func resolution(
        _ time: TimeOfDay, of date: CivilDate, in zone: Zone
    ) throws(TimeParseError) -> Resolution {
        guard let local = time.on(date) else { throw .noSuchClockTime(text) }
        return try resolution(zone.resolve(local), in: zone)
    }

    private func resolution(_ meant: LocalResolution, in zone: Zone) throws(TimeParseError) -> Resolution {
        switch meant {
        case .unique(let instant): return .instant(instant)
        case .repeated(let earlier, let later): return .repeated(earlier: earlier, later: later)
        case .skipped: throw .skipped(text, zone: zone.identifier)
        }
    }
}

extension CivilDate {
    /// Returns the most recent date with that month and day, this one included; nil if the calendar never has it.
    func latest(month: Int, day: Int) -> CivilDate? {
        // Eight years hold a leap day, also around a full century.
        for back in 0...8 {
            let found = CivilDate(year: year - back, month: month, day: day)
            if let found, found <= self { return found }
        }
        return nil
    }
}

extension TimeExpression.TimeOfDay {
    func on(_ date: CivilDate) -> LocalDateTime? {
        LocalDateTime(date: date, hour: hour, minute: minute, second: second)
    }
}

extension Zone {
    /// Returns the date so many days before `date`. Days that this zone never had do not count.
    fileprivate func date(before date: CivilDate, days: Int) -> CivilDate {
        var result = date
        for _ in 0..<days {
            result = result.adding(days: -1)
            if first(ClockTime(hour: 0), of: result) == nil { result = result.adding(days: -1) }
        }
        return result
    }
}

/// The date of a night as people say it: `today`, `tonight`, `yesterday`, `Mon`, `12 Nov` or `2026-01-14`.
public struct NightExpression: Hashable, Sendable {
    enum Form: Hashable, Sendable {
        case present
        case yesterday
        case weekday(Weekday)
        case day(month: Int, day: Int)
        case date(CivilDate)
    }

    let form: Form
    let text: String

    /// Reads a date of a night; words may be in either case.
    ///
    /// - Throws: ``TimeParseError``.
    public init(_ text: some StringProtocol) throws(TimeParseError) {
        var scanner = try TimeScanner(text)
        form = try scanner.night()
        self.text = scanner.text
    }

    /// The date of an expression with a year; nil for any other form.
    public var date: SessionDate? {
        if case .date(let date) = form { SessionDate(date) } else { nil }
    }

    /// Returns the date that is meant while the night of `present` is the present one. A day without a year, or a weekday, means
    /// the most recent one, the present one included.
    ///
    /// - Throws: ``TimeParseError`` for a day the calendar never has.
    public func date(present: SessionDate) throws(TimeParseError) -> SessionDate {
        let today = present.civil
        switch form {
        case .present: return present
        case .yesterday: return SessionDate(today.adding(days: -1))
        case .weekday(let weekday):
            return SessionDate(today.adding(days: -((today.weekday.rawValue - weekday.rawValue + 7) % 7)))
        case .day(let month, let day):
            guard let date = today.latest(month: month, day: day) else { throw .noSuchDate(text) }
            return SessionDate(date)
        case .date(let date): return SessionDate(date)
        }
    }
}

extension TimeScanner {
    /// Reads one of the forms of ``NightExpression``, through to the end of the text.
    fileprivate mutating func night() throws(TimeParseError) -> NightExpression.Form {
        skipBlanks()
        let form = try nightBody()
        skipBlanks()
        try end()
        return form
    }

    private mutating func nightBody() throws(TimeParseError) -> NightExpression.Form {
        if skip(word: "today") || skip(word: "tonight") { return .present }
        if skip(word: "yesterday") { return .yesterday }
        switch try namedDay() {
        case .weekday(let weekday): return .weekday(weekday)
        case .day(let month, let day): return .day(month: month, day: day)
        case .date(let date): return .date(date)
        case nil: return .date(try date())
        }
    }
}

/// The fault of a text that is no time, date or duration. The description is a whole sentence, fit for a terminal.
public enum TimeParseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text has nothing in it.
    case empty
    /// The text has more than ``limit`` bytes.
    case tooLong
    /// The text has another form than any that is read here.
    case malformed(String)
    /// The form is right, but the calendar has no such day.
    case noSuchDate(String)
    /// The form is right, but no clock shows this time, or no zone has this offset.
    case noSuchClockTime(String)
    /// A sixtieth second, which POSIX clocks do not have.
    case leapSecond(String)
    /// A date and time joined by `T` that does not say its offset from UTC.
    case missingOffset(String)
    /// The local clock jumped over this time, in the zone named.
    case skipped(String, zone: String)
    /// The text is no duration.
    case malformedDuration(String)
    /// The duration is longer than 400 days.
    case durationTooLong(String)
    /// The instant lies outside the years 0001 to 9999.
    case outOfRange(String)

    /// The longest text that is examined, in bytes.
    public static var limit: Int { 64 }

    /// One sentence about the fault and the right form.
    public var description: String {
        switch self {
        case .empty:
            sent("A time is missing: write for example 22:30, 9pm, \"20m ago\" or 2026-01-14T22:30:00-05:00.")
        case .tooLong:
            sent("A time has at most \(Self.limit) characters: write for example 22:30 or 2026-01-14T22:30:00-05:00.")
        case .malformed(let text) where clockMeant != nil:
            sent("\(quoted(text)) is not a time: write \(clockMeant ?? "").")
        case .malformed(let text) where Self.halves.contains(text):
            sent("\(quoted(text)) is not a time: write \(text)am or \(text)pm.")
        case .malformed(let text) where Self.clock(among: text) != nil:
            sent("\(quoted(text)) is not a time: write \(Self.clock(among: text) ?? "").")
        case .malformed(let text):
            sent(
                "\(quoted(text)) is not a time: write for example 22:30, 9pm, \"yesterday 23:05\", \"12 Nov 22:30\", \"20m ago\" or 2026-01-14T22:30:00-05:00."
            )
        case .noSuchDate(let text):
            sent("The calendar has no such day as in \(quoted(text)).")
        case .noSuchClockTime(let text):
            sent(
                "No clock shows the time in \(quoted(text)): hours go from 00 to 23, or 1 to 12 with am or pm, minutes and seconds from 00 to 59."
            )
        case .leapSecond(let text):
            sent("\(quoted(text)) names a leap second, which this system's clock does not have: write second 59 or 00.")
        case .missingOffset(let text):
            sent(
                "\(quoted(text)) does not say its offset from UTC: end it with Z or for example -05:00, or write local time as \"2026-01-14 22:30\"."
            )
        case .skipped(let text, let zone):
            sent(
                "\(quoted(text)) never happened in \(printable(zone)): the clocks were put forward past it. Write the time a clock showed, or one with its offset from UTC."
            )
        case .malformedDuration(let text) where !text.isEmpty && text.utf8.count <= 9 && text.utf8.allSatisfy(isDigit):
            sent("\(quoted(text)) has no unit: write \(text)m for minutes or \(text)h for hours.")
        case .malformedDuration(let text):
            sent("\(quoted(text)) is not a duration: write for example 20m, 1h30m or 90s.")
        case .durationTooLong(let text):
            sent("\(quoted(text)) is longer than the 400 days a duration may have.")
        case .outOfRange(let text):
            sent("\(quoted(text)) lies outside the years 0001 to 9999.")
        }
    }
}

extension TimeParseError {
    /// The clock time of a text of digits alone, or of a time with `Uhr` or `o'clock`, as it is to be written: `22:45` for `2245` and
    /// for `22:45 Uhr`. Nil if none is meant, or one of two.
    public var clockMeant: String? {
        guard case .malformed(let text) = self else { return nil }
        var words = text.lowercased()[...]
        for name in ["uhr", "o'clock"] where words.hasSuffix(name) { words = words.dropLast(name.count) }
        while words.last == " " { words.removeLast() }
        while words.first == " " { words.removeFirst() }
        var clock = String(words)
        if words.utf8.allSatisfy(isDigit) {
            switch words.utf8.count {
            case 1...2 where !Self.halves.contains(clock): clock += ":00"
            case 3...4: clock = "\(words.dropLast(2)):\(words.suffix(2))"
            default: return nil
            }
        }
        // The text itself may be the clock's: the scanner has refused it then.
        guard clock != text, (try? TimeExpression(clock))?.isBareClock == true else { return nil }
        return clock
    }

    /// The hours that may be of either half of the day.
    fileprivate static let halves: Set<String> = Set((1...12).map { "\($0)" })

    /// Returns the clock time among other words, in quotes and with its day where one stands there; nil without a clock time,
    /// and for words with a date.
    fileprivate static func clock(among text: String) -> String? {
        let words = text.lowercased().split(separator: " ")
        guard words.count > 1, !text.contains("-") else { return nil }
        let clock = words.first { $0.first?.isNumber == true && (try? TimeExpression($0))?.isBareClock == true }
        guard let clock else { return nil }
        let days = ["yesterday", "today", "tonight", "tomorrow"]
        let day = words.prefix(2) == ["last", "night"] ? "yesterday" : words.first { days.contains(String($0)) }
        return day.map { "\"\($0) \(clock)\"" } ?? String(clock)
    }
}

/// Makes foreign text safe for terminals: control characters and anything outside ASCII become question marks.
private func printable(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(64).map { (" "..."~").contains($0) ? $0 : "?" }))
}

private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

private func quoted(_ text: String) -> String { "\"\(printable(text))\"" }
