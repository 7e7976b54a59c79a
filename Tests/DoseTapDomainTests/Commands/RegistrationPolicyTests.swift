import DoseTapDomain
import Testing

/// R4: questions and refusals. An answer lifts only its own question.
struct RegistrationPolicyTests {
    @Test func `R4.1 dose 1 is allowed without a session and blocked when the session has one`() throws {
        var machine = SimulatedMachine.evening()
        #expect(machine.failure(.logDose(.dose1)) == nil)
        machine.pass(.minutes(5))
        #expect(machine.refusal(.logDose(.dose1)) == .dose1AlreadyTaken)
        #expect(
            machine.refusal(.logDose(.dose1)) { $0.confirmations = Set(Confirmation.allCases) } == .dose1AlreadyTaken)
    }

    @Test(arguments: [
        (Duration.zero, [Confirmation.early]), (.minutes(150, milliseconds: -1), [.early]), (.minutes(150), []),
        (.minutes(225), []), (.minutes(240, milliseconds: -1), []), (.minutes(240), [.late]), (.minutes(269), [.late]),
        (.minutes(270), [.late]),
    ])
    func `R4.2 dose 2 is asked early before the window and late after it`(elapsed: Duration, asked: [Confirmation])
        throws
    {
        var machine = try SimulatedMachine.after(elapsed)
        #expect(machine.questions(.logDose(.dose2)) == asked)
        #expect(machine.failure(.logDose(.dose2)) { $0.confirmations = Set(asked) } == nil)
    }

    @Test(arguments: [
        (Duration.zero, 150), (.milliseconds(1), 150), (.minutes(1), 149), (.minutes(138), 12),
        (.minutes(138, milliseconds: -1), 13), (.minutes(149), 1), (.minutes(149, milliseconds: 1), 1),
        (.minutes(150, milliseconds: -1), 1),
    ])
    func `R4.3 minutes to opening are rounded up and at least one`(elapsed: Duration, minutes: Int) throws {
        var machine = try SimulatedMachine.after(elapsed)
        guard case .needsConfirmation(let question)? = machine.failure(.logDose(.dose2)) else {
            Issue.record("nothing was asked")
            return
        }
        #expect(question.minutesToOpen == minutes)
        #expect(question.wouldRecord == "dose2")
    }

    @Test func `R4.4 without dose 1 dose 2, extra, snooze and skip are blocked whatever is answered`() {
        for command in [Command.logDose(.dose2), .logDose(.extra), .snooze, .skipDose2] {
            var machine = SimulatedMachine.evening()
            #expect(machine.refusal(command) == .dose1Required)
            #expect(machine.refusal(command) { $0.confirmations = Set(Confirmation.allCases) } == .dose1Required)
            #expect(machine.log.isEmpty)
        }
    }

    @Test func `R4.5 R5.2 a third dose is extra and needs both of its answers`() throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        try machine.perform(.logDose(.dose2))
        machine.pass(.minutes(155))
        for command in [Command.logDose(.dose2), .logDose(.extra)] {
            #expect(machine.questions(command) == [.extra, .extraUnderstood])
            #expect(machine.questions(command) { $0.confirmations = [.extra] } == [.extraUnderstood])
            #expect(machine.questions(command) { $0.confirmations = [.extraUnderstood] } == [.extra])
        }
        let dose2 = try #require(machine.night?.dose2)
        let recording = try machine.perform(.logDose(.dose2)) { $0.confirmations = [.extra, .extraUnderstood] }
        guard case .doseRecorded(let payload) = recording.primary.payload else {
            Issue.record("no dose")
            return
        }
        #expect(payload.kind == .extra)
        #expect(machine.night?.dose2 == dose2)
    }

    @Test func `R4.6 an extra dose before dose 2 is out of order`() throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        #expect(machine.refusal(.logDose(.extra)) { $0.confirmations = Set(Confirmation.allCases) } == .order)
    }

    @Test func `R4.7 early never admits an extra dose`() throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        try machine.perform(.logDose(.dose2))
        machine.pass(.minutes(20))
        #expect(machine.questions(.logDose(.dose2)) == [.early, .extra, .extraUnderstood])
        for kinds in [[Confirmation.early], [.early, .extra], [.late, .afterSkip, .overLimit, .early, .extra]] {
            let left = machine.questions(.logDose(.dose2)) { $0.confirmations = Set(kinds) }
            #expect(left == [.early, .extra, .extraUnderstood].filter { !kinds.contains($0) })
        }
        #expect(machine.night?.doses.count == 2)
    }

    /// All questions that dose 2 can have at once, with each set of answers.
    @Test func `R4.8 all questions are asked together and each answer lifts only its own`() throws {
        var machine = try SimulatedMachine.after(.minutes(245))
        try machine.perform(.skipDose2)
        machine.pass(.minutes(1))
        try machine.perform(.logFinalWake)
        let asked: [Confirmation] = [.late, .afterSkip, .afterWake, .overLimit]
        for bits in 0..<(1 << asked.count) {
            let given = asked.indices.filter { bits >> $0 & 1 == 1 }.map { asked[$0] }
            let left = asked.filter { !given.contains($0) }
            var trial = machine
            #expect(
                trial.questions(.logDose(.dose2)) { options in
                    options.amountMilligrams = 4_501
                    options.confirmations = Set(given)
                } == left)
            if left.isEmpty { #expect(trial.night?.dose2 != nil) } else { #expect(trial.logState == machine.logState) }
        }
        let wrong = Set(Confirmation.allCases).subtracting(asked)
        #expect(
            machine.questions(.logDose(.dose2)) { options in
                options.amountMilligrams = 4_501
                options.confirmations = wrong
            } == asked)
    }

    @Test func `R4.9 a person's skip asks after_skip, at a time before the skip it does not`() throws {
        var machine = try SimulatedMachine.after(.minutes(180))
        try machine.perform(.skipDose2)
        machine.pass(.minutes(10))
        #expect(machine.questions(.logDose(.dose2)) == [.afterSkip])
        #expect(machine.failure(.logDose(.dose2)) { $0.at = utc("2026-01-15T00:50:00Z") } == nil)
    }

    @Test func `R4.10 after the final wake dose 2 asks after_wake, at a time before it it does not`() throws {
        var machine = try SimulatedMachine.after(.minutes(200))
        try machine.perform(.logFinalWake) { $0.confirmations = [.windowUnresolved] }
        machine.pass(.minutes(5))
        #expect(machine.questions(.logDose(.dose2)) == [.afterWake])
        #expect(machine.failure(.logDose(.dose2)) { $0.at = utc("2026-01-15T01:10:00Z") } == nil)
    }

    @Test(arguments: [
        (Duration.minutes(10), [Confirmation.early, .onceNightly]), (.minutes(160), [.onceNightly]),
        (.minutes(300), [.onceNightly]),
    ])
    func `R4.11 a once-nightly regimen asks once_nightly for dose 2 and is never late`(
        elapsed: Duration, asked: [Confirmation]
    ) throws {
        var machine = try SimulatedMachine.after(elapsed, rules: .oneDose)
        #expect(machine.questions(.logDose(.dose2)) == asked)
        #expect(machine.refusal(.skipDose2) == .phase)
        #expect(machine.refusal(.snooze) == .phase)
    }

    @Test func `R4.12 in a once-nightly night the limit of the dose is the night's`() throws {
        var machine = SimulatedMachine.evening(rules: .oneDose)
        guard
            case .needsConfirmation(let question)? = machine.failure(
                .logDose(.dose1), { $0.amountMilligrams = 9_001 })
        else {
            Issue.record("nothing was asked")
            return
        }
        #expect(question.confirmations == [.overLimit] && question.limitMilligrams == 9_000)
        #expect(machine.failure(.logDose(.dose1)) { $0.amountMilligrams = 9_000 } == nil)
        var lumryz = SimulatedMachine.evening()
        try lumryz.perform(.setRegimen(["medication_id": "lumryz", "total": "9g"]))
        #expect(lumryz.questions(.takeMedication("lumryz")) == [])
        #expect(lumryz.night?.dose1?.amountMilligrams == 9_000)
    }

    /// A night with this number of doses, which its check-in ended at 06:00.
    static func ended(doses: Int, rules: NightRules = .standard) throws -> SimulatedMachine {
        var machine = try SimulatedMachine.after(.minutes(160), rules: rules)
        if doses > 1 { try machine.perform(.logDose(.dose2)) }
        machine.pass(until: utc("2026-01-15T06:00:00Z"))
        machine.settle()
        try machine.perform(.saveCheckIn([:], night: nil))
        machine.pass(until: utc("2026-01-15T10:00:00Z"))
        return machine
    }

    @Test(arguments: [
        (2, NightRules.standard, [Confirmation.extra, .extraUnderstood]), (1, .standard, [.extra]),
        (1, .oneDose, [.extra, .extraUnderstood]),
    ])
    func `R4.23 dose 1 on a date whose night is over asks extra and names that night`(
        doses: Int, rules: NightRules, asked: [Confirmation]
    ) throws {
        var machine = try Self.ended(doses: doses, rules: rules)
        guard case .needsConfirmation(let question)? = machine.failure(.logDose(.dose1)) else {
            Issue.record("nothing was asked")
            return
        }
        #expect(question.confirmations == asked)
        #expect(question.endedNight?.date.text == "2026-01-14" && question.endedNight?.doses == doses)
        #expect(question.endedNight?.end == utc("2026-01-15T06:00:00Z"))
        for surface in Surface.allCases {
            #expect(machine.questions(.logDose(.dose1)) { $0.surface = surface } == asked)
        }
        var napping = machine
        try napping.perform(.logSleepEvent("nap_start"))
        #expect(napping.questions(.logDose(.dose1)) == asked, "also where a nap has opened a session since")
        try machine.perform(.logDose(.dose1)) { $0.confirmations = Set(asked) }
        #expect(machine.logState.sessions.count == 2)
    }

    @Test func `R4.4 where the rollover came after dose 1 a skip, a dose 2 and a snooze are told which night ended`()
        throws
    {
        var machine = SimulatedMachine(at: utc("2026-01-14T13:00:00Z"), rules: .standard)
        try machine.perform(.logDose(.dose1))
        machine.pass(until: utc("2026-01-14T18:20:00Z"))
        machine.settle()
        #expect(machine.logState.open == nil)
        for command in [Command.skipDose2, .logDose(.dose2), .snooze] {
            guard case .refused(.dose1Required, let refusal)? = machine.failure(command) else {
                Issue.record("\(command): \(machine.failure(command).debugDescription)")
                continue
            }
            #expect(refusal.endedNight?.date == machine.logState.sessions.last?.date, "\(command)")
            #expect(refusal.endedNight?.doses == 1)
        }
        var later = machine
        later.pass(until: utc("2026-01-15T01:00:00Z"))
        guard case .refused(.dose1Required, let refusal)? = later.failure(.skipDose2) else {
            Issue.record("\(later.failure(.skipDose2).debugDescription)")
            return
        }
        #expect(refusal.endedNight == nil, "half a day later it is another night's")
        // The skip that the refusal offers is recorded.
        try machine.perform(.skipDose2) { $0.at = utc("2026-01-14T17:00:00Z") }
    }

    @Test func `R4.23 the next date's dose 1 and one after a nap ask nothing`() throws {
        var machine = try Self.ended(doses: 2)
        machine.pass(until: utc("2026-01-15T18:00:00Z"))
        #expect(machine.failure(.logDose(.dose1)) == nil)
        var napped = SimulatedMachine(at: utc("2026-01-14T13:00:00Z"), rules: .standard { $0.rolloverHour = 12 })
        try napped.perform(.logSleepEvent("nap_start"))
        napped.pass(.minutes(30))
        try napped.perform(.logSleepEvent("nap_end"))
        napped.pass(until: utc("2026-01-14T22:00:00Z"))
        napped.settle()
        #expect(napped.logState.open == nil && napped.failure(.logDose(.dose1)) == nil)
    }

    /// Two doses by day, then the rollover, and the evening.
    private static func dosedByDay(_ doses: Int = 2) throws -> SimulatedMachine {
        var machine = SimulatedMachine(at: utc("2026-01-14T13:00:00Z"), rules: .standard)
        try machine.perform(.logDose(.dose1))
        if doses == 2 {
            machine.pass(.minutes(170))
            try machine.perform(.logDose(.dose2))
        }
        machine.pass(until: utc("2026-01-14T18:30:00Z"))
        machine.settle()
        #expect(machine.logState.open == nil)
        return machine
    }

    @Test
    func `R4.23 R20.17 after both doses of the last twelve hours a dose 1 of another date asks and is not proposed`()
        throws
    {
        var machine = try Self.dosedByDay()
        let asked: [Confirmation] = [.extra, .extraUnderstood]
        guard case .needsConfirmation(let question)? = machine.failure(.logDose(.dose1)) else {
            Issue.record("nothing was asked")
            return
        }
        #expect(question.confirmations == asked)
        #expect(question.endedNight?.doses == 2 && question.endedNight?.date == machine.logState.sessions.last?.date)
        #expect(NextStep(machine.logState, machine.context) != .logDose(.dose1))
        // The other date's night had one dose: one more is its own.
        var single = try Self.dosedByDay(1)
        #expect(single.failure(.logDose(.dose1)) == nil)
        var later = machine
        later.pass(until: utc("2026-01-15T03:51:00Z"))
        #expect(NextStep(later.logState, later.context) == .logDose(.dose1))
        #expect(later.failure(.logDose(.dose1)) == nil)
        try machine.perform(.logDose(.dose1)) { $0.confirmations = Set(asked) }
        #expect(machine.logState.sessions.count == 2)
    }

    struct Amounts: Sendable {
        var first: Int?
        var second: Int?
        var limit: Int?
        var sum: Int?
    }

    @Test(arguments: [
        Amounts(first: 4_500, second: 4_500), Amounts(first: 4_500, second: 4_501, limit: 4_500, sum: 4_501),
        Amounts(first: nil, second: 4_500), Amounts(first: 4_500, second: nil),
        Amounts(first: 6_000, second: 3_000), Amounts(first: 6_000, second: 3_001, limit: 9_000, sum: 9_001),
        Amounts(first: 20_000, second: nil), Amounts(first: 1, second: 20_000, limit: 4_500, sum: 20_000),
    ])
    func `R4.12 a dose over 4500 mg or a night over 9000 mg asks over_limit`(amounts: Amounts) throws {
        var machine = SimulatedMachine.evening()
        try machine.performConfirmed(.logDose(.dose1)) { $0.amountMilligrams = amounts.first }
        machine.pass(.minutes(160))
        let failure = machine.failure(.logDose(.dose2)) { $0.amountMilligrams = amounts.second }
        guard let limit = amounts.limit else {
            #expect(failure == nil)
            return
        }
        guard case .needsConfirmation(let question)? = failure else {
            Issue.record("nothing was asked")
            return
        }
        #expect(question.confirmations == [.overLimit])
        #expect(question.limitMilligrams == limit)
        #expect(question.sumMilligrams == amounts.sum)
    }

    @Test(arguments: [
        (Command.snooze, true, false), (.logFinalWake, true, false), (.logSleepEvent("water"), true, true),
        (.saveCheckIn([:], night: nil), true, true), (.savePreSleep([:], .partial), true, true),
        (.logDose(.dose2), false, true), (.skipDose2, true, false), (.undo, true, true),
    ])
    func `an amount or a reason where none belongs is named, never dropped`(
        command: Command, refusesAmount: Bool, refusesReason: Bool
    ) throws {
        var machine = try SimulatedMachine.after(.minutes(170))
        if refusesAmount {
            #expect(
                machine.failure(command) { $0.amountMilligrams = 2_250 }
                    == .invalidInput("only a dose, a medicine or a poured cup has an amount"))
        }
        if refusesReason {
            #expect(
                machine.failure(command) { $0.reason = "x" }
                    == .invalidInput("only a skip, a deletion, a discard or a count has a reason: give a note"))
        }
        #expect(machine.log.count == 2)
    }

    @Test func `R4.13 early and the night's sum look across sessions`() throws {
        var machine = SimulatedMachine(at: utc("2026-01-14T18:30:00Z"))
        try machine.perform(.logDose(.dose1)) { $0.amountMilligrams = 4_500 }
        let first = try #require(machine.night)
        machine.pass(.minutes(1))
        // A dose 1 entered for 13 hours earlier makes a second session and asks nothing.
        #expect(machine.questions(.logDose(.dose1)) { $0.at = first.start - .hours(13) } == [])
        #expect(machine.logState.sessions.count == 2)

        // A skip and the prep time end the session of an afternoon dose 1. The next dose 1 would open another session.
        var other = SimulatedMachine(at: utc("2026-01-14T16:00:00Z"))
        try other.perform(.logDose(.dose1)) { $0.amountMilligrams = 4_500 }
        other.pass(until: utc("2026-01-14T17:59:00Z"))
        try other.perform(.skipDose2)
        other.pass(until: utc("2026-01-14T18:10:00Z"))
        other.settle()
        #expect(other.logState.open == nil)
        guard case .needsConfirmation(let question)? = other.failure(.logDose(.dose1)) else {
            Issue.record("nothing was asked")
            return
        }
        #expect(question.confirmations == [.early])
        #expect(question.minutesToOpen == 20)
        other.rules.rolloverHour = 12
        #expect(other.questions(.logDose(.dose1)) { $0.amountMilligrams = 4_500 } == [.early])
    }

    @Test func `R4.13 the sum of one session date counts doses of all its sessions`() throws {
        var machine = SimulatedMachine(
            at: utc("2026-01-14T13:00:00Z"), rules: .standard { $0.rolloverHour = 12 })
        try machine.perform(.logDose(.dose1)) { $0.amountMilligrams = 4_500 }
        machine.pass(.minutes(160))
        try machine.perform(.logDose(.dose2)) { $0.amountMilligrams = 4_000 }
        machine.pass(until: utc("2026-01-14T22:00:00Z"))
        machine.settle()
        #expect(machine.logState.open == nil)
        guard
            case .needsConfirmation(let question)? = machine.failure(
                .logDose(.dose1), { $0.amountMilligrams = 501 })
        else {
            Issue.record("nothing was asked")
            return
        }
        #expect(question.confirmations == [.extra, .extraUnderstood, .overLimit])
        #expect(question.sumMilligrams == 9_001)
        #expect(machine.questions(.logDose(.dose1)) { $0.amountMilligrams = 500 } == [.extra, .extraUnderstood])
    }

    @Test(arguments: [(Duration.minutes(149), true), (.minutes(150), false)])
    func `R4.14 a dose said to lie before another is as near to it as one after it`(apart: Duration, asks: Bool) throws
    {
        var machine = try SimulatedMachine.after(.minutes(300))
        // A dose 1 at 01:00 replaces the dose 1 at 22:00.
        let dose1 = try #require(machine.night?.dose1)
        try machine.perform(.delete(dose1.id))
        try machine.perform(.logDose(.dose1)) { $0.at = utc("2026-01-15T01:00:00Z") }
        let second = utc("2026-01-15T01:00:00Z") + apart
        machine.pass(.minutes(120))
        #expect(machine.questions(.logDose(.dose2)) { $0.at = second }.contains(.early) == asks)
    }
}
