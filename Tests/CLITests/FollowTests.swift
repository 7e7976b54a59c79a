import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

@Suite struct FollowTests {
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `following ends cleanly when told to`(signal: Int32) async throws {
        let cli = try CLIHarness()
        let session = try FollowSession(cli.options + ["status", "--follow", "--json"])
        let status = try JSONValue.parse(try await session.line())
        #expect(status["phase"] == "no_dose1")
        #expect(try await session.end(signal) == 0)
    }

    @Test func `D5 a service that finds the record with a command starts once that has ended`() async throws {
        let (cli, bus) = (try CLIHarness(), try PrivateBus())
        try await cli.json("log", "dose1")
        func service() throws -> DaemonProcess {
            try DaemonProcess(arguments: ["--store", cli.store, "--address", bus.address])
        }
        let session = try FollowSession(cli.options + ["status", "--follow"])
        _ = try await session.line()
        // With exit code 75 the manager would not start the service again (RestartPreventExitStatus=).
        #expect(try service().awaitExit() == 1)
        #expect(try await session.end(SIGTERM) == 0)
        let daemon = try service()
        try daemon.awaitReady()
        daemon.signal(SIGTERM)
        #expect(try daemon.awaitExit() == 0)
    }

    @Test func `following ends when its reader goes away`() async throws {
        let cli = try CLIHarness()
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        let command = ([Tool.program.path] + cli.options + ["status", "--follow"]).joined(separator: "' '")
        shell.arguments = ["-c", "'\(command)' 2>/dev/null | head -n 1; exit 7"]
        shell.environment = Tool.environment(home: "/nonexistent")
        shell.standardOutput = FileHandle.nullDevice
        #expect(try await shell.outcome() == 7)
    }

    @Test func `following tells each fact once as it is recorded elsewhere`() async throws {
        let (bus, folder) = (try PrivateBus(), try ScratchFolder())
        let daemon = try DaemonProcess(
            arguments: ["--store", folder.path("dosetap.db"), "--address", bus.address])
        try daemon.awaitReady()
        let environment = ["DBUS_SESSION_BUS_ADDRESS": bus.address, "TZ": HourZone.night]
        let session = try FollowSession(["status", "--follow"], environment)
        // The bus has no notification server, and the lines about that come first.
        var first = try await session.line()
        while !first.contains("Dose 1: no.") { first = try await session.line() }
        func record(_ words: String...) async throws {
            let outcome = try await Tool.run(words, environment)
            #expect(outcome.code == 0, "\(words): \(outcome.err)")
        }
        try await record("log", "dose1", "--ago", "155m")
        var lines: [String] = []
        while lines.last?.contains("The window for dose 2 is open") != true { lines.append(try await session.line()) }
        #expect(lines.count { $0.contains("Dose 1: ") } == 1, "\(lines)")
        try await record("undo")
        lines = []
        while lines.last?.contains("no longer on record") != true { lines.append(try await session.line()) }
        try await record("log", "dose1", "--ago", "155m")
        try await record("skip")
        while lines.last?.contains("Dose 2: skipped.") != true { lines.append(try await session.line()) }
        #expect(lines.count { $0.contains("Dose 2: skipped.") } == 1, "\(lines)")
        #expect(try await session.end(SIGTERM) == 0)
        daemon.signal(SIGTERM)
        #expect(try daemon.awaitExit() == 0)
    }

    @Test func `tonight in plain output prints whole lines and no sign that moves the cursor`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "20m")
        let session = try TerminalSession(cli.options + ["tonight", "--plain"], cli.environment)
        let outcome = try await session.run([("Before the window. Dose 1: yes", "")], end: "") { session.send(SIGINT) }
        #expect(outcome.code == 0 && !outcome.screen.contains("\u{1B}"), "\(outcome.screen)")
    }

    @Test func `tonight counts down in big digits until Ctrl-C`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "20m")
        let session = try TerminalSession(cli.options + ["tonight"], cli.environment)
        let outcome = try await session.run([("to the opening", "")], end: "") { session.send(SIGINT) }
        let rows = outcome.screen.split(whereSeparator: \.isNewline).filter { $0.contains("█") || $0.contains("##") }
        #expect(rows.count >= 5, "\(outcome.screen)")
        #expect(outcome.screen.contains("Too early for dose 2") || outcome.screen.contains("Dose 1: yes"))
        #expect(outcome.code == 0)
    }
}
