internal import DoseTapDomain

/// Times in the formats of other programs.
enum LocalTimes {
    /// Reads an instant from digits: milliseconds since 1970.
    static func milliseconds(_ text: String) -> Instant? { Int64(text).map(Instant.init(milliseconds:)) }

    /// Reads a time of a zone: `2024-01-15T22:30:00.000` or with a blank, without an offset. A time that a clock showed twice
    /// becomes its first pass, and a time that the clock skipped becomes the jump.
    ///
    /// - Parameter earliest: the earliest possible instant. If the first pass was before it, the second pass counts.
    static func instant(_ text: String, in zone: Zone, earliest: Instant = .min) -> Instant? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 19, bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " "),
            bytes.count == 19 || (bytes[19] == UInt8(ascii: ".") && bytes[20...].allSatisfy(isDigit)),
            let date = try? CivilDate(iso8601: text.prefix(10)), bytes[13] == UInt8(ascii: ":"),
            bytes[16] == UInt8(ascii: ":"), let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
            let second = number(bytes[17..<19]),
            let local = LocalDateTime(date: date, hour: hour, minute: minute, second: second)
        else { return nil }
        if case .repeated(let first, let second) = zone.resolve(local) { return first < earliest ? second : first }
        return zone.resolve(local).first
    }

    /// Reads a time of Apple Health such as `2024-01-15 23:10:00 +0100`: the instant, and the minutes east of UTC.
    static func withOffset(_ bytes: UnsafeBufferPointer<UInt8>) -> (Instant, offsetMinutes: Int)? {
        guard bytes.count == 25, bytes[4] == dash, bytes[7] == dash, bytes[10] == 0x20, bytes[13] == colon,
            bytes[16] == colon, bytes[19] == 0x20, bytes[20] == dash || bytes[20] == UInt8(ascii: "+"),
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
            let second = number(bytes[17..<19]), let offsetHour = number(bytes[21..<23]),
            let offsetMinute = number(bytes[23..<25]), hour < 24, minute < 60, second < 60, offsetMinute < 60,
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        let offset = (offsetHour * 60 + offsetMinute) * (bytes[20] == dash ? -1 : 1)
        let seconds = date.daysSinceEpoch * 86_400 + hour * 3_600 + minute * 60 + second - offset * 60
        return (Instant(seconds: Int64(seconds)), offset)
    }

    private static let dash = UInt8(ascii: "-")
    private static let colon = UInt8(ascii: ":")

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    private static func number(_ digits: some Collection<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard isDigit(digit) else { return nil }
            value = value * 10 + Int(digit - 0x30)
        }
        return value
    }
}
