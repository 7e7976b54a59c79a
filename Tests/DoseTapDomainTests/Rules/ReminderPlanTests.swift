import DoseTapDomain
import Testing

/// R7.1–R7.4: the plan of the reminders.
struct ReminderPlanTests {
    static let dose1 = utc("2026-01-14T22:00:00Z")

    /// The plan in minutes after dose 1.
    static func plan(alarm minutes: Int) -> [String] {
        ReminderPlan.items(dose1: dose1, alarm: .minutes(minutes)).map { item in
            "\(item.id.rawValue) \((item.due - dose1).wholeMinutes)"
        }
    }

    @Test func `R7.1 the plan of the default target`() {
        #expect(
            Self.plan(alarm: 165) == [
                "window_open 150", "pre_alarm 160", "alarm 165", "followup_1 167", "followup_2 169", "followup_3 171",
                "alarm_repeat 176", "alarm_repeat 181", "alarm_repeat 186", "alarm_repeat 191", "alarm_repeat 196",
                "alarm_repeat 201", "alarm_repeat 206", "alarm_repeat 211", "alarm_repeat 216", "alarm_repeat 221",
                "closing_15 225", "alarm_repeat 226", "alarm_repeat 231", "closing_5 235", "alarm_repeat 236",
                "window_closed 240",
            ])
    }

    @Test(arguments: NightRules.targets + [150, 155, 217, 224])
    func `R7.2 every target has its plan in order, and nothing but window_closed from 240 on`(target: Int) {
        let items = ReminderPlan.items(dose1: Self.dose1, alarm: .minutes(target))
        #expect(items.map(\.due) == items.map(\.due).sorted())
        #expect(items.filter { $0.due >= Self.dose1 + .minutes(240) }.map(\.id) == [.windowClosed])
        #expect(Set(items).count == items.count)
        for (id, minutes) in [
            (ReminderID.windowOpen, 150), (.preAlarm, target - 5), (.alarm, target), (.followup1, target + 2),
            (.followup2, target + 4), (.followup3, target + 6), (.closing15, 225), (.closing5, 235),
            (.windowClosed, 240),
        ] {
            let due = items.filter { $0.id == id }.map(\.due)
            let planned = minutes < 240 || id == .windowClosed
            #expect(due == (planned ? [Self.dose1 + .minutes(minutes)] : []))
        }
        let repeats = items.filter { $0.id == .alarmRepeat }.map { ($0.due - Self.dose1).wholeMinutes }
        #expect(repeats == Array(stride(from: Int64(target + 11), to: 240, by: 5)))
    }

    @Test func `R7.2 the urgency of each`() {
        let normal = ReminderID.allCases.filter { $0.urgency == .normal }
        #expect(normal == [.windowOpen, .preAlarm, .windowClosed, .checkIn])
    }

    @Test(arguments: [
        // snoozed at, target, alarm after
        (155, 165, 175), (165, 165, 175), (170, 165, 180), (214, 165, 224), (160, 210, 220), (215, 165, 225),
    ])
    func `R7.3 a snooze puts the alarm off from the later of the alarm and now`(at: Int, target: Int, alarm: Int) throws
    {
        var machine = try SimulatedMachine.after(.minutes(at), rules: .standard { $0.targetMinutes = target })
        try machine.perform(.snooze)
        #expect(machine.night?.alarm == .minutes(alarm))
        let reminders = try #require(machine.night?.reminders)
        #expect(reminders.contains(.init(id: .alarm, due: Self.dose1 + .minutes(alarm))))
        #expect(reminders.contains(.init(id: .windowOpen, due: Self.dose1 + .minutes(150))))
        #expect(reminders.contains(.init(id: .closing15, due: Self.dose1 + .minutes(225))))
        #expect(reminders.contains { $0.id == .preAlarm } == (alarm - 5 > at))
    }

    @Test func `R7.3 a snooze shorter than the pre-alarm brings none in the past`() throws {
        var machine = try SimulatedMachine.after(.minutes(170), rules: .standard { $0.snoozeStepMinutes = 5 })
        machine.meetDeadline()
        try machine.perform(.snooze)
        #expect(machine.meetDeadline()?.isEmpty == true)
    }

    @Test func `R7.4 no reminders without dose 1, once resolved, once nightly or when the night is over`() throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.logFinalWake)
        #expect(machine.night?.reminders == [])
        for command in [Command.logDose(.dose2), .skipDose2] {
            var machine = try SimulatedMachine.after(.minutes(160))
            try machine.perform(command)
            #expect(machine.night?.reminders == [])
            #expect(machine.status().nextReminder?.id == .checkIn)
        }
        #expect(try SimulatedMachine.after(.minutes(10), rules: .oneDose).night?.reminders == [])
        #expect(try SimulatedMachine.after(.minutes(271)).night?.reminders == [])
    }
}
