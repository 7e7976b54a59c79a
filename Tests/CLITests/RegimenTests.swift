import DoseTapDomain
import DoseTapTestSupport
import Testing

@Suite struct RegimenTests {
    @Test func `a regimen is set, shown, used by doses and compared`() async throws {
        let cli = try CLIHarness()
        #expect(try await cli.run("regimen", "show").out.hasPrefix("No regimen holds for "))
        #expect(try await cli.run("regimen", "history").out == "No regimen is on record.\n")
        let set = try await cli.json("regimen", "set", "Xyrem", "15mL", "--split", "0.6,0.4", "--from", "2026-01-01")
        #expect(set["type"] == "regimen" && set["metadata"]?["parts_mg"] == [4_500, 3_000])
        #expect(set["metadata"]?["concentration"] == "500 mg/mL" && set["metadata"]?["cautions"] == .array([]))
        let shown = try await cli.json("regimen", "show")
        #expect(shown["active"]?["id"] == set["event_id"] && shown["active"]?["total_mg"] == 7_500)
        let text = try await cli.run("regimen", "show").out
        #expect(
            text.contains(
                "xyrem 15 mL a night as 60 % and 40 % from 2026-01-01\n  dose 1: 4500 mg\n  dose 2: 3000 mg\n"))

        let later = try await cli.json("regimen", "set", "xyrem", "9g", "--from", "2099-01-01")
        #expect(
            try await cli.run("regimen").out.contains(
                "\nThe next one is xyrem 9 g a night in two halves from 2099-01-01.\n"))
        try await cli.json("delete", try #require(later["event_id"]?.stringValue))
        #expect(try await !cli.run("regimen").out.contains("next one"))

        let dose = try await cli.run("log", "dose1", "--ago", "160m")
        #expect(
            dose.out.hasPrefix("Recorded: dose 1 (4500 mg) at ")
                || dose.out.contains("\nRecorded: dose 1 (4500 mg) at "))
        #expect(dose.out.contains(".\nThe amount is that of the regimen.\n"))
        #expect(try await cli.json("show", "today")["nights"]?.arrayValue?.first?["bundle"]?["state"] == "under")
        _ = try await cli.json("log", "dose2", "--amount", "6mL")
        let night = try #require(try await cli.json("show", "today")["nights"]?.arrayValue?.first)
        #expect(night["bundle"]?["state"] == "on_target" && night["bundle"]?["remaining_mg"] == 0)
        #expect(
            CLIHarness.keys(night["bundle"]) == [
                "target_mg", "parts", "taken", "known_mg", "unknown", "state", "remaining_mg",
            ])
        #expect(try await cli.run("show", "today").out.contains("\n  taken 7500 of 7500 mg: on target\n"))
        #expect(try await cli.json("db", "check")["ok"] == true)
        #expect(try await cli.json("db", "rebuild")["ok"] == true)
    }

    @Test func `R12.6 a night is compared with the regimen once it has a dose, or is over without one`() async throws {
        let cli = try CLIHarness()
        try await cli.json("regimen", "set", "xyrem", "4.5g", "--from", "2026-01-01")
        func compared(_ cli: CLIHarness) async throws -> [String] {
            try await cli.run("show", "today").out.split(separator: "\n").map(String.init)
                .filter { $0.contains(" of 4500 mg") }
        }
        try await cli.json("log", "nap_start", "--ago", "5h")
        try await cli.json("log", "nap_end", "--ago", "4h")
        #expect(try await compared(cli) == [], "a nap is no night")
        try await cli.json("log", "lights_out", "--ago", "3h")
        #expect(try await compared(cli) == [], "the night goes on")
        try await cli.json("log", "dose1", "--ago", "160m")
        #expect(try await compared(cli) == ["  taken 2250 of 4500 mg so far"])
        let over = try CLIHarness(["TZ": HourZone.dawn])
        try await over.json("regimen", "set", "xyrem", "4.5g", "--from", "2026-01-01")
        try await over.json("log", "lights_out", "--ago", "7h")
        try await over.json("wake", "--ago", "10m")
        #expect(try await compared(over) == [])
        try await over.json("checkin", "--set", "mood=good")
        #expect(try await compared(over) == ["  taken 0 of 4500 mg: less than prescribed"])
    }

    @Test func `R12.5 a part over the label's limit is cautioned, and the question at bedtime names the regimen`()
        async throws
    {
        let cli = try CLIHarness()
        let set = try await cli.json("regimen", "set", "xyrem", "9g", "--split", "0.6,0.4")
        let cautions = set["metadata"]?["cautions"]?.arrayValue ?? []
        #expect(cautions.count == 1)
        #expect(
            cautions.first?["text"]?.stringValue == "5400 mg as one dose is over the 4500 mg of the labels for a dose.")
        let regimen = "The amount of this dose is that of the regimen."
        let asked = try await cli.error(4, "log", "dose1")["message"]?.stringValue ?? ""
        #expect(asked.hasPrefix("5400 mg is over ") && asked.hasSuffix(regimen), "\(asked)")
        let typed = try await cli.error(4, "log", "dose1", "--amount", "5g")["message"]?.stringValue ?? ""
        #expect(typed.hasPrefix("5000 mg is over ") && !typed.contains(regimen), "\(typed)")
    }

    @Test func `one dose a night, history, cautions, delete and undo`() async throws {
        let cli = try CLIHarness()
        let first = try await cli.json(
            "regimen", "set", "xywav", "4.5g", "--from", "2026-01-01", "--step", "2099-01-01=9g", "--note", "start")
        #expect(first["metadata"]?["cautions"]?.arrayValue?.count == 1)
        let text = try await cli.run("regimen", "set", "lumryz", "9g")
        #expect(text.out.contains("regimen, lumryz 9 g a night at once from ") && text.out.contains("\nCaution: From "))
        #expect(text.out.contains("Wrong? dosetap undo, or dosetap delete "))
        let history = try await cli.json("regimen", "history")["history"]?.arrayValue
        #expect(history?.map { $0["medication_id"] } == ["lumryz", "xywav"] && history?.last?["note"] == "start")
        // A single dose a night has the limit of the night.
        let dose = try await cli.error(4, "log", "dose1", "--amount", "9001mg")
        #expect(dose["confirmations"] == ["over_limit"] && dose["sum_mg"] == 9_001 && dose["limit_mg"] == 9_000)
        let taken = try await cli.json("log", "dose1")
        #expect(taken["metadata"]?["amount_mg"] == 9_000 && taken["phase"] == "completed", "there is no second dose")
        _ = try await cli.json("undo")
        #expect(try await cli.json("undo")["type"] == "action_undone")
        #expect(try await cli.json("regimen", "show")["active"]?["medication_id"] == "xywav")
        let id = try #require(first["event_id"]?.stringValue)
        _ = try await cli.json("delete", id)
        #expect(try await cli.json("regimen", "show")["active"]?.isNull == true)
        #expect(try await cli.error(3, "delete", id)["kind"] == "not_found")
    }

    @Test(
        arguments: [
            (["xyrem", "9g", "--split", "0.6,0.5"], "sum to 1.1"), (["xyrem", "9 tablets"], "no concentration"),
            (["xyrm", "9g"], "'xyrem'"), (["modafinil", "9g"], "is for"), (["xyrem", "lots"], "no amount"),
            (["xyrem", "9g", "--split", "half"], "did you mean"),
            (["xyrem", "9g", "--from", "tomorrow"], "a date such as"),
            (["xyrem", "9g", "--step", "6g"], "a date and a total"),
            (["xyrem", "9g", "--split", "0.5,,0.5"], "one or two"),
            (["xyrem", "9g", "--once-nightly", "--split", "equal"], "not split"),
            (["xyrem", "9g", "--concentration", "5"], "500mg/mL"),
            (["xyrem", "9g", "--until", "2000-01-01"], "before from"), (["xyrem"], ""),
        ] as [([String], String)])
    func `what is no regimen exits with 64 and says why`(arguments: [String], text: String) async throws {
        let cli = try CLIHarness()
        let outcome = try await cli.run(words: ["regimen", "set"] + arguments + ["--json"])
        #expect(outcome.code == 64, "\(arguments)")
        let error = try #require(try outcome.json["error"])
        #expect(
            error["kind"] == "invalid_input" && error["message"]?.stringValue?.contains(text) == true || text.isEmpty)
        #expect(try await cli.json("regimen", "history")["history"] == .array([]))
    }

    @Test func `an open window is not ended by a regimen without a word`() async throws {
        let cli = try CLIHarness()
        _ = try await cli.json("log", "dose1", "--ago", "20m")
        let later = try await cli.run("regimen", "set", "lumryz", "6g")
        #expect(
            later.code == 0 && later.out.contains("\nTonight goes on as it began: the regimen holds from "), "\(later)")
        let shown = try await cli.run("regimen").out.replacing("\n  ", with: " ")
        let sentence = /Tonight \([0-9-]{10}\) began without a regimen and goes on so; the next one is lumryz 6 g .*\./
        #expect(shown.dropLast().wholeMatch(of: sentence) != nil, "\(shown)")
        #expect(try await cli.json("status")["phase"] == "before_window")
        let asked = try await cli.error(4, "regimen", "set", "lumryz", "4.5g", "--from", "2020-01-01")
        #expect(asked["confirmations"] == ["night_begun"])
        let set = try await cli.run(
            "regimen", "set", "lumryz", "4.5g", "--from", "2020-01-01", "--confirm", "night_begun")
        #expect(set.code == 0 && set.out.contains("\nTonight has one dose now: "), "\(set)")
        #expect(try await cli.json("status")["phase"] == "completed")
        _ = try await cli.json("undo")
        #expect(try await cli.json("status")["phase"] == "before_window")
    }
}
