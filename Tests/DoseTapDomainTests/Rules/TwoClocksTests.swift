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

    /// What happens to a night: minutes until the clock is set and by how many, minutes the machine is off, minutes it
    /// has been on since; the phase then, and by how many minutes the clocks disagree.
    static let newStarts: [(until: Int, set: Int, off: Int, on: Int, phase: Phase, skew: Int)] = [
        // The time since boot had closed the window: no clock opens it again.
        (240, -720, 5, 0, .closed, -715), (240, -720, 5, 640, .closed, -715), (240, -60, 5, 0, .closed, -55),
        // What is certain is counted on: 100 minutes, then those since the new start.
        (100, -180, 5, 0, .beforeWindow, -175), (100, -180, 5, 139, .beforeWindow, -175),
        (100, -180, 5, 140, .closed, -175),
        // A clock that is behind by less than the machine was off shows nothing impossible.
        (100, -60, 60, 0, .beforeWindow, 0), (100, -60, 110, 0, .active, 0), (100, 0, 60, 0, .active, 0),
        // A clock set forward: nothing shows whether it was right before or after.
        (100, 60, 0, 0, .active, 0), (100, 130, 0, 0, .nearClose, 0),
    ]

    @Test(arguments: newStarts)
    func `R2.18 across boots the wall clock counts, and takes back no time that has passed for certain`(
        night: (until: Int, set: Int, off: Int, on: Int, phase: Phase, skew: Int)
    ) throws {
        var machine = try SimulatedMachine.after(.minutes(0))
        for _ in 0..<night.until {
            machine.pass(.minutes(1))
            machine.meetDeadline()
        }
        machine.setClock(by: .minutes(night.set))
        machine.meetDeadline()
        machine.reboot()
        machine.pass(.minutes(night.off))
        machine.reboot()
        machine.meetDeadline()
        for _ in 0..<night.on {
            machine.pass(.minutes(1))
            machine.meetDeadline()
        }
        #expect(machine.night?.skew(now: machine.clock).duration == .minutes(night.skew))
        #expect(machine.status().window.phase == night.phase)
        #expect(machine.status().warnings.isEmpty == (night.skew == 0))
        // However long it goes on: nothing is told that was told, and nothing of a window that is closed.
        let told = Set(machine.night?.reminderFacts.map(\.item) ?? [])
        for _ in 0..<180 {
            machine.pass(.minutes(5))
            let wasClosed = machine.status().window.phase == .closed
            let due = machine.meetDeadline()
            #expect(due.map { told.isDisjoint(with: $0.fire) } ?? true)
            if wasClosed { #expect(due?.fire.allSatisfy { $0.id == .windowClosed || !$0.id.isOfWindow } ?? true) }
            if night.phase == .closed { #expect(![.active, .nearClose].contains(machine.status().window.phase)) }
        }
    }

    @Test func `R2.18 a dose after a window that stays closed is asked about, never refused`() throws {
        var machine = try SimulatedMachine.after(.minutes(0))
        for _ in 0..<241 {
            machine.pass(.minutes(1))
            machine.meetDeadline()
        }
        machine.setClock(by: .hours(-12))
        machine.reboot()
        #expect(machine.questions(.logDose(.dose2)) == [.early, .late, .clockSuspect])
        #expect(machine.refusal(.snooze) == .phase)
        try machine.insist(.logDose(.dose2))
        #expect(machine.night?.dose2 != nil)
    }

    @Test func `R2.18 a window that only a clock set ahead had closed is open again once the clock is right`() throws {
        var machine = try SimulatedMachine.after(.minutes(100))
        machine.setClock(by: .hours(3))
        #expect(machine.meetDeadline()?.fire.map(\.id) == [.windowClosed])
        #expect(machine.status().window.phase == .closed)
        machine.reboot()
        machine.setClock(by: .hours(-3))
        machine.pass(.minutes(50))
        #expect(machine.status().window.phase == .active)
        #expect(machine.meetDeadline()?.fire.map(\.id) == [.windowOpen])
    }

    @Test func `R2.18 one store used in turn on two machines counts no time twice`() throws {
        // Boot, minutes of its clock, and the least that has passed since the first by then.
        let readings: [(boot: String, minutes: Int, passed: Int)] = [
            ("a", 1_000, 0), ("a", 1_100, 100), ("b", 50_000, 100), ("b", 50_060, 160), ("a", 1_170, 170),
            ("c", 3, 170), ("b", 50_061, 170), ("b", 50_075, 184), ("c", 40, 207),
        ]
        let wall = utc("2026-01-14T22:00:00Z")
        var machine = SimulatedMachine.evening()
        try machine.perform(.logDose(.dose1))
        let template = try #require(machine.log.last)
        let events = readings.map { reading in
            Event(
                id: template.id, payload: template.payload, entityType: template.entityType,
                entityID: template.entityID, sessionID: template.sessionID, occurredAt: wall, effectiveAt: wall,
                timeZone: "UTC", localOffsetMinutes: 0,
                clock: ClockReading(
                    wall: wall, counterMicroseconds: Int64(reading.minutes) * 60_000_000, bootID: reading.boot,
                    isSynchronised: true), deviceID: "one", surface: .cli, origin: nil, idempotencyKey: nil)
        }
        for (index, reading) in readings.enumerated() where reading.boot != "a" {
            // The wall clock was set back to where it began.
            let now = ClockReading(
                wall: wall, counterMicroseconds: Int64(reading.minutes) * 60_000_000, bootID: reading.boot,
                isSynchronised: true)
            let skew = ClockSkew(since: events[0], then: events[1..<index], now: now)
            #expect(skew.duration == .minutes(-reading.passed), "\(index)")
        }
    }

    @Test func `R2.18 a clock that was set and is right again leaves nothing behind`() throws {
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
