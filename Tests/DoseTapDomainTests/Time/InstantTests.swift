import DoseTapDomain
import Testing

struct InstantTests {
    @Test(arguments: [
        ("1970-01-01T00:00Z", Int64(0)),
        ("1970-01-01T00:00:00Z", 0),
        ("1970-01-01T00:00:00.001Z", 1),
        ("1970-01-01T00:00:00.0019Z", 1),
        ("1970-01-01T00:00:00.5Z", 500),
        ("1970-01-01T00:00:00.123456789Z", 123),
        ("1969-12-31T23:59:59.999Z", -1),
        ("1969-12-31T23:59:59.9999Z", -1),
        ("2026-01-14T22:30:00-05:00", 1_768_447_800_000),
        ("2026-01-14T22:30:00-0500", 1_768_447_800_000),
        ("2026-01-15T09:00:00+05:30", 1_768_447_800_000),
        ("2026-01-15T03:30:00Z", 1_768_447_800_000),
        ("2026-01-15T03:30:00+00:00", 1_768_447_800_000),
        ("2026-01-15T03:30:00-00:00", 1_768_447_800_000),
        ("2024-02-29T00:00:00Z", 1_709_164_800_000),
        ("2000-02-29T23:59:59.999Z", 951_868_799_999),
        ("0001-01-01T00:00:00Z", -62_135_596_800_000),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ])
    func `ISO 8601 with an offset is read to the millisecond`(text: String, milliseconds: Int64) throws {
        #expect(try Instant(iso8601: text).milliseconds == milliseconds)
        #expect(try Instant(iso8601: Substring(text)).milliseconds == milliseconds)
    }

    @Test(arguments: [
        ("", TimeParseError.empty),
        ("2026-01-14T22:30:00", .missingOffset("2026-01-14T22:30:00")),
        ("2026-01-14T22:30", .missingOffset("2026-01-14T22:30")),
        ("2026-02-29T00:00:00Z", .noSuchDate("2026-02-29T00:00:00Z")),
        ("1900-02-29T00:00:00Z", .noSuchDate("1900-02-29T00:00:00Z")),
        ("2026-13-01T00:00:00Z", .noSuchDate("2026-13-01T00:00:00Z")),
        ("2026-00-01T00:00:00Z", .noSuchDate("2026-00-01T00:00:00Z")),
        ("2026-04-31T00:00:00Z", .noSuchDate("2026-04-31T00:00:00Z")),
        ("0000-01-01T00:00:00Z", .noSuchDate("0000-01-01T00:00:00Z")),
        ("2026-01-14T24:00:00Z", .noSuchClockTime("2026-01-14T24:00:00Z")),
        ("2026-01-14T23:60:00Z", .noSuchClockTime("2026-01-14T23:60:00Z")),
        ("2026-01-14T23:59:61Z", .noSuchClockTime("2026-01-14T23:59:61Z")),
        ("2016-12-31T23:59:60Z", .leapSecond("2016-12-31T23:59:60Z")),
        ("2026-01-14T22:30:00+24:00", .noSuchClockTime("2026-01-14T22:30:00+24:00")),
        ("2026-01-14T22:30:00+05:60", .noSuchClockTime("2026-01-14T22:30:00+05:60")),
        ("0001-01-01T00:00:00+00:01", .outOfRange("0001-01-01T00:00:00+00:01")),
        ("9999-12-31T23:59:59-00:01", .outOfRange("9999-12-31T23:59:59-00:01")),
    ])
    func `what is wrong with an instant is named`(text: String, expected: TimeParseError) {
        #expect(throws: expected) { try Instant(iso8601: text) }
    }

    @Test(arguments: [
        "2026-01-14 22:30:00Z", "2026-01-14t22:30:00z", "2026-01-14T22:30:00z", " 2026-01-14T22:30:00Z",
        "2026-01-14T22:30:00Z ", "2026-01-14T22:30:00.Z", "2026-01-14T22:30:00,5Z", "2026-01-14T22:30:00.1234567890Z",
        "2026-1-14T22:30:00Z", "26-01-14T22:30:00Z", "+2026-01-14T22:30:00Z", "20260114T223000Z", "2026-01-14",
        "2026-01-14T22Z", "2026-01-14T22:3Z", "2026-01-14T22:30:0Z", "2026-01-14T22:30:00+5:00",
        "2026-01-14T22:30:00+05", "2026-01-14T22:30:00+05:0", "2026-01-14T22:30:00+05:00:00", "2026-01-14T22:30:00ZZ",
        "2026-01-14T22:30:00-05:00[America/New_York]", "２０２６-01-14T22:30:00Z", "2026-01-14T22:30:00\u{2212}05:00",
        "2026-W03-3T22:30:00Z", "2026-014T22:30:00Z", "1768447800", "2026-01-14T22:30:00Z\u{0}", "٢٠٢٦-٠١-١٤T22:30:00Z",
    ])
    func `no other form of an instant is accepted`(text: String) {
        #expect(throws: TimeParseError.malformed(text)) { try Instant(iso8601: text) }
    }

    @Test func `text longer than any time is refused unread`() {
        #expect(throws: TimeParseError.tooLong) { try Instant(iso8601: String(repeating: "2", count: 65)) }
        #expect(throws: TimeParseError.tooLong) { try Instant(iso8601: String(repeating: "2", count: 10_000_000)) }
    }

    @Test func `written and read instants are the same over the whole range`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix64(seed: seed)
        var samples: [Instant] = [.min, .max, Instant(milliseconds: 0), Instant(milliseconds: -1)]
        for _ in 0..<3000 {
            let range = Instant.min.milliseconds...Instant.max.milliseconds
            samples.append(Instant(milliseconds: .random(in: range, using: &random)))
        }
        for instant in samples {
            #expect(try Instant(iso8601: instant.iso8601) == instant, "seed \(seed)")
            #expect(instant.iso8601.utf8.count == 24, "seed \(seed)")
        }
    }

    @Test(arguments: [
        (Int64(0), Int64(0)), (999, 0), (1000, 1), (-1, -1), (-1000, -1), (-1001, -2), (.min, -62_135_596_800_000),
        (.max, 253_402_300_799_999),
    ])
    func `microseconds are cut off towards the past`(microseconds: Int64, milliseconds: Int64) {
        #expect(Instant(microseconds: microseconds).milliseconds == milliseconds)
    }

    @Test func `the smallest unit written is the millisecond`() {
        #expect(Instant(milliseconds: 1_768_447_800_000).iso8601 == "2026-01-15T03:30:00.000Z")
        #expect(Instant(milliseconds: -1).iso8601 == "1969-12-31T23:59:59.999Z")
        #expect(Instant.min.iso8601 == "0001-01-01T00:00:00.000Z")
        #expect(Instant.max.iso8601 == "9999-12-31T23:59:59.999Z")
        #expect(Instant(milliseconds: 5).microseconds == 5000)
    }

    @Test func `arithmetic stops at the ends of the range`() {
        let dose = Instant(milliseconds: 1_768_447_800_000)
        let longest = Duration.seconds(Int64.max) * 18
        #expect(dose + longest == .max)
        #expect(dose - longest == .min)
        #expect(dose + .seconds(Int64.min) == .min)
        #expect(dose - .seconds(Int64.min) == .max)
        #expect(Instant.max + .milliseconds(1) == .max)
        #expect(Instant.min - .milliseconds(1) == .min)
        #expect(Instant(milliseconds: .max) == .max)
        #expect(Instant(milliseconds: .min) == .min)
        #expect(Instant(seconds: .max) == .max)
        #expect(Instant.max - Instant.min == .milliseconds(315_537_897_599_999))
    }

    @Test func `durations finer than a millisecond are cut off towards the past`() {
        let dose = Instant(milliseconds: 1000)
        #expect((dose + .microseconds(1999)).milliseconds == 1001)
        #expect((dose + .microseconds(-1)).milliseconds == 999)
        #expect((dose - .microseconds(1)).milliseconds == 999)
        #expect((dose - .microseconds(-1999)).milliseconds == 1001)
        #expect((dose - .milliseconds(3)).milliseconds == 997)
    }

    @Test(arguments: [
        (Duration.minutes(150), Int64(9000), Int64(150), Int64(9_000_000)),
        (.hours(4), 14_400, 240, 14_400_000),
        (.milliseconds(59_999), 59, 0, 59_999),
        (.milliseconds(-59_999), -59, 0, -59_999),
        (.milliseconds(-60_000), -60, -1, -60_000),
        (.microseconds(-1999), 0, 0, -1),
        (.hours(.max), .max, .max / 60, .max),
        (.minutes(.min), .min, .min / 60, .min),
    ])
    func `whole units of a duration are truncated`(
        duration: Duration, seconds: Int64, minutes: Int64, milliseconds: Int64
    ) {
        #expect(duration.wholeSeconds == seconds)
        #expect(duration.wholeMinutes == minutes)
        #expect(duration.wholeMilliseconds == milliseconds)
    }

    @Test func `instants are ordered and measured`() {
        let first = Instant(milliseconds: 0)
        let second = first.advanced(by: .minutes(165))
        #expect(first < second)
        #expect(first.duration(to: second) == .minutes(165))
        #expect(second - first == .minutes(165))
        #expect(second.duration(to: first) == .minutes(-165))
    }

    @Test func `E6: from the year 1 to 9999 instants sort as their texts do, and come back from them`() throws {
        let turns = [
            "0001-01-01T00:00:00.000Z", "0999-12-31T23:59:59.999Z", "1000-01-01T00:00:00.000Z",
            "1969-12-31T23:59:59.999Z", "1970-01-01T00:00:00.000Z", "2016-12-31T23:59:59.999Z",
            "2017-01-01T00:00:00.000Z", "2038-01-19T03:14:07.000Z", "2038-01-19T03:14:08.000Z",
            "2106-02-07T06:28:15.000Z", "2106-02-07T06:28:16.000Z", "9999-12-31T23:59:59.999Z",
        ]
        var chance = SplitMix64(seed: 6)
        let range = Instant.min.milliseconds...Instant.max.milliseconds
        let random = (0..<5_000).map { _ in Instant(milliseconds: Int64.random(in: range, using: &chance)) }
        let instants = try turns.map { try Instant(iso8601: $0) } + random
        for instant in instants { #expect(try Instant(iso8601: instant.iso8601) == instant) }
        #expect(instants.sorted().map(\.iso8601) == instants.map(\.iso8601).sorted())
        #expect(
            try Instant(iso8601: "2106-02-07T06:28:16Z") - Instant(iso8601: "2038-01-19T03:14:08Z") == .seconds(1 << 31)
        )
    }
}
