import DoseTapDomain
import Testing

struct MomentsTests {
    private static func moments(_ zone: String, _ style: ClockStyle = .hours24) throws -> Moments {
        Moments(zone: try SystemZones.zone(zone), style: style)
    }

    @Test func `R23.1: a time that occurs once is the clock's, with the weekday beside its date`() throws {
        let berlin = try Self.moments("Europe/Berlin")
        let instant = try Instant(iso8601: "2026-07-01T21:05:09.123Z")
        #expect(berlin.clock(instant) == "23:05")
        #expect(berlin.cell(instant) == "23:05")
        #expect(berlin.dateAndClock(instant) == "Wed 2026-07-01 23:05")
        #expect(berlin.clock(instant, near: instant + .hours(20)) == "23:05")
        #expect(berlin.clock(instant, near: instant + .hours(21)) == "Wed 2026-07-01 23:05")
    }

    @Test func `R23.15: the zone is named where its clock differs from the present one at that moment`() throws {
        let (berlin, lagos) = (try SystemZones.zone("Europe/Berlin"), try SystemZones.zone("Africa/Lagos"))
        let (winter, summer) = (
            try Instant(iso8601: "2026-01-14T22:05:00Z"), try Instant(iso8601: "2026-07-01T21:05:00Z")
        )
        let moments = Moments(zone: berlin, inForce: lagos)
        #expect(!moments.isForeign(at: winter) && moments.isForeign(at: summer))
        #expect(moments.clock(winter) == "23:05" && moments.cell(winter) == "23:05")
        #expect(moments.clock(summer) == "23:05 (Europe/Berlin)" && moments.cell(summer) == "23:05 (Europe/Berlin)")
        #expect(moments.dateAndClock(summer) == "Wed 2026-07-01 23:05 (Europe/Berlin)")
        #expect(moments.clockRoundedUp(summer) == "23:05 (Europe/Berlin)")
        #expect(moments.bareClock(summer) == "23:05" && moments.bareCell(summer) == "23:05")
        // Once is enough for two times, unless only the first one differs.
        #expect(moments.clock(summer - .hours(1), beside: summer) == "22:05")
        #expect(moments.cell(summer - .hours(1), beside: summer) == "22:05")
        #expect(moments.clock(summer, beside: winter) == "23:05 (Europe/Berlin)")
        #expect(moments.cell(summer, beside: winter) == "23:05 (Europe/Berlin)")
        // One clock has several names.
        let etc = try SystemZones.zone("Etc/UTC")
        #expect(Moments(zone: .utc, inForce: etc).clock(summer) == "21:05")
        // Times of a night are told in its zone, unless another one was asked for.
        #expect(Moments(zone: lagos, inForce: lagos).told(in: berlin) == moments)
        #expect(Moments(zone: lagos, inForce: lagos).told(in: nil).clock(summer) == "22:05")
        #expect(Moments(zone: lagos).told(in: berlin).clock(summer) == "22:05")
    }

    @Test func `R23.15: a time in a command is read back as the same moment in the zone in force`() throws {
        let (berlin, tokyo) = (try SystemZones.zone("Europe/Berlin"), try SystemZones.zone("Asia/Tokyo"))
        for name in ["Europe/Berlin", "Africa/Lagos", "Asia/Tokyo", "America/New_York", "Europe/Lisbon"] {
            let inForce = try SystemZones.zone(name)
            let moments = Moments(zone: berlin, inForce: inForce)
            for hour in 0..<48 {
                let instant = try Instant(iso8601: "2026-10-24T00:30:00Z") + .hours(hour)
                let typed = moments.typedToTheMinute(instant + .seconds(20))
                let read = try TimeExpression(typed).resolve(now: instant + .hours(1), in: inForce)
                #expect(read == .instant(instant), "\(name) \(typed)")
            }
        }
        let instant = try Instant(iso8601: "2026-01-15T01:30:00Z")
        #expect(Moments(zone: berlin, inForce: berlin).typed(instant) == "2026-01-15 02:30")
        #expect(Moments(zone: berlin, inForce: tokyo).typed(instant) == "2026-01-15T02:30:00.000+01:00")
    }

    @Test(arguments: [
        ("Europe/Berlin", "2026-10-25T00:20:00Z", "02:20 summer time, the first 02:20", "02:20 (1st)"),
        ("Europe/Berlin", "2026-10-25T01:20:59Z", "02:20 winter time, the second 02:20", "02:20 (2nd)"),
        ("Europe/Berlin", "2026-10-24T23:59:59.999Z", "01:59", "01:59"),
        ("Europe/Berlin", "2026-10-25T00:00:00Z", "02:00 summer time, the first 02:00", "02:00 (1st)"),
        ("Europe/Berlin", "2026-10-25T01:59:59.999Z", "02:59 winter time, the second 02:59", "02:59 (2nd)"),
        ("Europe/Berlin", "2026-10-25T02:00:00Z", "03:00", "03:00"),
        ("America/New_York", "2026-11-01T06:30:00Z", "01:30 winter time, the second 01:30", "01:30 (2nd)"),
        ("Europe/Dublin", "2026-10-25T01:20:00Z", "01:20 winter time, the second 01:20", "01:20 (2nd)"),
        ("Australia/Lord_Howe", "2026-04-04T15:10:00Z", "01:40 winter time, the second 01:40", "01:40 (2nd)"),
        // A zone that only changes its offset has no seasons to name.
        ("Europe/Moscow", "2014-10-25T22:20:00Z", "01:20 (UTC+03:00), the second 01:20", "01:20 (2nd)"),
    ])
    func `R23.2: a time that occurs twice says which`(zone: String, text: String, clock: String, cell: String) throws {
        let moments = try Self.moments(zone)
        let instant = try Instant(iso8601: text)
        #expect(moments.clock(instant) == clock)
        #expect(moments.cell(instant) == cell)
    }

    @Test func `R23.2: no two instants of a night are told alike`() throws {
        for zone in ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"] {
            let moments = try Self.moments(zone)
            let start = try Instant(
                iso8601: zone == "Australia/Lord_Howe" ? "2026-04-04T08:00:00Z" : "2026-10-24T16:00:00Z")
            for hours in [0, 7 * 24] {
                let all = (0..<720).map { moments.clock(start + .hours(hours) + .minutes($0)) }
                #expect(Set(all).count == all.count)
                let cells = (0..<720).map { moments.cell(start + .hours(hours) + .minutes($0)) }
                #expect(Set(cells).count == cells.count)
            }
        }
    }

    @Test(arguments: [
        ("2026-07-01T00:05:00Z", "12:05 AM"), ("2026-07-01T12:00:00Z", "12:00 PM"), ("2026-07-01T09:09:00Z", "9:09 AM"),
        ("2026-07-01T23:59:59Z", "11:59 PM"),
    ])
    func `R23.3: twelve hours`(text: String, expected: String) throws {
        #expect(try Self.moments("UTC", .hours12).clock(try Instant(iso8601: text)) == expected)
    }

    @Test(arguments: [
        ("en_US.UTF-8", ClockStyle.hours12), ("en_US", .hours12), ("es_US@x", .hours12), ("en_AU.utf8", .hours12),
        ("en_GB.UTF-8", .hours24), ("de_DE.UTF-8", .hours24), ("fr_CA.UTF-8", .hours24), ("C.UTF-8", .hours24),
        ("C", .hours24), ("POSIX", .hours24), ("", .hours24), ("_", .hours24), ("en_", .hours24), ("US", .hours24),
    ])
    func `R23.3: the locale's name says how clocks are read`(locale: String, expected: ClockStyle) {
        #expect(ClockStyle(locale: locale) == expected)
    }

    @Test(arguments: [
        // now, entry, told
        ("2026-01-14T22:35:00Z", "2026-01-14T22:35:00Z", "22:35"),
        ("2026-01-14T22:35:00Z", "2026-01-14T21:35:00Z", "21:35"),
        ("2026-01-14T22:35:00Z", "2026-01-14T21:34:00Z", "Wed 2026-01-14 21:34, 1 h 1 min ago"),
        ("2026-01-14T22:35:00Z", "2026-01-14T14:10:00Z", "Wed 2026-01-14 14:10, 8 h 25 min ago"),
        ("2026-01-15T00:10:00Z", "2026-01-14T23:50:00Z", "Wed 2026-01-14 23:50, 20 min ago"),
        ("2026-01-15T00:00:01Z", "2026-01-14T23:59:59Z", "23:59"),
        ("2026-01-18T00:10:00Z", "2026-01-14T23:50:00Z", "Wed 2026-01-14 23:50, 3 days ago"),
        ("2026-01-14T22:35:00Z", "2026-01-14T22:36:00Z", "22:36"),
    ])
    func `R23.4: what is over an hour ago, or of another date, is told with weekday, date and how long ago`(
        now: String, entry: String, told: String
    ) throws {
        let moments = try Self.moments("UTC")
        #expect(moments.entryTime(try Instant(iso8601: entry), now: try Instant(iso8601: now)) == told)
    }
}
