extension TimeScanner {
    /// One of the forms of ``TimeExpression``, through to the end of the text.
    mutating func expression() throws(TimeParseError) -> TimeExpression.Form {
        skipBlanks()
        guard !isAtEnd else { throw .empty }
        let form = try expressionBody()
        skipBlanks()
        try end()
        return form
    }

    private mutating func expressionBody() throws(TimeParseError) -> TimeExpression.Form {
        if skip(word: "now") { return .now }
        if skip(word: "today") { return .daysBack(0, try timeOfDayAfterBlank()) }
        if skip(word: "yesterday") { return .daysBack(1, try timeOfDayAfterBlank()) }
        if skip(word: "tomorrow") { return .tomorrow(try timeOfDayAfterBlank()) }
        if skip(word: "tonight") { return .tonight(try timeOfDayAfterBlank()) }
        if skip(word: "in") {
            skipBlanks()
            return .ahead(try duration())
        }
        if startsWithYear {
            let start = position
            let date = try date()
            guard next == UInt8(ascii: "T") else { return .date(date, try timeOfDayAfterBlank()) }
            position = start
            return .instant(try instant())
        }
        if endsWithAgo {
            let length = try duration()
            guard skip(word: "ago") else { throw .malformedDuration(text) }
            return .ago(length)
        }
        if let day = try namedDay() {
            let time = try timeOfDayAfterBlank()
            return switch day {
            case .weekday(let weekday): .weekday(weekday, time)
            case .day(let month, let day): .day(month: month, day: day, time)
            case .date(let date): .date(date, time)
            }
        }
        return .clock(try timeOfDay())
    }

    /// A day by its name.
    enum NamedDay: Hashable {
        case weekday(Weekday)
        case day(month: Int, day: Int)
        case date(CivilDate)
    }

    /// `Mon`, `Monday`, `12 Nov`, `Nov 12`, either with a year; nil, and nothing is passed over, for anything else.
    mutating func namedDay() throws(TimeParseError) -> NamedDay? {
        let start = position
        if let weekday = Weekday.allCases.first(where: { skip(word: String($0.name.prefix(3))) || skip(word: $0.name) })
        {
            return .weekday(weekday)
        }
        let day: Int
        let month: Int
        if let named = skipMonth() {
            month = named
            skipBlanks()
            day = try number(digits: 1...2)
        } else {
            guard let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            day = try number(digits: 1...2)
            _ = skip(".")
            skipBlanks()
            guard let named = skipMonth() else {
                position = start
                return nil
            }
            month = named
        }
        let beforeYear = position
        if skip(",") || next == UInt8(ascii: " ") {
            skipBlanks()
            if let year = try? number(digits: 4...4), isAtEnd || next == UInt8(ascii: " ") {
                guard let date = CivilDate(year: year, month: month, day: day) else { throw .noSuchDate(text) }
                return .date(date)
            }
        }
        position = beforeYear
        return .day(month: month, day: day)
    }

    private mutating func skipMonth() -> Int? {
        let names = [
            "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
            "november",
            "december",
        ]
        let found = names.firstIndex { skip(word: String($0.prefix(3))) || skip(word: $0) }
        return found.map { $0 + 1 }
    }

    mutating func skipBlanks() {
        while skip(" ") {}
    }

    /// Passes over `word` in either case where it stands as a whole word.
    mutating func skip(word: String) -> Bool {
        let end = position + word.utf8.count
        guard end <= bytes.count, zip(bytes[position..<end], word.utf8).allSatisfy({ $0 | 0x20 == $1 }),
            end == bytes.count || bytes[end] == UInt8(ascii: " ")
        else { return false }
        position = end
        return true
    }

    private var startsWithYear: Bool {
        position + 4 < bytes.count && bytes[position + 4] == UInt8(ascii: "-")
    }

    private var endsWithAgo: Bool {
        let last = bytes[position...].reversed().drop { $0 == UInt8(ascii: " ") }.prefix(3)
        return zip(last, "oga".utf8).allSatisfy { $0 | 0x20 == $1 } && last.count == 3
    }

    private mutating func timeOfDayAfterBlank() throws(TimeParseError) -> TimeExpression.TimeOfDay {
        guard skip(" ") else { throw .malformed(text) }
        skipBlanks()
        return try timeOfDay()
    }

    /// `H:MM`, `HH:MM` or either with `:SS`, a point in place of each colon; `9pm`, `9:30 pm`.
    private mutating func timeOfDay() throws(TimeParseError) -> TimeExpression.TimeOfDay {
        let hour = try number(digits: 1...2)
        var minute: Int?
        var second = 0
        let separator: Unicode.Scalar = next == UInt8(ascii: ".") ? "." : ":"
        if skip(separator) {
            minute = try sexagesimal()
            if skip(separator) { second = try seconds() }
        }
        if let isAfternoon = skipHalf() {
            guard (1...12).contains(hour) else { throw .noSuchClockTime(text) }
            return TimeExpression.TimeOfDay(
                hour: hour % 12 + (isAfternoon ? 12 : 0), minute: minute ?? 0, second: second)
        }
        guard let minute else { throw .malformed(text) }
        guard hour < 24 else { throw .noSuchClockTime(text) }
        return TimeExpression.TimeOfDay(hour: hour, minute: minute, second: second)
    }

    /// Passes over `am`, `PM`, `a.m.`, also after blanks, where it ends a word; whether it is the afternoon.
    private mutating func skipHalf() -> Bool? {
        let start = position
        skipBlanks()
        for (word, isAfternoon) in [("am", false), ("a.m.", false), ("pm", true), ("p.m.", true)]
        where skip(word: word) { return isAfternoon }
        position = start
        return nil
    }
}
