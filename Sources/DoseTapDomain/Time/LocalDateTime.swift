/// The reading of a wall clock and a calendar together, without their zone.
public struct LocalDateTime: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let date: CivilDate
    /// 0 to 23.
    public let hour: Int
    /// 0 to 59.
    public let minute: Int
    /// 0 to 59.
    public let second: Int
    /// 0 to 999.
    public let millisecond: Int

    /// The reading with these parts, or nil if no clock shows it.
    public init?(date: CivilDate, hour: Int, minute: Int, second: Int = 0, millisecond: Int = 0) {
        guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second),
            (0...999).contains(millisecond)
        else { return nil }
        self.date = date
        self.hour = hour
        self.minute = minute
        self.second = second
        self.millisecond = millisecond
    }

    public init(date: CivilDate, time: ClockTime) {
        self.date = date
        hour = time.hour
        minute = time.minute
        second = 0
        millisecond = 0
    }

    /// The reading of a clock that shows UTC at that many milliseconds since 1970, held within the range of instants.
    init(millisecondsSinceEpoch: Int64) {
        let total = Instant(milliseconds: millisecondsSinceEpoch).milliseconds
        let days = total.flooredQuotient(86_400_000)
        let rest = Int(total - days * 86_400_000)
        date = CivilDate(daysSinceEpoch: Int(days))
        hour = rest / 3_600_000
        minute = rest / 60_000 % 60
        second = rest / 1000 % 60
        millisecond = rest % 1000
    }

    /// The reading without its date, to the minute.
    public var time: ClockTime { ClockTime(hour: hour, minute: minute) ?? ClockTime(hour: hour) }

    /// Milliseconds since 1970, with this reading taken as UTC.
    var millisecondsSinceEpoch: Int64 { secondsSinceEpoch * 1000 + Int64(millisecond) }

    /// Seconds since 1970, with this reading taken as UTC.
    var secondsSinceEpoch: Int64 { Int64(date.daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + second) }

    /// Writes `YYYY-MM-DDTHH:MM:SS.mmm`, in ASCII digits.
    ///
    /// - Parameter room: a buffer of at least 23 bytes.
    func write(to room: UnsafeMutableBufferPointer<UInt8>) {
        func digits(_ value: Int, _ last: Int, _ count: Int) {
            var value = value
            for place in 0..<count {
                room[last - place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10)
                value /= 10
            }
        }
        digits(date.year, 3, 4)
        room[4] = UInt8(ascii: "-")
        digits(date.month, 6, 2)
        room[7] = UInt8(ascii: "-")
        digits(date.day, 9, 2)
        room[10] = UInt8(ascii: "T")
        digits(hour, 12, 2)
        room[13] = UInt8(ascii: ":")
        digits(minute, 15, 2)
        room[16] = UInt8(ascii: ":")
        digits(second, 18, 2)
        room[19] = UInt8(ascii: ".")
        digits(millisecond, 22, 3)
    }

    /// `YYYY-MM-DD HH:MM:SS.mmm`.
    public var description: String {
        var text = TimeText()
        text.append(self, separator: " ", fraction: true)
        return text.string
    }

    /// True if `lhs` comes first on one calendar.
    public static func < (lhs: LocalDateTime, rhs: LocalDateTime) -> Bool {
        lhs.millisecondsSinceEpoch < rhs.millisecondsSinceEpoch
    }
}

/// A time of day as a wall clock shows it, to the minute, without a date or zone.
public struct ClockTime: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// 0 to 23.
    public let hour: Int
    /// 0 to 59.
    public let minute: Int

    /// The time with these parts, or nil if no clock shows it.
    public init?(hour: Int, minute: Int) {
        guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
        self.hour = hour
        self.minute = minute
    }

    /// The full hour nearest to `hour` within 0 to 23.
    public init(hour: Int) {
        self.hour = Swift.min(Swift.max(hour, 0), 23)
        minute = 0
    }

    /// Reads `HH:MM`, two ASCII digits each.
    ///
    /// - Throws: ``TimeParseError``.
    public init(text: some StringProtocol) throws(TimeParseError) {
        var scanner = try TimeScanner(text)
        hour = try scanner.hour()
        try scanner.expect(":")
        minute = try scanner.sexagesimal()
        try scanner.end()
    }

    /// `HH:MM`.
    public var description: String {
        var text = TimeText()
        text.append(hour: hour, minute: minute)
        return text.string
    }

    /// Returns the minutes until a clock shows another time, 0 to 1439.
    package func minutes(until other: ClockTime) -> Int {
        ((other.hour - hour) * 60 + other.minute - minute + 1_440) % 1_440
    }

    /// Returns the time so many hours later on the circle of a day.
    package func adding(hours: Int) -> ClockTime {
        ClockTime(hour: ((hour + hours) % 24 + 24) % 24, minute: minute) ?? self
    }

    /// True if `lhs` comes first in a day.
    public static func < (lhs: ClockTime, rhs: ClockTime) -> Bool {
        (lhs.hour, lhs.minute) < (rhs.hour, rhs.minute)
    }
}

/// The meaning of a local time in a zone.
public enum LocalResolution: Hashable, Sendable {
    /// The local clock showed the time once.
    case unique(Instant)
    /// The clocks were put back over the time and showed it twice; the two instants are the first and the last.
    case repeated(earlier: Instant, later: Instant)
    /// The clocks were put forward past the time, at that instant.
    case skipped(jump: Instant)

    /// The first moment at which the local clock had reached or jumped past the time.
    public var first: Instant {
        switch self {
        case .unique(let instant), .repeated(let instant, _), .skipped(let instant): instant
        }
    }
}
