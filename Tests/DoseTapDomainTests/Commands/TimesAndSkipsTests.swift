import DoseTapDomain
import Testing

/// R4.15–R4.22: snooze and skip, and times other than now.
struct TimesAndSkipsTests {
    @Test func `R20.17 a second session of a date, confirmed as one dose too many, proposes no dose 2`() throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.logDose(.dose1))
        machine.pass(.minutes(180))
        try machine.perform(.logDose(.dose2))
        machine.pass(.minutes(240))
        try machine.perform(.saveCheckIn([:], night: nil))
        machine.pass(.minutes(60))
        try machine.performConfirmed(.logDose(.dose1))
        machine.pass(.minutes(160))
        #expect(machine.status().window.phase == .active)
        #expect(NextStep(machine.logState, machine.context) == .status)
    }

    @Test(arguments: [
        (Duration.minutes(150, milliseconds: -1), BlockReason?.some(.phase)), (.minutes(150), nil),
        (.minutes(215), nil), (.minutes(215, milliseconds: 1), .nearClose), (.minutes(225), .nearClose),
        (.minutes(240), .phase),
    ])
    func `R4.15 a snooze is for the active phase and never moves the alarm past 225`(
        elapsed: Duration, refused: BlockReason?
    ) throws {
        var machine = try SimulatedMachine.after(elapsed)
        #expect(machine.refusal(.snooze) == refused)
    }

    @Test func `R4.15 a snooze up to 225 exactly is allowed`() throws {
        var machine = try SimulatedMachine.after(
            .minutes(155),
            rules: .standard {
                $0.targetMinutes = 210; $0.snoozeStepMinutes = 15
            })
        #expect(machine.failure(.snooze) == nil)
        #expect(machine.night?.alarm == .minutes(225))
        machine.pass(.minutes(1))
        #expect(machine.refusal(.snooze) == .nearClose)
    }

    @Test func `R4.16 snoozes of the whole night count against the limit, also those said to be earlier`() throws {
        var machine = try SimulatedMachine.after(.minutes(160), rules: .standard { $0.maximumSnoozes = 2 })
        try machine.perform(.snooze)
        machine.pass(.minutes(1))
        try machine.perform(.snooze)
        machine.pass(.minutes(1))
        let rings = machine.night.flatMap { night in night.dose1.map { $0.at + night.alarm } }
        #expect(rings != nil)
        var refusal = Refusal(phase: .active, alarm: rings)
        refusal.zone = machine.zone
        #expect(machine.failure(.snooze) == .refused(.snoozeLimit, refusal))
        #expect(machine.refusal(.snooze) { $0.at = utc("2026-01-15T00:35:00Z") } == .snoozeLimit)
        var off = try SimulatedMachine.after(.minutes(160), rules: .standard { $0.maximumSnoozes = 0 })
        #expect(off.refusal(.snooze) == .snoozeOff)
        off.pass(.minutes(5))
        refusal.alarm = nil
        #expect(off.failure(.snooze) == .refused(.snoozeOff, refusal), "it has rung")
    }

    @Test func `R4.17 a skip is blocked after dose 2, after a skip and before dose 1, else allowed in any phase`()
        throws
    {
        for minutes in [0, 100, 150, 230, 245] {
            var machine = try SimulatedMachine.after(.minutes(minutes))
            #expect(machine.failure(.skipDose2) == nil)
            machine.pass(.minutes(1))
            #expect(machine.refusal(.skipDose2) == .alreadySkipped)
            #expect(machine.refusal(.snooze) == .dose2TakenOrSkipped)
        }
        var machine = try SimulatedMachine.after(.minutes(160))
        #expect(machine.refusal(.skipDose2) { $0.at = utc("2026-01-14T21:59:59.999Z") } == .order)
        try machine.perform(.logDose(.dose2))
        #expect(machine.refusal(.skipDose2) == .dose2AlreadyTaken)
        #expect(machine.refusal(.snooze) == .dose2TakenOrSkipped)
        var slept = try SimulatedMachine.after(.minutes(271))
        #expect(slept.refusal(.skipDose2) == .alreadySkipped)
    }

    @Test(arguments: [275, 1_200])
    func `R4.17, R2.13 a skip said to be before the automatic one takes its place, until it is taken back`(
        minutes: Int
    ) throws {
        var machine = try SimulatedMachine.after(.minutes(minutes))
        let slept = try #require(machine.night)
        #expect(slept.terminalState == .incompleteSleptThrough)
        #expect(machine.refusal(.skipDose2) { $0.at = utc("2026-01-15T02:30:00Z") } == .alreadySkipped)
        try machine.perform(.skipDose2) { options in
            options.at = utc("2026-01-15T02:29:59.999Z")
            options.reason = "tired"
        }
        let skipped = try #require(machine.night)
        #expect(skipped.skips.map(\.reason) == ["tired"] && skipped.isDose2Skipped)
        #expect(skipped.end == slept.end)
        #expect(skipped.terminalState == (slept.isOpen ? nil : .incompleteMissedCheckin))
        #expect(machine.refusal(.skipDose2) { $0.at = utc("2026-01-15T01:00:00Z") } == .alreadySkipped)
        machine.pass(.seconds(30))
        try machine.perform(.undo)
        #expect(machine.night?.skips == slept.skips && machine.night?.terminalState == slept.terminalState)
    }

    @Test(arguments: [(Int64(60_000), true), (60_001, false)])
    func `R4.18 a time up to 60 seconds ahead is taken and judged as of now`(ahead: Int64, taken: Bool) throws {
        var machine = try SimulatedMachine.after(.minutes(150, milliseconds: -10))
        let at = machine.wall + .milliseconds(ahead)
        if taken {
            #expect(machine.questions(.logDose(.dose2)) { $0.at = at } == [.early])
            try machine.performConfirmed(.logDose(.dose2)) { $0.at = at }
            #expect(machine.night?.dose2?.at == at)
            #expect(machine.status().window.phase == .completed)
        } else {
            for command in [Command.logDose(.dose2), .snooze, .skipDose2, .logFinalWake] {
                #expect(
                    machine.refusal(command) { options in
                        options.at = at
                        options.confirmations = Set(Confirmation.allCases)
                    } == .future)
            }
        }
    }

    @Test func `R4.18 a dose 1 a moment ahead of now shows at once`() throws {
        var machine = SimulatedMachine.evening()
        let ahead = machine.wall + .seconds(60)
        try machine.perform(.logDose(.dose1)) { $0.at = ahead }
        let window = machine.status().window
        #expect(window.phase == .beforeWindow)
        #expect(window.elapsed == .seconds(-60))
    }

    @Test(arguments: [(Duration.zero, false), (.milliseconds(1), true)])
    func `R4.19 a time more than seven days ago asks long_ago`(older: Duration, asks: Bool) {
        var machine = SimulatedMachine.evening()
        let at = machine.wall - .hours(7 * 24) - older
        #expect(machine.questions(.logDose(.dose1)) { $0.at = at } == (asks ? [.longAgo] : []))
        #expect(machine.questions(.logFinalWake) { $0.at = at + .milliseconds(1) } == [])
    }

    @Test(arguments: [
        ("2026-01-15T00:29:59.999Z", [Confirmation.early]), ("2026-01-15T00:30:00Z", []),
        ("2026-01-15T01:59:59.999Z", []), ("2026-01-15T02:00:00Z", [.late]), ("2026-01-15T02:29:59.999Z", [.late]),
        ("2026-01-15T02:30:00Z", [.late]), ("2026-01-15T05:00:00Z", [.late]),
    ])
    func `R4.20 what is judged is the state at the time named`(text: String, asked: [Confirmation]) throws {
        var machine = try SimulatedMachine.after(.minutes(500))
        #expect(machine.questions(.logDose(.dose2)) { $0.at = utc(text) } == asked)
    }

    @Test func `R4.21 dose 2 before dose 1 is refused, at the same instant it is early`() throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        let all = Set(Confirmation.allCases)
        #expect(
            machine.refusal(.logDose(.dose2)) { options in
                options.at = utc("2026-01-14T21:59:59.999Z")
                options.confirmations = all
            } == .order)
        #expect(machine.questions(.logDose(.dose2)) { $0.at = utc("2026-01-14T22:00:00Z") } == [.early])
    }

    @Test(arguments: Surface.allCases)
    func `R4.22 every surface meets the same policy`(surface: Surface) throws {
        var machine = try SimulatedMachine.after(.minutes(100))
        #expect(machine.questions(.logDose(.dose2)) { $0.surface = surface } == [.early])
        #expect(machine.refusal(.snooze) { $0.surface = surface } == .phase)
    }
}
