/// Why a text is not a time, a date or a duration. The description is a whole sentence, fit for a terminal.
public enum TimeParseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text has nothing in it.
    case empty
    /// The text has more than ``limit`` bytes.
    case tooLong
    /// The text has another form than any that is read here.
    case malformed(String)
    /// The form is right, the calendar has no such day.
    case noSuchDate(String)
    /// The form is right, no clock shows this, or no zone has this offset.
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

    /// Longest text that is looked at, in bytes.
    public static var limit: Int { 64 }

    /// One sentence that says what is wrong and what would be right.
    public var description: String {
        switch self {
        case .empty:
            "A time is missing: write for example 22:30, 9pm, \"20m ago\" or 2026-01-14T22:30:00-05:00."
        case .tooLong:
            "A time has at most \(Self.limit) characters: write for example 22:30 or 2026-01-14T22:30:00-05:00."
        case .malformed(let text):
            "\(quoted(text)) is not a time: write for example 22:30, 9pm, \"yesterday 23:05\","
                + " \"12 Nov 22:30\", \"20m ago\" or 2026-01-14T22:30:00-05:00."
        case .noSuchDate(let text):
            "The calendar has no such day as in \(quoted(text))."
        case .noSuchClockTime(let text):
            "No clock shows the time in \(quoted(text)): hours go from 00 to 23, or 1 to 12 with am or pm,"
                + " minutes and seconds from 00 to 59."
        case .leapSecond(let text):
            "\(quoted(text)) names a leap second, which this system's clock does not have: write second 59 or 00."
        case .missingOffset(let text):
            "\(quoted(text)) does not say its offset from UTC: end it with Z or for example -05:00,"
                + " or write local time as \"2026-01-14 22:30\"."
        case .skipped(let text, let zone):
            "\(quoted(text)) never happened in \(printable(zone)): the clocks were put forward past it."
                + " Write the time a clock showed, or one with its offset from UTC."
        case .malformedDuration(let text) where !text.isEmpty && text.utf8.count <= 9 && text.utf8.allSatisfy(isDigit):
            "\(quoted(text)) has no unit: write \(text)m for minutes or \(text)h for hours."
        case .malformedDuration(let text):
            "\(quoted(text)) is not a duration: write for example 20m, 1h30m or 90s."
        case .durationTooLong(let text):
            "\(quoted(text)) is longer than the 400 days a duration may have."
        case .outOfRange(let text):
            "\(quoted(text)) lies outside the years 0001 to 9999."
        }
    }
}

/// Foreign text goes to terminals: control characters and anything outside ASCII become question marks.
private func printable(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(64).map { (" "..."~").contains($0) ? $0 : "?" }))
}

private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

private func quoted(_ text: String) -> String { "\"\(printable(text))\"" }
