import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

@Suite struct CheckInTests {
    /// A night with both doses and a wake.
    static func morning() async throws -> CLIHarness {
        let cli = try CLIHarness(["TZ": HourZone.dawn])
        try await cli.json("log", "dose1", "--ago", "8h")
        try await cli.json("log", "dose2", "--ago", "5h20m")
        try await cli.json("wake", "--ago", "10m")
        return cli
    }

    @Test func `answers on the command line are completed, and end the night`() async throws {
        let cli = try await Self.morning()
        #expect(try await cli.json("status")["checkin_pending"] == true)
        #expect(try await cli.run().out.contains("Next: dosetap checkin"))
        let would = try await cli.json("checkin", "--set", "mood=good", "--dry-run")
        #expect(would["dry_run"] == true && would["metadata"]?["wellness_score"] == 61)
        let text = try await cli.run("checkin", "--set", "mood=good", "--set", "pain_areas=neck, head", "--note", "ok")
        #expect(text.code == 0, "\(text.err)")
        #expect(
            text.out.hasPrefix("Recorded: morning check-in at ")
                && text.out.contains("Wellness 51 of 100, 4 of its 5 answers by default."))
        let status = try await cli.json("status")
        #expect(status["session_id"]?.isNull == true && status["checkin_pending"] == false)
        #expect(status["previous"]?["terminal_state"] == "checkin_completed")
        let second = try await cli.json("checkin", "--set", "has_physical_symptoms=no", "--set", "notes=")
        #expect(second["type"] == "checkin" && second["target"]?.stringValue != nil)
        #expect(second["metadata"]?["wellness_score"] == 61)
        let night = try #require(try await cli.json("show", "today")["nights"]?.arrayValue?.first)
        let entry = try #require(night["entries"]?.arrayValue?.last)
        #expect(entry["type"] == "checkin" && entry["metadata"]?["answers"]?["mood"] == "good")
        #expect(entry["metadata"]?["answers"]?["notes"] == nil && entry["metadata"]?["answers"]?["pain_areas"] == nil)
        #expect(night["wellness_score"] == 61 && night["sleep_diary"]?["time_in_bed_min"]?.isNull == true)
        #expect(try await cli.json("history")["nights"]?.arrayValue?.first?["wellness_score"] == 61)
        let shown = try await cli.run("show", "today").out
        #expect(shown.contains("  morning check-in"))
        let words = shown.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("wellness 61 of 100") && words.contains("sleep quality: 3"))
        #expect(shown.contains("answered anew"))
        let history = try await cli.run("history", environment: ["COLUMNS": "100"]).out
        #expect(history.contains("Wellness") && history.contains(" 61\n"))
        #expect(try await cli.json("undo")["type"] == "action_undone")
        #expect(try await cli.json("history")["nights"]?.arrayValue?.first?["wellness_score"] == 51)
    }

    @Test func `a file of answers is read, also from standard input`() async throws {
        let cli = try await Self.morning()
        let outcome = try await Tool.run(
            cli.options + ["checkin", "--answers", "-", "--set", "mood=low", "--json"], cli.environment,
            input: #"{"sleep_quality": 5, "mood": "great", "pain_entries": ["knee left 4"]}"#)
        #expect(outcome.code == 0, "\(outcome.err)")
        let answers = try outcome.json["metadata"]?["answers"]
        #expect(answers?["sleep_quality"] == 5 && answers?["mood"] == "low" && answers?["feel_rested"] == "moderate")
        let pain = answers?["pain_entries"]?.arrayValue?.first
        #expect(pain?["area"] == "knee" && pain?["side"] == "left" && pain?["intensity"] == 4)
    }

    @Test(arguments: ["mood=", "mood= ", "sleep_quality=", "fell_out_of_bed=", "pain_areas=", "awakenings=", "notes="])
    func `R9.5 an empty value answers nothing`(set: String) async throws {
        let cli = try await Self.morning()
        let said = try await cli.run("checkin", "--set", set)
        #expect(said.code == 0 && said.out.contains(" No wellness score: nothing of it was answered."), "\(said)")
    }

    static let wrong: [(set: [String], input: String?, code: Int32, text: String)] = [
        (["moood=good"], nil, 64, "Did you mean 'mood'"), (["mood=grate"], nil, 64, "the nearest is 'great'"),
        (["sleep_quality=9"], nil, 64, "outside 1 to 5; the nearest is 5"), (["mood"], nil, 64, "--set key=value"),
        (["sleep_quality=x"], nil, 64, "no whole number"),
        (["fell_out_of_bed=maybe"], nil, 64, "neither true nor false"),
        ([], "{", 64, "--answers"), ([], "[]", 64, "no JSON object"),
        ([], #"{"notes":"a\u0000b"}"#, 1, "NUL character"), ([], #"{"a":1,"a":2}"#, 64, "--answers"),
        ([], #"{"moood":"good"}"#, 64, "the nearest is 'mood'"), ([], #"{"mood":3}"#, 64, "no code"),
    ]

    @Test func `wrong answers are named, and nothing changes`() async throws {
        let cli = try await Self.morning()
        let before = try await cli.json("show", "today")
        for test in Self.wrong {
            let options = test.set.flatMap { ["--set", $0] } + (test.input == nil ? [] : ["--answers", "-"])
            let outcome = try await Tool.run(
                cli.options + ["checkin"] + options, cli.environment, input: test.input)
            #expect(outcome.code == test.code && outcome.out.isEmpty, "\(test)")
            #expect(outcome.err.contains(test.text), "\(test): \(outcome.err)")
        }
        let typo = try await cli.error(64, "checkin", "--set", "moood=good")
        #expect(typo["hint"]?.stringValue == "dosetap checkin --set mood=good")
        #expect(try await cli.error(64, "checkin", "--set", "mood=grate")["hint"] == "dosetap checkin --questions")
        let listed = try await Tool.run(["checkin", "--questions"], HelpTests.noService)
        #expect(listed.code == 0 && listed.out.contains("veryLow | low | neutral | good | great [neutral]"))
        // A default of yes or no is a word that can be typed.
        #expect(listed.out.contains("yes or no [no]") && !listed.out.contains("false"), "\(listed.out)")
        let questions = try await Tool.run(["presleep", "--questions", "--json"], HelpTests.noService).json["questions"]
        #expect(questions?.arrayValue?.count == Questionnaire.preSleep.items.count)
        let none = try await cli.run("checkin")
        #expect(none.code == 64 && none.err.contains("dosetap checkin --questions"))
        #expect(try await cli.json("show", "today") == before)
    }

    @Test func `a night has to be there, and an open window is asked about`() async throws {
        let cli = try CLIHarness()
        #expect(
            try await cli.error(3, "checkin", "--set", "mood=good")["message"] == "There is no night to check in for.")
        #expect(try await cli.error(3, "checkin", "--set", "mood=good", "--night", "2020-01-01")["kind"] == "not_found")
        try await cli.json("log", "dose1", "--ago", "3h")
        let asked = try await cli.error(4, "checkin", "--set", "mood=good")
        #expect(asked["confirmations"] == ["window_unresolved"])
        // A skip where dose 2 was taken would be a false record.
        #expect(asked["hint"] == "dosetap status")
        #expect(asked["message"]?.stringValue?.contains("dosetap log dose2 --at TIME") == true)
        #expect(
            asked["confirm_with"]?.stringValue?.hasSuffix("checkin --set mood=good --confirm window_unresolved") == true
        )
        let receipt = try await cli.json("checkin", "--set", "mood=good", "--confirm", "window-unresolved")
        #expect(receipt["phase"] == "completed")
        #expect(try await cli.json("status")["session_id"]?.stringValue != nil)
        // With dose 2 open the pages do not say that the night is done.
        for verb in [[], ["status"]] {
            let text = try await cli.run(words: verb).out.lowercased()
            #expect(!text.contains("done for tonight") && text.contains("dose 2"), "\(text)")
        }
        #expect(try await cli.run("status").out.contains("dose 2 still open"))
        let late = try await cli.error(4, "log", "dose2")
        #expect(late["confirmations"] == ["after_wake"])
        #expect(late["message"]?.stringValue?.hasPrefix("The night has its final wake or check-in. ") == true)
        #expect(try await cli.json("log", "dose2", "--confirm", "after_wake")["type"] == "dose2")
        #expect(try await cli.json("status")["session_id"]?.isNull == true)
    }

    @Test func `a late check-in names its night, and a wrong entry far back can be undone`() async throws {
        let cli = try CLIHarness()
        for (dose, at) in [("dose1", "2026-01-14T22:30:00Z"), ("dose2", "2026-01-15T01:20:00Z")] {
            try await cli.json("log", dose, "--at", at, "--confirm", "long_ago", "--confirm", "late")
        }
        // The date depends on the zone in which it is night now.
        let date = try #require(
            try await cli.json("history")["nights"]?.arrayValue?.first?["session_date"]?.stringValue)
        let said = try await cli.run("checkin", "--night", date, "--set", "mood=low", "--dry-run")
        let named = Moments.date(try SessionDate(text: date))
        #expect(said.out.contains(" It is that of the night of \(named)."), "\(said)")
        let receipt = try await cli.json("checkin", "--night", date, "--set", "mood=low")
        #expect(receipt["session_date"]?.stringValue == date)
        #expect(try await cli.json("db", "check")["ok"] == true)
        try await cli.json("undo")
        #expect(try await cli.json("history")["nights"]?.arrayValue?.first?["wellness_score"]?.isNull == true)
        for _ in 0..<2 {
            #expect(try await cli.error(4, "undo")["confirmations"] == ["undo_dose"])
            try await cli.json("undo", "--confirm", "undo_dose")
        }
        #expect(try await cli.json("history")["nights"] == [])
        for check in ["check", "verify"] { #expect(try await cli.json("db", check)["ok"] == true) }
    }
}
