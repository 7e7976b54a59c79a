import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

@Suite struct TimeQuestionTests {
    static let repeated = [
        "--time-zone", "America/New_York", "session-key", "2026-11-01 01:30", "--rollover-hour", "1",
    ]

    @Test func `off a terminal a time shown twice names both instants`() async throws {
        let outcome = try await Tool.run(Self.repeated)
        #expect(outcome.code == 64)
        #expect(outcome.err.contains("2026-11-01T01:30:00.000-04:00"))
        #expect(outcome.err.contains("2026-11-01T01:30:00.000-05:00"))
        let json = try await Tool.run(Self.repeated + ["--json"])
        #expect(
            try json.json["error"]?["choices"]
                == .array(["2026-11-01T01:30:00.000-04:00", "2026-11-01T01:30:00.000-05:00"]))
    }

    @Test func `a recording verb never guesses which of two times is meant`() async throws {
        let outcome = try await Tool.run(
            ["log", "dose1", "--at", "2026-11-01 01:30", "--time-zone", "America/New_York", "--bus", "none"],
            ["DOSETAP_DAEMON": "/nonexistent/must-not-be-started"])
        #expect(outcome.code == 64)
    }

    @Test(arguments: [
        ["session-key", "2026-03-08 02:30", "--time-zone", "America/New_York"],
        ["log", "dose1", "--at", "2026-03-08 02:30", "--time-zone", "America/New_York", "--bus", "none"],
    ])
    func `a time that never was is refused`(arguments: [String]) async throws {
        let outcome = try await Tool.run(arguments)
        #expect(outcome.code == 64)
        #expect(outcome.err.contains("never happened"))
    }

    @Test(arguments: [("1", Int32(0)), ("2", 0), ("x", 64)])
    func `on a terminal it is asked`(answer: String, code: Int32) async throws {
        let session = try TerminalSession(Self.repeated)
        let outcome = try await session.run([(question: "Type 1 or 2", answer: answer)])
        #expect(outcome.code == code)
        #expect(outcome.screen.contains("01:30 summer time, the first 01:30"))
        if code == 0 { #expect(outcome.screen.contains("2026-11-01\r\n")) }
    }

    @Test func `a local time is read in the zone in which times are shown`() async throws {
        let folder = try ScratchFolder()
        // Nine hours apart.
        let cli = try CLIHarness(["TZ": "UTC", "XDG_CONFIG_HOME": folder.path("config")])
        try await cli.json("config", "set", "time_zone", "Asia/Tokyo")
        let then = Int(time(nil)) - 1_200
        func clock(_ hours: Int) -> String {
            let shown = then + hours * 3_600
            return String(format: "%02d:%02d", shown / 3_600 % 24, shown / 60 % 60)
        }
        func counts(_ words: String...) async throws -> Bool {
            let outcome = try await cli.run(words: words + ["--json"])
            let at = try Instant(iso8601: try #require(try outcome.json["timestamp"]?.stringValue, "\(outcome)"))
            return (0..<60).contains(Int64(then) - at.milliseconds / 1_000)
        }
        #expect(try await counts("log", "dose1", "--at", clock(9)))
        #expect(try await counts("log", "bathroom", "--at", clock(0), "--time-zone", "UTC"))
        let shown = try await cli.run("log", "water", "--at", clock(9))
        #expect(shown.out.hasPrefix("Recorded: Water at \(clock(9)) (Asia/Tokyo)."), "\(shown)")
        #expect(shown.err.components(separatedBy: "no reminders will come").count == 2, "said once: \(shown.err)")
        let status = try await cli.json("status", "--at", clock(9))
        #expect(status["zone_in_force"] == "Asia/Tokyo")
        #expect(try await cli.json("status", "--at", clock(9))["phase"] == "before_window")
        let asked = try await TerminalSession(cli.options + ["log", "dose2", "--at", clock(9)], cli.environment)
            .run([(question: "anything else stops", answer: "no")])
        #expect(asked.screen.contains("dose 2 at \(clock(9))"), "\(asked.screen)")
    }

    @Test(arguments: ["--json", "--plain"])
    func `where the output is for a machine nothing is asked`(option: String) async throws {
        let outcome = try await TerminalSession(Self.repeated + [option]).run()
        #expect(outcome.code == 64)
        #expect(!outcome.screen.contains("Type 1 or 2"))
    }
}
