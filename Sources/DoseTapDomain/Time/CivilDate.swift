/// A calendar date of the proleptic Gregorian calendar, years 0001 to 9999, without a zone.
public struct CivilDate: Hashable, Comparable, Sendable {
    /// 1 to 9999.
    public let year: Int
    /// 1 to 12.
    public let month: Int
    /// 1 to 31.
    public let day: Int

    /// The date with these parts, or nil if the calendar has none.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month),
            day >= 1, day <= Self.dayCount(month: month, year: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The date that many days after 1970-01-01, held within 0001-01-01 and 9999-12-31.
    public init(daysSinceEpoch: Int) {
        let bounded = Swift.min(Swift.max(daysSinceEpoch, Self.firstDay), Self.lastDay)
        // Years are counted from March, so that the leap day is the last of its year, in eras of 400 years.
        let shifted = bounded + 719_468
        let era = shifted.flooredQuotient(146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01, negative before.
    public var daysSinceEpoch: Int { Self.daysSinceEpoch(year: year, month: month, day: day) }

    /// The date that many days later (earlier if negative), held within the range.
    public func adding(days: Int) -> CivilDate {
        let (sum, overflow) = daysSinceEpoch.addingReportingOverflow(days)
        return CivilDate(daysSinceEpoch: overflow ? (days < 0 ? .min : .max) : sum)
    }

    public var weekday: Weekday {
        // 1970-01-01 was a Thursday.
        Weekday(rawValue: (daysSinceEpoch + 3).flooredRemainder(7) + 1) ?? .monday
    }

    /// True if `lhs` is the earlier date.
    public static func < (lhs: CivilDate, rhs: CivilDate) -> Bool {
        if lhs.year != rhs.year { return lhs.year < rhs.year }
        if lhs.month != rhs.month { return lhs.month < rhs.month }
        return lhs.day < rhs.day
    }

    static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    static func dayCount(month: Int, year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970-01-01 of any year, also outside 1 to 9999. `month` must be within 1 to 12.
    static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = marchYear.flooredQuotient(400)
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    static var firstDay: Int { -719_162 }
    static var lastDay: Int { 2_932_896 }
}

extension CivilDate {
    /// The year of a day counted from 1970-01-01, also outside 1 to 9999.
    static func year(ofDay day: Int64) -> Int {
        // A mean year of 365.2425 days hits the right one or a neighbour.
        var year = Int((day * 10_000).flooredQuotient(3_652_425)) + 1970
        while daysSinceEpoch(year: year, month: 1, day: 1) > Int(day) { year -= 1 }
        while daysSinceEpoch(year: year + 1, month: 1, day: 1) <= Int(day) { year += 1 }
        return year
    }
}

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

/// A day of the week; raw values follow ISO 8601, Monday 1 to Sunday 7.
public enum Weekday: Int, CaseIterable, Sendable {
    case monday = 1
    case tuesday
    case wednesday
    case thursday
    case friday
    case saturday
    case sunday

    /// Reads `mon` to `sun`.
    public init?(abbreviation: String) {
        let words = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        guard let place = words.firstIndex(of: abbreviation) else { return nil }
        self.init(rawValue: place + 1)
    }

    /// `monday` to `sunday`.
    var name: String {
        switch self {
        case .monday: "monday"
        case .tuesday: "tuesday"
        case .wednesday: "wednesday"
        case .thursday: "thursday"
        case .friday: "friday"
        case .saturday: "saturday"
        case .sunday: "sunday"
        }
    }

    /// `Mon` to `Sun`.
    public var short: String {
        switch self {
        case .monday: tr("Mon")
        case .tuesday: tr("Tue")
        case .wednesday: tr("Wed")
        case .thursday: tr("Thu")
        case .friday: tr("Fri")
        case .saturday: tr("Sat")
        case .sunday: tr("Sun")
        }
    }
}
