import DoseTapDomain
import Testing

@Suite struct PreSleepTests {
    @Test func `it is saved, continued, and belongs to the night that follows`() async throws {
        let cli = try CLIHarness()
        let text = try await cli.run("presleep", "--set", "stimulants=tea", "--partial", "--ago", "50m")
        #expect(text.code == 0 && text.out.contains("pre-sleep log at ") && text.out.contains(" It is partial."))
        let more = try await cli.json(
            "presleep", "--set", "alcohol=1", "--set", "alcohol_last_at=2h ago", "--set", "dose_plan_total_mg=10000")
        #expect(more["type"] == "pre_sleep" && more["metadata"]?["completion_state"] == "complete")
        #expect(more["metadata"]?["answers"]?["stimulants"] == "tea")
        #expect(more["metadata"]?["plan_over_limit"] == ["dose", "night"])
        let id = try #require(more["target"]?.stringValue)
        let loose = try await cli.json("show", id)
        #expect(loose["nights"] == [] && loose["pre_sleep"]?.arrayValue?.count == 1)
        try await cli.json("log", "dose1")
        let night = try #require(try await cli.json("show", "today")["nights"]?.arrayValue?.first)
        #expect(night["pre_sleep"] == "complete")
        let entry = try #require(night["entries"]?.arrayValue?.first)
        #expect(entry["type"] == "pre_sleep" && entry["id"]?.stringValue == id)
        let at = try #require(entry["metadata"]?["answers"]?["alcohol_last_at"]?.stringValue)
        #expect((try? Instant(iso8601: at)) != nil)
        #expect(try await cli.json("show", id)["nights"]?.arrayValue?.count == 1)
        #expect(try await cli.json("history")["nights"]?.arrayValue?.first?["pre_sleep"] == "complete")
        #expect(try await cli.json("delete", id)["type"] == "entry_deleted")
        #expect(try await cli.json("history")["nights"]?.arrayValue?.first?["pre_sleep"]?.isNull == true)
        #expect(try await cli.error(3, "delete", id)["kind"] == "not_found")
        #expect(try await cli.json("db", "check")["ok"] == true)
    }

    @Test func `R10.4 the skip of a log with answers says that they stay`() async throws {
        let cli = try CLIHarness()
        try await cli.json("presleep", "--set", "nap=none")
        for words in [["presleep", "--skip", "--dry-run"], ["presleep", "--skip"]] {
            let said = try await cli.run(words: words)
            #expect(said.code == 0 && said.out.contains("Not skipped: the pre-sleep log of "), "\(said)")
            #expect(said.out.contains(" They stay on record.\n") && !said.out.contains("Changed"), "\(said)")
        }
        let log = try await cli.json("presleep", "--set", "alcohol=none")
        #expect(log["metadata"]?["answers"]?["nap"] == "none" && log["metadata"]?["completion_state"] == "complete")
    }

    @Test func `skipped, with the light, and wrong`() async throws {
        let cli = try CLIHarness()
        #expect(try await cli.json("presleep", "--skip")["metadata"]?["completion_state"] == "skipped")
        let both = try await cli.json("presleep", "--set", "room_noise=quiet", "--lights-out")
        #expect(both["type"] == "pre_sleep" && both["lights_out"]?["type"] == "lights_out")
        #expect(try await cli.json("status")["session_id"]?.stringValue != nil)
        #expect(try await cli.error(64, "presleep")["kind"] == "invalid_input")
        #expect(try await cli.error(64, "presleep", "--skip", "--set", "nap=none")["kind"] == "invalid_input")
        let wrong = try await cli.error(64, "presleep", "--set", "caffeine_last_mg=90")
        #expect(wrong["message"]?.stringValue?.contains("needs stimulants to be something other than none") == true)
    }
}
