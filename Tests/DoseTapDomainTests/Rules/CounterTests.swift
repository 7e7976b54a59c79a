import DoseTapDomain
import Testing

/// R2.16–R2.19: the counter, its base, and doubt.
struct CounterTests {
    /// The reminders of a night with their true minutes after dose 1. The clocks are disturbed at one of the minutes.
    private static func told(
        synchronised: Bool = true, at minute: Int = -1, _ disturb: (inout SimulatedMachine) -> Void = { _ in }
    ) throws -> [String] {
        var machine = SimulatedMachine.evening()
        machine.isSynchronised = synchronised
        try machine.perform(.logDose(.dose1))
        var told: [String] = []
        for passed in 0..<300 {
            if passed == minute {
                disturb(&machine)
                machine.meetDeadline()
            }
            let due = machine.meetDeadline()
            told += (due?.fire ?? []).filter { $0.id != .checkIn }.map { "\(passed) \($0.id.rawValue)" }
            machine.pass(.minutes(1))
        }
        return told
    }

    static let steps = stride(from: -360, through: 360, by: 30).filter { $0 != 0 }
    static let minutes = [1, 60, 149, 151, 166, 224, 239]

    @Test(arguments: steps)
    func `R2.16 what the first synchronisation corrects changes no reminder`(step: Int) throws {
        let undisturbed = try Self.told()
        #expect(undisturbed.first == "150 window_open" && undisturbed.last == "240 window_closed")
        for minute in Self.minutes {
            let told = try Self.told(synchronised: false, at: minute) { machine in
                machine.setClock(by: .minutes(step))
                machine.isSynchronised = true
            }
            #expect(told == undisturbed, "\(minute)")
        }
    }

    @Test(arguments: steps.filter { $0 < 0 }, [true, false])
    func `R2.16 a clock set back changes no reminder, whether it is synchronised or not`(
        step: Int, synchronised: Bool
    ) throws {
        let undisturbed = try Self.told()
        for minute in Self.minutes {
            let told = try Self.told(at: minute) { machine in
                machine.setClock(by: .minutes(step))
                machine.isSynchronised = synchronised
            }
            // In doubt the alarm repeats until the shorter figure has reached the end, too.
            let ended = told.filter { !$0.hasSuffix("alarm_repeat") || Int($0.prefix(3)).map { $0 < 240 } ?? true }
            #expect(ended == undisturbed, "\(minute)")
        }
    }

    @Test func `R2.16 a clock that was set back opens and closes nothing, and every time is told by it as it is now`()
        throws
    {
        var machine = try SimulatedMachine.after(.minutes(60))
        machine.isSynchronised = false
        machine.setClock(by: .hours(-2))
        let events = machine.settle()
        guard case .clockStepped(let stepped)? = events.first?.payload, let event = events.first else {
            Issue.record("the step is not recorded")
            return
        }
        #expect(
            stepped.sentence(now: event.clock.wall, Moments(zone: .utc))
                == "The computer's clock was set back 2 h. 60 minutes have passed since dose 1; the window opens at "
                + "22:30 by the new clock.")
        #expect(machine.settle().isEmpty)
        let status = machine.status()
        #expect(status.window.isCertain && status.window.elapsed == .minutes(60))
        #expect(status.window.phase == .beforeWindow)
        #expect(status.windowOpens == machine.wall + .minutes(90))
        #expect(status.windowCloses == machine.wall + .minutes(180))
        #expect(status.nextReminder?.due == machine.wall + .minutes(90))
        #expect(status.warnings.count == 1)
        machine.pass(.minutes(105))
        #expect(machine.status().window.primary == .takeNow)
        let dose2 = try machine.perform(.logDose(.dose2))
        #expect(machine.night?.interval == .minutes(165))
        #expect(dose2.primary.effectiveAt == machine.wall, "by the wall clock as it is")
        #expect(machine.night?.metadata(of: try #require(machine.night?.dose2))["is_early"] == nil)
    }

    @Test func `R2.16 a named time becomes counted time, and future is the counter's`() throws {
        var machine = try SimulatedMachine.after(.minutes(200))
        machine.isSynchronised = false
        machine.setClock(by: .hours(-6))
        machine.settle()
        let wall = machine.wall
        let ahead = machine.refusal(.logDose(.dose2)) { $0.at = wall + .minutes(2) }
        #expect(ahead == .future)
        try machine.perform(.logDose(.dose2)) { $0.at = wall - .minutes(20) }
        #expect(machine.night?.interval == .minutes(180))
        #expect(machine.night?.doses.map(\.kind) == [.dose1, .dose2])
    }

    @Test(arguments: [-900, -3, 3, 900])
    func `R2.16 two clocks that agree to a second put named times in the order of the wall clock`(drift: Int) throws {
        var machine = SimulatedMachine.evening()
        let named = utc("2026-01-14T21:40:00Z")
        try machine.perform(.logDose(.dose1)) { $0.at = named }
        machine.pass(.minutes(1))
        machine.setClock(by: .milliseconds(drift))
        #expect(machine.status(at: named).window.phase == .beforeWindow)
        #expect(machine.status(at: named - .milliseconds(1)).window.phase == .noDose1)
        #expect(machine.status().windowOpens == named + .minutes(150))
        #expect(machine.questions(.logDose(.dose2)) { $0.at = named } == [.early])
        machine.pass(.minutes(180))
        try machine.perform(.logDose(.dose2)) { $0.at = named + .minutes(150) }
        #expect(machine.night?.interval == .minutes(150))
    }

    @Test func `R2.16 slept through at 270 counted minutes, whatever the clock shows`() throws {
        var machine = try SimulatedMachine.after(.minutes(100))
        machine.isSynchronised = false
        machine.setClock(by: .hours(-5))
        machine.pass(.minutes(169))
        machine.settle()
        #expect(machine.night?.skips.isEmpty == true)
        machine.pass(.minutes(1))
        machine.settle()
        #expect(machine.night?.terminalState == .incompleteSleptThrough)
    }

    @Test(arguments: [
        // Minutes passed, minutes the clock was set ahead, and the one question.
        (60, 60, DoseTapDomain.Confirmation.early), (60, 180, .clockSuspect), (149, 2, .clockSuspect),
        (160, 30, .clockSuspect), (160, 90, .clockSuspect), (239, 60, .clockSuspect), (240, 60, .late),
    ])
    func `R2.17 a clock set ahead leaves two figures, and dose 2 one question about time`(
        passed: Int, ahead: Int, question: DoseTapDomain.Confirmation
    ) throws {
        var machine = try SimulatedMachine.after(.minutes(passed))
        machine.setClock(by: .minutes(ahead))
        machine.settle()
        let window = machine.status().window
        #expect(window.time?.shorter == .minutes(passed) && window.time?.longer == .minutes(passed + ahead))
        #expect(!window.isCertain && machine.questions(.logDose(.dose2)) == [question])
        #expect(![.takeNow, .takeWithOverride].contains(window.primary))
        #expect(machine.status().warnings.contains { $0.message.contains("Look at another clock") })
    }

    @Test func `R2.17 in doubt the sentence names both figures`() {
        var machine = SimulatedMachine.evening()
        _ = try? machine.perform(.logDose(.dose1))
        machine.pass(.minutes(65))
        machine.setClock(by: .hours(3))
        #expect(
            machine.status().window.time?.doubtSentence
                == "At least 65 minutes since dose 1, 245 by the computer's clock. Look at another clock before you take "
                + "anything.")
    }

    @Test(arguments: [1, 60, 149, 160, 224], [30, 90, 360, 10 * 24 * 60])
    func `R2.17 in doubt nothing opens early, and nothing is silent until the window is over for certain`(
        minute: Int, ahead: Int
    ) throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.logDose(.dose1))
        var last: Int?
        var recorded = 0
        for passed in 0..<245 {
            if passed == minute { machine.setClock(by: .minutes(ahead)) }
            let due = machine.meetDeadline()
            recorded += (due?.fire.count ?? 0) + (due?.drop.count ?? 0)
            let fired = (due?.fire ?? []).filter(\.id.isOfWindow)
            let phase = machine.status().window.phase
            if passed < 150 { #expect(![.active, .nearClose].contains(phase), "\(passed)") }
            if fired.contains(where: { $0.id.urgency == .critical }) { last = passed }
            // The alarm begins by the longer figure, and repeats until the shorter figure is 240.
            if passed >= max(minute, 166), passed < 240, passed + (passed >= minute ? ahead : 0) >= 175 {
                #expect(last.map { passed - $0 <= 10 } ?? false, "silent at \(passed)")
            }
            machine.pass(.minutes(1))
        }
        #expect(recorded < 150, "a clock that is days ahead leaves no repeats of days on record")
    }

    @Test(arguments: [(true, 245), (false, 65)])
    func `R2.17 the answer decides which figure is recorded`(isRight: Bool, minutes: Int64) throws {
        var machine = try SimulatedMachine.after(.minutes(65))
        machine.setClock(by: .hours(3))
        try machine.perform(.logDose(.dose2)) { $0.isClockRight = isRight }
        #expect(machine.night?.interval?.wholeMinutes == minutes)
        let dose2 = try #require(machine.night?.dose2)
        let metadata = machine.night?.metadata(of: dose2)
        #expect(metadata?["is_early"] == (isRight ? nil : true) && metadata?["is_late"] == (isRight ? true : nil))
    }

    @Test func `R2.17 a clock set right again leaves no doubt behind`() throws {
        var machine = try SimulatedMachine.after(.minutes(100))
        machine.setClock(by: .hours(3))
        machine.meetDeadline()
        machine.setClock(by: .hours(-3))
        machine.meetDeadline()
        #expect(machine.status().window.isCertain && machine.status().warnings.isEmpty)
        machine.pass(.minutes(55))
        #expect(machine.questions(.logDose(.dose2)).isEmpty)
        try machine.perform(.logDose(.dose2))
        #expect(machine.night?.interval == .minutes(155))
    }

    @Test func `R2.18 across a restart the wall between two synchronised readings counts`() throws {
        var machine = try SimulatedMachine.after(.minutes(60))
        machine.reboot()
        machine.isSynchronised = false
        machine.setClock(by: .hours(3))
        machine.pass(.minutes(5))
        machine.settle()
        #expect(machine.status().window.time?.shorter == .zero, "nothing is recorded between dose 1 and the restart")
        #expect(machine.status().window.time?.longer == .minutes(245))
        #expect(machine.questions(.logDose(.dose2)) == [.clockSuspect])
        machine.setClock(by: .hours(-3))
        machine.isSynchronised = true
        machine.settle()
        #expect(machine.status().window.isCertain && machine.status().window.elapsed == .minutes(65))
        #expect(machine.questions(.logDose(.dose2)) == [.early])
        machine.pass(.minutes(100))
        try machine.perform(.logDose(.dose2))
        #expect(machine.night?.interval == .minutes(165))
    }

    @Test func `R2.18 a restart without a clock, as with an empty battery, is told at once and asks once`() throws {
        var machine = try SimulatedMachine.after(.minutes(60))
        machine.isSynchronised = false
        machine.pass(.minutes(40))
        try machine.perform(.logSleepEvent("bathroom"))
        machine.reboot()
        machine.setClock(by: .hours(-24 * 365 * 56))
        let told = machine.settle().compactMap { event -> ElapsedTime? in
            guard case .clockStepped(let payload) = event.payload else { return nil }
            return payload.elapsed
        }
        #expect(told.count == 1 && told.first?.isCertain == false && told.first?.shorter == .minutes(100))
        machine.pass(.minutes(50))
        #expect(machine.status().window.time?.shorter == .minutes(150))
        #expect(machine.questions(.logDose(.dose2)) == [.clockSuspect])
        try machine.performConfirmed(.logDose(.dose2))
        #expect(machine.night?.dose2 != nil)
    }

    @Test func `R2.18 a machine put back to an earlier state is in the same doubt`() throws {
        var machine = try SimulatedMachine.after(.minutes(100))
        machine.isSynchronised = false
        machine.turnCounterBack(by: .minutes(60))
        machine.pass(.minutes(60))
        machine.settle()
        #expect(!machine.status().window.isCertain)
        #expect(machine.status().window.phase == .beforeWindow)
    }

    @Test(arguments: [true, false])
    func `R2.19 a time named on a clock that is corrected later is in doubt, a time ago is not`(isAgo: Bool) throws {
        var machine = SimulatedMachine.evening()
        machine.isSynchronised = false
        try machine.perform(.logDose(.dose1)) { options in
            options.at = utc("2026-01-14T21:30:00Z")
            options.isAgo = isAgo
        }
        machine.setClock(by: .hours(2))
        machine.isSynchronised = true
        machine.pass(.minutes(10))
        machine.settle()
        let time = try #require(machine.status().window.time)
        #expect(time.shorter == .minutes(40) && time.longer == .minutes(isAgo ? 40 : 160))
        #expect(machine.questions(.logDose(.dose2)) == [isAgo ? .early : .clockSuspect])
    }

    @Test(arguments: [(Int64(60_000), false), (60_001, true), (-60_000, false), (-60_001, true), (3_600_000, true)])
    func `R2.18 more than a minute is recorded once and told`(step: Int64, told: Bool) throws {
        var machine = try SimulatedMachine.after(.minutes(120))
        machine.setClock(by: .milliseconds(step))
        let steps = machine.settle().compactMap { event -> Int64? in
            if case .clockStepped(let payload) = event.payload { payload.byMilliseconds } else { nil }
        }
        #expect(steps == (told ? [step] : []))
        #expect(machine.settle().isEmpty)
        // Other entries record the step no second time.
        for _ in 0..<3 {
            machine.pass(.seconds(40))
            try machine.perform(.logSleepEvent("noise")) { $0.confirmations = [.clockSuspect] }
            #expect(machine.settle().isEmpty)
        }
    }

    @Test(arguments: [true, false])
    func `R2.19 after a restart a clock before the newest entry is asked about unless something keeps it right`(
        isRight: Bool
    ) throws {
        var machine = SimulatedMachine.evening()
        machine.setClock(by: .hours(3))
        machine.isSynchronised = false
        try machine.perform(.logDose(.dose1))
        machine.reboot()
        machine.setClock(by: .hours(-3))
        machine.isSynchronised = isRight
        machine.pass(.minutes(10))
        // An event that the service records by itself is no answer.
        machine.settle()
        let bathroom = Command.logSleepEvent("bathroom")
        #expect(machine.questions(bathroom) == (isRight ? [] : [.clockSuspect]))
        try machine.performConfirmed(bathroom)
        machine.pass(.minutes(10))
        #expect(machine.questions(bathroom) == [], "once")
    }

    @Test func `R2.19 other entries in a night whose clock was set back are asked nothing`() throws {
        var machine = try SimulatedMachine.after(.minutes(170))
        machine.isSynchronised = false
        machine.setClock(by: .hours(-6))
        for command in [Command.snooze, .logSleepEvent("bathroom"), .logSleepEvent("nap_start"), .skipDose2] {
            #expect(machine.failure(command) == nil, "\(command)")
        }
        machine.pass(.minutes(2))
        #expect(machine.failure(.logSleepEvent("nap_end")) == nil)
        #expect(machine.night?.naps.complete.first?.length == .minutes(2))
        #expect(machine.failure(.logFinalWake) == nil)
        #expect(machine.failure(.saveCheckIn(JSONObject(), night: nil)) == nil)
        #expect(machine.logState.sessions.count == 1)
    }
}
