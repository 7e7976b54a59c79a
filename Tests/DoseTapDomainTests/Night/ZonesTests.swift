import DoseTapDomain
import Testing

/// R1 and what clock changes do to a night: the key follows the local clock, the window never does.
struct ZonesTests {
    struct Place: Sendable, CustomTestStringConvertible {
        var zone: String
        var dose1: String
        var date: String
        /// The end of a night without a check-in: 11:00 local after the wake time.
        var end: String

        var testDescription: String { "\(zone) \(dose1)" }
    }

    static let nights = [
        // Clocks go forward between the doses.
        Place(
            zone: "America/New_York", dose1: "2026-03-08T00:30:00-05:00", date: "2026-03-07",
            end: "2026-03-08T11:00:00-04:00"),
        Place(
            zone: "Europe/Berlin", dose1: "2026-03-29T00:30:00+01:00", date: "2026-03-28",
            end: "2026-03-29T11:00:00+02:00"),
        Place(
            zone: "Australia/Lord_Howe", dose1: "2026-10-04T00:30:00+10:30", date: "2026-10-03",
            end: "2026-10-04T11:00:00+11:00"),
        Place(
            zone: "Africa/Casablanca", dose1: "2026-03-22T00:30:00+00:00", date: "2026-03-21",
            end: "2026-03-22T11:00:00+01:00"),
        // Local midnight does not exist.
        Place(
            zone: "America/Sao_Paulo", dose1: "2018-11-03T23:30:00-03:00", date: "2018-11-03",
            end: "2018-11-04T11:00:00-02:00"),
        // Clocks go back between the doses.
        Place(
            zone: "America/New_York", dose1: "2026-11-01T00:30:00-04:00", date: "2026-10-31",
            end: "2026-11-01T11:00:00-05:00"),
        Place(
            zone: "Europe/Berlin", dose1: "2026-10-25T00:30:00+02:00", date: "2026-10-24",
            end: "2026-10-25T11:00:00+01:00"),
        Place(
            zone: "Australia/Lord_Howe", dose1: "2026-04-05T00:30:00+11:00", date: "2026-04-04",
            end: "2026-04-05T11:00:00+10:30"),
        Place(
            zone: "Africa/Casablanca", dose1: "2026-02-15T00:30:00+01:00", date: "2026-02-14",
            end: "2026-02-15T11:00:00+00:00"),
        Place(
            zone: "America/Sao_Paulo", dose1: "2018-02-17T22:30:00-02:00", date: "2018-02-17",
            end: "2018-02-18T11:00:00-03:00"),
        // A whole day is left out.
        Place(
            zone: "Pacific/Apia", dose1: "2011-12-29T22:30:00-10:00", date: "2011-12-29",
            end: "2011-12-31T11:00:00+14:00"),
        // Ends of years and leap days.
        Place(
            zone: "Europe/Berlin", dose1: "2026-12-31T22:30:00+01:00", date: "2026-12-31",
            end: "2027-01-01T11:00:00+01:00"),
        Place(
            zone: "Europe/Berlin", dose1: "2027-01-01T00:10:00+01:00", date: "2026-12-31",
            end: "2027-01-01T11:00:00+01:00"),
        Place(
            zone: "America/New_York", dose1: "2028-02-28T22:30:00-05:00", date: "2028-02-28",
            end: "2028-02-29T11:00:00-05:00"),
        Place(
            zone: "America/New_York", dose1: "2028-03-01T01:30:00-05:00", date: "2028-02-29",
            end: "2028-03-01T11:00:00-05:00"),
        Place(
            zone: "America/New_York", dose1: "2027-03-01T01:30:00-05:00", date: "2027-02-28",
            end: "2027-03-01T11:00:00-05:00"),
    ]

    @Test(arguments: nights)
    func `R1.5 clock changes leave the window alone and move the closing with the local clock`(place: Place) throws {
        let zone = try SystemZones.zone(place.zone)
        var machine = SimulatedMachine(at: utc(place.dose1), zone: zone)
        try machine.perform(.logDose(.dose1))
        #expect(machine.night?.date.text == place.date)
        for (minutes, phase) in [
            (149, Phase.beforeWindow), (150, .active), (224, .active), (225, .nearClose), (239, .nearClose),
            (240, .closed),
        ] {
            var then = machine
            then.pass(.minutes(minutes))
            #expect(then.status().window.phase == phase)
        }
        machine.pass(.minutes(165))
        #expect(machine.meetDeadline()?.fire.map(\.id) == [.alarm])
        let dose2 = try machine.perform(.logDose(.dose2))
        #expect(machine.night?.interval == .minutes(165))
        #expect(machine.night?.date.text == place.date)
        #expect(dose2.primary.localOffsetMinutes == zone.offsetMinutes(at: machine.wall))
        machine.pass(.hours(48))
        machine.settle()
        #expect(machine.night?.end == utc(place.end))
    }

    struct Key: Sendable {
        var zone: String
        var at: String
        var hour = 18
        var date: String
    }

    @Test(arguments: [
        Key(zone: "America/New_York", at: "2026-01-14T17:59:59.999-05:00", date: "2026-01-13"),
        Key(zone: "America/New_York", at: "2026-01-14T18:00:00.000-05:00", date: "2026-01-14"),
        Key(zone: "America/New_York", at: "2026-02-14T23:00:00Z", date: "2026-02-14"),
        Key(zone: "America/Los_Angeles", at: "2026-02-14T23:00:00Z", date: "2026-02-13"),
        Key(zone: "America/Sao_Paulo", at: "2018-11-04T01:30:00-02:00", date: "2018-11-03"),
        Key(zone: "Pacific/Apia", at: "2011-12-31T00:00:00+14:00", date: "2011-12-29"),
        Key(zone: "Pacific/Apia", at: "2011-12-31T18:00:00+14:00", date: "2011-12-31"),
        Key(zone: "Europe/Berlin", at: "2026-01-01T00:00:00+01:00", hour: 0, date: "2026-01-01"),
        Key(zone: "Europe/Berlin", at: "2026-01-01T22:59:59+01:00", hour: 23, date: "2025-12-31"),
        Key(zone: "Europe/Berlin", at: "2026-10-25T02:30:00+02:00", hour: 2, date: "2026-10-25"),
        Key(zone: "Europe/Berlin", at: "2026-10-25T02:30:00+01:00", hour: 2, date: "2026-10-25"),
    ])
    func `R1.1 R1.2 R1.3 the key is the date whose rollover hour was last reached`(key: Key) throws {
        var machine = SimulatedMachine(
            at: utc(key.at), zone: try SystemZones.zone(key.zone), rules: .standard { $0.rolloverHour = key.hour })
        try machine.perform(.logFinalWake)
        #expect(machine.night?.date.text == key.date)
    }

    @Test func `R23.15 refusals, questions, receipts and explanations have the zone of their night`() throws {
        let (berlin, newYork) = (try SystemZones.zone("Europe/Berlin"), try SystemZones.zone("America/New_York"))
        var machine = SimulatedMachine(at: utc("2026-01-14T22:00:00+01:00"), zone: berlin)
        machine.knownZones = [berlin]
        try machine.perform(.logDose(.dose1))
        machine.pass(.minutes(100))
        machine.zone = newYork
        guard case .needsConfirmation(let question)? = machine.failure(.logDose(.dose2)),
            case .refused(.dose1AlreadyTaken, let refusal)? = machine.failure(.logDose(.dose1)),
            case .refused(.phase, let tooSoon)? = machine.failure(.snooze)
        else {
            Issue.record("nothing is in the way")
            return
        }
        #expect(question.zone == berlin && refusal.zone == berlin && tooSoon.zone == berlin)
        // A time ahead is told as it was said.
        let later = machine.wall + .hours(1)
        guard case .refused(.future, let ahead)? = machine.failure(.logDose(.dose2), { $0.at = later }) else {
            Issue.record("no future")
            return
        }
        #expect(ahead.zone == nil)
        machine.pass(.minutes(60))
        let dose2 = try machine.perform(.logDose(.dose2)).primary
        let night = try #require(machine.night)
        let receipt = Receipt(dose2, session: night, duplicate: false, clock: machine.clock)
        #expect(receipt.timeZone == "America/New_York" && receipt.nightZone == "Europe/Berlin")
        #expect(try Receipt(json: receipt.json) == receipt)
        let undone = Receipt(dose2, session: nil, gone: night, duplicate: false, clock: machine.clock)
        #expect(undone.nightZone == "Europe/Berlin")
        let explanation = Explanation(dose2, sequence: nil, among: night.events)
        #expect(explanation.timeZone == "America/New_York" && explanation.nightZone == "Europe/Berlin")
        #expect(try Explanation(json: explanation.json) == explanation)
        let dose1 = try #require(night.dose1).event
        #expect(Receipt(dose1, session: night, duplicate: false, clock: machine.clock).nightZone == nil)
        #expect(Explanation(dose1, sequence: nil, among: night.events).nightZone == nil)
    }

    @Test func `R1.4 travel in the middle of a night changes neither key nor window nor closing`() throws {
        let (berlin, newYork) = (try SystemZones.zone("Europe/Berlin"), try SystemZones.zone("America/New_York"))
        for known in [true, false] {
            var machine = SimulatedMachine(at: utc("2026-01-14T22:00:00+01:00"), zone: berlin)
            try machine.perform(.logDose(.dose1))
            let plan = machine.night?.reminders
            machine.pass(.minutes(160))
            machine.zone = newYork
            if known { machine.knownZones = [berlin] }
            #expect(machine.status().window.phase == .active)
            #expect(machine.night?.reminders == plan)
            let dose2 = try machine.perform(.logDose(.dose2))
            #expect(dose2.primary.timeZone == "America/New_York" && dose2.primary.localOffsetMinutes == -300)
            #expect(machine.night?.date.text == "2026-01-14" && machine.night?.timeZone == "Europe/Berlin")
            machine.pass(.hours(48))
            machine.settle()
            // A machine that no longer knows the session's zone goes by the zone in force, where the prep
            // time has passed: the window put the closing off until it was resolved.
            #expect(machine.night?.end == utc(known ? "2026-01-15T11:00:00+01:00" : "2026-01-15T00:40:00+01:00"))
        }
    }
}
