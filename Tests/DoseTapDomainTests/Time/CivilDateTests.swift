import DoseTapDomain
import Testing

struct CivilDateTests {
    @Test func `days and dates count alike over two cycles of leap years`() throws {
        var date = try #require(CivilDate(year: 1, month: 1, day: 1))
        var expected = (year: 1, month: 1, day: 1)
        let first = date.daysSinceEpoch
        // 0001-01-01 was a Monday of the proleptic Gregorian calendar.
        #expect(date.weekday == .monday)
        for day in first..<(first + 800 * 366) {
            date = CivilDate(daysSinceEpoch: day)
            guard date.daysSinceEpoch == day, date.year == expected.year, date.month == expected.month,
                date.day == expected.day, date.weekday.rawValue == (day - first) % 7 + 1
            else {
                Issue.record("\(day) is \(date), not \(expected)")
                return
            }
            let isLeap = expected.year % 400 == 0 || expected.year % 4 == 0 && expected.year % 100 != 0
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            expected.day += 1
            if expected.day > lengths[expected.month - 1] {
                expected.day = 1
                expected.month += 1
            }
            if expected.month > 12 {
                expected.month = 1
                expected.year += 1
            }
        }
    }

    @Test(arguments: [
        ("1970-01-01", 0), ("1969-12-31", -1), ("2000-03-01", 11_017), ("2026-01-14", 20_467),
        ("9999-12-31", 2_932_896),
        ("0001-01-01", -719_162),
    ])
    func `dates are read, counted and written`(text: String, days: Int) throws {
        let date = try CivilDate(iso8601: text)
        #expect(date.daysSinceEpoch == days)
        #expect(date.iso8601 == text)
    }

    @Test(arguments: ["2026-1-14", "2026-01-14 ", "2026/01/14", "20260114", "2026-01-1४", "-026-01-14", "02026-01-14"])
    func `other forms of a date are refused`(text: String) {
        #expect(throws: TimeParseError.malformed(text)) { try CivilDate(iso8601: text) }
    }

    @Test(arguments: [
        (2026, 2, 29), (2100, 2, 29), (2026, 0, 1), (2026, 13, 1), (2026, 1, 0), (2026, 6, 31), (0, 1, 1),
        (10_000, 1, 1),
        (2026, 1, .max), (.min, 1, 1),
    ])
    func `days the calendar does not have are refused`(year: Int, month: Int, day: Int) {
        #expect(CivilDate(year: year, month: month, day: day) == nil)
    }

    @Test(arguments: [
        ("2024-02-28", 1, "2024-02-29"), ("2024-02-28", 2, "2024-03-01"), ("2023-02-28", 1, "2023-03-01"),
        ("2025-12-31", 1, "2026-01-01"), ("2026-01-01", -1, "2025-12-31"), ("2026-01-14", .max, "9999-12-31"),
        ("2026-01-14", .min, "0001-01-01"), ("9999-12-31", 1, "9999-12-31"),
    ])
    func `days are added over months, years and leap days`(text: String, days: Int, expected: String) throws {
        #expect(try CivilDate(iso8601: text).adding(days: days).iso8601 == expected)
    }

    @Test func `dates are ordered by year, month and day`() throws {
        let texts = ["0001-01-01", "1999-12-31", "2000-01-01", "2000-01-02", "2000-02-01", "2001-01-01"]
        let dates = try texts.map { try CivilDate(iso8601: $0) }
        #expect(dates.shuffled().sorted() == dates)
        #expect(try SessionDate(text: "2026-01-14") < SessionDate(text: "2026-01-15"))
        #expect(try SessionDate(text: "2026-01-14").text == "2026-01-14")
    }
}
