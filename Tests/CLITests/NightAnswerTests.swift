import DoseTapDomain
import Testing

/// Answers about a night after a wake, a check-in, a removal, or from another zone.
@Suite struct NightAnswerTests {
    @Test func `R20.22 each dose that was taken off the record is told`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "170m")
        try await cli.json("log", "dose2", "--ago", "10m")
        try await cli.json("delete", "dose2")
        try await cli.json("delete", "dose1")
        let told = try await cli.run().out.replacing("\n", with: " ")
        #expect(told.contains(" Dose 1 of ") && told.contains(" Dose 2 of "), "\(told)")
    }

    @Test func `R20.19 a wake between the close and the end of the window asks, and the question stays`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "245m")
        let wake = try await cli.run("wake", "--confirm", "window_unresolved")
        #expect(wake.code == 0 && wake.out.contains(StrangerTests.question), "\(wake)")
        let checkIn = try await cli.run("checkin", "--set", "mood=good", "--confirm", "window_unresolved")
        #expect(checkIn.code == 0 && !checkIn.out.contains(StrangerTests.question), "\(checkIn)")
        for verb in [[], ["status"]] {
            let told = try await cli.run(words: verb).out
            #expect(told.contains(StrangerTests.question), "\(told)")
        }
    }

    @Test func `R20.17 a snooze after a check-in says why not, and the check-in can be taken back`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "3h")
        try await cli.json("checkin", "--set", "mood=good", "--confirm", "window_unresolved")
        let refused = try await cli.error(5, "snooze")
        #expect(refused["message"]?.stringValue?.hasPrefix("The check-in is on record") == true, "\(refused)")
        for verb in [[], ["status"]] {
            let told = try await cli.run(words: verb).out
            #expect(told.contains("dosetap delete last checkin"), "\(told)")
        }
        #expect(try await cli.run("delete", "last", "checkin").code == 0)
        let open = try await cli.run().out
        #expect(open.contains("The window for dose 2 is open"), "\(open)")
    }

    @Test func `R20.14 the pre-sleep log of a night with doses is not told as one without`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "5h")
        try await cli.json("log", "dose2", "--ago", "2h")
        try await cli.json("presleep", "--set", "alcohol=2-3")
        try await cli.json("checkin", "--set", "mood=good")
        let told = try await cli.run().out
        #expect(told.contains("Dose 2: yes") && !told.contains("no dose yet"), "\(told)")
    }

    @Test func `R13.1 an extra dose is named in the list of nights at any width`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "6h")
        try await cli.json("log", "dose2", "--ago", "3h20m")
        try await cli.json("log", "extra", "--confirm", "extra", "--confirm", "extra_understood")
        for columns in ["40", "60", "80"] {
            let told = try await cli.run("history", environment: ["COLUMNS": columns]).out
            #expect(told.contains("1 extra"), "\(told)")
            #expect(told.split(separator: "\n").allSatisfy { $0.count <= Int(columns) ?? 0 }, "\(told)")
        }
    }

    @Test func `R20.15 R23.15 an amendment is proposed with a time that it takes`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "170m")
        try await cli.json("log", "dose2", "--ago", "10m")
        let after = try await cli.error(5, "log", "dose1", "--ago", "5m")
        #expect(after["hint"] == "dosetap amend dose1 --at TIME", "\(after)")
        // Of all zones the one with this offset is never that of the night.
        let there = ["TZ": "Asia/Kathmandu"]
        let asked = try await cli.run(words: ["log", "dose1", "--ago", "200m", "--json"], environment: there)
        let hint = try asked.json["error"]?["hint"]?.stringValue ?? ""
        #expect(hint.hasPrefix("dosetap amend dose1 --at ") && hint.contains("+05:45"), "\(asked)")
        let words = hint.split(separator: " ").dropFirst().map { $0.filter { $0 != "'" } }
        let amended = try await cli.run(words: words, environment: there)
        #expect(amended.code == 0, "\(amended)")
    }

    @Test func `R23.12 a regimen begins and ends with nights by their names`() async throws {
        let cli = try CLIHarness()
        let set = try await cli.json("regimen", "set", "xyrem", "4.5g", "--from", "tonight", "--until", "tonight")
        #expect(set["type"] == "regimen", "\(set)")
        let shown = try await cli.json("regimen", "show")
        #expect(shown["active"]?["id"] == set["event_id"], "\(shown)")
    }
}
