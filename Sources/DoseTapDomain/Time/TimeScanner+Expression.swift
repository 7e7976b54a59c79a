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
        if startsWithYear {
            let start = position
            let date = try date()
            guard next == UInt8(ascii: "T") else { return .date(date, try timeOfDayAfterBlank()) }
            position = start
            return .instant(try instant())
        }
        guard endsWithAgo else { return .clock(try timeOfDay()) }
        let length = try duration()
        guard skip(word: "ago") else { throw .malformedDuration(text) }
        return .ago(length)
    }

    mutating func skipBlanks() {
        while skip(" ") {}
    }

    /// Passes over `word` in either case where it stands as a whole word.
    private mutating func skip(word: String) -> Bool {
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

    /// `H:MM`, `HH:MM` or either with `:SS`.
    private mutating func timeOfDay() throws(TimeParseError) -> TimeExpression.TimeOfDay {
        let hour = try hour(digits: 1...2)
        try expect(":")
        let minute = try sexagesimal()
        let second = skip(":") ? try seconds() : 0
        return TimeExpression.TimeOfDay(hour: hour, minute: minute, second: second)
    }
}
