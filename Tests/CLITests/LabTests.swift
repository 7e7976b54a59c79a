import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

@Suite struct LabTests {
    @Test func `R34.3 R34.10 a question is asked, waits, is listed and taken back`() async throws {
        let cli = try CLIHarness()
        #expect(try await cli.run("lab").out.hasPrefix("Nothing was asked yet."))
        let asked = try await cli.run("lab", "ask", "late_meal", "rested")
        #expect(asked.code == 0 && asked.out.contains("Recorded: question of the lab"), "\(asked.out)\(asked.err)")
        #expect(asked.err.contains("about 38 of 100 cases"))
        try await cli.json("log", "dose1", "--ago", "30m")
        let listed = try await cli.json("lab", "list")
        let answer = try #require(listed["answers"]?.arrayValue?.first)
        #expect(answer["known"] == 0 && answer["wanted"] == 60 && answer["complete"] == false)
        #expect(answer["answer"]?.isNull == true && answer["effect"]?.isNull == true)
        let text = try await cli.run("lab").out
        #expect(text.contains("0 of 60 nights are known. Nothing more is told before."))
        #expect(!text.contains("because") && !text.contains("cause"))
        let id = try #require(answer["id"]?.stringValue)
        try await cli.json("delete", id)
        #expect(try await cli.json("lab")["answers"]?.arrayValue?.isEmpty == true)
        try await cli.json("lab", "ask", "alcohol", "rested")
        let family = try await cli.json("lab")["answers"]?.arrayValue?.first?["family"]
        #expect(family == 2, "the deleted one was asked, too: \(String(describing: family))")
    }

    @Test func `R34.11 what the receipt of the lab offers right after a dose takes the question back, not the dose`()
        async throws
    {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1")
        let asked = try await cli.run("lab", "ask", "late_meal", "rested").out
        let offer = try #require(asked.split(separator: "\n").last)
        #expect(offer.hasPrefix("Wrong? dosetap delete ") && !asked.contains("undo"), "\(asked)")
        #expect(try await cli.run("undo").code == 2)
        let words = offer.split(separator: " ").dropFirst(2).map(String.init)
        #expect(try await cli.run(words: words).code == 0, "\(words)")
        #expect(try await cli.json("lab")["answers"]?.arrayValue?.isEmpty == true)
        #expect(try await cli.json("status")["dose1_time"]?.isNull == false)
    }

    @Test func `R34.3 what is explored says that it was looked at afterwards`() async throws {
        let cli = try CLIHarness()
        #expect(try await cli.run("lab", "explore", "interval", "rested").code == 2, "there is no record")
        try await cli.json("log", "dose1", "--ago", "30m")
        let looked = try await cli.run("lab", "explore", "interval", "rested")
        #expect(looked.code == 0 && looked.out.contains("Looked at afterwards"), "\(looked.out)\(looked.err)")
        #expect(looked.out.contains("Cannot tell, in 0 nights: fewer than 60 nights are known."))
        #expect(looked.out.contains("Doses and intervals are changed with the prescriber only."))
        try await cli.json("lab", "ask", "interval", "rested")
        let waits = try await cli.run("lab", "explore", "interval", "rested").out
        #expect(waits.contains("on are left out: a question or a plan about them waits."), "\(waits)")
        let dose = try await cli.run("lab", "explore", "dose2", "rested")
        #expect(dose.code == 64 && dose.err.contains("with the prescriber only"), "\(dose.err)")
        let object = try await cli.json("lab", "explore", "interval", "rested")
        #expect(object["reasons"] == ["few_nights"] && object["answer"] == "cannot_tell")
        #expect(object["id"]?.isNull == true)
    }

    @Test func `R34.7 R34.8 a routine is planned and kept, and a dose is not planned`() async throws {
        let cli = try CLIHarness(["TZ": HourZone.identifier(hour: 20)])
        for word in ["dose2", "interval", "regimen"] {
            let refused = try await cli.run("lab", "plan", word, "rested")
            #expect(refused.code != 0 && refused.err.contains("with the prescriber only"), "\(refused.err)")
        }
        let dry = try await cli.run("lab", "plan", "screens", "rested", "--seed", "7", "--dry-run")
        #expect(dry.code == 0 && !dry.out.contains("Night of"), "\(dry.out)\(dry.err)")
        let planned = try await cli.run("lab", "plan", "screens", "rested", "--seed", "7")
        #expect(planned.code == 0 && planned.out.contains("Recorded: plan of the lab"), "\(planned.out)\(planned.err)")
        let tonight = try #require(
            try await cli.json("lab")["answers"]?.arrayValue?.first?["tonight"]?.stringValue)
        #expect(try await cli.run("lab", "kept", tonight).code == 0)
        let answer = try #require(try await cli.json("lab")["answers"]?.arrayValue?.first)
        #expect(answer["kind"] == "planned" && answer["known"] == 0 && answer["wanted"] == 14)
        let text = try await cli.run("lab").out
        let date = try #require(answer["tonight_date"]?.stringValue)
        #expect(text.contains("Night of \(date): \(tonight.uppercased()), "), "\(text)")
        #expect(planned.out.contains("\nNight of \(date): \(tonight.uppercased()), "), "\(planned.out)")
        for line in [["lab", "kept", "c"], ["lab", "kept", "a", "--night", "2001-01-01"]] {
            #expect(try await cli.run(words: line).code != 0)
        }
    }

    @Test(arguments: [
        ["ask", "moon", "rested"], ["ask", "interval", "moon"], ["explore", "", ""], ["plan", "screens", "moon"],
        ["ask", "interval", "rested", "--nights", "59"], ["ask", "interval", "rested", "--nights", "731"],
        ["plan", "screens", "rested", "--pairs", "13"], ["plan", "screens", "rested", "--seed", "-1"],
        ["plan", "screens", "rested", "--from", "soon"], ["kept"], ["ask", "interval"],
        ["plan", String(repeating: "x", count: 100_000), "rested"],
    ])
    func `R34.6 what cannot be asked is named, and nothing is recorded`(line: [String]) async throws {
        let cli = try CLIHarness()
        let outcome = try await cli.run(words: ["lab"] + line)
        #expect(outcome.code != 0 && outcome.out.isEmpty && !outcome.err.isEmpty && outcome.err.count < 2_000)
        #expect(try await cli.json("lab")["answers"]?.arrayValue?.isEmpty == true)
    }
}
