/// A time of day as a wall clock shows it, to the minute, without a date or zone.
public struct ClockTime: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// 0 to 23.
    public let hour: Int
    /// 0 to 59.
    public let minute: Int

    /// The time with these parts, or nil where no clock shows it.
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
        hour = try scanner.hour(digits: 2...2)
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

    /// Whether `lhs` comes first in a day.
    public static func < (lhs: ClockTime, rhs: ClockTime) -> Bool {
        (lhs.hour, lhs.minute) < (rhs.hour, rhs.minute)
    }
}
