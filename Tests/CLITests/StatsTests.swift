import DoseTapDomain
import Testing

@Suite struct StatsTests {
    /// Four nights of the past, entered later: three intervals and a skip.
    private func past() async throws -> CLIHarness {
        let cli = try CLIHarness(["TZ": "UTC"])
        let nights: [(day: String, minutes: Int?)] = [("10", 200), ("11", 155), ("12", 250), ("13", nil)]
        for night in nights {
            let evening = try Instant(iso8601: "2026-01-\(night.day)T22:30:00Z")
            func log(_ words: [String], _ at: Instant) async throws {
                let line = words + ["--at", at.iso8601, "--confirm", "long_ago"]
                let outcome = try await cli.run(words: line + ["--json"])
                guard outcome.code == 4 else { return }
                // A dose entered after its window may need more confirmations.
                let kinds = try outcome.json["error"]?["confirmations"]?.arrayValue?.compactMap(\.stringValue) ?? []
                try await cli.json(line + kinds.flatMap { ["--confirm", $0] })
            }
            try await log(["log", "dose1"], evening)
            if let minutes = night.minutes {
                try await log(["log", "dose2"], evening + .minutes(minutes))
            } else {
                try await log(["skip"], evening + .minutes(100))
            }
        }
        return cli
    }

    @Test func `stats counts and averages, as JSON and as text`() async throws {
        let cli = try await past()
        let stats = try await cli.json("stats", "--by", "month")
        #expect(stats["nights"] == 4 && stats["from"] == "2026-01-10" && stats["to"] == "2026-01-13")
        #expect(stats["counts"]?["on_time"] == 2 && stats["counts"]?["late"] == 1 && stats["counts"]?["skipped"] == 1)
        #expect(stats["counts"]?["optimal"] == 1 && stats["compliance"]?["percent"]?.doubleValue == 50)
        #expect(stats["interval"]?["median_min"]?.doubleValue == 200)
        #expect(stats["intervals"]?.arrayValue?.compactMap { $0["interval_min"]?.integerValue } == [200, 155, 250])
        #expect(stats["trend"]?.isNull == true && stats["sleep"]?["total_sleep_min"]?["mean"]?.isNull == true)
        #expect(stats["groups"]?.arrayValue?.compactMap { $0["key"]?.stringValue } == ["2026-01"])
        let two = try await cli.json("stats", "--range", "2")
        #expect(two["nights"] == 2 && two["groups"]?.arrayValue?.isEmpty == true)
        #expect(try await cli.json("stats", "--from", "2026-01-11", "--to", "2026-01-11")["nights"] == 1)
        let text = try await cli.run("stats", "--by", "week", environment: ["COLUMNS": "60"])
        #expect(text.code == 0 && text.out.contains("4 nights, 2026-01-10 to 2026-01-13"))
        #expect(text.out.contains("50 %, 2 of 4 nights") && text.out.contains("2026-W03"))
        #expect(text.out.split(separator: "\n").allSatisfy { $0.count <= 60 } && !text.out.contains("\u{1B}"))
        // 240 min is late, and in the usual interval: it is no median of those on time.
        let wide = try await cli.run("stats", environment: ["COLUMNS": "200"]).out
        #expect(wide.contains("of the median of the intervals of 150 to 240 min, 177.5"), "\(wide)")
        #expect(try await cli.run("stats", "--to", "2020-01-01").out == "No night is on record here.\n")
    }

    @Test func `stats tells the intervals of each month or week alone`() async throws {
        let cli = try await past()
        let mean: JSONValue = [
            "key": "2026-01", "count": 3, "mean_min": 201.7, "shortest_min": 155, "longest_min": 250,
        ]
        let months = try await cli.json("stats", "--intervals")
        #expect(months["by"] == "month" && months["groups"]?.arrayValue?.count == 1)
        for (key, value) in try #require(mean.objectValue).map({ ($0.key, $0.value) }) {
            let found = months["groups"]?.arrayValue?.first?[key]
            #expect(found == value || found?.doubleValue == value.doubleValue && found != nil, "\(key)")
        }
        let weeks = try await cli.json("stats", "--intervals", "--by", "week", "--from", "2026-01-12")
        #expect(weeks["groups"]?.arrayValue?.compactMap { $0["key"]?.stringValue } == ["2026-W03"])
        let text = try await cli.run("stats", "--intervals").out
        #expect(text.split(separator: "\n").count == 2 && text.contains("2026-01") && text.contains("201.7 min"))
        #expect(
            try await cli.run("stats", "--intervals", "--to", "2020-01-01").out == "No interval is on record here.\n")
    }

    @Test(arguments: [
        ["--intervals", "--range", "3"], ["--range", "0"], ["--range", "10001"], ["--from", "soon"], ["--by", "day"],
        ["--from", "2026-01-02", "--to", "2026-01-01"],
    ])
    func `what cannot be is wrong usage`(options: [String]) async throws {
        let outcome = try await Tool.run(["stats"] + options + ["--json"])
        #expect(outcome.code == 64)
        #expect(try outcome.json["error"]?["kind"] == "invalid_input")
    }

    @Test(arguments: [
        ([String: String](), [String](), ["\u{1B}[32m", "●", "○", "▁"], [" o", " x"]),
        (["NO_COLOR": "1"], [], ["●", "○", "▁"], ["\u{1B}["]),
        ([:], ["--plain"], [".o", " x", "|"], ["\u{1B}[", "●", "○", "▁"]),
    ])
    func `at a terminal the intervals are drawn against the window`(
        environment: [String: String], options: [String], has: [String], hasNot: [String]
    ) async throws {
        let cli = try await past()
        let run = try await TerminalSession(cli.options + ["stats"] + options, environment).run()
        #expect(run.code == 0)
        let chart = String(run.screen.split(separator: "Intervals").last ?? "")
        for text in has { #expect(chart.contains(text), "\(run.screen)") }
        for text in hasNot { #expect(!chart.contains(text), "\(run.screen)") }
        #expect(chart.contains("150") && chart.contains("240"))
    }
}
