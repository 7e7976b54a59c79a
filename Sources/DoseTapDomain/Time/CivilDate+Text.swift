extension CivilDate: CustomStringConvertible {
    /// Reads `YYYY-MM-DD`, ASCII digits only.
    ///
    /// - Throws: ``TimeParseError``, also for a day the calendar does not have.
    public init(iso8601 text: some StringProtocol) throws(TimeParseError) {
        var scanner = try TimeScanner(text)
        self = try scanner.date()
        try scanner.end()
    }

    /// `YYYY-MM-DD` in ASCII digits.
    public var iso8601: String {
        var text = TimeText()
        text.append(self)
        return text.string
    }

    /// ``iso8601``.
    public var description: String { iso8601 }
}
