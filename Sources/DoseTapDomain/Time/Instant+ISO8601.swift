extension Instant: CustomStringConvertible {
    /// Reads an ISO 8601 instant with its offset: `YYYY-MM-DDTHH:MM[:SS[.fraction]]` and `Z`, `±HH:MM` or `±HHMM`.
    ///
    /// Up to nine digits of fraction are read, those finer than milliseconds are dropped.
    ///
    /// - Throws: ``TimeParseError``; nothing is guessed, a text without an offset is refused.
    public init(iso8601 text: some StringProtocol) throws(TimeParseError) {
        var scanner = try TimeScanner(text)
        self = try scanner.instant()
        try scanner.end()
    }

    /// `YYYY-MM-DDTHH:MM:SS.mmmZ`, in ASCII digits.
    public var iso8601: String {
        var text = TimeText()
        text.append(LocalDateTime(millisecondsSinceEpoch: milliseconds), separator: "T", fraction: true)
        text.append("Z")
        return text.string
    }

    /// ``iso8601``.
    public var description: String { iso8601 }
}

extension TimeScanner {
    /// An ISO 8601 instant with its offset.
    mutating func instant() throws(TimeParseError) -> Instant {
        let date = try date()
        try expect("T")
        let hour = try hour(digits: 2...2)
        try expect(":")
        let minute = try sexagesimal()
        var second = 0
        var millisecond = 0
        if skip(":") {
            second = try seconds()
            if skip(".") { millisecond = try fraction() }
        }
        let offset = try offset()
        let seconds = Int64(date.daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + second - offset)
        let milliseconds = seconds * 1000 + Int64(millisecond)
        let instant = Instant(milliseconds: milliseconds)
        guard instant.milliseconds == milliseconds else { throw .outOfRange(text) }
        return instant
    }
}
