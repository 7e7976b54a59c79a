import DoseTapDomain
import Testing

/// R2.6–R2.9, R2.15: when a night is over.
struct ClosingTests {
    struct Night: Sendable {
        var start: String
        var rules = NightRules.standard
        var end: String
        var state: TerminalState
    }

    static let nights = [
        Night(start: "2026-01-14T22:00:00Z", end: "2026-01-15T11:00:00Z", state: .incompleteMissedCheckin),
        Night(start: "2026-01-15T06:59:59.999Z", end: "2026-01-15T11:00:00Z", state: .incompleteMissedCheckin),
        Night(start: "2026-01-15T07:00:00Z", end: "2026-01-15T18:00:00Z", state: .incompletePrepRollover),
        Night(start: "2026-01-15T17:59:59.999Z", end: "2026-01-15T18:00:00Z", state: .incompletePrepRollover),
        Night(start: "2026-01-15T18:00:00Z", end: "2026-01-16T11:00:00Z", state: .incompleteMissedCheckin),
        Night(
            start: "2026-01-14T22:00:00Z", rules: .standard { $0.checkInCutoffHours = 12 },
            end: "2026-01-15T18:00:00Z", state: .incompletePrepRollover),
        Night(
            start: "2026-01-14T22:00:00Z", rules: .standard { $0.checkInCutoffHours = 11 },
            end: "2026-01-15T18:00:00Z", state: .incompleteMissedCheckin),
    ]

    @Test(arguments: nights)
    func `R2.6 R2.7 the earlier of missed check-in and prep time closes at its own instant`(night: Night) throws {
        for late in [Duration.zero, .hours(100)] {
            var machine = SimulatedMachine(at: utc(night.start), rules: night.rules)
            try machine.perform(.logFinalWake)
            machine.pass(until: utc(night.end) - .milliseconds(1))
            machine.settle()
            #expect(machine.night?.isOpen == true)
            let next = CommandHandler.nextDeadline(machine.logState, machine.context, deliversReminders: false)
            #expect(next == utc(night.end))
            machine.pass(.milliseconds(1) + late)
            machine.settle()
            #expect(machine.night?.end == utc(night.end))
            #expect(machine.night?.terminalState == night.state)
            #expect(machine.logState.open == nil)
            #expect(machine.settle().isEmpty)
            #expect(CommandHandler.nextDeadline(machine.logState, machine.context) == nil)
        }
    }

    @Test(arguments: [Command.logDose(.dose2), .skipDose2])
    func `R2.8 a dose 1 at 17:30 survives the prep time and closes when its window is resolved`(
        command: Command
    ) throws {
        var machine = SimulatedMachine(at: utc("2026-01-14T17:30:00Z"))
        try machine.perform(.logDose(.dose1))
        machine.pass(until: utc("2026-01-14T20:15:00Z"))
        #expect(machine.settle().isEmpty)
        #expect(machine.status().window.phase == .active)
        #expect(machine.night?.pendingReminders.isEmpty == false)
        let recording = try machine.perform(command)
        #expect(machine.night?.end == recording.primary.effectiveAt)
        #expect(machine.night?.terminalState == .incompletePrepRollover)
        #expect(recording.events.last?.payload.cause == recording.primary.id)
    }

    @Test func `R2.8 a slept-through window closes such a night at 270 minutes`() throws {
        var machine = SimulatedMachine(at: utc("2026-01-14T17:30:00Z"))
        try machine.perform(.logDose(.dose1))
        machine.pass(.hours(30))
        machine.settle()
        #expect(machine.night?.end == utc("2026-01-14T22:00:00Z"))
        #expect(machine.night?.terminalState == .incompleteSleptThrough)
    }

    @Test func `R2.8 a window resolved before the prep time closes the night at the prep time`() throws {
        var machine = SimulatedMachine(at: utc("2026-01-14T14:00:00Z"))
        try machine.perform(.logDose(.dose1))
        machine.pass(.minutes(160))
        try machine.perform(.logDose(.dose2))
        machine.pass(.hours(3))
        machine.settle()
        #expect(machine.night?.end == utc("2026-01-14T18:00:00Z"))
    }

    @Test func `R2.9 a night closed by time goes on when what resolved its window is taken back`() throws {
        for isUndo in [true, false] {
            var machine = SimulatedMachine(at: utc("2026-01-14T17:30:00Z"))
            try machine.perform(.logDose(.dose1))
            machine.pass(until: utc("2026-01-14T17:59:50Z"))
            let skip = try machine.perform(.skipDose2)
            machine.pass(.seconds(20))
            machine.settle()
            #expect(machine.night?.end == utc("2026-01-14T18:00:00Z"))
            try machine.perform(isUndo ? .undo : .delete(skip.primary.id))
            #expect(machine.night?.isOpen == true)
            #expect(machine.night?.pendingReminders.isEmpty == false)
            machine.pass(.hours(9))
            machine.settle()
            #expect(machine.night?.end == utc("2026-01-14T22:00:00Z"))
            #expect(machine.night?.terminalState == .incompleteSleptThrough)
        }
    }

    @Test func `R2.9 it does not go on beside a later open night`() throws {
        var machine = SimulatedMachine(at: utc("2026-01-14T17:30:00Z"))
        try machine.perform(.logDose(.dose1))
        let first = try #require(machine.night)
        machine.pass(.minutes(20))
        let skip = try machine.perform(.skipDose2)
        machine.pass(.minutes(15))
        try machine.perform(.logFinalWake)
        let second = try #require(machine.logState.open)
        #expect(second.id != first.id)
        machine.pass(.minutes(5))
        try machine.perform(.delete(skip.primary.id))
        #expect(machine.logState.open?.id == second.id)
        #expect(machine.logState.sessions.filter(\.isOpen).count == 1)
    }

    @Test func `R2.14 a final wake before dose 1 ended another sleep: the night goes as it would without that wake`()
        throws
    {
        func night(_ wakes: Bool) throws -> SimulatedMachine {
            var machine = SimulatedMachine(at: utc("2026-01-14T18:20:00Z"))
            if wakes { try machine.perform(.logFinalWake) } else { try machine.perform(.logSleepEvent("water")) }
            #expect((machine.status().window.phase == .finalizing) == wakes)
            machine.pass(until: utc("2026-01-14T22:30:00Z"))
            try machine.perform(.logDose(.dose1))
            machine.pass(.minutes(100))
            #expect(machine.status().window.phase == .beforeWindow)
            // As of the time between the two the wake was the last word.
            #expect(
                (machine.status(at: utc("2026-01-14T20:00:00Z")).window.phase == .finalizing) == wakes)
            machine.pass(.minutes(61))
            #expect(machine.status().window.phase == .active && machine.status().next?.code == .logDose2)
            try machine.perform(.snooze)
            try machine.perform(.logDose(.dose2))
            #expect(machine.night?.terminalState == nil)
            machine.pass(until: utc("2026-01-15T06:40:00Z"))
            try machine.perform(.logFinalWake)
            #expect(machine.night?.terminalState == .finalizingWake)
            machine.pass(.minutes(20))
            #expect(machine.failure(.logFinalWake) != nil)
            try machine.perform(.saveCheckIn([:], night: nil))
            return machine
        }
        let (with, without) = (try night(true), try night(false))
        #expect(with.logState.sessions.count == 1 && with.night?.wakes.count == 2)
        #expect(with.night?.nightScore == without.night?.nightScore && with.night?.terminalState == .checkinCompleted)
    }

    @Test func `R2.14 a wake before dose 1 asks and refuses nothing, and an amendment that makes it final asks`() throws
    {
        var machine = SimulatedMachine(at: utc("2026-01-14T18:30:00Z"))
        let wake = try machine.perform(.logFinalWake).primary
        machine.pass(until: utc("2026-01-14T22:00:00Z"))
        let dose1 = try machine.perform(.logDose(.dose1)).primary
        machine.pass(.minutes(5))
        #expect(machine.questions(.amend(wake.id)) { $0.at = utc("2026-01-14T22:04:00Z") } == [.windowUnresolved])
        #expect(machine.questions(.amend(dose1.id)) { $0.at = utc("2026-01-14T18:10:00Z") }.contains(.windowUnresolved))
        #expect(machine.questions(.amend(wake.id)) { $0.at = utc("2026-01-14T19:00:00Z") } == [])
        machine.pass(.minutes(160))
        try machine.perform(.logDose(.dose2))
        machine.pass(until: utc("2026-01-15T07:00:00Z"))
        try machine.perform(.logFinalWake)
        machine.pass(.minutes(5))
        try machine.perform(.logFinalWake) { $0.at = utc("2026-01-14T19:30:00Z") }
        #expect(machine.night?.wakes.count == 3)
    }

    @Test func `R2.14 R9.7 an open window is asked about by a wake and a check-in of the night before, too`() throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        try machine.perform(.logDose(.dose2))
        let before = try #require(machine.night)
        machine.pass(until: utc("2026-01-15T22:00:00Z"))
        machine.settle()
        #expect(machine.questions(.saveCheckIn([:], night: before.date.text)) == [], "no window is open")
        try machine.perform(.undo)
        try machine.perform(.logDose(.dose1))
        machine.pass(.minutes(60))
        #expect(machine.questions(.logFinalWake) { $0.at = utc("2026-01-15T06:00:00Z") } == [.windowUnresolved])
        #expect(machine.questions(.saveCheckIn([:], night: before.date.text)) == [.windowUnresolved])
        #expect(
            machine.questions(.saveCheckIn([:], night: nil)) { $0.at = utc("2026-01-15T06:10:00Z") }
                == [.windowUnresolved])
        let pending = machine.night?.pendingReminders
        try machine.perform(.logFinalWake) { options in
            options.at = utc("2026-01-15T06:00:00Z")
            options.confirmations = [.windowUnresolved]
        }
        #expect(machine.logState.session(before.id)?.wakes.count == 1 && machine.night?.pendingReminders == pending)
    }

    @Test func `R2.14 the final wake asks for an unresolved window and leaves its reminders running`() throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        #expect(machine.questions(.logFinalWake) == [.windowUnresolved])
        let before = machine.night?.pendingReminders
        try machine.perform(.logFinalWake) { $0.confirmations = [.windowUnresolved] }
        #expect(machine.night?.terminalState == .finalizingWake)
        #expect(machine.status().window.phase == .finalizing)
        #expect(machine.night?.pendingReminders == before)
        machine.pass(until: utc("2026-01-15T00:45:00Z"))
        #expect(machine.meetDeadline()?.fire.map(\.id) == [.alarm, .checkIn])
        machine.pass(.minutes(1))
        #expect(machine.refusal(.logFinalWake) == .phase)
        #expect(machine.failure(.skipDose2) == nil)
        #expect(machine.night?.pendingReminders == [])
    }

    @Test func `R2.14 a resolved or once-nightly window asks nothing at the final wake`() throws {
        var taken = try SimulatedMachine.after(.minutes(160))
        try taken.perform(.logDose(.dose2))
        #expect(taken.failure(.logFinalWake) == nil)
        var once = try SimulatedMachine.after(.minutes(160), rules: .oneDose)
        #expect(once.failure(.logFinalWake) == nil)
        var slept = try SimulatedMachine.after(.minutes(270))
        #expect(slept.failure(.logFinalWake) == nil)
        #expect(slept.night?.terminalState == .finalizingWake)
    }

    @Test func `R2.15 a missed check-in replaces finalizing, not slept through`() throws {
        var wake = try SimulatedMachine.after(.minutes(160))
        try wake.perform(.logDose(.dose2))
        try wake.perform(.logFinalWake)
        wake.pass(.hours(20))
        wake.settle()
        #expect(wake.night?.terminalState == .incompleteMissedCheckin)
        var slept = try SimulatedMachine.after(.minutes(270))
        slept.pass(.hours(20))
        slept.settle()
        #expect(slept.night?.terminalState == .incompleteSleptThrough)
    }

    @Test func `R2.6, R2.20 changed settings of the open night move its closing`() throws {
        var machine = try SimulatedMachine.after(.minutes(300))
        machine.setRules(.standard { $0.checkInCutoffHours = 1 })
        machine.pass(.hours(20))
        machine.settle()
        #expect(machine.night?.end == utc("2026-01-15T08:00:00Z"))
    }
}
