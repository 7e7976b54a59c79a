/// Reads dates and times from a short ASCII text, from left to right.
struct TimeScanner {
    let bytes: [UInt8]
    var position = 0

    /// - Throws: ``TimeParseError/empty`` or ``TimeParseError/tooLong``.
    init(_ text: some StringProtocol) throws(TimeParseError) {
        // The text is read only up to the limit, because it may be huge.
        bytes = Array(text.utf8.prefix(TimeParseError.limit + 1))
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= TimeParseError.limit else { throw .tooLong }
    }

    /// The whole text, for messages.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    var isAtEnd: Bool { position == bytes.count }

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    func end() throws(TimeParseError) {
        guard isAtEnd else { throw .malformed(text) }
    }

    mutating func skip(_ letter: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: letter) else { return false }
        position += 1
        return true
    }

    mutating func expect(_ letter: Unicode.Scalar) throws(TimeParseError) {
        guard skip(letter) else { throw .malformed(text) }
    }

    /// Reads as many digits as there are within `count`, as a number.
    mutating func number(digits count: ClosedRange<Int>) throws(TimeParseError) -> Int {
        var value = 0
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte),
            position - start < count.upperBound
        {
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
            position += 1
        }
        guard position - start >= count.lowerBound else { throw .malformed(text) }
        return value
    }

    /// Reads `YYYY-MM-DD`.
    mutating func date() throws(TimeParseError) -> CivilDate {
        let year = try number(digits: 4...4)
        try expect("-")
        let month = try number(digits: 2...2)
        try expect("-")
        let day = try number(digits: 2...2)
        guard let date = CivilDate(year: year, month: month, day: day) else { throw .noSuchDate(text) }
        return date
    }

    /// Reads two digits, 00 to 23.
    mutating func hour() throws(TimeParseError) -> Int {
        let hour = try number(digits: 2...2)
        guard hour < 24 else { throw .noSuchClockTime(text) }
        return hour
    }

    /// Reads two digits, 00 to 59.
    mutating func sexagesimal() throws(TimeParseError) -> Int {
        let value = try number(digits: 2...2)
        guard value < 60 else { throw .noSuchClockTime(text) }
        return value
    }

    /// Reads two digits of seconds, 00 to 59.
    mutating func seconds() throws(TimeParseError) -> Int {
        let value = try number(digits: 2...2)
        guard value != 60 else { throw .leapSecond(text) }
        guard value < 60 else { throw .noSuchClockTime(text) }
        return value
    }

    /// Reads one to nine digits after the point, as milliseconds, the rest cut off.
    mutating func fraction() throws(TimeParseError) -> Int {
        let start = position
        let value = try number(digits: 1...9)
        var scaled = value
        var digits = position - start
        while digits < 3 {
            scaled *= 10
            digits += 1
        }
        while digits > 3 {
            scaled /= 10
            digits -= 1
        }
        return scaled
    }

    /// Reads `Z`, `±HH:MM` or `±HHMM`, in seconds east of UTC.
    mutating func offset() throws(TimeParseError) -> Int {
        if skip("Z") { return 0 }
        let isWest = next == UInt8(ascii: "-")
        guard isWest || next == UInt8(ascii: "+") else { throw isAtEnd ? .missingOffset(text) : .malformed(text) }
        position += 1
        let hours = try hour()
        _ = skip(":")
        let seconds = hours * 3600 + (try sexagesimal()) * 60
        return isWest ? -seconds : seconds
    }
}

extension TimeScanner {
    /// Reads counts with their units, larger units first, none twice: `1h 20m`. Stops before a word that begins no count.
    mutating func duration() throws(TimeParseError) -> Duration {
        var total = 0
        var smallest = Int.max
        repeat {
            let (count, unit) = try countAndUnit()
            guard unit < smallest else { throw .malformedDuration(text) }
            smallest = unit
            total += count * unit
            guard total <= Self.longestDuration else { throw .durationTooLong(text) }
            skipBlanks()
        } while next.map(isDigit) == true
        return .seconds(total)
    }

    /// 400 days, in seconds.
    static var longestDuration: Int { 400 * 86_400 }

    private mutating func countAndUnit() throws(TimeParseError) -> (count: Int, seconds: Int) {
        let digits = bytes[position...].prefix(while: isDigit)
        guard !digits.isEmpty else { throw .malformedDuration(text) }
        guard digits.count <= 9 else { throw .durationTooLong(text) }
        let count = try number(digits: 1...9)
        skipBlanks()
        let word = bytes[position...].prefix { ($0 | 0x20).isLowercaseLetter }.map { $0 | 0x20 }
        position += word.count
        return switch String(decoding: word, as: UTF8.self) {
        case "d", "day", "days": (count, 86_400)
        case "h", "hr", "hrs", "hour", "hours": (count, 3600)
        case "m", "min", "mins", "minute", "minutes": (count, 60)
        case "s", "sec", "secs", "second", "seconds": (count, 1)
        default: throw .malformedDuration(text)
        }
    }

    private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension UInt8 {
    fileprivate var isLowercaseLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
}

extension TimeScanner {
    /// Reads one of the forms of ``TimeExpression``, through to the end of the text.
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
        // With a day, midnight may be its beginning or its end.
        if skip(word: "midnight") { return .clock(.init(hour: 0, minute: 0, second: 0)) }
        return .clock(try timeOfDay())
    }

    enum NamedDay: Hashable {
        case weekday(Weekday)
        case day(month: Int, day: Int)
        case date(CivilDate)
    }

    /// Reads `Mon`, `Monday`, `12 Nov` or `Nov 12`, the dates also with a year. Nil, with the position unmoved, for other words.
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

    /// Passes over `word`, in either case, if it stands as a whole word.
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

    /// Reads `H:MM`, `HH:MM` or either with `:SS`, a point in place of each colon; `9pm`, `9:30 pm`, `noon`.
    private mutating func timeOfDay() throws(TimeParseError) -> TimeExpression.TimeOfDay {
        if skip(word: "noon") { return .init(hour: 12, minute: 0, second: 0) }
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
        // 27.11.2026 is no time of a clock.
        guard let minute, hour < 24 || next.map(isDigit) != true else { throw .malformed(text) }
        guard hour < 24 else { throw .noSuchClockTime(text) }
        return TimeExpression.TimeOfDay(hour: hour, minute: minute, second: second)
    }

    /// Passes over `am`, `PM` or `a.m.` at the end of a word, also after blanks. Returns true for the afternoon; nil for no half.
    private mutating func skipHalf() -> Bool? {
        let start = position
        skipBlanks()
        for (word, isAfternoon) in [("am", false), ("a.m.", false), ("pm", true), ("p.m.", true)]
        where skip(word: word) { return isAfternoon }
        position = start
        return nil
    }
}

/// Builds the ASCII texts of dates and times, digit by digit, in one buffer.
struct TimeText {
    private var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(32) }

    var string: String { String(decoding: bytes, as: UTF8.self) }

    mutating func append(_ letter: Unicode.Scalar) { bytes.append(UInt8(ascii: letter)) }

    /// Appends `value` padded with zeros to at least `width` digits.
    mutating func append(_ value: Int, width: Int) {
        let value = value.magnitude
        var place: UInt = 1
        for _ in 1..<max(1, width) { place *= 10 }
        while value / place >= 10 { place *= 10 }
        while place > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / place % 10))
            place /= 10
        }
    }

    mutating func append(_ date: CivilDate) {
        append(date.year, width: 4)
        append("-")
        append(date.month, width: 2)
        append("-")
        append(date.day, width: 2)
    }

    mutating func append(hour: Int, minute: Int) {
        append(hour, width: 2)
        append(":")
        append(minute, width: 2)
    }

    mutating func append(_ local: LocalDateTime, separator: Unicode.Scalar, fraction: Bool) {
        append(local.date)
        append(separator)
        append(hour: local.hour, minute: local.minute)
        append(":")
        append(local.second, width: 2)
        guard fraction else { return }
        append(".")
        append(local.millisecond, width: 3)
    }

    /// Appends `+HH:MM` of an offset, seconds cut off towards zero.
    mutating func append(offsetSeconds: Int) {
        append(offsetSeconds <= -60 ? "-" : "+")
        let minutes = Int(offsetSeconds.magnitude) / 60
        append(hour: minutes / 60, minute: minutes % 60)
    }
}
