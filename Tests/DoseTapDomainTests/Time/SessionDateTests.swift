import DoseTapDomain
import Testing

struct SessionDateTests {
    @Test(arguments: [
        ("America/New_York", 18, "2026-01-14T22:59:59.999Z", "2026-01-13"),
        ("America/New_York", 18, "2026-01-14T23:00:00.000Z", "2026-01-14"),
        ("America/New_York", 18, "2026-01-14T23:00:00.001Z", "2026-01-14"),
        ("America/New_York", 18, "2026-01-15T05:30:00.000Z", "2026-01-14"),
        ("UTC", 18, "2025-12-31T18:00:00.000Z", "2025-12-31"),
        ("UTC", 18, "2026-01-01T17:59:59.999Z", "2025-12-31"),
        ("UTC", 18, "2024-02-29T18:00:00.000Z", "2024-02-29"),
        ("UTC", 18, "2024-03-01T17:59:59.999Z", "2024-02-29"),
        ("UTC", 0, "2026-01-14T00:00:00.000Z", "2026-01-14"),
        ("UTC", 0, "2026-01-13T23:59:59.999Z", "2026-01-13"),
        ("UTC", 23, "2026-01-14T22:59:59.999Z", "2026-01-13"),
        ("UTC", 23, "2026-01-14T23:00:00.000Z", "2026-01-14"),
        // The zone has no 2011-12-30, so the night of the 29th lasts until 18:00 of the 31st.
        ("Pacific/Apia", 18, "2011-12-30T09:59:59.999Z", "2011-12-29"),
        ("Pacific/Apia", 18, "2011-12-30T10:00:00.000Z", "2011-12-29"),
        ("Pacific/Apia", 18, "2011-12-31T03:59:59.999Z", "2011-12-29"),
        ("Pacific/Apia", 18, "2011-12-31T04:00:00.000Z", "2011-12-31"),
        ("Pacific/Apia", 0, "2011-12-30T10:00:00.000Z", "2011-12-31"),
        ("Pacific/Kwajalein", 18, "1993-08-21T12:00:00.000Z", "1993-08-20"),
        ("Pacific/Kwajalein", 18, "1993-08-22T06:00:00.000Z", "1993-08-22"),
        // The clock skips midnight, so the new day begins at the jump.
        ("America/Sao_Paulo", 0, "2018-11-04T02:59:59.999Z", "2018-11-03"),
        ("America/Sao_Paulo", 0, "2018-11-04T03:00:00.000Z", "2018-11-04"),
        // The clock skips Saturday's 23:00 and jumps into Sunday.
        ("America/Nuuk", 23, "2026-03-29T00:59:59.999Z", "2026-03-27"),
        ("America/Nuuk", 23, "2026-03-29T01:00:00.000Z", "2026-03-28"),
        ("America/Nuuk", 23, "2026-03-29T23:59:59.999Z", "2026-03-28"),
        // The clock skips 02:00 in spring, and shows it twice or passes it once in autumn.
        ("America/New_York", 2, "2026-03-08T06:59:59.999Z", "2026-03-07"),
        ("America/New_York", 2, "2026-03-08T07:00:00.000Z", "2026-03-08"),
        ("America/New_York", 2, "2026-11-01T06:30:00.000Z", "2026-10-31"),
        ("America/New_York", 1, "2026-11-01T05:00:00.000Z", "2026-11-01"),
        ("America/New_York", 1, "2026-11-01T06:00:00.000Z", "2026-11-01"),
        ("Australia/Lord_Howe", 2, "2026-10-03T15:29:59.999Z", "2026-10-03"),
        ("Australia/Lord_Howe", 2, "2026-10-03T15:30:00.000Z", "2026-10-04"),
        ("Antarctica/Troll", 2, "2026-03-29T01:00:00.000Z", "2026-03-29"),
        ("UTC", -5, "2026-01-14T00:00:00.000Z", "2026-01-14"),
        ("UTC", 99, "2026-01-14T22:59:59.999Z", "2026-01-13"),
    ])
    func `the key is the date whose rollover hour the clock last reached or passed`(
        name: String, hour: Int, instant: String, expected: String
    ) throws {
        let zone = try SystemZones.zone(name)
        let key = SessionDate.key(of: try Instant(iso8601: instant), in: zone, rolloverHour: hour)
        #expect(key.text == expected)
    }

    @Test(arguments: [
        ("UTC", "18:00", "2026-01-14T17:59:59.999Z", "2026-01-14T18:00:00.000Z"),
        ("UTC", "18:00", "2026-01-14T18:00:00.000Z", "2026-01-15T18:00:00.000Z"),
        ("UTC", "07:00", "2026-01-14T22:30:00.000Z", "2026-01-15T07:00:00.000Z"),
        ("UTC", "06:45", "2024-02-28T22:30:00.000Z", "2024-02-29T06:45:00.000Z"),
        ("America/New_York", "02:30", "2026-03-08T06:59:59.999Z", "2026-03-08T07:00:00.000Z"),
        ("America/New_York", "02:30", "2026-03-08T07:00:00.000Z", "2026-03-09T06:30:00.000Z"),
        ("America/New_York", "01:30", "2026-11-01T05:29:59.999Z", "2026-11-01T05:30:00.000Z"),
        ("America/New_York", "01:30", "2026-11-01T05:30:00.000Z", "2026-11-02T06:30:00.000Z"),
        ("America/New_York", "07:00", "2026-10-31T22:30:00.000Z", "2026-11-01T12:00:00.000Z"),
        ("America/New_York", "07:00", "2026-03-08T03:00:00.000Z", "2026-03-08T11:00:00.000Z"),
        ("Pacific/Apia", "18:00", "2011-12-30T04:00:00.000Z", "2011-12-31T04:00:00.000Z"),
        ("Pacific/Apia", "00:00", "2011-12-30T09:59:59.999Z", "2011-12-30T10:00:00.000Z"),
        ("Pacific/Apia", "07:00", "2011-12-29T17:00:00.000Z", "2011-12-30T17:00:00.000Z"),
        ("America/Sao_Paulo", "00:00", "2018-11-04T02:00:00.000Z", "2018-11-04T03:00:00.000Z"),
        ("America/Nuuk", "23:00", "2026-03-28T12:00:00.000Z", "2026-03-29T01:00:00.000Z"),
        ("America/Nuuk", "23:00", "2026-03-29T01:00:00.000Z", "2026-03-30T00:00:00.000Z"),
    ])
    func `the next local time counts at a jump, once when repeated, and not on days that never were`(
        name: String, time: String, after: String, expected: String
    ) throws {
        let zone = try SystemZones.zone(name)
        let next = zone.next(try ClockTime(text: time), strictlyAfter: try Instant(iso8601: after))
        #expect(next.iso8601 == expected)
    }

    @Test(arguments: [
        "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Pacific/Apia",
        "Antarctica/Troll", "Pacific/Kwajalein", "America/Sao_Paulo", "Europe/Dublin", "Asia/Gaza", "America/Nuuk",
        "Africa/Monrovia", "Asia/Kathmandu", "UTC",
    ])
    func `the key changes exactly at the next rollover`(name: String) throws {
        let zone = try SystemZones.zone(name)
        for hour in [0, 1, 2, 3, 18, 23] {
            var instant = Instant(milliseconds: 0)
            let end = try Instant(iso8601: "2040-01-01T00:00:00Z")
            while instant < end {
                let next = zone.next(ClockTime(hour: hour), strictlyAfter: instant)
                let keys = [instant, next - .milliseconds(1), next].map {
                    SessionDate.key(of: $0, in: zone, rolloverHour: hour)
                }
                if keys[0] != keys[1] || keys[1] >= keys[2] {
                    Issue.record("\(name) \(hour):00 from \(instant) to \(next): \(keys)")
                    break
                }
                instant = next + .hours(23 * 7)
            }
        }
    }
}
