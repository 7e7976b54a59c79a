import DoseTapDomain
import Testing

/// R2.16–R2.19: nights with more than one change of the clocks.
struct ClockTroubleTests {
    @Test(arguments: [-5, -2, 2, 5])
    func `R2.16 a night is counted from where dose 1 was said, also if that boot's clock is corrected later`(
        hours: Int
    ) throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.logSleepEvent("lights_out"))
        machine.pass(.minutes(10))
        machine.reboot()
        machine.isSynchronised = false
        machine.setClock(by: .hours(hours))
        machine.pass(.minutes(20))
        try machine.perform(.logDose(.dose1)) { $0.confirmations = [.clockSuspect] }
        machine.settle()
        machine.pass(.minutes(15))
        machine.setClock(by: .hours(-hours))
        machine.isSynchronised = true
        machine.settle()
        machine.pass(.minutes(140))
        for command in [Command.logDose(.dose2), .skipDose2] {
            var other = machine
            #expect(other.questions(command).isEmpty && other.night?.hasUnresolvedWindow == false)
        }
        try machine.perform(.snooze)
        #expect(machine.night?.alarm == .minutes(175))
        try machine.perform(.logDose(.dose2))
        #expect(machine.night?.interval == .minutes(155))
    }

    @Test(arguments: [true, false])
    func `R2.19 a dose 1 that is taken now is recorded, though a clock that was wrong ended the last night later`(
        isSynchronised: Bool
    ) throws {
        var machine = SimulatedMachine.evening()
        machine.setClock(by: .hours(3))
        machine.isSynchronised = false
        try machine.perform(.logSleepEvent("bathroom"))
        machine.pass(.minutes(5))
        try machine.performConfirmed(.saveCheckIn([:], night: nil))
        machine.settle()
        #expect(machine.night?.isOpen == false)
        machine.setClock(by: .hours(-3))
        machine.isSynchronised = isSynchronised
        machine.pass(.minutes(80))
        try machine.performConfirmed(.logDose(.dose1))
        machine.settle()
        #expect(machine.logState.open?.dose1 != nil)
        machine.pass(.minutes(155))
        machine.settle()
        #expect(machine.status().window.phase == .active)
        #expect(machine.questions(.logDose(.dose2)).isEmpty)
    }

    @Test func `R2.16 what was recorded by a clock that ran ahead does not put a later night into the future`() throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        try machine.perform(.logDose(.dose2))
        machine.setClock(by: .hours(48))
        machine.isSynchronised = false
        machine.pass(.minutes(10))
        machine.settle()
        machine.setClock(by: .hours(-48))
        machine.isSynchronised = true
        machine.pass(.hours(21))
        machine.settle()
        let now = machine.wall
        try machine.performConfirmed(.logDose(.dose1))
        #expect(machine.logState.open?.dose1?.wall == now)
    }

    @Test func `R2.18 a machine put back to an earlier state is in doubt, also when its counter has caught up`() throws
    {
        var machine = try SimulatedMachine.after(.minutes(100))
        try machine.perform(.logSleepEvent("bathroom"))
        machine.isSynchronised = false
        machine.turnCounterBack(by: .minutes(90))
        machine.setClock(by: .minutes(-90))
        machine.pass(.minutes(1))
        machine.settle()
        machine.pass(.minutes(94))
        machine.settle()
        let time = try #require(machine.status().window.time)
        #expect(time.longer >= .minutes(194) && !machine.status().window.isCertain)
    }

    @Test func `R2.19 the doubt about a named time outlasts a restart`() throws {
        var machine = SimulatedMachine.evening()
        machine.isSynchronised = false
        try machine.perform(.logDose(.dose1)) { $0.at = utc("2026-01-14T21:30:00Z") }
        machine.setClock(by: .hours(2))
        machine.isSynchronised = true
        machine.pass(.minutes(1))
        machine.settle()
        machine.reboot()
        machine.pass(.minutes(9))
        machine.settle()
        let time = try #require(machine.status().window.time)
        #expect(time.shorter == .minutes(40) && time.longer == .minutes(160))
        #expect(machine.questions(.logDose(.dose2)) == [.clockSuspect])
    }

    @Test func `R6.9 an amended dose keeps its distance to another night's, whatever the wall clock says`() throws {
        var machine = SimulatedMachine(at: utc("2026-01-15T15:00:00Z"))
        try machine.performConfirmed(.logDose(.dose1))
        machine.setClock(by: .hours(8))
        machine.pass(.hours(6))
        machine.settle()
        let said = machine.wall - .minutes(5)
        try machine.performConfirmed(.logDose(.dose1)) { $0.at = said }
        #expect(machine.logState.sessions.count == 2)
        let dose = try #require(machine.night?.dose1)
        // The dose lies 115 and 175 minutes after the dose of the other night, by the wall clock 9 h 55 min and more.
        for (hours, asks) in [(4, true), (3, false)] {
            let questions = machine.questions(.amend(dose.id)) { $0.at = dose.wall - .hours(hours) }
            #expect(questions.contains(.early) == asks, "\(hours): \(questions)")
        }
    }

    @Test func `R2.17 a snooze in doubt puts the alarm off by its step once the doubt is over`() throws {
        var machine = try SimulatedMachine.after(.minutes(30))
        machine.setClock(by: .minutes(50))
        machine.isSynchronised = false
        machine.settle()
        machine.pass(.minutes(126))
        machine.meetDeadline()
        try machine.perform(.snooze)
        machine.pass(.minutes(4))
        machine.setClock(by: .minutes(-50))
        machine.settle()
        #expect(machine.status().window.isCertain)
        #expect(machine.night?.alarm == .minutes(175))
    }

    @Test func `R2.17 a clock that stands before dose 1 puts no dose 2 before it`() throws {
        var machine = try SimulatedMachine.after(.minutes(60))
        machine.setClock(by: .hours(-6))
        machine.settle()
        machine.pass(.minutes(100))
        try machine.perform(.logDose(.dose2)) {
            $0.confirmations = [.clockSuspect]
            $0.isClockRight = true
        }
        #expect(machine.night?.interval == .zero)
    }

    @Test func `R2.17 the answer about the clock stays when the time of dose 1 is amended`() throws {
        var machine = try SimulatedMachine.after(.minutes(100))
        try machine.takeDose2AfterStep()
        #expect(machine.night?.interval == .minutes(225))
        let night = try #require(machine.night)
        let dose1 = try #require(night.dose1)
        try machine.performConfirmed(.amend(dose1.id)) { options in
            options.at = dose1.wall - .minutes(5)
            options.isAgo = true
        }
        #expect(machine.night?.interval == .minutes(230))
    }

    @Test func `R7.11 a wall clock that is slewed in doubt tells no reminder again`() throws {
        var machine = try SimulatedMachine.after(.minutes(60))
        // A virtual machine stood still for 60 minutes, its host set the clock right, and chrony slows it by a twelfth.
        machine.setClock(by: .hours(1))
        var told: [ReminderPlan.Item] = []
        for _ in 0..<(120 * 60 / 12) {
            machine.pass(.seconds(12))
            machine.setClock(by: .seconds(-1))
            told += machine.meetDeadline()?.fire ?? []
        }
        #expect(told.contains { $0.id == .alarmRepeat })
        #expect(Set(told).count == told.count)
    }

    @Test func `R7.11 what was told by a clock that was set ahead is not told again by the same clock in a new start`()
        throws
    {
        var machine = SimulatedMachine.evening()
        machine.isSynchronised = false
        try machine.perform(.logDose(.dose1))
        machine.pass(.minutes(155))
        machine.meetDeadline()
        machine.setClock(by: .minutes(25))
        machine.pass(.minutes(45))
        var told = machine.meetDeadline()?.fire ?? []
        #expect(!told.isEmpty)
        machine.pass(.seconds(10))
        machine.reboot()
        told += machine.meetDeadline()?.fire ?? []
        #expect(Set(told).count == told.count)
    }

    @Test(arguments: [1, 2, 3, 60, 3_600] as [Int64])
    func `R7.11 a wait is read anew before a wall clock slewed by a tenth makes it due`(seconds: Int64) {
        let wait = NextDue(counted: .seconds(seconds))
        let reading = wait.reading.counted ?? .zero
        #expect(reading <= .seconds(seconds))
        #expect(reading + reading / 10 <= .seconds(seconds) + .milliseconds(200))
        #expect(NextDue(wall: Instant(seconds: seconds)).reading == NextDue(wall: Instant(seconds: seconds)))
    }

    @Test(arguments: [-5, 5])
    func `R2.17 the answer about the clock counts from dose 1 as it was amended before`(minutes: Int) throws {
        var machine = try SimulatedMachine.after(.minutes(100))
        let dose1 = try #require(machine.night?.dose1)
        try machine.performConfirmed(.amend(dose1.id)) { options in
            options.at = dose1.wall + .minutes(minutes)
            options.isAgo = true
        }
        try machine.takeDose2AfterStep()
        #expect(machine.night?.interval == .minutes(225 - minutes))
    }

    @Test func `R4.21 a dose 2 now is not recorded before a dose 1 that was said to lie a moment ahead`() throws {
        var machine = SimulatedMachine.evening()
        let ahead = machine.wall + .seconds(40)
        try machine.perform(.logDose(.dose1)) { $0.at = ahead }
        machine.pass(.seconds(15))
        #expect(machine.refusal(.logDose(.dose2)) == .order)
        machine.pass(.seconds(25))
        try machine.performConfirmed(.logDose(.dose2))
        #expect(machine.night?.interval == .zero)
    }
}

extension SimulatedMachine {
    /// Sets the clock ahead two hours and records dose 2 five minutes later, with the clock said to be right.
    fileprivate mutating func takeDose2AfterStep() throws {
        setClock(by: .hours(2))
        settle()
        pass(.minutes(5))
        try perform(.logDose(.dose2)) {
            $0.confirmations = [.clockSuspect]
            $0.isClockRight = true
        }
    }
}
