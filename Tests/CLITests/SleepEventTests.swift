import DoseTapDomain
import Testing

@Suite struct SleepEventTests {
    @Test(arguments: [
        ("bathroom", "bathroom", "Bathroom"), ("Lights Out", "lights_out", "Lights Out"),
        ("brief-wake", "wake_temp", "Brief Wake"), ("leg cramps", "leg_cramps", "Leg Cramps"),
    ])
    func `log takes a sleep event in any spelling`(typed: String, word: String, shown: String) async throws {
        let cli = try CLIHarness()
        let own = ["DOSETAP_SLEEP_EVENTS_CUSTOM": "Leg Cramps"]
        let text = try await cli.run("log", typed, "--ago", "20m", environment: own)
        #expect(text.code == 0, "\(text.err)")
        #expect(text.out.hasPrefix("Recorded: \(shown) at "))
        #expect(text.out.contains("\nWrong? dosetap undo, or dosetap amend "))
        let again = try await cli.run(words: ["log", word, "--note", "n", "--json"], environment: own)
        #expect(again.code == 0)
        let receipt = try again.json
        #expect(
            CLIHarness.keys(receipt) == [
                "event_id", "type", "session_id", "session_date", "timestamp", "phase", "dose_index", "metadata",
                "duplicate", "interval_min", "time_zone", "handle", "warnings",
            ])
        #expect(receipt["type"]?.stringValue == word && receipt["phase"] == "no_dose1")
        #expect(receipt["metadata"]?["note"] == "n" && receipt["dose_index"]?.isNull == true)
    }

    @Test func `the final wake by any of its words is the verb wake`() async throws {
        let cli = try CLIHarness()
        let wake = try await cli.json("log", "Wake Up")
        #expect(wake["type"] == "wake_final" && wake["phase"] == "finalizing")
        #expect(try await cli.json("wake")["duplicate"] == true)
    }

    @Test func `a nap is in status and show, and its end tells its length`() async throws {
        let cli = try CLIHarness()
        let start = try await cli.json("log", "nap_start", "--ago", "1h30m")
        #expect(try await cli.json("status")["nap_open_since"] == start["timestamp"])
        #expect(try await cli.run("status").out.contains(/\nNap +since/))
        #expect(try await cli.run().out.contains("A nap began at "))
        let again = try await cli.error(5, "log", "nap start")
        #expect(again["reason"] == "nap_open" && again["hint"] == "dosetap log nap_end")
        #expect(again["standing_id"] == start["event_id"])
        let end = try await cli.run("log", "nap-end", "--ago", "50m")
        #expect(end.out.contains("\nThe nap was 40 min.\n"))
        #expect(
            try await cli.error(5, "log", "nap_start", "--ago", "1h")["reason"] == "nap_open", "naps do not overlap")
        let alone = try await cli.run("log", "nap_end")
        #expect(alone.out.contains("\nNo nap was open: this end stands alone.\n"))
        #expect(try await cli.json("status")["nap_open_since"]?.isNull == true)

        let night = try #require(try await cli.json("show", "today")["nights"]?.arrayValue?.first)
        let naps = try #require(night["naps"]?.arrayValue)
        #expect(naps.map { $0["state"] } == ["complete", "unmatched"])
        #expect(naps.first?["nap_min"] == 40 && naps.first?["start_id"] == start["event_id"])
        #expect(CLIHarness.keys(naps.first) == ["state", "start_id", "start_utc", "end_id", "end_utc", "nap_min"])
        let shown = try await cli.run("show", "today").out
        #expect(shown.contains("  Nap Start") && shown.contains("  Nap from ") && shown.contains(": 40 min\n"))
        #expect(shown.contains("  End of a nap at "))
    }

    @Test func `a repeat in the cooldown is refused, an earlier one recorded`() async throws {
        let cli = try CLIHarness()
        let first = try await cli.json("log", "water", "--ago", "15s")
        let refused = try await cli.error(5, "log", "water")
        #expect(refused["kind"] == "refused" && refused["reason"] == "cooldown")
        #expect(refused["standing_id"] == first["event_id"])
        #expect(try #require(refused["remaining_s"]?.integerValue) <= 45)
        #expect(try await cli.run("log", "water").err.contains("  Next: dosetap log water --at TIME"))
        try await cli.json("log", "water", "--ago", "20s")
    }

    @Test func `sleep events are amended, deleted and undone like doses`() async throws {
        let cli = try CLIHarness()
        let id = try #require(try await cli.json("log", "pain", "--ago", "10m")["event_id"]?.stringValue)
        let amended = try await cli.json("amend", id, "--at", "30m ago", "--note", "back")
        #expect(amended["target"]?.stringValue == id)
        _ = try await cli.error(64, "amend", id, "--amount", "2g")
        #expect(try await cli.json("undo")["type"] == "action_undone")
        #expect(try await cli.json("delete", String(id.prefix(18)))["type"] == "entry_deleted")
        let night = try await cli.json("show", "today")["nights"]?.arrayValue?.first
        #expect(night?["entries"] == .array([]))
        #expect(try await cli.json("db", "check")["ok"] == true)
    }

    @Test(
        arguments: [
            (["bathrom"], "dosetap log bathroom"), (["lihgts out"], "dosetap log lights_out"),
            (["nothing-like-it"], "dosetap log --help"), (["skip"], "dosetap skip"), (["snooze"], "dosetap snooze"),
            (["pain", "--amount", "2g"], "dosetap log --help"), (["pain", "--ago", "soon"], nil), ([""], nil),
            ([String(repeating: "x", count: 65)], nil),
        ] as [([String], String?)])
    func `wrong words exit with 64 and the next command`(arguments: [String], hint: String?) async throws {
        let cli = try CLIHarness()
        let outcome = try await cli.run(words: ["log"] + arguments + ["--json"])
        #expect(outcome.code == 64)
        let error = try #require(try outcome.json["error"])
        #expect(error["kind"] == "invalid_input")
        if let hint {
            let isAgain = error["nearest"] != nil
            #expect(error["hint"]?.stringValue == (isAgain ? hint : hint))
        }
    }

    @Test(arguments: [
        ("a,b,c,d,e,f,g,h,i", "more than 8"), (String(repeating: "x", count: 33), "1 to 32"), ("Water", "meaning"),
    ])
    func `names of one's own that do not do are told by the settings`(names: String, text: String) async throws {
        let cli = try CLIHarness()
        let checked = try await cli.run("config", "check", environment: ["DOSETAP_SLEEP_EVENTS_CUSTOM": names])
        #expect(checked.code == 1)
        #expect(checked.out.contains("DOSETAP_SLEEP_EVENTS_CUSTOM") && checked.out.contains(text))
    }

    @Test func `help lists every word that can be logged`() async throws {
        let help = try await Tool.run(["log", "--help"]).out
        for word in ["dose1", "dose2", "extra"] + SleepEventCatalogue.standard.types.map(\.word) {
            #expect(help.contains(word))
        }
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
}
