import DoseTapDomain
import Testing

struct TimeExpressionTests {
    /// Friday 2026-01-16 01:10:20.500 in New York.
    static let now = Instant(milliseconds: 1_768_543_820_500)

    @Test(arguments: [
        ("20m ago", true), ("1h 20m ago", true), ("now", true), ("22:30", false), ("yesterday 22:30", false),
        ("in 1h", false),
    ])
    func `R2.19 no clock was read for a time said as how long ago it was`(text: String, isAgo: Bool) throws {
        #expect(try TimeExpression(text).isAgo == isAgo)
    }

    @Test(arguments: [
        ("now", "2026-01-16T06:10:20.500Z"),
        ("NOW", "2026-01-16T06:10:20.500Z"),
        ("  now  ", "2026-01-16T06:10:20.500Z"),
        ("22:30", "2026-01-16T03:30:00.000Z"),
        ("22:30:15", "2026-01-16T03:30:15.000Z"),
        ("1:05", "2026-01-16T06:05:00.000Z"),
        ("01:05", "2026-01-16T06:05:00.000Z"),
        ("01:10", "2026-01-16T06:10:00.000Z"),
        ("01:11", "2026-01-16T06:11:00.000Z"),
        ("01:11:20", "2026-01-16T06:11:20.000Z"),
        ("01:11:21", "2026-01-15T06:11:21.000Z"),
        ("01:12", "2026-01-15T06:12:00.000Z"),
        ("00:00", "2026-01-16T05:00:00.000Z"),
        ("23:59:59", "2026-01-16T04:59:59.000Z"),
        ("today 01:10", "2026-01-16T06:10:00.000Z"),
        ("today 23:00", "2026-01-17T04:00:00.000Z"),
        ("yesterday 23:05", "2026-01-16T04:05:00.000Z"),
        ("Yesterday  23:05:59", "2026-01-16T04:05:59.000Z"),
        ("yesterday 01:10", "2026-01-15T06:10:00.000Z"),
        ("2026-01-14 22:30", "2026-01-15T03:30:00.000Z"),
        ("2026-01-14 22:30:15", "2026-01-15T03:30:15.000Z"),
        ("2026-07-14 22:30", "2026-07-15T02:30:00.000Z"),
        ("2026-01-14T22:30:00-05:00", "2026-01-15T03:30:00.000Z"),
        ("2026-01-14T22:30Z", "2026-01-14T22:30:00.000Z"),
        (" 2026-01-14T22:30Z ", "2026-01-14T22:30:00.000Z"),
        ("20m ago", "2026-01-16T05:50:20.500Z"),
        ("1h 20m ago", "2026-01-16T04:50:20.500Z"),
        ("1h20m ago", "2026-01-16T04:50:20.500Z"),
        ("90 min ago", "2026-01-16T04:40:20.500Z"),
        ("90 MIN AGO", "2026-01-16T04:40:20.500Z"),
        ("45s ago", "2026-01-16T06:09:35.500Z"),
        ("1 hour 5 minutes ago", "2026-01-16T05:05:20.500Z"),
        ("2d ago", "2026-01-14T06:10:20.500Z"),
        ("0m ago", "2026-01-16T06:10:20.500Z"),
        ("400d ago", "2024-12-12T06:10:20.500Z"),
        ("22.30", "2026-01-16T03:30:00.000Z"),
        ("9pm", "2026-01-16T02:00:00.000Z"),
        ("9 PM", "2026-01-16T02:00:00.000Z"),
        ("1:10am", "2026-01-16T06:10:00.000Z"),
        ("1.10 a.m.", "2026-01-16T06:10:00.000Z"),
        ("12am", "2026-01-16T05:00:00.000Z"),
        ("12:30pm", "2026-01-15T17:30:00.000Z"),
        ("midnight", "2026-01-16T05:00:00.000Z"),
        ("Noon", "2026-01-15T17:00:00.000Z"),
        ("yesterday noon", "2026-01-15T17:00:00.000Z"),
        ("yesterday 9pm", "2026-01-16T02:00:00.000Z"),
        ("tonight 22:30", "2026-01-16T03:30:00.000Z"),
        ("tonight 1:05am", "2026-01-16T06:05:00.000Z"),
        ("tomorrow 07:00", "2026-01-17T12:00:00.000Z"),
        ("in 1h", "2026-01-16T07:10:20.500Z"),
        ("in 1h 30m", "2026-01-16T07:40:20.500Z"),
        ("Thu 22:30", "2026-01-16T03:30:00.000Z"),
        ("friday 1am", "2026-01-16T06:00:00.000Z"),
        ("Fri 23:00", "2026-01-10T04:00:00.000Z"),
        ("SAT 12:00", "2026-01-10T17:00:00.000Z"),
        ("12 Jan 22:30", "2026-01-13T03:30:00.000Z"),
        ("Jan 12 10:30pm", "2026-01-13T03:30:00.000Z"),
        ("12 Nov 22:30", "2025-11-13T03:30:00.000Z"),
        ("12. november 22.30", "2025-11-13T03:30:00.000Z"),
        ("12 Nov 2024 22:30", "2024-11-13T03:30:00.000Z"),
        ("Nov 12, 2024 9pm", "2024-11-13T02:00:00.000Z"),
        ("29 Feb 12:00", "2024-02-29T17:00:00.000Z"),
    ])
    func `an expression means one instant`(text: String, expected: String) throws {
        let zone = try SystemZones.zone("America/New_York")
        #expect(
            try TimeExpression(text).resolve(now: Self.now, in: zone) == .instant(try Instant(iso8601: expected)))
    }

    @Test(arguments: [
        ("", TimeParseError.empty),
        ("   ", .empty),
        ("25:00", .noSuchClockTime("25:00")),
        ("22:60", .noSuchClockTime("22:60")),
        ("22:30:60", .leapSecond("22:30:60")),
        ("2026-02-29 22:30", .noSuchDate("2026-02-29 22:30")),
        ("2026-01-14T22:30", .missingOffset("2026-01-14T22:30")),
        ("soon", .malformed("soon")),
        ("20m", .malformed("20m")),
        ("now 22:30", .malformed("now 22:30")),
        ("nowish", .malformed("nowish")),
        ("today", .malformed("today")),
        ("today22:30", .malformed("today22:30")),
        ("yesterday", .malformed("yesterday")),
        ("22:30 yesterday", .malformed("22:30 yesterday")),
        ("2230", .malformed("2230")),
        ("9", .malformed("9")),
        ("23", .malformed("23")),
        ("2026", .malformed("2026")),
        ("22:45 Uhr", .malformed("22:45 Uhr")),
        ("last night 22:40", .malformed("last night 22:40")),
        ("yesterday midnight", .malformed("yesterday midnight")),
        ("midnights", .malformed("midnights")),
        ("13pm", .noSuchClockTime("13pm")),
        ("0am", .noSuchClockTime("0am")),
        ("22:30pm", .noSuchClockTime("22:30pm")),
        ("9 p", .malformed("9 p")),
        ("9pmx", .malformed("9pmx")),
        ("22:30.15", .malformed("22:30.15")),
        ("tonight", .malformed("tonight")),
        ("Mon", .malformed("Mon")),
        ("12 Nov", .malformed("12 Nov")),
        ("Nov 22:30", .malformed("Nov 22:30")),
        ("31 Nov 2025 22:30", .noSuchDate("31 Nov 2025 22:30")),
        ("in", .malformedDuration("in")),
        ("in Berlin", .malformedDuration("in Berlin")),
        ("in 401d", .durationTooLong("in 401d")),
        ("22:3", .malformed("22:3")),
        ("122:30", .malformed("122:30")),
        ("-1:30", .malformed("-1:30")),
        ("22:30\n", .malformed("22:30\n")),
        ("22:30\u{A0}", .malformed("22:30\u{A0}")),
        ("２２:３０", .malformed("２２:３０")),
        ("2026-01-14", .malformed("2026-01-14")),
        ("2026-01-14  ", .malformed("2026-01-14  ")),
        ("2026-01-14 22:30 -05:00", .malformed("2026-01-14 22:30 -05:00")),
        ("ago", .malformedDuration("ago")),
        ("m ago", .malformedDuration("m ago")),
        ("20 ago", .malformedDuration("20 ago")),
        ("20mago", .malformedDuration("20mago")),
        ("-20m ago", .malformedDuration("-20m ago")),
        ("1.5h ago", .malformedDuration("1.5h ago")),
        ("20m 1h ago", .malformedDuration("20m 1h ago")),
        ("20m 20m ago", .malformedDuration("20m 20m ago")),
        ("3 weeks ago", .malformedDuration("3 weeks ago")),
        ("401d ago", .durationTooLong("401d ago")),
        ("9999999999m ago", .durationTooLong("9999999999m ago")),
        ("999999999d ago", .durationTooLong("999999999d ago")),
        (String(repeating: " ", count: 65), .tooLong),
    ])
    func `what is no expression is named`(text: String, expected: TimeParseError) {
        #expect(throws: expected) { try TimeExpression(text) }
    }

    @Test(arguments: [
        // New York has no 02:00 to 03:00 on 2026-03-08.
        ("02:30", "2026-03-08T12:00:00Z"),
        ("2026-03-08 02:30", "2026-03-10T12:00:00Z"),
        ("today 02:00", "2026-03-08T12:00:00Z"),
        ("yesterday 02:59", "2026-03-09T12:00:00Z"),
        ("02:30", "2026-03-09T05:00:00Z"),
    ])
    func `a local time that never was is refused`(text: String, now: String) throws {
        let zone = try SystemZones.zone("America/New_York")
        let now = try Instant(iso8601: now)
        #expect(throws: TimeParseError.skipped(text, zone: "America/New_York")) {
            try TimeExpression(text).resolve(now: now, in: zone)
        }
    }

    @Test(arguments: [
        // New York has 01:00 to 02:00 of 2026-11-01 twice, from 05:00 and from 06:00 UTC.
        ("01:30", "2026-11-01T12:00:00Z"),
        ("01:30", "2026-11-01T06:29:00Z"),
        ("01:30", "2026-11-02T06:00:00Z"),
        ("today 01:30", "2026-11-01T05:00:00Z"),
        ("yesterday 01:30", "2026-11-02T12:00:00Z"),
        ("2026-11-01 01:30", "2027-01-01T00:00:00Z"),
    ])
    func `a local time shown twice is left to be asked`(text: String, now: String) throws {
        let zone = try SystemZones.zone("America/New_York")
        let resolution = try TimeExpression(text).resolve(now: try Instant(iso8601: now), in: zone)
        let earlier = try Instant(iso8601: "2026-11-01T05:30:00Z")
        #expect(resolution == .repeated(earlier: earlier, later: earlier + .hours(1)))
    }

    @Test(arguments: [
        // The second 01:30 is more than a minute ahead, so the first is meant.
        ("America/New_York", "01:30", "2026-11-01T06:28:59Z", "2026-11-01T05:30:00.000Z"),
        // Before the jump of the day the last 02:30 was on the day before.
        ("America/New_York", "02:30", "2026-03-08T06:30:00Z", "2026-03-07T07:30:00.000Z"),
        // A clock a little ahead may already show the next day.
        ("UTC", "00:00", "2026-01-14T23:59:30Z", "2026-01-15T00:00:00.000Z"),
        ("UTC", "00:00", "2026-01-14T23:58:59Z", "2026-01-14T00:00:00.000Z"),
        // Apia has no 30th, so the day before the 31st is the 29th.
        ("Pacific/Apia", "23:05", "2011-12-30T10:10:00Z", "2011-12-30T09:05:00.000Z"),
        ("Pacific/Apia", "yesterday 23:05", "2011-12-30T10:10:00Z", "2011-12-30T09:05:00.000Z"),
        ("Australia/Lord_Howe", "2026-10-04 02:30", "2026-10-05T00:00:00Z", "2026-10-03T15:30:00.000Z"),
    ])
    func `the most recent moment is meant`(name: String, text: String, now: String, expected: String) throws {
        let zone = try SystemZones.zone(name)
        let resolution = try TimeExpression(text).resolve(now: try Instant(iso8601: now), in: zone)
        #expect(resolution == .instant(try Instant(iso8601: expected)))
    }

    @Test func `before the first year nothing is ago`() throws {
        #expect(throws: TimeParseError.outOfRange("20m ago")) {
            try TimeExpression("20m ago").resolve(now: Instant.min + .minutes(19), in: .utc)
        }
        #expect(
            try TimeExpression("20m ago").resolve(now: Instant.min + .minutes(20), in: .utc) == .instant(.min))
    }

    @Test(arguments: [
        ("20m", Duration.minutes(20)), ("1h30m", .minutes(90)), ("1h 30m", .minutes(90)), ("90s", .seconds(90)),
        ("2h", .hours(2)), ("90 min", .minutes(90)), ("1d2h3m4s", .seconds(93_784)), ("0s", .zero),
        (" 20m ", .minutes(20)),
        ("1 Hour", .hours(1)), ("400d", .hours(9600)), ("9600h", .hours(9600)), ("2 hrs 5 mins 1 sec", .seconds(7501)),
    ])
    func `durations are read`(text: String, expected: Duration) throws {
        #expect(try TimeExpression.parseDuration(text) == expected)
    }

    @Test(arguments: [
        "20", "m", "20m ago", "1h1h", "1m1h", "-20m", "+20m", "1.5h", "20 m m", "20x", "20m!", "٢٠m", "PT20M", "20µs",
        "20m\u{0}",
    ])
    func `what is no duration is refused`(text: String) {
        #expect(throws: TimeParseError.malformedDuration(text)) { try TimeExpression.parseDuration(text) }
    }

    @Test(arguments: ["401d", "9601h", "400d1s", "1000000000s", "99999999999999999999m"])
    func `a duration beyond 400 days is refused`(text: String) {
        #expect(throws: TimeParseError.durationTooLong(text)) { try TimeExpression.parseDuration(text) }
    }

    @Test(
        arguments: [
            ("2245", "write 22:45.", "22:45"), ("930", "write 9:30.", "9:30"), ("2026", "write 20:26.", "20:26"),
            ("23", "write 23:00.", "23:00"), ("22:45 Uhr", "write 22:45.", "22:45"),
            ("23 Uhr", "write 23:00.", "23:00"), ("9", "write 9am or 9pm.", nil),
            ("12", "write 12am or 12pm.", nil), ("9 uhr", "write for example", nil),
            ("last night 22:40", "write \"yesterday 22:40\".", nil),
            ("22:30 yesterday", "write \"yesterday 22:30\".", nil), ("about 22:45", "write 22:45.", nil),
            ("yesterday midnight", "write for example", nil), ("2460", "write for example", nil),
            ("24", "write for example", nil), ("soon", "write for example", nil),
            ("2026-01-14 22:30 -05:00", "write for example", nil),
        ] as [(String, String, String?)])
    func `R23.11: the error of a text that is no time names the time that may be meant`(
        text: String, told: String, clock: String?
    ) throws {
        let error = #expect(throws: TimeParseError.self) { try TimeExpression(text) }
        #expect(error?.description.contains(told) == true, "\(error?.description ?? "")")
        #expect(error?.clockMeant == clock)
    }

    @Test func `every error is a sentence that is safe on a terminal`() {
        let hostile = "\u{1B}]0;\u{7}é\n" + String(repeating: "x", count: 5000)
        let errors: [TimeParseError] = [
            .empty, .tooLong, .malformed(hostile), .noSuchDate(hostile), .noSuchClockTime(hostile),
            .leapSecond(hostile),
            .missingOffset(hostile), .skipped(hostile, zone: hostile), .malformedDuration(hostile),
            .durationTooLong(hostile), .outOfRange(hostile),
        ]
        for error in errors {
            let text = error.description
            #expect(text.hasSuffix("."))
            #expect(text.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "\(text)")
            #expect(text.utf8.count < 400)
        }
    }

    @Test func `random text is refused or read, never a trap`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix64(seed: seed)
        let letters = Array("0123456789:-+TZ. ahmsdgoyetr".unicodeScalars)
        let zone = try SystemZones.zone("America/New_York")
        for _ in 0..<20_000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...26, using: &random) {
                if let letter = letters.randomElement(using: &random) { text.append(letter) }
            }
            _ = try? TimeExpression(String(text)).resolve(now: Self.now, in: zone)
            _ = try? TimeExpression.parseDuration(String(text))
            _ = try? Instant(iso8601: String(text))
        }
    }

    @Test func `a day the calendar never has is named`() throws {
        #expect(throws: TimeParseError.noSuchDate("31 Nov 22:30")) {
            try TimeExpression("31 Nov 22:30").resolve(now: Self.now, in: .utc)
        }
    }

    @Test func `R23.11: what is read of random texts is within bounds, and is read alike in either case`() throws {
        var random = SystemRandomNumberGenerator()
        let parts = [
            "22", "9", "30", ":", ".", " ", "am", "pm", "p.m.", "ago", "in", "1h", "20m", "Nov", "12", "2026", "-",
            "mon",
            "tonight", "yesterday", "today", "now", "T", "Z", "999999999", ",", "\u{0}", "é", "+", "tomorrow", "may",
        ]
        let zone = try SystemZones.zone("Europe/Berlin")
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 1...6, using: &random)).map { _ in parts.randomElement(using: &random) ?? ""
            }
            .joined()
            guard let expression = try? TimeExpression(text) else {
                #expect((try? TimeExpression(text.uppercased())) == nil, "\(text)")
                continue
            }
            guard let found = try? expression.resolve(now: Self.now, in: zone) else { continue }
            let again = try TimeExpression(text.uppercased()).resolve(now: Self.now, in: zone)
            #expect(found == again, "\(text)")
            if case .instant(let instant) = found {
                #expect(instant > .min && instant < .max)
                if expression.isBareClock { #expect(instant <= Self.now + .seconds(60)) }
            }
        }
    }

    @Test(arguments: [
        ("today", "2026-01-14"), ("Tonight", "2026-01-14"), ("yesterday", "2026-01-13"), ("wed", "2026-01-14"),
        ("Thursday", "2026-01-08"), ("12 Nov", "2025-11-12"), ("Jan 14", "2026-01-14"), ("15 jan", "2025-01-15"),
        ("2026-01-01", "2026-01-01"), (" 2 Feb 2025 ", "2025-02-02"),
    ])
    func `R23.12: nights are named by words`(text: String, date: String) throws {
        let present = try SessionDate(text: "2026-01-14")
        #expect(try NightExpression(text).date(present: present).text == date)
    }

    @Test(arguments: ["", "last", "22:30", "12", "Mon Tue", "2026-02-30", "today 22:30", "32 Nov 2026"])
    func `R23.12: other texts name no night`(text: String) {
        #expect(throws: TimeParseError.self) { try NightExpression(text) }
    }
}
