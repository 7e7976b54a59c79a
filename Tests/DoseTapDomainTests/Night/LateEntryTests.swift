import DoseTapDomain
import Testing

/// R2.3, R8.11, R20.17, R20.22: what is remembered after the check-in, and what is taken back.
struct LateEntryTests {
    /// A morning at 07:10 whose wake of 06:45 and check-in of 07:00 are on record.
    private static func morning(_ earlier: (inout SimulatedMachine) throws -> Void = { _ in }) throws
        -> SimulatedMachine
    {
        var machine = SimulatedMachine.evening()
        machine.pass(until: utc("2026-01-15T06:40:00Z"))
        try earlier(&machine)
        machine.pass(.minutes(5))
        try machine.perform(.logFinalWake)
        machine.pass(.minutes(15))
        try machine.perform(.saveCheckIn(["sleep_quality": 4], night: nil))
        machine.pass(.minutes(10))
        return machine
    }

    private static func doses(_ machine: inout SimulatedMachine) throws {
        for (kind, at) in [(DoseKind.dose1, "2026-01-14T23:00:00Z"), (.dose2, "2026-01-15T02:30:00Z")] {
            try machine.perform(.logDose(kind)) { $0.at = utc(at) }
        }
    }

    @Test func `R2.3 doses remembered after the check-in make the night that they would have made before it`() throws {
        var late = try Self.morning()
        try Self.doses(&late)
        // Before the check-in nothing stands in the way of the same doses.
        var machine = SimulatedMachine.evening()
        machine.pass(until: utc("2026-01-15T06:45:00Z"))
        try machine.perform(.logFinalWake)
        machine.pass(.minutes(5))
        try Self.doses(&machine)
        machine.pass(.minutes(10))
        try machine.perform(.saveCheckIn(["sleep_quality": 4], night: nil))
        for machine in [late, machine] {
            #expect(machine.logState.sessions.count == 1)
            let night = try #require(machine.night)
            #expect(night.dose1?.wall == utc("2026-01-14T23:00:00Z") && night.interval == .minutes(210))
            #expect(NightOutcome(night) == .onTime && night.checkIn != nil)
            #expect(night.end == utc("2026-01-15T07:00:00Z") || night.end == machine.wall)
        }
        // A further event between the doses and the wake is of that night, too.
        try late.perform(.logSleepEvent("bathroom")) { $0.at = utc("2026-01-15T04:00:00Z") }
        #expect(late.logState.sessions.count == 1)
    }

    @Test(arguments: [
        // The start of the night is 06:45: twelve hours before it, a moment more, and another date.
        ("2026-01-14T18:45:00Z", true), ("2026-01-14T18:44:59.999Z", false), ("2026-01-14T17:59:59.999Z", false),
        // It is 07:10: the window of a later dose 1 is not slept through.
        ("2026-01-15T02:40:00Z", true), ("2026-01-15T02:40:00.001Z", false),
    ])
    func `R2.3 a dose 1 of the past joins a night without one from twelve hours before its start, on its date`(
        at: String, joins: Bool
    ) throws {
        var machine = try Self.morning()
        let recording = try machine.performConfirmed(.logDose(.dose1)) { $0.at = utc(at) }
        #expect((recording.primary.sessionID == machine.logState.sessions.last?.id) == joins)
        #expect(machine.logState.sessions.count == (joins ? 1 : 2))
    }

    @Test func `R2.3 a dose of now, or before a night that has one, joins no night that is over`() throws {
        let machine = try Self.morning(Self.doses)
        let night = try #require(machine.night?.id)
        for at in [nil, utc("2026-01-14T22:30:00Z")] {
            var trial = machine
            let recording = try trial.performConfirmed(.logDose(.dose1)) { $0.at = at }
            #expect(recording.primary.sessionID != night)
        }
        // A nap or an entry by day is no night that lacks a dose.
        var day = SimulatedMachine(at: utc("2026-01-14T14:00:00Z"))
        try day.perform(.logSleepEvent("nap_start"))
        day.pass(until: utc("2026-01-14T19:00:00Z"))
        day.settle()
        let recording = try day.performConfirmed(.logDose(.dose1)) { $0.at = utc("2026-01-14T13:30:00Z") }
        #expect(recording.primary.sessionID != day.logState.sessions.last { $0.doses.isEmpty }?.id)
    }

    @Test func `R2.3 a dose 2 of a past night joins the session with dose 1, not that of an entry`() throws {
        var machine = SimulatedMachine(at: utc("2026-01-15T14:00:00Z"))
        let entry = try machine.perform(.logSleepEvent("bathroom")) { $0.at = utc("2026-01-15T02:00:00Z") }.primary
        let first = try machine.performConfirmed(.logDose(.dose1)) { $0.at = utc("2026-01-14T23:00:00Z") }.primary
        #expect(entry.sessionID != first.sessionID)
        var trial = machine
        let skip = try trial.perform(.skipDose2) { $0.at = utc("2026-01-15T02:30:00Z") }.primary
        #expect(skip.sessionID == first.sessionID)
        let second = try machine.perform(.logDose(.dose2)) { $0.at = utc("2026-01-15T02:30:00Z") }.primary
        let wake = try machine.perform(.logFinalWake) { $0.at = utc("2026-01-15T07:30:00Z") }.primary
        #expect(second.sessionID == first.sessionID && wake.sessionID == first.sessionID)
        // The session of the entry began between the doses, and belongs to the night.
        let other = try #require(machine.logState.sessions.first { $0.id == entry.sessionID })
        #expect(machine.logState.night(behind: other)?.id == first.sessionID)
    }

    @Test(arguments: [Command.logSleepEvent("bathroom"), .logFinalWake])
    func `R2.3 R2.4 a dose 1 whose window is open is a live night beside an entry that was closed at once`(
        earlier: Command
    ) throws {
        var machine = SimulatedMachine(at: utc("2026-01-14T18:30:00Z"))
        let entry = try machine.perform(earlier) { $0.at = utc("2026-01-14T14:00:00Z") }.primary
        #expect(machine.logState.open == nil)
        let dose1 = try machine.performConfirmed(.logDose(.dose1)) { $0.at = utc("2026-01-14T16:40:00Z") }.primary
        #expect(dose1.sessionID != entry.sessionID && machine.logState.open?.hasUnresolvedWindow == true)
        machine.pass(.minutes(45))
        #expect(machine.status().window.phase == .active)
        try machine.perform(.logDose(.dose2))
    }

    @Test func `R2.3 R4.1 a dose 1 in a night that was entered later and has one is refused`() throws {
        var machine = SimulatedMachine(at: utc("2026-01-14T18:30:00Z"))
        try machine.perform(.logDose(.dose1)) { $0.at = utc("2026-01-14T13:50:00Z") }
        try machine.perform(.logDose(.dose2)) { $0.at = utc("2026-01-14T16:30:00Z") }
        #expect(machine.logState.open == nil)
        let refused = machine.failure(.logDose(.dose1)) { $0.at = utc("2026-01-14T16:31:00Z") }
        #expect({ if case .refused(.dose1AlreadyTaken, _)? = refused { true } else { false } }(), "\(refused as Any)")
    }

    @Test func `R2.3 beside an open night with a dose 1 a night without one takes no dose and no amended time`() throws
    {
        var machine = SimulatedMachine(at: utc("2026-01-15T02:00:00Z"))
        try machine.perform(.logFinalWake)
        try machine.perform(.saveCheckIn([:], night: nil))
        machine.pass(.minutes(1))
        try machine.perform(.logSleepEvent("bathroom"))
        let open = try #require(machine.logState.open)
        let first = try machine.performConfirmed(.logDose(.dose1)) { $0.at = utc("2026-01-14T23:15:00Z") }.primary
        #expect(first.sessionID == open.id)
        machine.pass(.minutes(3))
        var trial = machine
        #expect(
            try trial.perform(.logDose(.dose2)) { $0.at = utc("2026-01-15T01:55:00Z") }.primary.sessionID == open.id)
        trial = machine
        #expect(trial.failure(.logDose(.dose1)) { $0.at = utc("2026-01-14T20:30:00Z") } != nil)
        try machine.performConfirmed(.amend(first.id)) { $0.at = utc("2026-01-14T23:05:00Z") }
        #expect(machine.logState.open?.dose1?.wall == utc("2026-01-14T23:05:00Z"))
        #expect(machine.logState.sessions.filter { !$0.doses.isEmpty }.count == 1)
    }

    @Test func `R2.3 R4.23 a dose 1 whose window is open joins no night that is over, and asks`() throws {
        var machine = SimulatedMachine(at: utc("2026-01-15T02:00:00Z"))
        try machine.perform(.logFinalWake)
        try machine.perform(.saveCheckIn([:], night: nil))
        let at = utc("2026-01-14T23:15:00Z")
        #expect(machine.questions(.logDose(.dose1)) { $0.at = at } == [.extra])
        try machine.performConfirmed(.logDose(.dose1)) { $0.at = at }
        #expect(machine.logState.open?.dose1?.wall == at && machine.logState.open?.hasUnresolvedWindow == true)
    }

    @Test func `R2.3 a dose of a clock that was wrong does not make its night enclose the days before`() throws {
        var machine = SimulatedMachine(at: utc("2026-01-14T21:35:00Z"))
        try machine.perform(.logDose(.dose1))
        machine.pass(.minutes(160))
        machine.setClock(by: .zero - .hours(40))
        try machine.performConfirmed(.logDose(.dose2))
        machine.setClock(by: .hours(40))
        machine.pass(.hours(8))
        try machine.perform(.logFinalWake)
        try machine.perform(.saveCheckIn([:], night: nil))
        let night = try #require(machine.night?.id)
        let other = try machine.performConfirmed(.logDose(.dose1)) { $0.at = utc("2026-01-13T22:00:00Z") }
        #expect(other.primary.sessionID != night)
    }

    @Test func `R2.3 an evening entry joins the night beside a slip that was deleted`() throws {
        var machine = try Self.morning(Self.doses)
        let night = try #require(machine.night?.id)
        let slip = try machine.performConfirmed(.logFinalWake) { $0.at = utc("2026-01-14T22:40:00Z") }.primary
        #expect(slip.sessionID != night)
        try machine.perform(.delete(slip.id))
        let entry = try machine.perform(.logSleepEvent("lights_out")) { $0.at = utc("2026-01-14T22:45:00Z") }.primary
        #expect(entry.sessionID == night)
    }

    @Test func `R2.3 an evening entry of a night that is over may be amended beside a second sleep`() throws {
        var machine = try Self.morning(Self.doses)
        let night = try #require(machine.night?.id)
        let entry = try machine.perform(.logSleepEvent("lights_out")) { $0.at = utc("2026-01-14T22:45:00Z") }.primary
        #expect(try machine.perform(.logSleepEvent("in_bed")).primary.sessionID != night)
        try machine.perform(.amend(entry.id)) { $0.at = utc("2026-01-14T22:30:00Z") }
        #expect(machine.logState.session(night)?.lightsOut == utc("2026-01-14T22:30:00Z"))
    }

    @Test(arguments: [("2026-01-14T21:15:00Z", true), ("2026-01-14T21:14:59.999Z", false)])
    func `R2.3 an evening entry of another date joins the night from three hours before its start`(
        at: String, joins: Bool
    ) throws {
        // The date changes at midnight.
        var machine = SimulatedMachine.evening()
        machine.rules = .standard { $0.rolloverHour = 0 }
        machine.pass(until: utc("2026-01-15T06:40:00Z"))
        for (kind, at) in [(DoseKind.dose1, "2026-01-15T00:15:00Z"), (.dose2, "2026-01-15T03:00:00Z")] {
            try machine.perform(.logDose(kind)) { $0.at = utc(at) }
        }
        try machine.perform(.logFinalWake)
        try machine.perform(.saveCheckIn([:], night: nil))
        let night = try #require(machine.night?.id)
        let entry = try machine.perform(.logSleepEvent("lights_out")) { $0.at = utc(at) }.primary
        #expect((entry.sessionID == night) == joins)
    }

    @Test func `R8.11 the time of a check-in is corrected over a session that belongs to its night`() throws {
        var machine = try Self.morning(Self.doses)
        let night = try #require(machine.night?.id)
        try machine.perform(.logFinalWake)
        machine.pass(.minutes(30))
        let saved = try machine.perform(.saveCheckIn(["mood": "low"], night: nil)) {
            $0.at = utc("2026-01-15T07:30:00Z")
        }
        #expect(saved.primary.sessionID == night)
    }

    @Test func `R2.3 R9.6 doses that are deleted and said anew after the check-in can be checked in again`() throws {
        var machine = SimulatedMachine(at: utc("2026-01-15T06:00:00Z"))
        func doses(_ first: String) throws {
            try machine.performConfirmed(.logDose(.dose1)) { $0.at = utc(first) }
            try machine.performConfirmed(.logDose(.dose2)) { $0.at = utc("2026-01-15T05:30:00Z") }
        }
        try doses("2026-01-15T02:20:00Z")
        try machine.perform(.saveCheckIn(["mood": "good"], night: nil))
        let night = try #require(machine.night)
        machine.pass(.minutes(5))
        for dose in night.doses.reversed() { try machine.performConfirmed(.delete(dose.id)) }
        // The window of a dose 1 that is not slept through begins a night of its own. Its check-in is not that of the emptied one.
        try doses("2026-01-15T02:00:00Z")
        let saved = try machine.performConfirmed(.saveCheckIn(["mood": "low"], night: nil)).primary
        #expect(saved.sessionID.flatMap { machine.logState.session($0) }?.interval == .minutes(210))
        // One that is slept through goes back into the night of the check-in.
        var late = SimulatedMachine(at: utc("2026-01-15T06:00:00Z"))
        try late.performConfirmed(.logDose(.dose1)) { $0.at = utc("2026-01-15T01:20:00Z") }
        try late.perform(.logFinalWake)
        try late.perform(.saveCheckIn([:], night: nil))
        let first = try #require(late.night)
        try late.performConfirmed(.delete(first.wakes[0].id))
        try late.performConfirmed(.delete(first.doses[0].id))
        let again = try late.performConfirmed(.logDose(.dose1)) { $0.at = utc("2026-01-15T01:00:00Z") }.primary
        #expect(again.sessionID == first.id)
    }

    @Test(arguments: ["in_bed", "lights_out", "bathroom", "pain"])
    func `R2.3 an evening entry that is logged after the check-in makes the night that it would have made before it`(
        word: String
    ) throws {
        let evening = utc("2026-01-14T22:50:00Z")
        var late = try Self.morning(Self.doses)
        // A second wake began a session since.
        try late.perform(.logFinalWake)
        try late.perform(.logSleepEvent(word)) { $0.at = evening }
        let early = try Self.morning {
            try Self.doses(&$0)
            try $0.perform(.logSleepEvent(word)) { $0.at = evening }
        }
        let date = try SessionDate(text: "2026-01-14")
        let nights = try [late, early].map { try #require($0.logState.sessions.first { $0.date == date }) }
        #expect(nights[0].start == nights[1].start && nights[0].end == nights[1].end)
        #expect(nights[0].sleepEvents.map(\.at) == [evening] && nights[1].sleepEvents.map(\.at) == [evening])
        #expect(nights[0].sleepDiary == nights[1].sleepDiary && nights[0].nightScore == nights[1].nightScore)
        #expect(late.logState.sessions.count == 2 && early.logState.sessions.count == 1)
    }

    @Test(arguments: [
        // The night began at 06:45: twelve hours before that, and a moment more. Another date ended at 18:00.
        (false, "2026-01-14T18:45:00Z", true), (false, "2026-01-14T18:44:59.999Z", false),
        (true, "2026-01-14T18:00:00Z", true), (true, "2026-01-14T17:59:59.999Z", false),
    ])
    func `R2.3 a sleep event joins the night that is over from twelve hours before its start, on its date`(
        isDosed: Bool, at: String, joins: Bool
    ) throws {
        var machine = try Self.morning { if isDosed { try Self.doses(&$0) } }
        let night = try #require(machine.night?.id)
        let entry = try machine.perform(.logSleepEvent("lights_out")) { $0.at = utc(at) }.primary
        #expect((entry.sessionID == night) == joins)
        // The final wake of another sleep is no entry that began the night.
        var other = try Self.morning { if isDosed { try Self.doses(&$0) } }
        let wake = try other.performConfirmed(.logFinalWake) { $0.at = utc(at) }.primary
        #expect(wake.sessionID != night)
    }

    @Test func `R8.11 a second sleep of the date, and a sleep by day, keep check-ins of their own`() throws {
        var machine = SimulatedMachine(at: utc("2026-01-14T19:00:00Z"))
        try machine.perform(.logDose(.dose1))
        machine.pass(.hours(3))
        try machine.perform(.logDose(.dose2))
        machine.pass(.minutes(90))
        try machine.perform(.logFinalWake)
        try machine.perform(.saveCheckIn(["sleep_quality": 5], night: nil))
        let first = try #require(machine.night)
        machine.pass(until: utc("2026-01-15T16:04:00Z"))
        try machine.perform(.logFinalWake)
        try machine.perform(.saveCheckIn(["sleep_quality": 1], night: nil))
        #expect(machine.logState.session(first.id)?.checkIn == first.checkIn)

        var day = SimulatedMachine(at: utc("2026-01-14T09:00:00Z"))
        try day.perform(.logSleepEvent("lights_out"))
        let sleep = try #require(day.night?.id)
        day.pass(.hours(3))
        try day.perform(.logFinalWake)
        day.pass(until: utc("2026-01-14T20:00:00Z"))
        day.settle()
        try day.performConfirmed(.logDose(.dose1))
        day.pass(.hours(3))
        try day.perform(.logDose(.dose2))
        day.pass(until: utc("2026-01-15T13:00:00Z"))
        day.settle()
        let saved = try day.perform(.saveCheckIn([:], night: nil)) { $0.at = utc("2026-01-14T12:30:00Z") }
        #expect(saved.primary.sessionID == sleep)
    }

    @Test func `R23.8 an evening entry that is logged after the check-in takes no name from the night`() throws {
        var machine = try Self.morning(Self.doses)
        let date = try #require(machine.night?.date)
        let dose1 = try #require(machine.night?.dose1?.id)
        try machine.perform(.logSleepEvent("lights_out")) { $0.at = utc("2026-01-14T22:50:00Z") }
        #expect(machine.logState.entries(.dose(.dose1)).map(\.id) == [dose1])
        #expect(NextStep(machine.logState, machine.context) == .show(date))
        // Lights out of a new evening belong to no night before.
        machine.pass(until: utc("2026-01-15T22:00:00Z"))
        machine.settle()
        try machine.perform(.logSleepEvent("lights_out"))
        #expect(machine.logState.entries(.dose(.dose1)).isEmpty)
    }

    @Test func `R8.11 no reminder of the check-in comes for a session whose night has one`() throws {
        for isResolved in [true, false] {
            var machine = try Self.morning { if isResolved { try Self.doses(&$0) } }
            try machine.perform(.logFinalWake)
            #expect(machine.logState.sessions.count == 2)
            let told = machine.meetDeadline()
            let due = try #require(told)
            #expect(due.fire.map(\.id) == (isResolved ? [] : [.checkIn]))
            #expect(due.drop.map(\.reason) == (isResolved ? [.resolved] : []))
            let again = machine.meetDeadline()
            #expect(again?.isEmpty == true)
        }
    }

    @Test func `R8.11 a second final wake after the check-in asks for no second check-in`() throws {
        var machine = try Self.morning(Self.doses)
        let night = try #require(machine.night)
        let wake = try machine.perform(.logFinalWake)
        #expect(wake.primary.sessionID != night.id)
        #expect(machine.logState.nightOver(beside: wake.events)?["checked_in"] == true)
        #expect(NextStep(machine.logState, machine.context) == .show(night.date))
        #expect(!machine.status().checkInPending)
        #expect(try machine.perform(.saveCheckIn(["mood": "good"], night: nil)).primary.sessionID == night.id)
        // The wake of the next morning has a check-in of its own.
        machine.pass(until: utc("2026-01-16T07:00:00Z"))
        machine.settle()
        try machine.perform(.logFinalWake)
        #expect(NextStep(machine.logState, machine.context) == .checkIn)
        #expect(try machine.perform(.saveCheckIn([:], night: nil)).primary.sessionID != night.id)
    }

    @Test func `R8.11 the check-in of a sleep by day is that of the night with the doses`() throws {
        var machine = SimulatedMachine(at: utc("2026-01-14T16:25:00Z"))
        try machine.perform(.logDose(.dose1))
        machine.pass(.minutes(180))
        machine.settle()
        try machine.perform(.logDose(.dose2))
        let night = try #require(machine.night)
        machine.pass(.minutes(60))
        machine.settle()
        #expect(machine.logState.session(night.id)?.isOpen == false)
        try machine.perform(.logFinalWake)
        #expect(machine.logState.sessions.count == 2)
        #expect(machine.status().checkInPending)
        #expect(try machine.perform(.saveCheckIn([:], night: nil)).primary.sessionID == night.id)
        #expect(!machine.status().checkInPending)
        #expect(NextStep(machine.logState, machine.context) == .show(night.date))
    }

    @Test(arguments: [Command.undo, .delete(EventID("")), .logSleepEvent("water"), .snooze])
    func `R20.17 for ten minutes after a dose was taken back no dose is proposed, whatever else is recorded`(
        next: Command
    ) throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        let dose = try machine.perform(.logDose(.dose2)).primary.id
        if case .delete = next { try machine.perform(.delete(dose)) } else { try machine.perform(.undo) }
        if next == .logSleepEvent("water") || next == .snooze { try machine.perform(next) }
        #expect(NextStep(machine.logState, machine.context) == .status, "\(next)")
        #expect(machine.replayed.allSatisfy { NextStep($0, machine.context) == .status })
        machine.pass(.minutes(11))
        #expect(NextStep(machine.logState, machine.context) == .logDose(.dose2))
    }

    @Test func `R20.17 after a second final wake was undone the check-in of the night is still proposed`() throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        try machine.perform(.logDose(.dose2))
        machine.pass(.hours(4))
        try machine.perform(.logFinalWake)
        machine.pass(.seconds(15))
        try machine.perform(.saveCheckIn([:], night: nil))
        machine.pass(.seconds(15))
        try machine.perform(.logFinalWake)
        let date = try #require(machine.night?.date)
        try machine.perform(.undo)
        #expect(NextStep(machine.logState, machine.context) == .show(date))
        try machine.performConfirmed(.undo)
        #expect(NextStep(machine.logState, machine.context) == .checkIn)
        // The wake itself is not proposed again.
        try machine.performConfirmed(.undo)
        #expect(NextStep(machine.logState, machine.context) == .status)
    }

    @Test(arguments: [Command.logDose(.dose2), .logDose(.extra), .skipDose2])
    func `R20.16 a time before dose 1 of a night that is over is told as that, and a skip beside its dose 2 as that`(
        command: Command
    ) throws {
        var machine = try Self.morning(Self.doses)
        let night = try #require(machine.night)
        guard case .refused(.order, let refusal)? = machine.failure(command, { $0.at = utc("2026-01-14T22:30:00Z") })
        else {
            Issue.record("no order")
            return
        }
        #expect(refusal.existing == night.dose1?.id && refusal.existingAt == night.dose1?.wall)
        guard command == .skipDose2 else { return }
        guard case .refused(.dose2AlreadyTaken, let taken)? = machine.failure(.skipDose2) else {
            Issue.record("no dose 2")
            return
        }
        #expect(taken.existing == night.dose2?.id)
    }

    @Test func `R20.22 a dose 2 that was taken off is told though dose 1 was recorded anew`() throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        let first = try #require(machine.night?.dose1?.id)
        let second = try machine.perform(.logDose(.dose2)).primary.id
        let at = machine.wall
        for id in [second, first] { try machine.perform(.delete(id)) }
        #expect(NextStep(machine.logState, machine.context) == .status)
        machine.pass(.minutes(15))
        try machine.performConfirmed(.logDose(.dose1))
        let removed = try #require(machine.status().removedDose)
        #expect(removed.kind == .dose2 && removed.at == at)
    }
}
