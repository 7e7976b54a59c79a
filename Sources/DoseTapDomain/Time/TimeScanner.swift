/// Reads dates and times from a short ASCII text, from left to right.
struct TimeScanner {
    let bytes: [UInt8]
    var position = 0

    /// - Throws: ``TimeParseError/empty`` or ``TimeParseError/tooLong``.
    init(_ text: some StringProtocol) throws(TimeParseError) {
        // Only so far as the limit: the text may be huge.
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

    /// As many digits as there are within `count`, as a number.
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

    /// `YYYY-MM-DD`.
    mutating func date() throws(TimeParseError) -> CivilDate {
        let year = try number(digits: 4...4)
        try expect("-")
        let month = try number(digits: 2...2)
        try expect("-")
        let day = try number(digits: 2...2)
        guard let date = CivilDate(year: year, month: month, day: day) else { throw .noSuchDate(text) }
        return date
    }

    mutating func hour(digits: ClosedRange<Int>) throws(TimeParseError) -> Int {
        let hour = try number(digits: digits)
        guard hour < 24 else { throw .noSuchClockTime(text) }
        return hour
    }

    /// Two digits, 00 to 59.
    mutating func sexagesimal() throws(TimeParseError) -> Int {
        let value = try number(digits: 2...2)
        guard value < 60 else { throw .noSuchClockTime(text) }
        return value
    }

    /// Two digits of seconds, 00 to 59.
    mutating func seconds() throws(TimeParseError) -> Int {
        let value = try number(digits: 2...2)
        guard value != 60 else { throw .leapSecond(text) }
        guard value < 60 else { throw .noSuchClockTime(text) }
        return value
    }

    /// One to nine digits after the point, as milliseconds cut off.
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

    /// `Z`, `±HH:MM` or `±HHMM`, in seconds east of UTC.
    mutating func offset() throws(TimeParseError) -> Int {
        if skip("Z") { return 0 }
        let isWest = next == UInt8(ascii: "-")
        guard isWest || next == UInt8(ascii: "+") else { throw isAtEnd ? .missingOffset(text) : .malformed(text) }
        position += 1
        let hours = try hour(digits: 2...2)
        _ = skip(":")
        let seconds = hours * 3600 + (try sexagesimal()) * 60
        return isWest ? -seconds : seconds
    }
}
