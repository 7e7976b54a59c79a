extension TimeScanner {
    /// Counts with their units, larger units first, none twice: `1h 20m`. Stops before a word that begins no count.
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
