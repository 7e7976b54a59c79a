import DoseTapDomain
import DoseTapEngine
import DoseTapTestSupport
import SDBus
import Testing

@testable import DoseTapPlugins

/// F4, K5: the server is absent, refuses, hangs or gives wrong answers.
@Suite struct NotificationFaultTests {
    static let manners: [(ScriptedNotificationServer.Manner, reason: String)] = [
        (.refuses, "org.freedesktop.DBus.Error.Failed: not today"), (.answersZero, "it answered with the id 0"),
        (.answersWords, "InvalidSignature"),
    ]

    @Test(arguments: manners)
    func `F4: a server that does not show is noticed once and tried again each minute`(
        manner: (ScriptedNotificationServer.Manner, reason: String)
    ) async throws {
        try await DesktopBench.open(manner.0) { bench, server in
            let server = try #require(server)
            try await bench.advance(to: 150)
            _ = try await server.awaitShown(1)
            try await bench.passMinute()
            _ = try await server.awaitShown(2)
            try await bench.passMinute()
            _ = try await server.awaitShown(3)
            #expect(bench.said(.notificationsUnavailable).count == 1)
            #expect(bench.said(.notificationsUnavailable).first?.contains(manner.reason) == true)
            // Another server takes its place. The reminder that still holds is shown at once, and the journal says so.
            await server.stop()
            let better = try await ScriptedNotificationServer.start(on: bench.bus.address)
            let shown = try await better.awaitShown(1)
            #expect(shown.replaces == 0 && !shown.actions.isEmpty)
            try await bench.awaitSaid(.notificationsAvailable, count: 2)
            await better.stop()
        }
    }

    static let nonsense: [ScriptedNotificationServer.Manner] = [.boasts(100_000), .counts]

    @Test(arguments: nonsense)
    func `a server whose word about itself is nonsense gets a line of text`(
        manner: ScriptedNotificationServer.Manner
    ) async throws {
        try await DesktopBench.open(manner) { bench, server in
            let server = try #require(server)
            try await bench.awaitSaid(.notificationsAvailable)
            #expect(bench.said(.notificationsAvailable) == ["Reminders are shown by Scripted 1, without buttons"])
            let alarm = try await bench.alarm(on: server)
            #expect(alarm.actions.isEmpty && alarm.body.isEmpty)
            #expect(alarm.summary.hasPrefix("Time to take dose 2 · ") && alarm.summary.contains("dosetap log dose2"))
        }
    }

    @Test func `F4: a server that answers nothing is asked again each minute, and no more`() async throws {
        let gate = Gate()
        try await DesktopBench.open(.says(nothingBefore: gate)) { bench, server in
            let server = try #require(server)
            try await bench.advance(to: 150)
            let began = ContinuousClock.now
            try await bench.awaitSaid(.notificationsUnavailable)
            #expect(ContinuousClock.now - began < .seconds(7))
            try await bench.passMinute()
            try await server.heard.wait { $0.count == 2 }
            try await bench.passMinute()
            try await server.heard.wait { $0.count == 3 }
            #expect(bench.said(.notificationsUnavailable).count == 1 && server.shown.isEmpty)
            gate.open()
            #expect(try await server.awaitShown(1).summary == "You can take dose 2 now")
        }
    }

    @Test func `F4: a server that hangs holds nobody up, and what it shows too late is taken away`() async throws {
        let gate = Gate()
        try await DesktopBench.open(.hangs(gate)) { bench, server in
            let server = try #require(server)
            try await bench.advance(to: 150)
            let first = try await server.awaitShown(1)
            try await bench.night.submit(.logSleepEvent("bathroom"))
            try await bench.awaitSaid(.notificationsUnavailable)
            #expect(bench.said(.notificationsUnavailable).first?.hasSuffix("it does not answer") == true)
            try await bench.night.submit(.skipDose2)
            gate.open()
            #expect(try await server.awaitClosed(1) == [first.id])
        }
    }

    @Test func `without a server the reminders go on, and one that comes shows at once what still holds`() async throws
    {
        try await DesktopBench.open(nil) { bench, _ in
            try await bench.awaitSaid(.notificationsUnavailable)
            try await bench.advance(to: 166)
            #expect(bench.night.plugin.told.elements.map(\.item.id) == [.windowOpen, .preAlarm, .alarm])
            let server = try await ScriptedNotificationServer.start(on: bench.bus.address)
            let shown = try await server.awaitShown(1)
            #expect(shown.summary == "Time to take dose 2" && shown.body.contains("2 h 46 min since dose 1."))
            #expect(bench.said(.notificationsUnavailable).count == 1)
            await server.stop()
        }
    }

    @Test func `what was resolved while there was no server is not shown when one comes`() async throws {
        try await DesktopBench.open(nil) { bench, _ in
            try await bench.advance(to: 166)
            try await bench.night.submit(.logDose(.dose2))
            let server = try await ScriptedNotificationServer.start(on: bench.bus.address)
            try await bench.awaitSaid(.notificationsAvailable)
            await bench.night.engine.published()
            #expect(server.shown.isEmpty)
            await server.stop()
        }
    }

    @Test func `F1: a server or a bus that starts anew is given the reminder again, as a new one`() async throws {
        try await DesktopBench.open { bench, server in
            let server = try #require(server)
            _ = try await bench.alarm(on: server)
            await server.stop()
            try await bench.awaitSaid(.notificationsUnavailable)
            let second = try await ScriptedNotificationServer.start(on: bench.bus.address)
            #expect(try await second.awaitShown(1).replaces == 0)
            bench.bus.stop()
            bench.night.loop.execute { bench.desktop.connect(nil) }
            await second.stop()
            try bench.bus.start()
            let third = try await ScriptedNotificationServer.start(on: bench.bus.address)
            try await bench.connect()
            #expect(try await third.awaitShown(1).summary == "Time to take dose 2")
            await third.stop()
        }
    }

    @Test func `when the service stops an open window's reminder stays without buttons, as long as the window`()
        async throws
    {
        try await DesktopBench.open { stopped, server in
            let server = try #require(server)
            stopped.settings[NotificationsPlugin.soundName] = "ding"
            let alarm = try await stopped.alarm(on: server)
            let bench = try await stopped.afterStop()
            let left = try await server.awaitShown(4)
            #expect(left.replaces == alarm.id && left.actions.isEmpty && left.summary == alarm.summary)
            #expect(left.body.contains("DoseTap was stopped") && left.body.contains("dosetap log dose2"))
            #expect(left.expiry == 75 * 60_000 && left.hints["urgency"] == .byte(1) && left.hints["sound-name"] == nil)
            let again = try await server.awaitShown(5)
            #expect(again.replaces == alarm.id && again.actions == alarm.actions && again.expiry == 0)
            #expect(server.closed.isEmpty)
            await bench.night.stop()
        }
    }

    @Test func `when the service stops everything else is taken away, also what is still on its way`() async throws {
        try await DesktopBench.open { bench, server in
            let server = try #require(server)
            try await bench.advance(to: 239)
            _ = try await server.awaitShown(1)
            try await bench.advance(to: 240)
            let closed = try await server.heard.wait { $0.last?.notification?.actions == ["skip", "Dose 2 not taken"] }
            await bench.night.engine.stop()
            let id = try #require(closed.last?.notification?.id)
            try await server.heard.wait { $0.last?.closedID == id }
        }
        let gate = Gate()
        try await DesktopBench.open(.hangs(gate)) { bench, server in
            let server = try #require(server)
            try await bench.advance(to: 150)
            let shown = try await server.awaitShown(1)
            await bench.night.engine.stop()
            gate.open()
            let left = try await server.awaitShown(2)
            #expect(left.replaces == shown.id && left.actions.isEmpty)
        }
    }
}
