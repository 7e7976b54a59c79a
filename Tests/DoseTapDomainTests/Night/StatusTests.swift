import DoseTapDomain
import Testing

/// R20: the status at a present, a past and a future moment.
struct StatusTests {
    @Test func `R20.1 with nothing recorded it waits for dose 1 and names the night before`() throws {
        var machine = SimulatedMachine.evening()
        #expect(machine.status().window.phase == .noDose1)
        #expect(machine.status().previous == nil && machine.status().sessionID == nil)
        try machine.perform(.logDose(.dose1))
        machine.pass(.minutes(160))
        try machine.perform(.logDose(.dose2))
        machine.pass(.hours(20))
        machine.settle()
        let status = machine.status()
        #expect(status.window.phase == .noDose1)
        #expect(status.previous?.intervalMinutes == 160)
        #expect(status.previous?.terminalState == .incompleteMissedCheckin)
    }

    @Test func `R20.2 tonight with its times`() throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        try machine.perform(.snooze)
        let status = machine.status()
        #expect(status.window.phase == .active)
        #expect(status.windowOpens == utc("2026-01-15T00:30:00Z"))
        #expect(status.windowCloses == utc("2026-01-15T02:00:00Z"))
        #expect(status.alarm == utc("2026-01-15T00:55:00Z"))
        #expect(status.snoozeCount == 1)
        #expect(status.nextReminder == .init(id: .preAlarm, due: utc("2026-01-15T00:50:00Z")))
        #expect(status.sessionDate?.text == "2026-01-14")
    }

    /// A status asked afterwards, for each minute of an eventful night, equals the status of that minute.
    @Test func `R20.3 a moment in the past counts only what had happened by then`() throws {
        var machine = SimulatedMachine.evening()
        var said: [(Instant, NightStatus)] = []
        for minute in 0..<(14 * 60) {
            machine.settle()
            switch minute {
            case 10: try machine.perform(.logDose(.dose1)) { $0.amountMilligrams = 4_500 }
            case 170: try machine.perform(.snooze)
            case 190: try machine.perform(.logDose(.dose2))
            case 300: try machine.performConfirmed(.logDose(.dose2))
            case 500: try machine.perform(.logFinalWake)
            default: break
            }
            said.append((machine.wall, machine.status()))
            machine.pass(.minutes(1))
        }
        machine.settle()
        for (instant, then) in said {
            // Only the present status has a next step.
            var then = then
            then.next = nil
            #expect(machine.status(at: instant) == then, "\(instant)")
        }
    }

    @Test func `R20.4 an entry that joined before the start counts from its own time`() throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.logFinalWake)
        machine.pass(.minutes(30))
        try machine.perform(.logDose(.dose1)) { $0.at = utc("2026-01-14T21:30:00Z") }
        #expect(machine.status(at: utc("2026-01-14T21:45:00Z")).window.phase == .beforeWindow)
        #expect(machine.status(at: utc("2026-01-14T21:29:59.999Z")).window.phase == .noDose1)
    }

    @Test func `R20.5 ahead it says what will be if nothing more is recorded`() throws {
        for (start, resolve) in [
            ("2026-01-14T22:00:00Z", false), ("2026-01-14T22:00:00Z", true), ("2026-01-14T17:30:00Z", false),
        ] {
            var machine = SimulatedMachine(at: utc(start))
            try machine.perform(.logDose(.dose1))
            machine.pass(.minutes(100))
            if resolve { try machine.perform(.skipDose2) }
            for minutes in stride(from: 0, through: 40 * 60, by: 7) {
                var later = machine
                later.pass(.minutes(minutes))
                later.settle()
                let ahead = machine.status(at: later.wall)
                // Only the present status has a next step and a present date.
                var then = later.status()
                (then.next, then.presentDate) = (nil, ahead.presentDate)
                #expect(ahead == then, "\(start) + \(minutes)")
            }
        }
    }

    @Test func `R20.6 the end of a night is no longer part of it`() throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        try machine.perform(.logDose(.dose2))
        machine.pass(.hours(20))
        machine.settle()
        #expect(machine.status(at: utc("2026-01-15T10:59:59.999Z")).window.phase == .completed)
        #expect(machine.status(at: utc("2026-01-15T11:00:00Z")).window.phase == .noDose1)
    }

    @Test func `R20.22 a dose that was taken off the record is told until one of its kind stands`() throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        try machine.perform(.logDose(.dose2))
        #expect(machine.status().removedDose == nil)
        let at = machine.wall
        machine.pass(.minutes(1))
        try machine.perform(.undo)
        let removed = try #require(machine.status().removedDose)
        #expect(removed.kind == .dose2 && removed.at == at && removed.removedAt == machine.wall)
        // The answer over D-Bus has the dose, too.
        #expect(try NightStatus(json: machine.status().json).removedDose == removed)
        machine.pass(.minutes(1))
        try machine.performConfirmed(.logDose(.dose2))
        #expect(machine.status().removedDose == nil)
        // The deletion of the second one is told, and no longer once the deletion is undone.
        let dose = try #require(machine.night?.dose2?.id)
        try machine.perform(.delete(dose))
        #expect(machine.status().removedDose?.at == at + .minutes(2))
        try machine.perform(.undo)
        #expect(machine.night?.dose2?.id == dose && machine.status().removedDose == nil)
        // A dose that was amended is told with the time at which it counted last.
        try machine.performConfirmed(.amend(dose)) { $0.at = at }
        machine.pass(.minutes(1))
        try machine.perform(.delete(dose))
        #expect(machine.status().removedDose?.at == at)
    }

    @Test func `R20.7 R5.1 a receipt says what was recorded, and what the dose is in the night`() throws {
        var machine = SimulatedMachine.evening()
        let first = try machine.perform(.logDose(.dose1)) { $0.amountMilligrams = 4_500 }
        var receipt = Receipt(first.primary, session: machine.night, duplicate: false, clock: machine.clock)
        #expect(receipt.type == "dose1" && receipt.doseIndex == 1 && receipt.phase == .beforeWindow)
        #expect(receipt.intervalMinutes == nil && receipt.sessionDate?.text == "2026-01-14")
        #expect(
            receipt.metadata == [
                "amount_mg": 4_500, "surface": "cli", "source": "manual", "local_offset_minutes": 0,
            ])
        machine.pass(.minutes(168, milliseconds: 59_000))
        let second = try machine.perform(.logDose(.dose2)) { $0.note = "half awake" }
        receipt = Receipt(second.primary, session: machine.night, duplicate: false, clock: machine.clock)
        #expect(receipt.type == "dose2" && receipt.doseIndex == 2 && receipt.phase == .completed)
        #expect(receipt.intervalMinutes == 168)
        #expect(receipt.metadata["is_late"] == nil && receipt.metadata["note"] == "half awake")
        // An extra dose is the third dose, also with a time between the other two.
        let third = try machine.performConfirmed(.logDose(.extra)) { $0.at = utc("2026-01-15T00:00:00Z") }
        receipt = Receipt(third.primary, session: machine.night, duplicate: false, clock: machine.clock)
        #expect(receipt.type == "extra_dose" && receipt.doseIndex == 3 && receipt.intervalMinutes == nil)
        #expect(receipt.metadata["is_extra_dose"] == true && receipt.metadata["is_early"] == true)
        let undo = try machine.perform(.undo)
        receipt = Receipt(undo.primary, session: machine.night, duplicate: false, clock: machine.clock)
        #expect(receipt.type == "action_undone" && receipt.target == third.primary.id)
    }

    @Test(
        arguments: [(150, nil), (149, "is_early"), (239, nil), (240, "is_late"), (250, "is_late")] as [(Int, String?)])
    func `R5.3 late from 240 minutes on, early below 150`(minutes: Int, flag: String?) throws {
        var machine = try SimulatedMachine.after(.minutes(minutes))
        try machine.performConfirmed(.logDose(.dose2))
        let night = try #require(machine.night)
        let metadata = try #require(night.dose2.map(night.metadata(of:)))
        for key in ["is_early", "is_late"] { #expect((metadata[key] == true) == (key == flag)) }
    }

    @Test func `R5.4 skips and snoozes carry their reason and count, importers their source`() throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        try machine.perform(.snooze)
        machine.pass(.seconds(20))
        try machine.perform(.snooze)
        try machine.perform(.skipDose2) { options in
            options.reason = "slept \"well\""
            options.surface = .importer
        }
        let night = try #require(machine.night)
        #expect(night.snoozes.map { night.metadata(of: $0)["count"] } == [1, 2])
        let skip = try #require(night.skips.first.map(night.metadata(of:)))
        #expect(skip["reason"] == "slept \"well\"" && skip["source"] == "imported" && skip["automatic"] == nil)
    }

    @Test func `R20.22 R20.3 each removed dose is told, and none before it was removed`() throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        let second = try machine.perform(.logDose(.dose2)).primary.id
        let first = try #require(machine.night?.dose1?.id)
        machine.pass(.minutes(5))
        let before = machine.wall - .minutes(1)
        for id in [second, first] { try machine.perform(.delete(id)) }
        let status = machine.status()
        #expect(status.removedDoses.map(\.kind) == [.dose1, .dose2] && status.removedDose?.kind == .dose1)
        #expect(try NightStatus(json: status.json).removedDoses == status.removedDoses)
        #expect(machine.status(at: before).removedDoses.isEmpty)
    }

    @Test func `R20.14 a question about a dose of another night knows its date`() throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        try machine.perform(.logDose(.dose2))
        func otherNight(_ failure: CommandFailure?) -> SessionDate? {
            guard case .needsConfirmation(let question)? = failure else {
                Issue.record("no question: \(failure as Any)")
                return nil
            }
            #expect(question.confirmations.contains(.extra))
            return question.otherNight
        }
        machine.pass(.minutes(5))
        let tonight = machine.failure(.logDose(.dose2))
        #expect(otherNight(tonight) == nil)
        machine.pass(.hours(24))
        machine.settle()
        try machine.perform(.logDose(.dose1))
        let asked = machine.failure(.logDose(.dose2)) { $0.at = utc("2026-01-15T03:30:00Z") }
        #expect(otherNight(asked)?.text == "2026-01-14")
    }

    @Test func `R20.16 a second dose 1 is told where the window stands, also after a final wake`() throws {
        for (minutes, isOpened, isOver) in [(20, false, false), (200, true, false), (245, true, true)] {
            var machine = try SimulatedMachine.after(.minutes(minutes))
            try machine.performConfirmed(.logFinalWake)
            guard case .refused(.dose1AlreadyTaken, let refusal)? = machine.failure(.logDose(.dose1)) else {
                Issue.record("not refused after \(minutes) min")
                continue
            }
            #expect(refusal.awaitsDose2 && refusal.isWindowOpened == isOpened && refusal.isWindowOver == isOver)
        }
    }
}
