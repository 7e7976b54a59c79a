import DoseTapDomain
import Testing

@Suite struct HistoryTests {
    static let nightKeys = [
        "session_id", "session_date", "start_utc", "end_utc", "terminal_state", "dose1_time", "dose2_time",
        "dose2_skipped", "extra_doses", "snooze_count", "interval_min", "interval_ms", "on_time", "time_zone",
        "wellness_score", "pre_sleep", "outcome", "night_score",
    ]

    /// Three nights of the past, entered later.
    private func past() async throws -> CLIHarness {
        let cli = try CLIHarness(["TZ": "UTC"])
        for day in ["10", "11", "12"] {
            let evening = "2026-01-\(day)T22:30:00Z"
            let next = (try Instant(iso8601: evening) + .minutes(170)).iso8601
            let flags = ["--confirm", "long_ago", "--json"]
            for (dose, at) in [("dose1", evening), ("dose2", next)] {
                var outcome = try await cli.run(words: ["log", dose, "--at", at] + flags)
                if outcome.code == 4 {
                    // A second dose entered after its window may need more confirmations.
                    let kinds = try outcome.json["error"]?["confirmations"]?.arrayValue?.compactMap(\.stringValue) ?? []
                    outcome = try await Tool.run(
                        cli.options + ["log", dose, "--at", at] + flags + kinds.flatMap { ["--confirm", $0] })
                }
                #expect(outcome.code == 0, "\(outcome.out)")
            }
        }
        return cli
    }

    @Test func `history is one object with nights, newest first, and next`() async throws {
        let cli = try await past()
        let history = try await cli.json("history")
        #expect(CLIHarness.keys(history) == ["nights", "next"])
        #expect(history["next"]?.isNull == true)
        let nights = try #require(history["nights"]?.arrayValue)
        #expect(nights.compactMap { $0["session_date"]?.stringValue } == ["2026-01-12", "2026-01-11", "2026-01-10"])
        #expect(CLIHarness.keys(nights.first) == Self.nightKeys)
        #expect(nights.allSatisfy { $0["interval_min"] == 170 && $0["on_time"] == true })
    }

    @Test(arguments: ["history", "stats"])
    func `where only sleep is on record, it is said where that is listed`(verb: String) async throws {
        let cli = try CLIHarness()
        #expect(try await cli.run(verb).out == "No night is on record here.\n")
        try await cli.json("sleep", "add", "9h ago", "2h ago")
        let told = try await cli.run(verb)
        let lines = told.out.split(separator: "\n")
        #expect(told.code == 0 && lines.count == 2 && lines[0] == "No night is on record here.")
        #expect(lines[1].hasPrefix("Recorded sleep that belongs to no night: ") && lines[1].hasSuffix(" sleep list"))
        // The list of other dates does not mention that sleep.
        #expect(try await cli.run(verb, "--to", "2020-01-01").out == "No night is on record here.\n")
        try await cli.json("log", "dose1")
        #expect(try await !cli.run(verb).out.contains("No night"))
    }

    @Test(arguments: ["07:00", "today 07:00", "tomorrow 07:00", "in 1h"])
    func `R30.2 a sleep whose end is still to come is refused for that`(end: String) async throws {
        let cli = try CLIHarness()
        let error = try await cli.error(5, "sleep", "add", "23:00", end)
        #expect(error["reason"] == "future", "\(error)")
        #expect(error["message"]?.stringValue?.hasPrefix("END: \(end) is still to come, in ") == true, "\(error)")
        let turned = try await cli.error(64, "sleep", "add", "1h ago", "2h ago")
        #expect(turned["message"]?.stringValue?.contains("ends after it begins") == true, "\(turned)")
        try await cli.json("sleep", "add", "23:00", "02:30")
    }

    @Test func `R30.2 the receipt of a sleep tells its dates and its length`() async throws {
        let cli = try CLIHarness()
        let long = try await cli.run("sleep", "add", "20h ago", "3h ago").out
        #expect(long.contains("\nIt is from ") && long.contains(", 17 h. That is long: check both times.\n"), "\(long)")
        let usual = try await cli.run("sleep", "add", "19h ago", "3h ago").out
        #expect(usual.contains(", 16 h.\n"), "\(usual)")
    }

    @Test func `a live stage is refused in the same words wherever no service would keep it`() async throws {
        let options = [["--bus", "none"], []]
        var said: [JSONValue?] = []
        for words in options {
            // The environment names no session bus.
            let refused = try await Tool.run(words + ["sleep", "live", "light", "--json"])
            #expect(refused.code == 64, "\(words): \(refused)")
            said.append(try refused.json["error"]?["message"])
        }
        #expect(said[0]?.stringValue?.contains("without a session bus, and with --bus none") == true, "\(said)")
        #expect(said[0] == said[1])
    }

    @Test func `a list that leaves out older entries names the command that shows them`() async throws {
        let cli = try CLIHarness()
        for hour in 2...4 { try await cli.json("sleep", "add", "\(hour * 2)h ago", "\(hour * 2 - 1)h ago") }
        let three = try await cli.run("sleep", "list", "--limit", "3")
        #expect(three.out.split(separator: "\n").count == 4 && !three.out.contains("Older"))
        let two = try await cli.run("sleep", "list", "--limit", "2")
        let lines = two.out.split(separator: "\n")
        #expect(lines.count == 4 && lines[3].hasPrefix("Older entries: dosetap "))
        #expect(lines[3].hasSuffix(" sleep list --limit 1000"))
        #expect(try await cli.json("sleep", "list", "--limit", "2")["entries"]?.arrayValue?.count == 2)
        for hours in ["2h", "3h"] { try await cli.json("med", "take", "modafinil", "200mg", "--ago", hours) }
        #expect(try await cli.run("med", "list", "--limit", "1").out.contains("\nOlder entries: dosetap "))
    }

    @Test func `history is bounded by number and by dates`() async throws {
        let cli = try await past()
        let two = try await cli.json("history", "--nights", "2")
        #expect(two["nights"]?.arrayValue?.count == 2)
        #expect(two["next"]?.stringValue?.isEmpty == false)
        let rest = try await cli.json("history", "--cursor", try #require(two["next"]?.stringValue))
        #expect(rest["nights"]?.arrayValue?.compactMap { $0["session_date"]?.stringValue } == ["2026-01-10"])
        let text = try await cli.run("history", "--nights", "1", "--only", "on-time").out
        #expect(
            text.contains("\nOlder nights: dosetap ") && text.contains(" history --nights 1 --only on-time --cursor "))
        let one = try await cli.json("history", "--from", "2026-01-11", "--to", "2026-01-11")
        #expect(one["nights"]?.arrayValue?.compactMap { $0["session_date"]?.stringValue } == ["2026-01-11"])
        let none = try await cli.run("history", "--to", "2025-12-31")
        #expect(none.code == 0)
        #expect(none.out.contains("No night"))
    }

    @Test(arguments: [
        (["--only", "on-time"], ["2026-01-12", "2026-01-11", "2026-01-10"]), (["--only", "Late"], []),
        (["--only", "late", "--only", "on_time", "--nights", "1"], ["2026-01-12"]),
        (["--oldest-first"], ["2026-01-10", "2026-01-11", "2026-01-12"]), (["--with", "Lights Out"], ["2026-01-11"]),
        (["--with", "lights-out", "--only", "skipped"], []), (["--with", "pain"], []),
        (["--only", "not-recorded"], ["2026-01-09"]), (["--only", "skipped"], []),
    ])
    func `history is filtered by kind and by sleep event, and turned round`(
        options: [String], dates: [String]
    ) async throws {
        let cli = try await past()
        try await cli.json("log", "lights_out", "--at", "2026-01-11T22:40:00Z", "--confirm", "long_ago")
        if options.contains("--only") {
            try await cli.json("log", "dose1", "--at", "2026-01-09T22:30:00Z", "--confirm", "long_ago")
        }
        let outcome = try await cli.run(words: ["history", "--json"] + options)
        #expect(outcome.code == 0, "\(outcome.out)")
        #expect(try outcome.json["nights"]?.arrayValue?.compactMap { $0["session_date"]?.stringValue } == dates)
    }

    @Test(arguments: [(["--only", "lat"], "late"), (["--with", "bathrom"], "bathroom"), (["--with", ""], "1 to 64")])
    func `a kind or event that there is not is told with the nearest`(options: [String], text: String) async throws {
        let cli = try CLIHarness(["TZ": "UTC"])
        let outcome = try await cli.run(words: ["history"] + options)
        #expect(outcome.code == 64)
        #expect(outcome.err.contains(text), "\(outcome.err)")
    }

    @Test(arguments: [40, 80])
    func `the table fits the terminal`(columns: Int) async throws {
        let cli = try await past()
        let text = try await cli.run("history", environment: ["COLUMNS": "\(columns)"]).out
        #expect(text.split(separator: "\n").count == 4)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= columns })
        #expect(text.contains("2026-01-11  22:30"))
    }

    @Test func `show prints a night by its date, its id and an entry's id`() async throws {
        let cli = try await past()
        let byDate = try await cli.json("show", "2026-01-11")
        let night = try #require(byDate["nights"]?.arrayValue?.first)
        #expect(CLIHarness.keys(night) == Self.nightKeys + ["entries", "naps", "corrections", "sleep_diary", "rules"])
        let entry = try #require(night["entries"]?.arrayValue?.first)
        #expect(
            CLIHarness.keys(entry) == ["id", "type", "timestamp", "recorded_at", "surface", "metadata"])
        #expect(entry["surface"] == "cli")
        #expect(try await cli.json("show", try #require(night["session_id"]?.stringValue)) == byDate)
        let byEntry = try await cli.json("show", try #require(entry["id"]?.stringValue))
        #expect(byEntry["nights"] == byDate["nights"] && byEntry["entry"]?["original"]?["id"] == entry["id"])
        let last = try await cli.json("show", "last")
        let newest = try #require(last["nights"]?.arrayValue?.first?["session_date"]?.stringValue)
        #expect(try await cli.json("history")["nights"]?.arrayValue?.first?["session_date"]?.stringValue == newest)
        for name in ["2026-01-20", "today", "yesterday"] {
            let error = try await cli.error(3, "show", name)
            #expect(error["kind"] == "not_found" && error["hint"] == "dosetap show last", "\(error)")
            #expect(error["message"]?.stringValue?.hasSuffix("the last one on record is \(newest).") == true)
        }
        #expect(try await cli.error(3, "simulate", "--night", "yesterday")["hint"] == "dosetap simulate --night last")
        #expect(try await cli.json("simulate", "--night", "LAST")["night"]?["session_date"]?.stringValue == newest)
        #expect(try await CLIHarness().error(3, "show", "last")["message"] == "There is no night on record.")
    }

    @Test func `nights are ordered by interval or score, and put under weeks or months`() async throws {
        let cli = try await past()
        let start = try Instant(iso8601: "2026-02-02T22:30:00Z")
        try await cli.json("log", "dose1", "--at", start.iso8601, "--confirm", "long_ago")
        try await cli.json("log", "dose2", "--at", (start + .minutes(155)).iso8601, "--confirm", "long_ago")
        let sorted = try await cli.json("history", "--sort", "interval", "--by", "month")
        let nights = try #require(sorted["nights"]?.arrayValue)
        #expect(nights.compactMap { $0["interval_min"]?.integerValue } == [155, 170, 170, 170])
        let groups = try #require(sorted["groups"]?.arrayValue)
        #expect(groups.compactMap { $0["key"]?.stringValue } == ["2026-02", "2026-01"])
        #expect(groups.first?["nights"]?.arrayValue == [try #require(nights.first?["session_id"])])
        #expect(groups.last?["mean_interval_min"]?.doubleValue == 170 && groups.last?["on_time"] == 3)
        let older = try await cli.json("history", "--to", "2026-01-31", "--nights", "1", "--sort", "interval")
        #expect(older["nights"]?.arrayValue?.map { $0["interval_min"]?.integerValue } == [170])
        let scores = try await cli.json("history", "--sort", "score", "--oldest-first")["nights"]?.arrayValue
        let scored = try #require(scores).compactMap { $0["night_score"]?.integerValue }
        #expect(scored.count == 4 && scored == scored.sorted(by: >))
        let text = try await cli.run("history", "--by", "week").out.split(separator: "\n")
        #expect(text.count == 8 && text.contains("2026-W06: 1 of 1 on time, mean 155 min"))
        #expect(try await cli.run("show", "2026-01-11").out.contains("night score 75, good"))
        #expect(try await cli.error(64, "history", "--sort", "scor")["nearest"]?.arrayValue == ["score"])
        #expect(try await cli.error(64, "history", "--by", "year")["kind"] == "invalid_input")
    }

    @Test func `today is the open night`() async throws {
        let cli = try CLIHarness(["TZ": "UTC"])
        let receipt = try await cli.json("log", "dose1", "--ago", "5m")
        let shown = try await cli.json("show", "today")
        #expect(shown["nights"]?.arrayValue?.first?["session_date"] == receipt["session_date"])
    }

    @Test func `R23.12: nights are named by words in history and show`() async throws {
        let cli = try CLIHarness()
        let night = try await cli.json("log", "dose1", "--ago", "30m")["session_date"]
        for words in [["history", "tonight"], ["history", "--from", "today"], ["history", "--from", "yesterday"]] {
            #expect(try await cli.json(words)["nights"]?.arrayValue?.map { $0["session_date"] } == [night], "\(words)")
        }
        #expect(try await cli.json("history", "yesterday")["nights"] == .array([]))
        #expect(try await cli.json("history", "--to", "yesterday")["nights"] == .array([]))
        let shown = try await cli.json("show", "tonight")["nights"]?.arrayValue?.first
        #expect(shown?["session_date"] == night)
        _ = try await cli.error(64, "history", "yesterday", "--from", "today")
        _ = try await cli.error(64, "history", "someday")
    }

    @Test func `R13.1 an extra dose is named beside the score, beside the share on time and in the line of the night`()
        async throws
    {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "6h")
        try await cli.json("log", "dose2", "--ago", "3h")
        try await cli.json("log", "extra", "--ago", "10m", "--confirm", "extra", "--confirm", "extra_understood")
        try await cli.json("checkin", "--set", "mood=good")
        let shown = try await cli.run("show", "last").out
        #expect(shown.contains("; extra doses are no part of it: 1\n"), "\(shown)")
        let stats = try await cli.run("stats").out
        #expect(stats.contains("Extra doses") && stats.contains("1, counted in no other figure"), "\(stats)")
        #expect(try await cli.json("stats")["extra_doses"] == 1)
        let status = try await cli.run("status").out
        #expect(status.contains(", 3 h later, and 1 extra dose\n"), "\(status)")
    }
}
