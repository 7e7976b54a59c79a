import DoseTapDomain
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
}
