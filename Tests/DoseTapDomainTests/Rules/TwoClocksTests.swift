import DoseTapDomain
import Testing

/// R2.16–R2.20: the wall clock and the time since boot.
struct TwoClocksTests {
    private func state(wall: Duration, boot: Duration) -> WindowState {
        var input = DoseWindow.Input(now: DoseWindowTests.dose1 + wall)
        input.dose1 = DoseWindowTests.dose1
        input.skew = ClockSkew(duration: wall - boot)
        return DoseWindow.state(input)
    }

    @Test(arguments: [
        // wall, boot, phase
        (Duration.minutes(150), Duration.minutes(150, milliseconds: -1), Phase.beforeWindow),
        (.minutes(150, milliseconds: -1), .minutes(150), .beforeWindow), (.minutes(150), .minutes(150), .active),
        (.minutes(170), .minutes(110), .beforeWindow), (.minutes(110), .minutes(170), .beforeWindow),
        (.minutes(210), .minutes(155), .active), (.minutes(155), .minutes(210), .active),
        (.minutes(225), .minutes(160), .nearClose), (.minutes(160), .minutes(225), .nearClose),
        (.minutes(240), .minutes(160), .closed), (.minutes(160), .minutes(240), .closed),
        (.minutes(160), .minutes(240, milliseconds: -1), .nearClose), (.minutes(240), .minutes(10), .closed),
        (.minutes(-30), .minutes(170), .beforeWindow), (.minutes(-30), .minutes(240), .closed),
    ])
    func `R2.16 the window opens when both clocks say so and closes when either does`(
        wall: Duration, boot: Duration, phase: Phase
    ) {
        let state = state(wall: wall, boot: boot)
        #expect(state.phase == phase)
        #expect(state.elapsed == wall)
    }

    @Test func `R2.16 countdowns go by the clock that decides`() {
        #expect(
            state(wall: .minutes(140), boot: .minutes(80)).primary == .waitingUntilEarliest(.minutes(70)))
        #expect(
            state(wall: .minutes(80), boot: .minutes(140)).primary == .waitingUntilEarliest(.minutes(70)))
        #expect(
            state(wall: .minutes(170), boot: .minutes(230)).primary == .takeBeforeWindowEnds(.minutes(10)))
    }

    @Test(arguments: [
        (Int64(999), Int64(0)), (-999, 0), (1_000, 1_000), (-1_000, -1_000), (60_000, 60_000), (-3_600_000, -3_600_000),
    ])
    func `R2.17 less than a second apart is no disagreement`(step: Int64, skew: Int64) throws {
        var machine = try SimulatedMachine.after(.minutes(10))
        machine.setClock(by: .milliseconds(step))
        let night = try #require(machine.night)
        #expect(night.skew(now: machine.clock).duration == .milliseconds(skew))
    }

    @Test(arguments: [
        (Int64(60_000), false), (60_001, true), (-60_000, false), (-60_001, true), (999, false), (3_600_000, true),
    ])
    func `R2.18 more than a minute apart is journaled once and told until the night ends`(
        step: Int64, told: Bool
    ) throws {
        var machine = try SimulatedMachine.after(.minutes(120))
        machine.setClock(by: .milliseconds(step))
        let events = machine.settle()
        let steps = events.compactMap { event -> ClockStepped? in
            if case .clockStepped(let payload) = event.payload { payload } else { nil }
        }
        #expect(steps == (told ? [ClockStepped(byMilliseconds: step, suspect: false)] : []))
        #expect(machine.settle().isEmpty)
        #expect(machine.status().warnings.isEmpty == !told)
        try machine.insist(.skipDose2)
        #expect(machine.status().warnings.isEmpty == !told, "the night is not over yet")
    }

    @Test func `R2.18 across boots only the wall clock counts`() throws {
        var machine = try SimulatedMachine.after(.minutes(149))
        machine.setClock(by: .hours(-1))
        #expect(machine.status().window.phase == .beforeWindow)
        machine.reboot()
        machine.setClock(by: .hours(1))
        machine.pass(.minutes(1))
        #expect(machine.status().window.phase == .active)
        #expect(machine.status().warnings.isEmpty)
    }

    @Test func `R2.16 a clock set back before dose 1 does not make it vanish`() throws {
        var machine = try SimulatedMachine.after(.minutes(170))
        machine.setClock(by: .hours(-5))
        let status = machine.status()
        #expect(status.window.phase == .beforeWindow)
        #expect(status.dose1 == utc("2026-01-14T22:00:00Z"))
        machine.pass(.minutes(70))
        #expect(machine.status().window.phase == .closed)
    }

    @Test func `R2.19 a wall clock before the newest event is asked about and recorded, never refused`() throws {
        var machine = try SimulatedMachine.after(.minutes(170))
        try machine.perform(.snooze)
        machine.reboot()
        machine.setClock(by: .minutes(-5))
        #expect(machine.questions(.logDose(.dose2)) == [.clockSuspect])
        let newest = try #require(machine.diary.newest)
        let recording = try machine.perform(.logDose(.dose2)) { $0.confirmations = [.clockSuspect] }
        #expect(recording.primary.occurredAt == newest)
        #expect(recording.primary.effectiveAt == newest)
        #expect(
            recording.events.contains { event in
                event.payload == .clockStepped(ClockStepped(byMilliseconds: -300_000, suspect: true))
            })
    }

    @Test func `R2.19 within a boot the time since boot keeps a set-back clock from calling a dose late`() throws {
        var machine = try SimulatedMachine.after(.minutes(170))
        try machine.perform(.snooze)
        machine.setClock(by: .hours(-3))
        #expect(machine.questions(.logDose(.dose2)) == [.early, .clockSuspect])
        machine.pass(.minutes(75))
        #expect(machine.questions(.logDose(.dose2)) == [.early, .late, .clockSuspect])
    }

    @Test(arguments: [(Int64(-60_000), false), (-60_001, true)])
    func `R2.19 up to a minute behind the newest event is taken without a word`(step: Int64, asks: Bool) throws {
        var machine = try SimulatedMachine.after(.minutes(170))
        try machine.perform(.snooze)
        machine.reboot()
        machine.setClock(by: .milliseconds(step))
        #expect(machine.questions(.logDose(.dose2)) == (asks ? [.clockSuspect] : []))
    }

    @Test func `R2.16 a clock set forward delays the opening and what depends on it`() throws {
        var machine = try SimulatedMachine.after(.minutes(10))
        machine.setClock(by: .hours(2))
        machine.pass(.minutes(30))
        #expect(machine.status().window.phase == .beforeWindow)
        #expect(machine.questions(.logDose(.dose2)) == [.early])
        guard case .needsConfirmation(let question)? = machine.failure(.logDose(.dose2)) else {
            Issue.record("nothing was asked")
            return
        }
        #expect(question.minutesToOpen == 110)
    }
}
