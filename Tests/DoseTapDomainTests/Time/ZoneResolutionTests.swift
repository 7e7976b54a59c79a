import DoseTapDomain
import Testing

struct ZoneResolutionTests {
    @Test(arguments: [
        ("America/New_York", "2026-03-08 02:30", "2026-03-08T07:00:00.000Z"),
        ("America/New_York", "2026-03-08 02:00", "2026-03-08T07:00:00.000Z"),
        ("America/New_York", "2026-03-08 02:59", "2026-03-08T07:00:00.000Z"),
        ("Australia/Lord_Howe", "2026-10-04 02:15", "2026-10-03T15:30:00.000Z"),
        ("Antarctica/Troll", "2026-03-29 02:30", "2026-03-29T01:00:00.000Z"),
        ("Antarctica/Troll", "2026-03-29 01:00", "2026-03-29T01:00:00.000Z"),
        ("America/Sao_Paulo", "2018-11-04 00:00", "2018-11-04T03:00:00.000Z"),
        ("America/Sao_Paulo", "2018-11-04 00:59", "2018-11-04T03:00:00.000Z"),
        ("Pacific/Apia", "2011-12-30 00:00", "2011-12-30T10:00:00.000Z"),
        ("Pacific/Apia", "2011-12-30 12:00", "2011-12-30T10:00:00.000Z"),
        ("Pacific/Apia", "2011-12-30 23:59", "2011-12-30T10:00:00.000Z"),
        ("Pacific/Kwajalein", "1993-08-21 12:00", "1993-08-21T12:00:00.000Z"),
        ("Europe/Dublin", "2026-03-29 01:30", "2026-03-29T01:00:00.000Z"),
        ("America/Nuuk", "2026-03-28 23:30", "2026-03-29T01:00:00.000Z"),
        ("Europe/Berlin", "2100-03-28 02:30", "2100-03-28T01:00:00.000Z"),
    ])
    func `a local time jumped over is known with its jump`(name: String, local: String, jump: String) throws {
        let resolution = try SystemZones.zone(name).resolve(try localTime(local))
        #expect(resolution == .skipped(jump: try Instant(iso8601: jump)))
    }

    @Test(arguments: [
        ("America/New_York", "2026-11-01 01:30", "2026-11-01T05:30:00.000Z", "2026-11-01T06:30:00.000Z"),
        ("America/New_York", "2026-11-01 01:00", "2026-11-01T05:00:00.000Z", "2026-11-01T06:00:00.000Z"),
        ("America/New_York", "2026-11-01 01:59", "2026-11-01T05:59:00.000Z", "2026-11-01T06:59:00.000Z"),
        ("Australia/Lord_Howe", "2026-04-05 01:45", "2026-04-04T14:45:00.000Z", "2026-04-04T15:15:00.000Z"),
        ("Africa/Casablanca", "2026-02-15 02:30", "2026-02-15T01:30:00.000Z", "2026-02-15T02:30:00.000Z"),
        ("Antarctica/Troll", "2026-10-25 01:30", "2026-10-24T23:30:00.000Z", "2026-10-25T01:30:00.000Z"),
        ("Europe/Dublin", "2026-10-25 01:30", "2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"),
        ("America/Sao_Paulo", "2018-02-17 23:30", "2018-02-18T01:30:00.000Z", "2018-02-18T02:30:00.000Z"),
        ("Pacific/Kwajalein", "1969-09-30 12:00", "1969-09-30T01:00:00.000Z", "1969-10-01T00:00:00.000Z"),
        ("Europe/Berlin", "2100-10-31 02:30", "2100-10-31T00:30:00.000Z", "2100-10-31T01:30:00.000Z"),
    ])
    func `a local time shown twice is known with both instants`(
        name: String, local: String, earlier: String, later: String
    ) throws {
        let resolution = try SystemZones.zone(name).resolve(try localTime(local))
        #expect(resolution == .repeated(earlier: try Instant(iso8601: earlier), later: try Instant(iso8601: later)))
    }

    @Test(arguments: [
        ("America/New_York", "2026-03-08 01:59", "2026-03-08T06:59:00.000Z"),
        ("America/New_York", "2026-03-08 03:00", "2026-03-08T07:00:00.000Z"),
        ("America/New_York", "2026-11-01 00:59", "2026-11-01T04:59:00.000Z"),
        ("America/New_York", "2026-11-01 02:00", "2026-11-01T07:00:00.000Z"),
        ("Pacific/Apia", "2011-12-29 23:59", "2011-12-30T09:59:00.000Z"),
        ("Pacific/Apia", "2011-12-31 00:00", "2011-12-30T10:00:00.000Z"),
        ("Asia/Kathmandu", "2026-01-14 22:30", "2026-01-14T16:45:00.000Z"),
        ("Pacific/Kiritimati", "2026-01-15 12:30", "2026-01-14T22:30:00.000Z"),
        ("Europe/Berlin", "2100-07-01 12:00", "2100-07-01T10:00:00.000Z"),
        ("Australia/Sydney", "2100-01-01 12:00", "2100-01-01T01:00:00.000Z"),
        ("UTC", "2024-02-29 23:59", "2024-02-29T23:59:00.000Z"),
    ])
    func `an ordinary local time is one instant`(name: String, local: String, instant: String) throws {
        #expect(
            try SystemZones.zone(name).resolve(try localTime(local)) == .unique(try Instant(iso8601: instant)))
    }

    @Test(arguments: [
        "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Pacific/Apia",
        "Antarctica/Troll", "Pacific/Kwajalein", "America/Sao_Paulo", "Europe/Dublin", "Asia/Gaza", "Africa/Monrovia",
        "America/Nuuk", "Antarctica/Casey",
    ])
    func `every instant resolves back from what the clock shows`(name: String) throws {
        let zone = try SystemZones.zone(name)
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix64(seed: seed)
        for _ in 0..<2000 {
            let instant = Instant(milliseconds: .random(in: 0...4_200_000_000_000, using: &random))
            let local = zone.local(instant)
            switch zone.resolve(local) {
            case .unique(let found): #expect(found == instant, "seed \(seed)")
            case .repeated(let earlier, let later):
                #expect([earlier, later].contains(instant), "seed \(seed)")
                #expect(zone.local(earlier) == local && zone.local(later) == local && earlier < later, "seed \(seed)")
            case .skipped: Issue.record("\(instant) was shown, seed \(seed)")
            }
        }
    }

    @Test func `the ends of the calendar do not trap`() throws {
        for zone in [try SystemZones.zone("Pacific/Kiritimati"), try SystemZones.zone("Pacific/Apia"), .utc] {
            for instant in [Instant.min, .max] {
                _ = zone.resolve(zone.local(instant))
                _ = SessionDate.key(of: instant, in: zone, rolloverHour: 18)
                #expect(zone.next(ClockTime(hour: 18), strictlyAfter: instant) >= instant)
            }
        }
        #expect(Zone.utc.next(ClockTime(hour: 18), strictlyAfter: .max) == .max)
    }

    @Test func `zones are equal by name and content`() throws {
        let berlin = try SystemZones.zone("Europe/Berlin")
        let bytes = try SystemZones.bytes("Europe/Berlin")
        #expect(try berlin == SystemZones.zone("Europe/Berlin"))
        #expect(try Set([berlin, SystemZones.zone("Europe/Berlin")]).count == 1)
        #expect(try berlin != Zone(identifier: "Berlin", tzif: bytes))
        #expect(try berlin != Zone(identifier: "Europe/Berlin", tzif: SystemZones.bytes("Europe/Paris")))
        #expect(Zone.utc == Zone.utc)
        #expect(Zone.utc.offset(at: .max) == 0)
    }

    private func localTime(_ text: String) throws -> LocalDateTime {
        let parts = text.split(separator: " ")
        return LocalDateTime(date: try CivilDate(iso8601: parts[0]), time: try ClockTime(text: parts[1]))
    }
}
