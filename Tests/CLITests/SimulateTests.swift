import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

@Suite struct SimulateTests {
    static let night = "zone Europe/Berlin\nstart 2026-10-24 22:30\n22:30 log dose1\n+170m log dose2\nuntil 06:00\n"

    @Test func `a script runs to its end and leaves nothing behind`() async throws {
        let outcome = try await Tool.run(["simulate", "-"], input: Self.night)
        #expect(outcome.code == 0, "\(outcome.err)")
        #expect(outcome.out.contains("01:00   150  TOLD The dose window is open [journal, notifications]"))
        #expect(
            outcome.out.hasSuffix(
                "0 missed, 0 early, 0 twice, 0 late, 0 after_close, 0 after_resolved, 0 moved, 0 asked, 0 says_take\nAlarm: rang 39 times, was spoken 3 times\n"
            ), "\(outcome.out)")
        let json = try await Tool.run(["simulate", "-", "--json"], input: Self.night).json
        #expect(json["summary"]?["told"]?.integerValue == 5)
        #expect(json["alarm"]?["rings"]?.integerValue == 39)
        #expect(json["night"]?["phase"]?.stringValue == "completed")
    }

    @Test func `R7.11 an alarm that was told before its time rings and is spoken when it is due`() async throws {
        let script = """
            zone Europe/Berlin
            start 2026-11-20 23:00
            set target_minutes 165
            23:10 log dose1
            +130m clock +30m
            +142m clock -30m synchronised
            +168m log dose2
            until 06:00

            """
        let said = try await Tool.run(["simulate", "-"], input: script).out.split(separator: "\n").map {
            $0.drop { $0 != ":" }.dropFirst(3).drop { $0 == " " }
        }
        #expect(said.filter { $0.hasSuffix("The alarm rings") }.map { $0.prefix(3) } == ["135", "165"], "\(said)")
        #expect(said.filter { $0.hasSuffix("The alarm is spoken") }.map { $0.prefix(3) } == ["136", "166"], "\(said)")
    }

    @Test func `the program is found beside dosetap or in libexec, and one that is missing is named`() async throws {
        let scratch = try Scratch()
        let bin = scratch.path + "/bin"
        try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
        // A copy, so that the program sees another folder as its own.
        try FileManager.default.copyItem(atPath: Tool.program.path, toPath: bin + "/dosetap")
        func run(_ words: [String]) throws -> TestProgram.Outcome {
            try TestProgram.run(
                [bin + "/dosetap", "simulate", "-"] + words, environment: Tool.environment(home: scratch.path),
                input: Data(Self.night.utf8))
        }
        let installed = scratch.path + "/libexec/dosetap/dosetap-simulate"
        let missing = try run([])
        #expect(missing.status == 6 && missing.output.isEmpty)
        #expect(missing.errors.contains("The simulation program '\(installed)' is missing."), "\(missing.errors)")
        #expect(missing.errors.contains("Contrib/install"))
        let error = try JSONValue.parse(String(try run(["--json"]).text.dropLast()))["error"]
        #expect(error?["kind"] == "unreachable" && error?["hint"] == "Contrib/install")
        try FileManager.default.createDirectory(
            atPath: scratch.path + "/libexec/dosetap", withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: Tool.folder.appendingPathComponent("dosetap-simulate").path, toPath: installed)
        let found = try run([])
        #expect(found.status == 0 && found.text.contains("TOLD The dose window is open"), "\(found.errors)")
    }

    @Test(arguments: ["autumn", "clock-set-back", "virtual-machine", "reboot-offline"])
    func `a sample runs to its end without a fault`(name: String) async throws {
        let json = try await Tool.run(
            ["simulate", ManualTests.root.path + "/Contrib/nights/\(name).txt", "--json"]
        ).json
        #expect(json["summary"]?["complaints"]?.arrayValue?.isEmpty == true, "\(json)")
        #expect(json["night"]?["phase"]?.stringValue == "completed")
    }

    /// Wrong lines with their input and a part of the message.
    static let wrong: [(words: [String], input: String, says: String)] = [
        (["simulate", "-"], "start 2026-10-24 22:30\n22:40 lug dose1", "line 2"),
        (["simulate", "-"], "start 2026-10-24 22:30\n+0m log dose1 heaps", "line 2: 'heaps' is no amount"),
        (["simulate", "-"], "", "begins"), (["simulate"], "", "Give a script"),
        (["simulate", "-", "--night", "today"], "", "Give a script"), (["simulate", "-", "--script"], "", "--night"),
        (["simulate", "/nonexistent"], "", "No such file"), (["simulate", "/"], "", "read"),
    ]

    @Test(arguments: wrong)
    func `what is wrong is told in one sentence, as wrong usage`(
        words: [String], input: String, says: String
    ) async throws {
        let outcome = try await Tool.run(words, input: input)
        #expect(outcome.code == 64)
        #expect(outcome.out.isEmpty)
        #expect(outcome.err.contains(says), "\(outcome.err)")
    }

    @Test func `a recorded night is replayed`() async throws {
        let folder = try ScratchFolder()
        let cli = try CLIHarness(["TZ": "UTC", "XDG_CONFIG_HOME": folder.path("config")])
        try await cli.json("log", "dose1", "--at", "2026-01-14T22:30:00Z", "--confirm", "long_ago")
        try await cli.json("log", "dose2", "--at", "2026-01-15T01:20:00Z", "--confirm", "long_ago")
        let replayed = try await cli.json("simulate", "--night", "2026-01-14")
        // The window tells five reminders until dose 2, and the morning tells the reminder of the check-in.
        #expect(replayed["summary"]?["told"]?.integerValue == 6)
        let rings = try #require(replayed["alarm"]?["rings"]?.integerValue)
        // The replay uses the person's ladder: without the tone no alarm rings.
        #expect(rings > 0)
        _ = try await cli.json("config", "set", "ladder.sound_after", "off")
        let silent = try await cli.json("simulate", "--night", "2026-01-14")
        #expect(silent["alarm"]?["rings"]?.integerValue == 0)
        #expect(silent["summary"]?["missed"]?.integerValue == 0, "\(silent)")
        #expect(replayed["night"]?["session_date"]?.stringValue == "2026-01-14")
    }

    @Test func `what is printed is what the plugins show, in the zone of the night`() async throws {
        func lines(_ script: String) async throws -> [String] {
            let outcome = try await Tool.run(
                ["simulate", "-"], input: "zone Europe/Berlin\nstart 2026-01-14 22:20\n" + script)
            #expect(outcome.code == 0, "\(outcome.err)")
            return outcome.out.split(separator: "\n").map(String.init)
        }
        let back = try await lines("22:30 log dose1\n+60m clock -2h\n+100m log dose2\nuntil 02:45\n")
        #expect(back.contains { $0.contains("the window opens at 23:00 by the new clock") }, "\(back)")
        #expect(back.contains { $0.contains("dose 1 was 1 h 40 min ago") && $0.contains("Wait until 23:00.") })
        #expect(back.contains { $0.contains("TOLD The alarm rings in 5 minutes [") })
        #expect(back.contains { $0.contains("TOLD The dose window closes in 15 minutes [") })
        let ahead = try await lines("22:30 log dose1\n+60m clock +2h\nuntil 04:45\n")
        #expect(ahead.contains { $0.contains("TOLD Dose 2: the computer's clock may be wrong.") }, "\(ahead)")
        #expect(!ahead.contains { $0.contains("TOLD The dose window closes in") })
        let second = try await lines(
            "22:30 log dose1\n+160m log dose2\n07:30 wake\n22:30 log dose1\nuntil 2026-01-16T04:00:00Z\n")
        #expect(second.filter { $0.contains("TOLD The dose window closes in 15 minutes [") }.count == 1, "\(second)")
    }
}
