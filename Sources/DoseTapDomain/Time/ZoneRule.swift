/// The content of a POSIX `TZ` string: standard time and, for some zones, daylight saving time between two yearly dates.
struct ZoneRule: Hashable, Sendable {
    let standard: LocalTimeType
    let daylight: Daylight?

    struct Daylight: Hashable, Sendable {
        let type: LocalTimeType
        let start: YearlyMoment
        let end: YearlyMoment
    }

    func type(at second: Int64) -> LocalTimeType {
        daylight == nil ? standard : segment(at: second).type
    }

    func segment(at second: Int64) -> ZoneSegment {
        guard let daylight else { return ZoneSegment(start: .min, end: .max, type: standard) }
        let year = CivilDate.year(ofDay: second.flooredQuotient(86_400))
        var isDaylight = false
        var segmentStart = Int64.min
        var segmentEnd = Int64.max
        func mark(_ boundary: Int64) {
            if boundary <= second { segmentStart = Swift.max(segmentStart, boundary) }
            if boundary > second { segmentEnd = Swift.min(segmentEnd, boundary) }
        }
        // Local dates reach a day and times of a rule a week beyond the UTC year.
        for candidate in (year - 2)...(year + 2) {
            let start = daylight.start.second(inYear: candidate, offset: standard.offset)
            let sameYear = daylight.end.second(inYear: candidate, offset: daylight.type.offset)
            let end =
                sameYear > start
                ? sameYear : daylight.end.second(inYear: candidate + 1, offset: daylight.type.offset)
            mark(start)
            mark(end)
            if start <= second, second < end { isDaylight = true }
        }
        return ZoneSegment(start: segmentStart, end: segmentEnd, type: isDaylight ? daylight.type : standard)
    }
}

extension ZoneRule {
    /// Reads a POSIX `TZ` string with the extensions of RFC 9636 section 3.3.1: names in angle brackets, hours of a
    /// rule from -167 to 167. Daylight saving time without dates follows the rule of the United States, as in tzcode.
    ///
    /// - Throws: ``ZoneError/badRule(_:)``.
    init(posix bytes: ArraySlice<UInt8>) throws(ZoneError) {
        var reader = ZoneRuleReader(bytes)
        guard bytes.count <= 128, let rule = reader.rule() else {
            // The repeated text is limited to characters that are safe on a terminal.
            let shown = bytes.prefix(128).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
            throw .badRule(String(decoding: shown, as: UTF8.self))
        }
        self = rule
    }
}

/// Reads a POSIX `TZ` string from left to right; its methods return nil for a text that is none.
private struct ZoneRuleReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func rule() -> ZoneRule? {
        guard let name = name(), let west = offset(hours: 24) else { return nil }
        let standard = LocalTimeType(offset: -west, isDaylight: false, abbreviation: name)
        if rest.isEmpty { return ZoneRule(standard: standard, daylight: nil) }
        guard let daylight = daylight(standardWest: west), rest.isEmpty else { return nil }
        return ZoneRule(standard: standard, daylight: daylight)
    }

    private mutating func daylight(standardWest: Int) -> ZoneRule.Daylight? {
        guard let name = name() else { return nil }
        var west = standardWest - 3600
        if let byte = rest.first, byte != UInt8(ascii: ",") {
            guard let given = offset(hours: 24) else { return nil }
            west = given
        }
        let type = LocalTimeType(offset: -west, isDaylight: true, abbreviation: name)
        guard LocalTimeType.offsetRange.contains(type.offset) else { return nil }
        if rest.isEmpty {
            return ZoneRule.Daylight(
                type: type,
                start: YearlyMoment(day: .weekday(month: 3, week: 2, day: 0), time: 7200),
                end: YearlyMoment(day: .weekday(month: 11, week: 1, day: 0), time: 7200))
        }
        guard skip(","), let start = moment(), skip(","), let end = moment() else { return nil }
        return ZoneRule.Daylight(type: type, start: start, end: end)
    }

    private mutating func name() -> String? {
        let isQuoted = skip("<")
        let name = rest.prefix { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"): isQuoted
            default: false
            }
        }
        rest = rest.dropFirst(name.count)
        guard name.count >= 3, !isQuoted || skip(">") else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    /// Reads `[+|-]h[:mm[:ss]]` in seconds.
    private mutating func offset(hours limit: Int) -> Int? {
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        guard let hours = number(upTo: limit) else { return nil }
        var seconds = hours * 3600
        if skip(":") {
            guard let minutes = number(upTo: 59) else { return nil }
            seconds += minutes * 60
            if skip(":") {
                guard let more = number(upTo: 59) else { return nil }
                seconds += more
            }
        }
        return isNegative ? -seconds : seconds
    }

    private mutating func moment() -> YearlyMoment? {
        guard let day = day() else { return nil }
        guard skip("/") else { return YearlyMoment(day: day, time: 7200) }
        guard let time = offset(hours: 167) else { return nil }
        return YearlyMoment(day: day, time: time)
    }

    private mutating func day() -> YearlyMoment.Day? {
        if skip("J") {
            guard let number = number(upTo: 365), number >= 1 else { return nil }
            return .julian(number)
        }
        if skip("M") {
            guard let month = number(upTo: 12), month >= 1, skip("."), let week = number(upTo: 5), week >= 1,
                skip("."), let day = number(upTo: 6)
            else { return nil }
            return .weekday(month: month, week: week, day: day)
        }
        return number(upTo: 365).map { .zeroBased($0) }
    }

    /// Reads one to three digits, at most `limit`.
    private mutating func number(upTo limit: Int) -> Int? {
        let digits = rest.prefix(3).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard !digits.isEmpty else { return nil }
        rest = rest.dropFirst(digits.count)
        let value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return value <= limit ? value : nil
    }

    private mutating func skip(_ letter: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: letter) else { return false }
        rest = rest.dropFirst()
        return true
    }
}

/// A date and time of every year, as named in a POSIX `TZ` string.
struct YearlyMoment: Hashable, Sendable {
    let day: Day
    /// Seconds after the local midnight that begins the day, -167 to 167 hours.
    let time: Int

    enum Day: Hashable, Sendable {
        /// `Jn`: 1 to 365, the leap day never counts.
        case julian(Int)
        /// `n`: 0 to 365, the leap day counts.
        case zeroBased(Int)
        /// `Mm.w.d`: the week-th such weekday (0 Sunday) of the month, 5 the last one.
        case weekday(month: Int, week: Int, day: Int)
    }

    /// Returns the seconds since 1970 of the moment in that year, on a clock that is `offset` seconds east of UTC.
    func second(inYear year: Int, offset: Int) -> Int64 {
        Int64(daysSinceEpoch(inYear: year) * 86_400 + time - offset)
    }

    private func daysSinceEpoch(inYear year: Int) -> Int {
        switch day {
        case .julian(let number):
            let leapDay = number >= 60 && CivilDate.isLeap(year) ? 1 : 0
            return CivilDate.daysSinceEpoch(year: year, month: 1, day: 1) + number - 1 + leapDay
        case .zeroBased(let number):
            return CivilDate.daysSinceEpoch(year: year, month: 1, day: 1) + number
        case .weekday(let month, let week, let weekday):
            let first = CivilDate.daysSinceEpoch(year: year, month: month, day: 1)
            // 1970-01-01 was a Thursday, number 4 from Sunday.
            let firstMatch = first + (weekday - (first + 4)).flooredRemainder(7)
            let last = first + CivilDate.dayCount(month: month, year: year) - 1
            let match = firstMatch + (week - 1) * 7
            return match > last ? match - 7 : match
        }
    }
}
