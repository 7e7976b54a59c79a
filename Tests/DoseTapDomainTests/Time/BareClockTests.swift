import DoseTapDomain
import Testing

struct BareClockTests {
    private static func doubt(
        _ text: String, at now: String, zone: String = "UTC", rolloverHour: Int = 18, isOfNight: Bool = true
    ) throws -> BareClockDoubt? {
        let zone = try SystemZones.zone(zone)
        let now = try Instant(iso8601: now)
        let expression = try TimeExpression(text)
        guard case .instant(let meant) = try expression.resolve(now: now, in: zone) else { return nil }
        return expression.doubt(meant, isOfNight: isOfNight, now: now, in: zone, rolloverHour: rolloverHour)
    }

    private static func night(_ date: String, other: String?) throws -> BareClockDoubt {
        .otherNight(try SessionDate(text: date), otherHalf: try other.map { try Instant(iso8601: $0) })
    }

    @Test func `R23.5: the wrong half of the day is noticed, with what the other half would be`() throws {
        #expect(
            try Self.doubt("10:30", at: "2026-01-14T22:35:00Z")
                == Self.night("2026-01-13", other: "2026-01-14T22:30:00Z"))
        // The other half lies ahead, so none is offered.
        #expect(try Self.doubt("10:40", at: "2026-01-14T22:35:00Z") == Self.night("2026-01-13", other: nil))
        #expect(try Self.doubt("07:10", at: "2026-01-14T18:30:00Z") == Self.night("2026-01-13", other: nil))
        // The time is the evening of the present night, seen from its morning.
        #expect(try Self.doubt("22:30", at: "2026-01-15T10:30:00Z") == nil)
        #expect(try Self.doubt("18:00", at: "2026-01-14T23:00:00Z") == nil)
        #expect(try Self.doubt("17:59", at: "2026-01-14T23:00:00Z") == Self.night("2026-01-13", other: nil))
        // Another rollover hour puts the time into the present night.
        #expect(try Self.doubt("17:59", at: "2026-01-14T23:00:00Z", rolloverHour: 17) == nil)
    }

    @Test func `R23.5: up to two hours back is taken, whatever the date`() throws {
        #expect(try Self.doubt("17:50", at: "2026-01-14T18:30:00Z") == nil)
        #expect(try Self.doubt("16:30", at: "2026-01-14T18:30:00Z") == nil)
        #expect(try Self.doubt("16:29", at: "2026-01-14T18:30:00Z") == Self.night("2026-01-13", other: nil))
    }

    @Test func `R23.5: only doses, skips and wakes, and only without a date`() throws {
        #expect(try Self.doubt("10:30", at: "2026-01-14T22:35:00Z", isOfNight: false) == nil)
        for text in ["today 10:30", "2026-01-14 10:30", "12h ago", "2026-01-14T10:30:00Z"] {
            #expect(try Self.doubt(text, at: "2026-01-14T22:35:00Z") == nil)
        }
        for command: Command in [
            .logDose(.dose1), .logDose(.extra), .skipDose2, .logFinalWake, .logSleepEvent("Wake Up"),
            .takeMedication("Xywav"),
        ] { #expect(command.isOfNight) }
        for command: Command in [.logSleepEvent("bathroom"), .takeMedication("modafinil"), .snooze, .undo] {
            #expect(!command.isOfNight)
        }
    }

    @Test func `R23.6: less than an hour ahead is a slip, for every entry`() throws {
        for isOfNight in [true, false] {
            #expect(
                try Self.doubt("22:50", at: "2026-01-14T22:35:00Z", isOfNight: isOfNight)
                    == .ahead(try Instant(iso8601: "2026-01-14T22:50:00Z")))
            #expect(
                try Self.doubt("00:10", at: "2026-01-14T23:35:00Z", isOfNight: isOfNight)
                    == .ahead(try Instant(iso8601: "2026-01-15T00:10:00Z")))
        }
        #expect(try Self.doubt("22:36", at: "2026-01-14T22:35:00Z") == nil)
        #expect(try Self.doubt("23:35", at: "2026-01-14T22:35:00Z") == Self.night("2026-01-13", other: nil))
        // With a clock change the day before is 23 or 25 hours ago.
        for (now, ahead) in [
            ("2026-03-29T20:35:00Z", "2026-03-29T20:50:00Z"), ("2026-10-25T21:35:00Z", "2026-10-25T21:50:00Z"),
        ] {
            #expect(
                try Self.doubt("22:50", at: now, zone: "Europe/Berlin") == .ahead(try Instant(iso8601: ahead)))
        }
    }

    @Test func `R23.5: no bare time is taken for another night more than two hours back, at any minute`() throws {
        let zone = try SystemZones.zone("Europe/Berlin")
        for start in ["2026-01-14T00:00:30Z", "2026-03-28T23:00:30Z", "2026-10-24T22:00:30Z"] {
            let start = try Instant(iso8601: start)
            for minutes in stride(from: 0, to: 1_440, by: 37) {
                let now = start + .minutes(minutes)
                for clock in stride(from: 0, to: 1_440, by: 11) {
                    let text = String(clock / 60) + (clock % 60 < 10 ? ":0" : ":") + String(clock % 60)
                    let expression = try TimeExpression(text)
                    guard case .instant(let meant) = try? expression.resolve(now: now, in: zone) else { continue }
                    let doubt = expression.doubt(meant, isOfNight: true, now: now, in: zone, rolloverHour: 18)
                    let isTonight =
                        SessionDate.key(of: meant, in: zone, rolloverHour: 18)
                        == SessionDate.key(of: now, in: zone, rolloverHour: 18)
                    if !isTonight, meant < now - .hours(2) { #expect(doubt != nil) }
                    if isTonight, meant < now - .seconds(1), now - meant < .hours(22) { #expect(doubt == nil) }
                    if case .otherNight(_, let other?) = doubt {
                        #expect(other <= now && now - other < .hours(24))
                    }
                }
            }
        }
    }

    @Test(arguments: [
        // entry, said, meant
        ("2026-01-14T22:30:00Z", "22:45", "2026-01-14T22:45:00Z"),
        ("2026-01-14T22:30:00Z", "01:10", "2026-01-15T01:10:00Z"),
        ("2026-01-15T01:10:00Z", "22:45", "2026-01-14T22:45:00Z"),
        ("2026-01-15T01:10:00Z", "17:59", "2026-01-15T17:59:00Z"),
        ("2026-01-14T17:30:00Z", "17:45", "2026-01-14T17:45:00Z"),
        ("2026-01-14T22:30:00Z", "20m ago", "2026-01-19T11:40:00Z"),
        ("2026-01-14T22:30:00Z", "yesterday 23:00", "2026-01-18T23:00:00Z"),
    ])
    func `R23.7: an amendment reads a bare time in the entry's own night`(
        entry: String, said: String, meant: String
    ) throws {
        let found = try TimeExpression(said).resolve(
            correcting: try Instant(iso8601: entry), now: try Instant(iso8601: "2026-01-19T12:00:00Z"), in: .utc,
            rolloverHour: 18)
        #expect(found == .instant(try Instant(iso8601: meant)))
    }

    @Test func `R23.7: right after the hour of rollover a time just before it is today's`() throws {
        let entry = try Instant(iso8601: "2026-11-27T19:35:00Z")
        for (said, meant) in [("16:50", "2026-11-27T16:50:00Z"), ("18:10", "2026-11-27T18:10:00Z")] {
            let found = try TimeExpression(said).resolve(
                correcting: entry, now: entry + .minutes(5), in: .utc, rolloverHour: 18)
            #expect(found == .instant(try Instant(iso8601: meant)))
        }
        // A time a few minutes ahead of now stays ahead, and is then told as a slip.
        let slip = try TimeExpression("14:40").resolve(
            correcting: try Instant(iso8601: "2026-11-27T14:30:00Z"),
            now: try Instant(iso8601: "2026-11-27T14:35:00Z"), in: .utc, rolloverHour: 18)
        #expect(slip == .instant(try Instant(iso8601: "2026-11-27T14:40:00Z")))
    }

    @Test func `R23.7: of a time that occurs twice in the entry's night somebody must say which`() throws {
        let found = try TimeExpression("02:20").resolve(
            correcting: try Instant(iso8601: "2026-10-24T21:00:00Z"), now: try Instant(iso8601: "2026-10-25T12:00:00Z"),
            in: try SystemZones.zone("Europe/Berlin"), rolloverHour: 18)
        #expect(
            found
                == .repeated(
                    earlier: try Instant(iso8601: "2026-10-25T00:20:00Z"),
                    later: try Instant(iso8601: "2026-10-25T01:20:00Z")))
    }
}
