import DoseTapDomain
import Testing

struct ZoneRuleTests {
    @Test(arguments: [
        ("CET-1CEST,M3.5.0,M10.5.0/3", "2100-03-28T00:59:59.999Z", 3600, "CET"),
        ("CET-1CEST,M3.5.0,M10.5.0/3", "2100-03-28T01:00:00.000Z", 7200, "CEST"),
        ("CET-1CEST,M3.5.0,M10.5.0/3", "2100-10-31T00:59:59.999Z", 7200, "CEST"),
        ("CET-1CEST,M3.5.0,M10.5.0/3", "2100-10-31T01:00:00.000Z", 3600, "CET"),
        ("EST5EDT,M3.2.0,M11.1.0", "2100-03-14T07:00:00.000Z", -14_400, "EDT"),
        ("EST5EDT", "2100-03-14T06:59:59.999Z", -18_000, "EST"),
        ("EST5EDT", "2100-03-14T07:00:00.000Z", -14_400, "EDT"),
        ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2100-01-01T00:00:00.000Z", 39_600, "AEDT"),
        ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2100-04-03T15:59:59.999Z", 39_600, "AEDT"),
        ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2100-04-03T16:00:00.000Z", 36_000, "AEST"),
        ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2100-01-01T00:00:00.000Z", 39_600, "+11"),
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2100-03-28T00:59:59.999Z", -7200, "-02"),
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2100-03-28T01:00:00.000Z", -3600, "-01"),
        ("IST-1GMT0,M10.5.0,M3.5.0/1", "2100-01-01T00:00:00.000Z", 0, "GMT"),
        ("IST-1GMT0,M10.5.0,M3.5.0/1", "2100-07-01T00:00:00.000Z", 3600, "IST"),
        // Gaza: the Saturday before the last Sunday, written as 50 hours after a Thursday.
        ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2026-03-28T00:00:00.000Z", 10_800, "EEST"),
        ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2026-03-27T23:59:59.999Z", 7200, "EET"),
        // Daylight saving time all year, RFC 9636 section 3.3.1.
        ("EST5EDT,0/0,J365/25", "2100-01-01T04:59:59.999Z", -14_400, "EDT"),
        ("EST5EDT,0/0,J365/25", "2100-01-01T05:00:00.000Z", -14_400, "EDT"),
        ("XXX3EDT4,0/0,J365/23", "2100-07-01T00:00:00.000Z", -14_400, "EDT"),
        ("XXX3EDT4,0/0,J365/23", "2101-01-01T03:00:00.000Z", -14_400, "EDT"),
        // The 60th day is 1 March with J, 29 February without in a leap year.
        ("AAA0BBB,J60/0,J61/0", "2024-03-01T00:00:00.000Z", 3600, "BBB"),
        ("AAA0BBB,J60/0,J61/0", "2024-02-29T12:00:00.000Z", 0, "AAA"),
        ("AAA0BBB,59/0,60/1", "2024-02-29T00:00:00.000Z", 3600, "BBB"),
        ("AAA0BBB,59/0,60/1", "2023-02-28T23:59:59.999Z", 0, "AAA"),
        ("AAA0BBB,59/0,60/1", "2023-03-01T00:00:00.000Z", 3600, "BBB"),
        ("AAA0BBB,M1.1.1/-167,M12.5.0/167", "2026-01-01T00:00:00.000Z", 3600, "BBB"),
        ("<+0545>-5:45", "2100-01-01T00:00:00.000Z", 20_700, "+0545"),
        ("LMT+0:44:30", "1970-01-01T00:00:00.000Z", -2670, "LMT"),
        ("UTC0", "9999-12-31T23:59:59.999Z", 0, "UTC"),
        ("CET-1CEST,M3.5.0,M10.5.0/3", "0001-07-01T00:00:00.000Z", 7200, "CEST"),
    ])
    func `a POSIX rule says offset and name of every instant`(
        rule: String, instant: String, offset: Int, abbreviation: String
    ) throws {
        let zone = try Zone(posixRule: rule)
        let instant = try Instant(iso8601: instant)
        #expect(zone.offset(at: instant) == offset)
        #expect(zone.abbreviation(at: instant) == abbreviation)
        #expect(zone.identifier == rule)
    }

    @Test(arguments: [
        "", "U", "UT", "UTC", "UTC25", "UTC0:60", "UTC0:00:60", "<UTC0", "<>0", "<a b>0", "UTC0,", "UTC0EDT,",
        "UTC0EDT,M3",
        "UTC0EDT,M3.2.0", "UTC0EDT,M13.2.0,M11.1.0", "UTC0EDT,M3.0.0,M11.1.0", "UTC0EDT,M3.6.0,M11.1.0",
        "UTC0EDT,M3.2.7,M11.1.0", "UTC0EDT,J0,J1", "UTC0EDT,J366,J1", "UTC0EDT,366,1", "UTC0EDT,M3.2.0/168,M11.1.0",
        "UTC0EDT,M3.2.0,M11.1.0,", "UTC0EDT,M3.2.0,M11.1.0 ", " UTC0", "UTC--1", "1230", "Ü€C0",
        "UTC0EDT,M3.2.0/,M11.1.0",
        "AAA24BBB-25", "UTC0EDT,M3.2.0,M11.1.0/0001",
    ])
    func `what is no POSIX rule is refused`(rule: String) {
        #expect(throws: ZoneError.self) { try Zone(posixRule: rule) }
    }

    @Test func `a rule of any length is refused without harm`() {
        #expect(throws: ZoneError.self) { try Zone(posixRule: String(repeating: "A", count: 5_000_000)) }
        #expect(throws: ZoneError.badRule("UTC?[31m")) { try Zone(posixRule: "UTC\u{1B}[31m") }
    }
}
