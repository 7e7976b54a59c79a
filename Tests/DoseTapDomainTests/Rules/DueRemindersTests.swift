import DoseTapDomain
import Testing

/// R7.5–R7.11: told and dropped reminders, and the next deadline.
struct DueRemindersTests {
    @Test func `R7.5 met at each deadline every reminder is told once, at its time, in the order of the plan`() throws {
        var machine = try SimulatedMachine.after(.zero)
        let plan = try #require(machine.night?.reminders)
        var told: [ReminderPlan.Item] = []
        while let next = CommandHandler.nextDeadline(machine.logState, machine.context), told.count < plan.count {
            #expect(next > machine.wall, "a deadline met is not due again")
            machine.pass(until: next)
            let metDue = machine.meetDeadline()
            let due = try #require(metDue)
            #expect(due.drop.isEmpty)
            #expect(due.fire.allSatisfy { $0.due == next })
            told += due.fire
        }
        #expect(told == plan)
        #expect(machine.night?.pendingReminders == [])
    }

    struct Gap: Sendable {
        /// Minutes after dose 1 at which the service comes back.
        var minutes: Int
        var told: [ReminderID]
        var dropped: ReminderDrop?
    }

    @Test(arguments: [
        Gap(minutes: 149, told: []), Gap(minutes: 155, told: [.windowOpen]),
        Gap(minutes: 162, told: [.preAlarm], dropped: .superseded),
        Gap(minutes: 166, told: [.alarm], dropped: .superseded),
        Gap(minutes: 172, told: [.followup3], dropped: .superseded),
        Gap(minutes: 200, told: [.alarmRepeat], dropped: .superseded),
        Gap(minutes: 225, told: [.closing15], dropped: .superseded),
        Gap(minutes: 235, told: [.closing5], dropped: .superseded),
        Gap(minutes: 239, told: [.alarmRepeat], dropped: .superseded),
        Gap(minutes: 240, told: [.windowClosed], dropped: .windowOver),
        Gap(minutes: 269, told: [.windowClosed], dropped: .windowOver),
    ])
    func `R7.6 after a gap only the most urgent one that is still true is told`(gap: Gap) throws {
        var machine = try SimulatedMachine.after(.zero)
        let plan = try #require(machine.night?.reminders)
        machine.pass(.minutes(gap.minutes))
        let metDue = machine.meetDeadline()
        let due = try #require(metDue)
        #expect(due.fire.map(\.id) == gap.told)
        #expect(Set(due.drop.map(\.reason)) == Set([gap.dropped].compactMap(\.self)))
        let past = plan.filter { $0.due <= machine.wall }
        #expect(Set(due.fire + due.drop.map(\.item)) == Set(past))
        #expect(machine.meetDeadline()?.isEmpty == true)
        let facts = try #require(machine.night?.reminderFacts)
        #expect(facts.filter { $0.dropped == nil }.map(\.item) == due.fire)
        #expect(facts.count == past.count)
    }

    @Test func `R7.7 after sleeping through nothing is told any more`() throws {
        var machine = try SimulatedMachine.after(.zero)
        machine.pass(.minutes(275))
        #expect(machine.meetDeadline()?.isEmpty == true)
        #expect(machine.night?.terminalState == .incompleteSleptThrough)
    }

    @Test func `R7.8 two of one instant are both told`() throws {
        var machine = try SimulatedMachine.after(.minutes(221), rules: .standard { $0.targetMinutes = 225 })
        machine.meetDeadline()
        machine.pass(.minutes(4))
        #expect(machine.meetDeadline()?.fire.map(\.id) == [.alarm, .closing15])
    }

    @Test func `R7.9 the identity of a reminder is its id and due time: after a snooze the alarm rings again`() throws {
        var machine = try SimulatedMachine.after(.minutes(165))
        #expect(machine.meetDeadline()?.fire.map(\.id) == [.alarm])
        try machine.perform(.snooze)
        machine.pass(.minutes(9))
        #expect(machine.meetDeadline()?.fire.map(\.id) == [.preAlarm])
        machine.pass(.minutes(1))
        #expect(machine.meetDeadline()?.fire.map(\.id) == [.alarm])
        #expect(machine.night?.reminderFacts.count { $0.item.id == .alarm && $0.dropped == nil } == 2)
    }

    @Test func `R7.10 undo of what resolved the window restores what was not told yet`() throws {
        var machine = try SimulatedMachine.after(.minutes(164, milliseconds: 50_000))
        machine.meetDeadline()
        try machine.perform(.logDose(.dose2))
        machine.pass(.seconds(40))
        #expect(machine.meetDeadline()?.isEmpty == true)
        try machine.perform(.undo)
        #expect(machine.meetDeadline()?.fire.map(\.id) == [.alarm])
    }

    @Test func `R7.11 a clock set forward rings by the figure that says most, until the other one is over, too`() throws
    {
        var machine = try SimulatedMachine.after(.minutes(10))
        machine.setClock(by: .hours(2))
        machine.pass(.minutes(60))
        // The counter says 70 minutes, the wall clock 190.
        let met = machine.meetDeadline()
        #expect(met?.fire.map(\.id) == [.alarmRepeat])
        #expect(met?.drop.allSatisfy { $0.reason == .superseded } == true)
        machine.pass(.minutes(50))
        #expect(machine.meetDeadline()?.fire.map(\.id) == [.alarmRepeat], "counted 120, by the wall clock 240")
        machine.pass(.minutes(119))
        #expect(machine.meetDeadline()?.fire.map(\.id) == [.alarmRepeat], "counted 239")
        machine.pass(.minutes(6))
        #expect(machine.meetDeadline()?.fire.map(\.id) == [.windowClosed], "counted 245, over by both")
        machine.pass(.minutes(1))
        #expect(machine.meetDeadline()?.fire.isEmpty == true)
    }

    @Test func `R7.11 a clock set back leaves no deadline in the past`() throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        machine.meetDeadline()
        machine.setClock(by: .hours(-6))
        machine.isSynchronised = false
        for _ in 0..<60 {
            machine.meetDeadline()
            guard let next = CommandHandler.nextDeadline(machine.logState, machine.context) else { break }
            #expect(next > machine.wall)
            machine.pass(until: next)
        }
        #expect(machine.night?.isDose2Skipped == true)
    }
}
