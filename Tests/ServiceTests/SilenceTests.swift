import DoseTapContract
import DoseTapDomain
import DoseTapTestSupport
import Foundation
import SDBus
import Testing

/// A night whose reminders cannot reach the person, with a real service.
@Suite(.serialized) struct SilenceTests {
    private static func tool(
        _ bench: ServiceBench, _ arguments: String...
    ) throws -> (status: Int32, text: String, errors: String) {
        let program = String(DaemonProcess.program.dropLast())
        let ended = try Command.run(
            [program] + arguments,
            environment: [
                "DBUS_SESSION_BUS_ADDRESS": bench.bus.address, "HOME": bench.folder.path("home"), "TZ": "UTC",
            ])
        return (ended.status, ended.text, ended.errors)
    }

    /// Asks until the answer is as wanted. The doctor learns its findings later, from signals and answers of other
    /// services.
    private static func silence(
        _ bench: ServiceBench, until isWanted: (Warning?) -> Bool
    ) async throws -> Warning? {
        var last: Warning?
        for _ in 0..<50 {
            _ = try await bench.client.doctor()
            last = try await bench.client.status().warnings.silence
            if isWanted(last) { break }
        }
        return last
    }

    /// A service whose alarm is off, on a bus that starts the notification server with a command.
    private static func bench(serverStartedBy command: String) async throws -> ServiceBench {
        let bus = try PrivateBus()
        bus.stop()
        try bus.addService(name: "org.freedesktop.Notifications", command: command)
        try bus.start()
        let bench = try await ServiceBench.start(on: bus)
        _ = try await bench.client.setPlugin("alarm", enabled: false)
        return bench
    }

    private static func finding(_ bench: ServiceBench, _ id: String) async throws -> Finding {
        let rows = try await bench.client.doctor().map { try Finding(json: $0) }
        return try #require(rows.first { $0.id == id })
    }

    @Test func `R20.11: a silent night is told first, on every surface, and no reminder as if it were heard`()
        async throws
    {
        let bench = try await ServiceBench.start()
        _ = try await bench.client.setPlugin("alarm", enabled: false)
        _ = try await bench.client.doctor()
        let receipt = try await bench.submit(.logDose(.dose1))
        #expect(receipt.warnings.first?.code == .noChannel)
        let status = try await bench.client.status()
        #expect(status.warnings.first?.code == .noChannel)
        let first =
            "No reminder can reach you: no program shows notifications, and the alarm's sound is off. Set an alarm clock."
        #expect(status.warnings.first?.message.hasPrefix(first) == true, "\(status.warnings)")
        for arguments in [[], ["status"], ["log", "water"]] {
            let program = String(DaemonProcess.program.dropLast())
            let ended = try Command.run(
                [program] + arguments,
                environment: [
                    "DBUS_SESSION_BUS_ADDRESS": bench.bus.address, "HOME": bench.folder.path("home"), "TZ": "UTC",
                    "COLUMNS": "200",
                ])
            #expect(ended.status == 0 && ended.text.hasPrefix(first), "\(ended.text)")
            #expect(!ended.text.contains("\nNext reminder: "))
        }
        #expect(try Self.tool(bench, "status").text.contains("it will not reach you"))
        #expect(try Self.tool(bench, "status", "--format", "{phase} {next_reminder}").text == "before_window -\n")
        #expect(try Self.tool(bench, "status", "--format", "{warning}").text.hasPrefix("No reminder can reach you"))
        let json = try JSONValue.parse(try Self.tool(bench, "undo", "--json").text)
        #expect(json["warnings"]?.arrayValue?.first?["code"] == "no_channel")

        // A notification server starts, so reminders reach the person again.
        let server = try await ScriptedNotificationServer.start(on: bench.bus.address)
        #expect(try await Self.silence(bench) { $0 == nil } == nil)
        #expect(!(try Self.tool(bench).text.contains("No reminder can reach you")))
        await server.stop()
        #expect(try await Self.silence(bench) { $0 != nil }?.code == .noChannel)
        #expect(try await bench.stop() == 0)
    }

    @Test func `R20.11: the first status of a service waits until it is known whether a screen answers`() async throws {
        let bus = try PrivateBus()
        let gate = Gate()
        let silent = try await ScriptedNotificationServer.start(on: bus.address, .says(nothingBefore: gate))
        let bench = try await ServiceBench.start(
            on: bus, environment: ["DOSETAP_PLUGINS_ALARM_ENABLED": "false"])
        let warning = try await bench.client.status().warnings.silence
        #expect(warning?.message.contains("the notification server does not answer") == true, "\(warning as Any)")
        gate.open()
        #expect(try await bench.stop() == 0)
        await silent.stop()
    }

    @Test func `a server that shows nothing is red until it has shown something`() async throws {
        let bus = try PrivateBus()
        let refusing = try await ScriptedNotificationServer.start(on: bus.address, .refuses)
        let bench = try await ServiceBench.start(on: bus)
        _ = try await bench.client.setPlugin("alarm", enabled: false)
        // The server answers questions. Its refusal shows only when a notification is sent to it.
        #expect(try await Self.finding(bench, "notifications").level == .green)
        #expect(try Self.tool(bench, "reminders", "--test", "notification").status != 0)
        #expect(try await Self.finding(bench, "notifications").level == .red)
        #expect(
            try await bench.client.status().warnings.silence?.message.contains("notifications are not shown") == true)
        await refusing.stop()
        let proper = try await ScriptedNotificationServer.start(on: bus.address)
        #expect(try Self.tool(bench, "reminders", "--test", "notification").status == 0)
        #expect(try await Self.finding(bench, "notifications").level == .green)
        #expect(try await Self.silence(bench) { $0 == nil } == nil)
        await proper.stop()
        #expect(try await bench.stop() == 0)
    }

    @Test func `R20.11: a server that the bus cannot start shows nothing, and that is told without asking the doctor`()
        async throws
    {
        let bench = try await Self.bench(serverStartedBy: "/bin/false")
        #expect(try await bench.client.status().warnings.silence == nil)
        _ = try await bench.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(155) }
        // Until the server was asked, the first failed notification may already say that none is shown.
        let silent = "No reminder can reach you: the notification server does not answer, and the alarm's sound is off"
        var warning: Warning?
        let clock = ContinuousClock()
        let limit = clock.now + .seconds(30)
        while warning?.message.hasPrefix(silent) != true, clock.now < limit {
            warning = try await bench.client.status().warnings.silence
        }
        #expect(warning?.message.hasPrefix(silent) == true, "\(warning as Any)")
        #expect(try Self.tool(bench, "log", "water").text.hasPrefix("No reminder can reach you"))
        #expect(try await bench.stop() == 0)
    }

    @Test func `R20.11: dose 1 is told at once, and below it what a service that has just started finds out`()
        async throws
    {
        // The notification server is started and never appears. The service knows this after two seconds.
        let bench = try await Self.bench(serverStartedBy: "/bin/sleep 20")
        // A dry run does not ask for a channel.
        let trial = try Self.tool(bench, "log", "dose1", "--dry-run")
        #expect(trial.status == 0 && !trial.text.contains("No reminder can reach you"))
        // A past night has no reminder to come.
        let past = try Self.tool(bench, "log", "dose1", "--ago", "40h", "--confirm", "long_ago", "--plain")
        #expect(past.status == 0 && !past.text.contains("No reminder can reach you"), "\(past)")
        #expect(!past.errors.contains("before you sleep"), "\(past)")
        let logged = try Self.tool(bench, "log", "dose1", "--plain")
        let lines = logged.text.split(separator: "\n").map(String.init)
        #expect(lines.first?.hasPrefix("Recorded: dose 1") == true, "\(logged)")
        #expect(
            lines.last?.hasPrefix("No reminder can reach you: the notification server does not answer") == true,
            "\(logged)")
        #expect(try await bench.stop() == 0)
    }

    @Test(
        .enabled(if: Testbed.isActive && RealDesktop.isInstalled, "needs a test bed with a desktop: run Contrib/test"))
    func `do-not-disturb of a real server silences the night, and that is told`() async throws {
        let bus = try PrivateBus()
        let desktop = try RealDesktop(bus: bus.address)
        let bench = try await ServiceBench.start(on: bus)
        _ = try await bench.client.setPlugin("alarm", enabled: false)
        #expect(try await Self.silence(bench) { $0 == nil } == nil)
        try desktop.pause(true)
        let warning = try await Self.silence(bench) { $0 != nil }
        #expect(warning?.message.contains("do-not-disturb is on, and the alarm's sound is off") == true)
        try desktop.pause(false)
        #expect(try await Self.silence(bench) { $0 == nil } == nil)
        #expect(try await bench.stop() == 0)
        try desktop.stop()
    }
}
