import DoseTapDomain
import Testing

@Suite struct WhyTests {
    static let keys = [
        "event", "sequence", "entity_type", "session_id", "session_date", "time_zone", "sender", "pid", "comm", "phase",
        "elapsed_s", "confirmations", "rules", "standing", "cause", "consequences", "corrections",
    ]

    @Test func `why explains an entry, its correction and what opened the night`() async throws {
        let cli = try CLIHarness()
        let first = try await cli.json("log", "dose1", "--ago", "100m")
        let id = try #require(
            try await cli.json("log", "dose2", "--confirm", "early", "--note", "slip")["event_id"]?.stringValue)
        let amended = try await cli.json("amend", id, "--note", "no slip")
        let why = try await cli.json("why", id)
        #expect(CLIHarness.keys(why) == Self.keys)
        #expect(why["phase"] == "before_window" && why["elapsed_s"] == 6_000 && why["confirmations"] == ["early"])
        #expect(why["standing"] == "amended" && why["sequence"] == 3)
        #expect(why["event"]?["metadata"]?["note"] == "slip")
        let correction = why["corrections"]?.arrayValue?.first
        #expect(correction?["id"] == amended["event_id"] && correction?["metadata"]?["note"] == "no slip")
        #expect(why["rules"]?.arrayValue?.compactMap { $0["rule"]?.stringValue } == ["R4.2", "R4.3"])
        let back = try await cli.json("why", try #require(amended["event_id"]?.stringValue))
        #expect(back["cause"]?["id"]?.stringValue == id && back["entity_type"] == "dose")
        let opening = try await cli.json("why", try #require(first["event_id"]?.stringValue))
        let opened = try #require(opening["consequences"]?.arrayValue?.first)
        #expect(opened["type"] == "session_opened")
        let night = try await cli.json("why", try #require(opened["id"]?.stringValue))
        #expect(night["event"]?["id"] == opened["id"] && night["cause"]?["id"] == first["event_id"])

        let text = try await cli.run("why", id).out
        #expect(text.hasPrefix("Dose 2 at "))
        for line in [
            "  Phase      before the window, 1 h 40 min after dose 1", "  Confirmed  early", "  Rule R4.3  early: ",
        ] {
            #expect(text.contains("\n\(line)"), "\(text)")
        }
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test func `a night ended by its check-in is explained by the rule of check-ins`() async throws {
        let cli = try await CheckInTests.morning()
        let id = try #require(try await cli.json("checkin", "--set", "mood=good")["event_id"]?.stringValue)
        let closed = try await cli.json("why", id)["consequences"]?.arrayValue?.first { $0["type"] == "session_closed" }
        let why = try await cli.json("why", try #require(closed?["id"]?.stringValue))
        #expect(why["rules"]?.arrayValue?.compactMap { $0["rule"]?.stringValue } == ["R9.6"])
    }

    @Test func `show of an entry prints its original and its corrections, also when its night is gone`() async throws {
        let cli = try CLIHarness()
        let id = try #require(try await cli.json("log", "lights-out", "--note", "first")["event_id"]?.stringValue)
        try await cli.json("amend", id, "--note", "second")
        let entry = try #require(try await cli.json("show", id)["entry"])
        #expect(CLIHarness.keys(entry) == ["original", "standing", "corrections"])
        #expect(entry["original"]?["metadata"]?["note"] == "first" && entry["standing"] == "amended")
        #expect(entry["corrections"]?.arrayValue?.map { $0["type"] } == ["entry_amended"])
        let text = try await cli.run("show", id).out
        #expect(text.contains("  Original   ") && text.contains("  Corrected  amended note: second"))
        try await cli.json("undo")
        try await cli.json("undo")
        let gone = try await cli.json("show", id)
        #expect(gone["nights"] == .array([]) && gone["entry"]?["standing"] == "undone")
        #expect(
            gone["entry"]?["corrections"]?.arrayValue?.map { $0["type"] } == [
                "entry_amended", "action_undone", "action_undone",
            ])
    }

    @Test(arguments: [("01234567", Int32(3), "not_found"), ("x", 3, "not_found"), ("", 64, "invalid_input")])
    func `what there is not is not explained`(id: String, code: Int32, kind: String) async throws {
        let cli = try CLIHarness()
        #expect(try await cli.error(code, "why", id)["kind"]?.stringValue == kind)
    }

    @Test func `a beginning that several events have is refused`() async throws {
        let cli = try CLIHarness()
        let id = try #require(try await cli.json("log", "dose1")["event_id"]?.stringValue)
        let error = try await cli.error(64, "why", String(id.prefix(8)))
        #expect(error["message"]?.stringValue?.contains("More than one id begins with") == true)
    }

    @Test func `the first line says whether the doses were had, when, and by which surface`() async throws {
        let cli = try CLIHarness()
        for verb in [[], ["status"]] {
            #expect(try await cli.run(words: verb).out.hasPrefix("Dose 1: no. Dose 2: no.\n"))
        }
        try await cli.json("log", "dose1", "--ago", "160m")
        try await cli.json("log", "dose2")
        for verb in [[], ["status"]] {
            let line = try #require(try await cli.run(words: verb).out.split(separator: "\n").first)
            let pattern = /Dose 1: yes, at TT, from PP\. Dose 2: yes, at TT, 2 h 40 min later, from PP\./
            let shown = line.replacing(/\d\d:\d\d/, with: "TT").replacing("the command line", with: "PP")
            #expect(shown.wholeMatch(of: pattern) != nil, "\(line)")
        }
        let status = try await cli.json("status")
        #expect(status["dose1_surface"] == "cli" && status["dose2_surface"] == "cli" && status["certain"] == true)
    }
}
