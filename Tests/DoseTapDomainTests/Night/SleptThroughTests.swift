import DoseTapDomain
import Testing

/// R2.10–R2.13: nights without a dose 2 and without a person's skip.
struct SleptThroughTests {
    @Test(arguments: [Duration.zero, .hours(3), .hours(60)])
    func `R2.10 at exactly 270 minutes dose 2 counts as skipped, however late that is noticed`(late: Duration) throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.logDose(.dose1))
        machine.pass(.minutes(270, milliseconds: -1))
        #expect(machine.settle().isEmpty)
        #expect(machine.night?.hasUnresolvedWindow == true)
        machine.pass(.milliseconds(1) + late)
        let event = try #require(machine.settle().first)
        #expect(event.effectiveAt == utc("2026-01-15T02:30:00Z"))
        #expect(event.surface == .service && event.payload.cause == nil)
        let night = try #require(machine.night)
        #expect(night.skips.map(\.isAutomatic) == [true])
        #expect(night.skips.first?.reason == "slept_through")
        #expect(night.terminalState == .incompleteSleptThrough)
        #expect(night.isOpen == (late < .hours(8)))
        #expect(night.reminders.isEmpty)
        let metadata = try #require(night.skips.first.map(night.metadata(of:)))
        #expect(metadata["reason"] == "slept_through")
        #expect(metadata["automatic"] == true)
        #expect(metadata["source"] == "automatic")
    }

    @Test func `R2.11 never for a once-nightly night`() throws {
        var machine = try SimulatedMachine.after(.minutes(400), rules: .oneDose)
        #expect(machine.night?.skips.isEmpty == true)
        #expect(machine.night?.terminalState == nil)
        machine.pass(.hours(10))
        machine.settle()
        #expect(machine.night?.terminalState == .incompleteMissedCheckin)
    }

    @Test(arguments: [
        ("2026-01-15T00:30:00Z", []), ("2026-01-15T01:59:59.999Z", []), ("2026-01-15T02:00:00Z", [Confirmation.late]),
        ("2026-01-15T02:30:00Z", [.late]), ("2026-01-15T04:30:00Z", [.late]),
    ])
    func `R2.12 a dose 2 entered later supersedes the automatic skip and is never asked about it`(
        text: String, asked: [Confirmation]
    ) throws {
        for hours in [7, 20] {
            var machine = try SimulatedMachine.after(.hours(hours))
            #expect(machine.questions(.logDose(.dose2)) { $0.at = utc(text) } == asked)
            try machine.performConfirmed(.logDose(.dose2)) { $0.at = utc(text) }
            let night = try #require(machine.night)
            #expect(!night.isDose2Skipped)
            #expect(night.skips.count == 1, "the superseded skip stays")
            #expect(night.terminalState == (hours == 7 ? nil : .incompleteMissedCheckin))
        }
    }

    @Test func `R20.12 the automatic skip is shown as no act, and not at all once a dose took its place`() throws {
        var machine = try SimulatedMachine.after(.minutes(300))
        var night = try #require(machine.night)
        #expect(NightRecord(night).entries.map(\.type) == ["dose1", NightRecord.notRecorded])
        #expect(!NightSummary(night).dose2Skipped && NightOutcome(night) == .notRecorded && night.isDose2Skipped)
        #expect(!machine.status().dose2Skipped && machine.status().outcome == .notRecorded)
        try machine.performConfirmed(.logDose(.dose2))
        night = try #require(machine.night)
        #expect(NightRecord(night).entries.map(\.type) == ["dose1", "dose2"])
    }

    @Test func `R2.13 an automatic skip goes stale with the dose 1 it was derived from`() throws {
        var machine = try SimulatedMachine.after(.minutes(275))
        let dose1 = try #require(machine.night?.dose1)
        try machine.perform(.amend(dose1.id)) { $0.at = utc("2026-01-14T22:20:00Z") }
        #expect(machine.night?.skips.isEmpty == true)
        #expect(machine.night?.terminalState == nil)
        #expect(machine.status().window.phase == .closed)
        machine.pass(.minutes(15))
        machine.settle()
        #expect(machine.night?.skips.map(\.at) == [utc("2026-01-15T02:50:00Z")])
        try machine.perform(.delete(dose1.id))
        #expect(machine.night?.skips.isEmpty == true)
        #expect(machine.status().window.phase == .noDose1)
    }

    @Test func `R2.13 in a night that is over it is derived anew at once`() throws {
        var machine = try SimulatedMachine.after(.hours(20))
        let dose1 = try #require(machine.night?.dose1)
        let end = try #require(machine.night?.end)
        try machine.perform(.amend(dose1.id)) { $0.at = utc("2026-01-14T22:20:00Z") }
        #expect(machine.night?.skips.map(\.at) == [utc("2026-01-15T02:50:00Z")])
        #expect(machine.night?.end == end)
        #expect(machine.night?.terminalState == .incompleteSleptThrough)
    }

    @Test func `R2.13 an amendment taken back brings the automatic skip back`() throws {
        var machine = try SimulatedMachine.after(.minutes(275))
        let before = try #require(machine.night)
        try machine.perform(.amend(before.doses[0].id)) { $0.at = utc("2026-01-14T22:20:00Z") }
        machine.pass(.seconds(30))
        try machine.perform(.undo)
        #expect(machine.night?.skips == before.skips)
        #expect(machine.night?.terminalState == .incompleteSleptThrough)
    }

    @Test func `R2.13 a deleted automatic skip is derived anew: the rule still holds`() throws {
        var machine = try SimulatedMachine.after(.minutes(275))
        let skip = try #require(machine.night?.skips.first)
        try machine.perform(.delete(skip.id))
        #expect(machine.night?.skips.map(\.at) == [skip.at])
        #expect(machine.night?.skips.first?.id != skip.id)
    }
}
