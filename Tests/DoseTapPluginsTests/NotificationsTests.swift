import DoseTapDomain
import DoseTapEngine
import DoseTapSimulation
import DoseTapTestSupport
import SDBus
import SystemdJournal
import Testing

@testable import DoseTapPlugins

/// The plugin with a server that works as it should.
@Suite struct NotificationsTests {
    @Test func `a reminder is shown at its instant, and the next one in its place`() async throws {
        try await DesktopBench.open { bench, server in
            let server = try #require(server)
            try await bench.advance(to: 150)
            let first = try await server.awaitShown(1)
            #expect(first.application == "DoseTap" && first.summary == "You can take dose 2 now")
            #expect(first.actions == ["dose2", "Dose 2 taken", "snooze", "Snooze 10 min", "skip", "Skip"])
            #expect(first.expiry == -1 && first.hints["urgency"] == .byte(1) && first.replaces == 0)
            #expect(first.hints["resident"] == .bool(true))
            #expect(first.hints["desktop-entry"] == .string("org.dosetap.DoseTap"))
            #expect(first.hints["category"] == .string("x-dosetap.reminder") && first.hints["sound-name"] == nil)
            // A delivery is recorded after the notification reached the screen. The next reminder waits for the record.
            _ = try await bench.awaitDelivered(1)
            try await bench.advance(to: 160)
            _ = try await server.awaitShown(2)
            _ = try await bench.awaitDelivered(2)
            bench.settings[NotificationsPlugin.soundName] = "ding"
            let alarm = try await bench.alarm(on: server)
            #expect(alarm.summary == "Time to take dose 2" && alarm.replaces == first.id && alarm.id == first.id)
            #expect(alarm.expiry == 0 && alarm.hints["urgency"] == .byte(2))
            #expect(alarm.hints["sound-name"] == .string("ding"))
            #expect(server.heard.elements.prefix(2).map(\.isQuestion) == [true, true])
            #expect(bench.said(.notificationsAvailable) == ["Reminders are shown by Scripted 1"])
            let delivered = try await bench.awaitDelivered(3)
            #expect(delivered == [.windowOpen, .preAlarm, .alarm], "\(delivered)")
        }
    }

    @Test func `the check-in has a place of its own beside the alarm, and goes with the check-in`() async throws {
        // The usual wake time is a minute after the alarm.
        try await DesktopBench.open(change: { $0.start = NightBench.evening + .minutes(344) }) { bench, server in
            let server = try #require(server)
            let alarm = try await bench.alarm(on: server)
            try await bench.advance(to: 166)
            let checkIn = try await server.awaitShown(4)
            #expect(checkIn.summary == "Good morning: the check-in is open" && checkIn.actions == [])
            #expect(checkIn.replaces == 0 && checkIn.id != alarm.id && checkIn.hints["urgency"] == .byte(1))
            #expect(try await bench.awaitDelivered(4).last == .checkIn)
            try await bench.night.submit(.snooze)
            #expect(try await server.awaitClosed(1) == [alarm.id])
            try await bench.night.submit(.saveCheckIn([:], night: nil)) { $0.confirmations = [.windowUnresolved] }
            #expect(try await server.awaitClosed(2) == [alarm.id, checkIn.id])
        }
    }

    @Test(arguments: [-2, 1])
    func `R2.18 a clock that is set is told at once, until the next reminder says it or dose 2 is settled`(
        hours: Int
    ) async throws {
        for isSkipped in [false, true] {
            try await DesktopBench.open { bench, server in
                let server = try #require(server)
                try await bench.advance(to: 60)
                bench.night.clock.step(by: .hours(hours))
                await bench.night.deadline()
                let told = try await server.awaitShown(1)
                let isBack = hours < 0
                #expect(
                    told.summary
                        == (isBack
                            ? "Dose 2: the computer's clock was set" : "Dose 2: the computer's clock may be wrong"))
                #expect(told.body.contains(isBack ? "set back 2 h. 60 minutes have passed" : "set ahead 1 h."))
                #expect(told.body.contains("Look at another clock") == !isBack)
                #expect(told.actions.isEmpty && told.hints["urgency"] == .byte(1) && told.expiry == -1)
                #expect(!told.body.contains("take dose 2"))
                if isSkipped {
                    try await bench.night.submit(.skipDose2)
                } else {
                    try await bench.night.advance(by: .minutes(90))
                    #expect(try await server.awaitShown(2).replaces == 0)
                }
                #expect(try await server.awaitClosed(1) == [told.id])
            }
        }
    }

    static let resolutions: [NightCommand] = [.logDose(.dose2), .skipDose2, .snooze]

    @Test(arguments: resolutions)
    func `what is recorded anywhere withdraws the reminder, and undoing it brings it back`(
        command: NightCommand
    ) async throws {
        try await DesktopBench.open { bench, server in
            let server = try #require(server)
            let alarm = try await bench.alarm(on: server)
            try await bench.night.submit(command)
            #expect(try await server.awaitClosed(1) == [alarm.id])
            try await bench.night.submit(.undo)
            let again = try await server.awaitShown(4)
            #expect(again.summary == alarm.summary && again.replaces == 0)
        }
    }

    @Test func `the channel can be tried, and says so when it does not work`() async throws {
        try await DesktopBench.open { bench, server in
            let server = try #require(server)
            #expect(try await bench.night.host.test("notification"))
            let shown = try await server.awaitShown(1)
            #expect(shown.summary == "Test: this is how an alarm looks" && shown.hints["urgency"] == .byte(2))
            #expect(shown.body.contains("No reminder is due") && shown.replaces == 0 && shown.actions.isEmpty)
            #expect(bench.said(.channelTested).count == 1)
        }
        try await DesktopBench.open(nil) { bench, _ in
            await #expect(throws: PluginFailure.self) { try await bench.night.host.test("notification") }
            #expect(bench.said(.channelTested).isEmpty)
        }
    }

    @Test func `closing acknowledges nothing: the next reminder comes, as a new notification`() async throws {
        try await DesktopBench.open { bench, server in
            let server = try #require(server)
            let alarm = try await bench.alarm(on: server)
            try await server.dismiss(alarm.id)
            // The answer to this press shows that the earlier signal was read.
            try await server.press(alarm.id, "nonsense")
            try await bench.awaitSaid(.notificationIgnored)
            try await bench.night.submit(.logSleepEvent("bathroom"))
            try await bench.advance(to: 167)
            let next = try await server.awaitShown(4)
            #expect(next.summary == "Dose 2 is still open" && next.replaces == 0)
            #expect(try await bench.recorded().isEmpty)
        }
    }

    @Test func `a reminder that its server closes for a press comes back where the press changed nothing`() async throws
    {
        try await DesktopBench.open { bench, server in
            let server = try #require(server)
            try await bench.advance(to: 226)
            let heard = try await server.heard.wait { heard in
                heard.compactMap(\.notification).suffix(2).map(\.summary)
                    == ["Only 15 min left for dose 2", "Dose 2 is still open"]
            }
            let pressed = try #require(heard.last?.notification)
            try await server.press(pressed.id, "snooze")
            try await server.dismiss(pressed.id)
            let after = try await server.heard.wait { $0.count == heard.count + 2 }.suffix(2).compactMap(\.notification)
            #expect(Set(after.map(\.summary)) == [pressed.summary, "Not recorded"])
            #expect(after.allSatisfy { $0.replaces == 0 && $0.id != pressed.id })
            // A notification that is closed without a press does not come back.
            let again = try #require(after.first { $0.summary == pressed.summary })
            try await server.dismiss(again.id)
            try await server.press(again.id, "nonsense")
            try await bench.awaitSaid(.notificationIgnored)
            try await bench.night.submit(.logSleepEvent("bathroom"))
            await bench.night.engine.published()
            #expect(server.heard.elements.count == heard.count + 2)
        }
    }

    @Test func `a test does not stand on the screen beside a reminder`() async throws {
        try await DesktopBench.open { bench, server in
            let server = try #require(server)
            try await bench.awaitSaid(.notificationsAvailable)
            #expect(try await bench.night.host.test("notification"))
            let test = try await server.awaitShown(1)
            try await bench.advance(to: 150)
            #expect(try await server.awaitShown(2).replaces == 0)
            #expect(try await server.awaitClosed(1) == [test.id])
        }
    }

    static let presses: [(key: String, type: EventType)] = [
        ("dose2", .doseRecorded), ("snooze", .snoozeRecorded), ("skip", .doseSkipped),
    ]

    static let receipts = [
        ("dose2", "Recorded: dose 2 at 01:15", "The reminders for dose 2 have ended."),
        ("snooze", "Snoozed", "The alarm rings at 01:25."),
        ("skip", "Recorded: dose 2 is skipped", "The reminders for dose 2 have ended."),
    ]

    @Test(arguments: receipts)
    func `what a press recorded is said, and a press takes it back`(row: (String, String, String)) async throws {
        try await DesktopBench.open { bench, server in
            let server = try #require(server)
            let alarm = try await bench.alarm(on: server)
            try await server.press(alarm.id, row.0)
            let said = try await server.awaitShown(4)
            #expect(said.summary == row.1 && said.body == row.2)
            #expect(said.actions == ["undo", "Undo"] && said.expiry == 60_000 && said.hints["urgency"] == .byte(1))
            // The alarm has no button "undo", so a server's signal of one is ignored.
            try await server.press(alarm.id, "undo")
            try await bench.awaitSaid(.notificationIgnored)
            bench.night.clock.advance(by: .seconds(5))
            for _ in 0..<2 { try await server.press(said.id, "undo") }
            let again = try await server.awaitShown(5)
            #expect(again.summary == alarm.summary)
            #expect(try await Set(server.awaitClosed(2)) == [alarm.id, said.id])
            #expect(try await bench.night.log().count { $0.event.type == .actionUndone } == 1)
        }
    }

    @Test func `R6.3 an undo on a notification takes back its own entry and no later one`() async throws {
        try await DesktopBench.open { bench, server in
            let server = try #require(server)
            let alarm = try await bench.alarm(on: server)
            try await server.press(alarm.id, "dose2")
            let said = try await server.awaitShown(4)
            bench.night.clock.advance(by: .seconds(5))
            try await bench.night.submit(.logSleepEvent("bathroom"))
            try await server.press(said.id, "undo")
            let refused = try await server.awaitShown(5)
            #expect(refused.summary == "Not recorded", "\(refused)")
            #expect(refused.body.hasPrefix("Something else was recorded since"), "\(refused.body)")
            #expect(try await bench.night.log().contains { $0.event.type == .actionUndone } == false)
        }
    }

    @Test(arguments: presses)
    func `a button records once, however often it is pressed`(press: (key: String, type: EventType)) async throws {
        try await DesktopBench.open { bench, server in
            let server = try #require(server)
            let alarm = try await bench.alarm(on: server)
            for _ in 0..<3 { try await server.press(alarm.id, press.key) }
            #expect(try await server.awaitClosed(1) == [alarm.id])
            try await server.press(alarm.id, press.key)
            try await server.press(alarm.id, "nonsense")
            try await bench.awaitSaid(.notificationIgnored)
            await bench.night.engine.published()
            #expect(try await bench.recorded().map(\.type) == [press.type])
        }
    }

    @Test func `R20.18 what a press recorded too early stays on the screen, with where help is`() async throws {
        try await DesktopBench.open { bench, server in
            let server = try #require(server)
            let (_, question) = try await bench.pressedTooEarly(on: server)
            #expect(question.body.contains("Doses together can stop breathing. Wait until "), "\(question.body)")
            try await server.press(question.id, "confirm")
            let said = try await server.awaitShown(3)
            #expect(said.summary.hasPrefix("Recorded: dose 2") && said.expiry == 0)
            #expect(said.body.contains("a poison centre"), "\(said.body)")
        }
    }

    @Test func `a question takes no answer that it has no button for`() async throws {
        try await DesktopBench.open { bench, server in
            let server = try #require(server)
            let (_, question) = try await bench.pressedTooEarly(on: server)
            try await server.press(question.id, "clock_right")
            try await bench.awaitSaid(.notificationIgnored)
            #expect(try await bench.recorded().isEmpty)
            try await server.press(question.id, "confirm")
            _ = try await server.awaitShown(3)
            #expect(try await bench.recorded().count == 1)
        }
    }

    @Test func `a press that comes too early is asked back, and the button says what it records`() async throws {
        try await DesktopBench.open { bench, server in
            let server = try #require(server)
            let (_, question) = try await bench.pressedTooEarly(on: server, times: 2)
            #expect(question.summary == "Too early by 2 min" && question.expiry == 0)
            #expect(question.actions == ["not_taken", "Not taken", "confirm", "Record dose 2: 2 min early"])
            #expect(try await bench.recorded().isEmpty)
            // The answer to a further press shows that both presses were judged before the clock moves on.
            try await server.press(question.id, "nonsense")
            try await bench.awaitSaid(.notificationIgnored)
            for _ in 0..<200 { _ = await bench.night.host.reports() }
            // The open question does not keep the reminder from the screen.
            try await bench.night.advance(to: bench.dose1 + .minutes(153))
            let reminder = try await server.awaitShown(3)
            #expect(reminder.summary == "You can take dose 2 now" && reminder.id != question.id)
            for _ in 0..<2 { try await server.press(question.id, "confirm") }
            let said = try await server.awaitShown(4)
            #expect(said.summary == "Recorded: dose 2 at 01:03")
            // The reminder is closed once dose 2 is recorded.
            try await server.heard.wait { heard in
                heard.contains { if case .closed(reminder.id) = $0 { true } else { false } }
            }
            let recorded = try await bench.recorded()
            #expect(recorded.map(\.type) == [.doseRecorded])
        }
    }

    @Test func `a press is judged by the night as it is now`() async throws {
        try await DesktopBench.open { bench, server in
            let server = try #require(server)
            let alarm = try await bench.alarm(on: server)
            try await bench.night.submit(.logDose(.dose2))
            _ = try await server.awaitClosed(1)
            // Within ten seconds the press would count as the same tap.
            try await bench.night.advance(to: bench.night.clock.now + .seconds(11))
            try await server.press(alarm.id, "dose2")
            let extra = try await server.awaitShown(4)
            #expect(extra.actions == ["not_taken", "Not taken"] && extra.body.contains("dosetap log extra"))
            try await server.press(alarm.id, "snooze")
            let refused = try await server.awaitShown(5)
            #expect(refused.summary == "Not recorded" && refused.hints["urgency"] == .byte(1))
            #expect(refused.body == "Dose 2 is already on record or skipped.")
            #expect(try await bench.recorded().isEmpty)
        }
    }

    @Test func `R20.15 the first button of a question says no: nothing is recorded and the reminders go on`()
        async throws
    {
        try await DesktopBench.open { bench, server in
            let server = try #require(server)
            let (first, question) = try await bench.pressedTooEarly(on: server)
            #expect(question.actions.first == "not_taken")
            try await server.press(question.id, "not_taken")
            #expect(try await server.awaitClosed(2) == [first.id, question.id])
            #expect(try await bench.recorded().isEmpty)
            try await bench.night.advance(to: bench.dose1 + .minutes(153))
            #expect(try await server.awaitShown(3).summary == "You can take dose 2 now")
        }
    }

    @Test func `after the window only a skip is offered, and nothing says take`() async throws {
        try await DesktopBench.open { bench, server in
            let server = try #require(server)
            try await bench.advance(to: 235)
            let before = try await server.awaitShown(1)
            #expect(before.id != 0)
            try await bench.advance(to: 240)
            let closed = try await server.heard.wait { $0.last?.notification?.actions == ["skip", "Dose 2 not taken"] }
            let last = try #require(closed.last?.notification)
            #expect(!(last.summary + last.body).lowercased().contains("take"))
            // The press belongs to a button of the notification that was there a moment before.
            try await server.press(last.id, "dose2")
            let late = try await server.heard.wait { $0.last?.notification?.actions.first == "not_taken" }
            let question = try #require(late.last?.notification)
            #expect(question.actions.last == "Record dose 2: late")
            #expect(!(question.summary + question.body).lowercased().contains("take"))
        }
    }

    @Test func `nobody but the server is believed, and no other's notifications are touched`() async throws {
        try await DesktopBench.open { bench, server in
            let server = try #require(server)
            let alarm = try await bench.alarm(on: server)
            let loop = try EventLoop.spawn(name: "forger")
            let forger = try await Connection.open(.address(bench.bus.address), on: loop)
            try await forger.emit(
                "/org/freedesktop/Notifications", "org.freedesktop.Notifications", "ActionInvoked", alarm.id, "dose2")
            await forger.close()
            loop.stop()
            try await server.press(alarm.id + 77, "dose2")
            try await server.emitGarbage()
            try await server.press(alarm.id, String(repeating: "dose2", count: 20_000))
            try await bench.awaitSaid(.notificationIgnored, count: 2)
            #expect(try await bench.recorded().isEmpty)
            #expect(
                bench.said(.notificationIgnored) == [
                    "A press on a notification was ignored: garbage",
                    "A press on a notification was ignored: no such button",
                ])
            let entry = bench.journal.entries(JournalMessage.notificationIgnored.rawValue).last
            #expect(entry?.fields.allSatisfy { $0.value.count <= 60 } == true)
        }
    }

    @Test func `a press for a night that is over records nothing and is named`() async throws {
        // A night that ends before its wake time has no reminder of the check-in.
        try await DesktopBench.open(change: { $0.rules.wake = ClockTime(hour: 19) }) { bench, server in
            let server = try #require(server)
            let alarm = try await bench.alarm(on: server)
            try await bench.night.submit(.skipDose2)
            _ = try await server.awaitClosed(1)
            try await bench.advance(to: 20 * 60)
            try await bench.night.submit(.logDose(.dose1))
            try await server.press(alarm.id, "dose2")
            let answer = try await server.awaitShown(4)
            #expect(answer.summary == "Not recorded" && answer.body == "That night is over.")
            #expect(bench.said(.notificationIgnored) == ["A press on a notification was ignored: the night is over"])
            #expect(try await bench.recorded().isEmpty)
        }
    }

    @Test func `E7: a dose recorded while the reminder is on its way is the last word`() async throws {
        let gate = Gate()
        try await DesktopBench.open(.hangs(gate)) { bench, server in
            let server = try #require(server)
            try await bench.advance(to: 150)
            let shown = try await server.awaitShown(1)
            try await bench.night.submit(.logDose(.dose2))
            gate.open()
            #expect(try await server.awaitClosed(1) == [shown.id])
            try await bench.advance(to: 300)
            #expect(server.shown.count == 1)
        }
    }

    @Test func `switched off, nothing is shown, and what was shown goes`() async throws {
        let gate = Gate()
        try await DesktopBench.open(.hangs(gate)) { bench, server in
            let server = try #require(server)
            try await bench.advance(to: 150)
            let shown = try await server.awaitShown(1)
            _ = await bench.night.host.set("notifications", enabled: false)
            gate.open()
            #expect(try await server.awaitClosed(1) == [shown.id])
        }
        try await DesktopBench.open { bench, server in
            let server = try #require(server)
            let alarm = try await bench.alarm(on: server)
            let dose1 = try #require(try await bench.night.log().first { $0.event.type == .doseRecorded })
            try await bench.night.submit(.amend(dose1.event.id)) { $0.at = bench.dose1 + .minutes(17) }
            _ = try await server.awaitClosed(1)
            try await server.press(alarm.id, "dose2")
            let question = try await server.heard.wait { $0.last?.notification?.actions.first == "not_taken" }
            _ = await bench.night.host.set("notifications", enabled: false)
            #expect(try await server.awaitClosed(2) == [alarm.id, question.last?.notification?.id])
        }
        try await DesktopBench.open { bench, server in
            let server = try #require(server)
            let alarm = try await bench.alarm(on: server)
            _ = await bench.night.host.set("notifications", enabled: false)
            #expect(try await server.awaitClosed(1) == [alarm.id])
            try await bench.advance(to: 180)
            #expect(server.shown.count == 3)
            _ = await bench.night.host.set("notifications", enabled: true)
            try await bench.night.submit(.logSleepEvent("bathroom"))
            let again = try await server.awaitShown(4)
            #expect(again.summary == "Dose 2 is still open")
        }
    }
}

extension ScriptedNotificationServer.Heard {
    fileprivate var isQuestion: Bool {
        switch self {
        case .capabilities, .information: true
        case .shown, .closed: false
        }
    }
}
