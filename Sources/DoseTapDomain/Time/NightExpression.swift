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

    /// The date it means, which is fixed already.
    public var date: SessionDate? {
        if case .date(let date) = form { SessionDate(date) } else { nil }
    }

    /// The date that is meant while the night of `present` is the present one: of a day without a year, and of a weekday,
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
    /// One of the forms of ``NightExpression``, through to the end of the text.
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
