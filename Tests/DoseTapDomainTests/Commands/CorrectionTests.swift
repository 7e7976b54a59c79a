import DoseTapDomain
import Testing

/// R6.6–R6.12: amending and deleting entries of any age.
struct CorrectionTests {
    @Test func `R6.6 an amended dose 1 plans its reminders anew at once`() throws {
        var machine = try SimulatedMachine.after(.minutes(100))
        let dose1 = try #require(machine.night?.dose1)
        try machine.perform(.amend(dose1.id)) { $0.at = utc("2026-01-14T21:30:00Z") }
        #expect(machine.night?.dose1?.at == utc("2026-01-14T21:30:00Z"))
        #expect(machine.night?.pendingReminders.first?.due == utc("2026-01-15T00:00:00Z"))
        #expect(machine.night?.start == utc("2026-01-14T22:00:00Z"), "the session's start stays")
    }

    @Test func `R6.7 only what is named changes, empty words take the note away`() throws {
        var machine = try SimulatedMachine.after(.minutes(10))
        let id = try #require(machine.night?.dose1?.id)
        try machine.perform(.amend(id)) { $0.amountMilligrams = 2_250 }
        try machine.perform(.amend(id)) { $0.note = "with water" }
        try machine.perform(.amend(id)) { $0.at = utc("2026-01-14T21:55:00Z") }
        let dose = try #require(machine.night?.dose1)
        #expect(dose.amountMilligrams == 2_250)
        #expect(dose.note == "with water")
        #expect(dose.at == utc("2026-01-14T21:55:00Z"))
        try machine.perform(.amend(id)) { $0.note = "" }
        #expect(machine.night?.dose1?.note == nil)
        #expect(machine.log.count { $0.type == .doseRecorded } == 1)
    }

    @Test func `R6.7 with the time that the entry has already there is nothing to do`() throws {
        var machine = try SimulatedMachine.after(.minutes(160, milliseconds: 30_500))
        let dose2 = try machine.perform(.logDose(.dose2)).primary
        let water = try machine.perform(.logSleepEvent("water")).primary
        machine.pass(.minutes(1))
        let (log, night) = (machine.log, machine.night?.date)
        for at in [utc("2026-01-15T00:40:30.500Z")] {
            #expect(
                machine.failure(.amend(dose2.id)) { $0.at = at }
                    == .nothingToDo(
                        "dose 2 is on record with that time already. Nothing was changed", night: night))
            guard case .nothingToDo? = machine.failure(.amend(water.id), { $0.at = at }) else {
                Issue.record("an entry was moved to its own time")
                return
            }
        }
        #expect(machine.log == log)
        try machine.perform(.amend(dose2.id)) { $0.at = utc("2026-01-15T00:40:30Z") }
        try machine.perform(.amend(dose2.id)) {
            $0.at = utc("2026-01-15T00:40:30Z")
            $0.note = "by the kitchen clock"
        }
        try machine.perform(.amend(dose2.id)) { $0.at = utc("2026-01-15T00:39:00Z") }
        guard case .nothingToDo? = machine.failure(.amend(dose2.id), { $0.at = utc("2026-01-15T00:39:00Z") }) else {
            Issue.record("a dose was moved to its amended time")
            return
        }
    }

    @Test func `R6.8 flags and intervals follow an amendment`() throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        try machine.perform(.logDose(.dose2))
        let dose2 = try #require(machine.night?.dose2)
        for (minutes, key, interval) in [(120, "is_early", 120), (245, "is_late", 245), (170, nil, 170)]
            as [(Int, String?, Int64)]
        {
            machine.pass(.hours(2))
            let at = utc("2026-01-14T22:00:00Z") + .minutes(minutes)
            try machine.performConfirmed(.amend(dose2.id)) { $0.at = at }
            let night = try #require(machine.night)
            let metadata = try #require(night.dose2.map(night.metadata(of:)))
            for flag in ["is_early", "is_late"] { #expect((metadata[flag] == true) == (flag == key)) }
            #expect(machine.status().intervalMinutes == interval)
        }
    }

    @Test func `R6.9 an amendment asks early and over_limit when it raises them, and nothing it does not touch`() throws
    {
        var machine = try SimulatedMachine.after(.minutes(160))
        try machine.perform(.logDose(.dose2)) { $0.amountMilligrams = 4_500 }
        machine.pass(.minutes(20))
        let (dose1, dose2) = (try #require(machine.night?.dose1), try #require(machine.night?.dose2))
        #expect(machine.questions(.amend(dose2.id)) { $0.at = utc("2026-01-15T00:29:59.999Z") } == [.early])
        #expect(machine.questions(.amend(dose1.id)) { $0.at = utc("2026-01-14T22:11:00Z") } == [.early])
        #expect(machine.questions(.amend(dose1.id)) { $0.amountMilligrams = 4_501 } == [.overLimit])
        #expect(machine.questions(.amend(dose2.id)) { $0.amountMilligrams = 5_000 } == [.overLimit])
        #expect(machine.failure(.amend(dose2.id)) { $0.note = "bitter" } == nil)
        #expect(machine.failure(.amend(dose2.id)) { $0.at = utc("2026-01-15T00:30:00Z") } == nil)
    }

    @Test func `R6.10 an amended time stays in its order and in its night`() throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        try machine.perform(.logDose(.dose2))
        let (dose1, dose2) = (try #require(machine.night?.dose1), try #require(machine.night?.dose2))
        machine.pass(.minutes(30))
        #expect(machine.refusal(.amend(dose1.id)) { $0.at = utc("2026-01-15T00:40:00.001Z") } == .order)
        #expect(machine.refusal(.amend(dose2.id)) { $0.at = utc("2026-01-14T21:59:59.999Z") } == .order)
        let ahead = machine.wall + .seconds(61)
        #expect(machine.refusal(.amend(dose2.id)) { $0.at = ahead } == .future)
        #expect(machine.isInvalid(.amend(dose1.id)) { $0.at = utc("2026-01-14T09:59:59.999Z") })
        machine.pass(.hours(20))
        machine.settle()
        #expect(machine.isInvalid(.amend(dose2.id)) { $0.at = utc("2026-01-15T11:00:00.001Z") })
        // A correction may move a dose of a night that is over to before the night's start.
        #expect(machine.failure(.amend(dose1.id)) { $0.at = utc("2026-01-14T21:50:00Z") } == nil)
        #expect(machine.night?.dose1?.at == utc("2026-01-14T21:50:00Z"))

        var skipped = try SimulatedMachine.after(.minutes(160))
        let skip = try skipped.perform(.skipDose2).primary.id
        let first = try #require(skipped.night?.dose1)
        skipped.pass(.minutes(5))
        #expect(skipped.refusal(.amend(first.id)) { $0.at = utc("2026-01-15T00:40:00.001Z") } == .order)
        #expect(skipped.refusal(.amend(skip)) { $0.at = utc("2026-01-14T21:59:59.999Z") } == .order)
    }

    @Test func `R6.10 an amendment of nothing, of an amount where there is none, of no entry`() throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        let snooze = try machine.perform(.snooze).primary.id
        #expect(machine.isInvalid(.amend(snooze)) { _ in })
        #expect(machine.isInvalid(.amend(snooze)) { $0.amountMilligrams = 100 })
        #expect(machine.failure(.amend(EventID("nowhere"))) { $0.note = "x" } == .notFound("nowhere"))
        #expect(machine.failure(.delete(EventID("nowhere"))) == .notFound("nowhere"))
        try machine.perform(.delete(snooze))
        #expect(machine.failure(.amend(snooze)) { $0.note = "x" } == .notFound(snooze.text))
        #expect(machine.failure(.delete(snooze)) == .notFound(snooze.text))
    }

    @Test func `R6.11 what others lean on cannot be deleted first`() throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        try machine.perform(.logDose(.dose2))
        machine.pass(.minutes(1))
        try machine.performConfirmed(.logDose(.dose2))
        let night = try #require(machine.night)
        #expect(night.doses.map(\.kind) == [.dose1, .dose2, .extra])
        #expect(machine.refusal(.delete(night.doses[0].id)) == .order)
        #expect(machine.refusal(.delete(night.doses[1].id)) == .order)
        for dose in night.doses.reversed() { try machine.perform(.delete(dose.id)) }
        #expect(machine.night?.doses.isEmpty == true)
        #expect(machine.status().window.phase == .noDose1)

        var skipped = try SimulatedMachine.after(.minutes(160))
        let skip = try skipped.perform(.skipDose2).primary.id
        let dose1 = try #require(skipped.night?.dose1)
        #expect(skipped.refusal(.delete(dose1.id)) == .order)
        try skipped.perform(.delete(skip))
        try skipped.perform(.delete(dose1.id))
        #expect(skipped.night?.doses.isEmpty == true)
    }

    @Test func `R6.12 deleting restores the plan, and the log keeps what was deleted`() throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        let plan = machine.night?.pendingReminders
        let dose2 = try machine.perform(.logDose(.dose2)).primary.id
        #expect(machine.night?.pendingReminders == [])
        try machine.perform(.delete(dose2)) { $0.reason = "a slip" }
        #expect(machine.night?.pendingReminders == plan)
        #expect(machine.log.contains { $0.id == dose2 })
        let snooze = try machine.perform(.snooze).primary.id
        try machine.perform(.delete(snooze))
        #expect(machine.night?.pendingReminders == plan)
        #expect(machine.night?.alarm == .minutes(165))
    }

    @Test func `R6.12 snoozes of a deleted dose 1 do not count for the next one`() throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        for _ in 0..<3 {
            try machine.perform(.snooze)
            machine.pass(.seconds(11))
        }
        let dose1 = try #require(machine.night?.dose1)
        try machine.perform(.delete(dose1.id))
        machine.pass(.minutes(1))
        try machine.perform(.logDose(.dose1))
        #expect(machine.night?.alarm == .minutes(165))
        #expect(machine.status().snoozeCount == 0)
        machine.pass(.minutes(160))
        #expect(machine.failure(.snooze) == nil)
    }
}

extension SimulatedMachine {
    mutating func isInvalid(_ command: Command, _ change: (inout CommandOptions) -> Void = { _ in }) -> Bool {
        guard case .invalidInput? = failure(command, change) else { return false }
        return true
    }
}
