import DoseTapDomain
import Testing

struct LocalTimeFormatTests {
    @Test func `local times are written for people`() throws {
        let berlin = try SystemZones.zone("Europe/Berlin")
        let instant = try Instant(iso8601: "2026-07-01T21:05:09.123Z")
        #expect(LocalTimeFormat.iso8601(instant, in: berlin) == "2026-07-01T23:05:09.123+02:00")
        #expect(berlin.local(instant).description == "2026-07-01 23:05:09.123")
        #expect(LocalTimeFormat.iso8601(instant, in: .utc) == "2026-07-01T21:05:09.123+00:00")
    }

    @Test func `an offset with seconds is cut off and the instant stays the same`() throws {
        let monrovia = try SystemZones.zone("Africa/Monrovia")
        let instant = Instant(milliseconds: 1)
        #expect(monrovia.offset(at: instant) == -2670)
        #expect(monrovia.offsetMinutes(at: instant) == -44)
        #expect(LocalTimeFormat.iso8601(instant, in: monrovia) == "1969-12-31T23:16:00.001-00:44")
        #expect(try Instant(iso8601: LocalTimeFormat.iso8601(instant, in: monrovia)) == instant)
    }

    @Test(arguments: [
        (0, "2026-07-01T21:05:09.123+00:00"), (345, "2026-07-02T02:50:09.123+05:45"),
        (-210, "2026-07-01T17:35:09.123-03:30"), (1_560, "2026-07-02T23:05:09.123+26:00"),
    ])
    func `local times are written by a noted offset`(minutes: Int, expected: String) throws {
        let instant = try Instant(iso8601: "2026-07-01T21:05:09.123Z")
        #expect(LocalTimeFormat.iso8601(instant, offsetMinutes: minutes) == expected)
        #expect(LocalTimeFormat.iso8601(.max, offsetMinutes: minutes).hasPrefix("9999-12-31T"))
    }

    @Test(arguments: [
        (0, "+00:00"), (7200, "+02:00"), (-12_600, "-03:30"), (20_700, "+05:45"), (-59, "+00:00"), (-60, "-00:01"),
        (50_400, "+14:00"),
    ])
    func `offsets are written`(seconds: Int, expected: String) {
        #expect(LocalTimeFormat.offset(seconds: seconds) == expected)
        #expect(Zone(fixedOffsetSeconds: seconds).offset(at: .min) == seconds)
        #expect(Zone(fixedOffsetSeconds: seconds).identifier == expected)
    }

    @Test(arguments: [
        (Duration.minutes(165), "2 h 45 min"), (.minutes(12), "12 min"), (.hours(2), "2 h"), (.zero, "0 min"),
        (.seconds(59), "59 s"), (.milliseconds(999), "0 min"), (.seconds(119), "1 min"), (.minutes(-12), "-12 min"),
        (.minutes(-150), "-2 h 30 min"), (.seconds(-5), "-5 s"), (.seconds(Int64.min), "-2562047788015215 h 30 min"),
    ])
    func `lengths of time are written for people`(duration: Duration, expected: String) {
        #expect(LocalTimeFormat.interval(duration) == expected)
    }

    @Test(arguments: [
        (0, "0 min"), (1_000, "1 s"), (59_999, "59 s"), (60_000, "1 min"), (60_001, "2 min"), (8_940_001, "2 h 30 min"),
        (9_000_000, "2 h 30 min"),
    ])
    func `R23.3 how long it takes until a window opens is the next whole minute`(milliseconds: Int64, expected: String)
    {
        #expect(LocalTimeFormat.wait(.milliseconds(milliseconds)) == expected)
    }
}
