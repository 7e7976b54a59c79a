import DoseTapDomain
import DoseTapStore
import DoseTapTestSupport
import Foundation
import Testing

@Suite struct SetupTests {
    /// The beginnings of the questions, in their order.
    private static let questions = [
        "1/6 Regimen", "2/6 Times: when do you plan", "2/6 Times: when do you begin", "3/6 Alarm: minutes",
        "3/6 Alarm: ring it", "4/6 Privacy", "6/6 Backup",
    ]

    private static func run(
        _ cli: CLIHarness, _ answers: [(question: String, answer: String)], end: String = "\n"
    ) async throws -> (code: Int32, screen: String) {
        try await TerminalSession(["setup"], cli.environment).run(answers, end: end)
    }

    private static func values(_ cli: CLIHarness) async throws -> [String: String] {
        let rows = try await cli.json("config", "show")["settings"]?.arrayValue ?? []
        func text(_ value: JSONValue?) -> String { value.map { $0.stringValue ?? $0.serialized() } ?? "" }
        return Dictionary(uniqueKeysWithValues: rows.map { (text($0["key"]), text($0["value"])) })
    }

    private static func harness(_ folder: ScratchFolder) throws -> CLIHarness {
        try CLIHarness(["XDG_CONFIG_HOME": folder.path("config"), "DOSETAP_ENCRYPTION_KEY": "file"])
    }

    @Test func `Enter alone changes nothing, and the check comes at the end`() async throws {
        let folder = try ScratchFolder()
        let cli = try Self.harness(folder)
        let before = try await Self.values(cli)
        // With SQLCipher a fifth question comes, and Enter answers no.
        var answers = Self.questions.map { (question: $0, answer: $0.contains("ring it") ? "no" : "") }
        if Cipher.isAvailable { answers.insert((question: "5/6 Encryption", answer: ""), at: 6) }
        let outcome = try await Self.run(cli, answers)
        #expect(outcome.screen.contains("The check of everything that a reminder needs"), "\(outcome)")
        #expect(outcome.screen.contains("5/6 Encryption"))
        // A braille display shows only the line of the cursor, also for a question of two lines.
        let asked = outcome.screen.split(whereSeparator: \.isNewline).filter { $0.contains("] > ") }
        #expect(asked.contains { $0.hasPrefix("1/6 Regimen [none] > ") }, "\(outcome.screen)")
        #expect(asked.count == answers.count, "\(outcome.screen)")
        #expect(asked.allSatisfy { $0.dropFirst().hasPrefix("/6 ") }, "\(outcome.screen)")
        #expect(try await Self.values(cli) == before)
        #expect(!FileManager.default.fileExists(atPath: folder.path("config/dosetap/config.yaml")))
        #expect(try await cli.json("regimen")["active"] == .null)
    }

    @Test func `each answer holds at once, and a wrong one is asked for again`() async throws {
        let cli = try Self.harness(ScratchFolder())
        let outcome = try await Self.run(
            cli,
            [
                (question: "1/6 Regimen", answer: "wine 2L"), (question: "1/6 Regimen", answer: "xyrem 4.5 g"),
                (question: "2/6 Times: when do you plan", answer: "25:00"),
                (question: "2/6 Times: when do you plan", answer: "06:30"),
                (question: "2/6 Times: when do you begin", answer: ""),
                (question: "3/6 Alarm: minutes", answer: "180"), (question: "3/6 Alarm: ring it", answer: "perhaps"),
                (question: "3/6 Alarm: ring it", answer: "n"), (question: "4/6 Privacy", answer: "yes"),
                (question: "]", answer: "\u{4}"),
            ])
        #expect(outcome.code == 1 && outcome.screen.contains("What was answered before holds"), "\(outcome)")
        let values = try await Self.values(cli)
        #expect(values["schedule.wake"] == "06:30", "\(outcome.screen)")
        #expect(values["dose.target_minutes"] == "180" && values["privacy.details"] == "true", "\(values)")
        #expect(try await cli.json("regimen")["active"]?["medication_id"] == "xyrem")
    }

    @Test func `answered with yes, each deed is done; run again, the answers are the defaults`() async throws {
        let folder = try ScratchFolder()
        let cli = try Self.harness(folder)
        try await cli.json("log", "bathroom")
        var answers: [(question: String, answer: String)] = [
            (question: "1/6 Regimen", answer: "xyrem 4.5g"), (question: "2/6 Times: when do you plan", answer: "06:30"),
            (question: "2/6 Times: when do you begin", answer: "21:30"),
            (question: "3/6 Alarm: minutes", answer: "180"),
            (question: "3/6 Alarm: ring it", answer: "yes"), (question: "4/6 Privacy", answer: "yes"),
            (question: "6/6 Backup", answer: "no"),
        ]
        if Cipher.isAvailable {
            answers.insert((question: "5/6 Encryption", answer: "yes"), at: 6)
            answers.insert((question: "Type encrypt", answer: "encrypt"), at: 7)
        }
        let first = try await Self.run(cli, answers)
        // A service of one command has no sound, and the check says so.
        #expect(first.screen.contains("sound") && first.screen.contains("The check of everything"), "\(first)")
        #expect(first.screen.contains("The record is encrypted.") == Cipher.isAvailable, "\(first)")
        let values = try await Self.values(cli)
        #expect(values["schedule.prep"] == "21:30" && values["backup.enabled"] == "false", "\(values)")
        let head = try Data(contentsOf: URL(fileURLWithPath: cli.store)).prefix(6)
        #expect((head == Data("SQLite".utf8)) != Cipher.isAvailable)
        let again = try await Self.run(
            cli, Self.questions.map { (question: $0, answer: $0.contains("ring it") ? "no" : "") })
        for kept in ["[xyrem 4.5 g", "[06:30]", "[21:30]", "[180]", "amounts? (yes, no) [yes]", "over? (yes, no) [no]"]
        {
            #expect(again.screen.contains(kept), "\(kept): \(again.screen)")
        }
        #expect(try await Self.values(cli) == values)
    }

    /// What was on the screen, on one line.
    private static func line(_ screen: String) -> String {
        screen.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test func `a time of the morning is not taken for the preparation of the night, nor kept`() async throws {
        let folder = try ScratchFolder()
        let cli = try Self.harness(folder)
        let begin = "2/6 Times: when do you begin"
        let outcome = try await Self.run(
            cli,
            [
                (question: "1/6 Regimen", answer: ""), (question: "2/6 Times: when do you plan", answer: ""),
                (question: begin, answer: "6:30"), (question: begin, answer: "7:00"),
                (question: begin, answer: "18:30"),
                (question: "3/6 Alarm: minutes", answer: "\u{4}"),
            ])
        let said = Self.line(outcome.screen)
        #expect(said.contains("is closed then. (24-hour clock, such as 18:30)"), "\(said)")
        func refusal(_ prep: String, _ wake: String) -> String {
            "\(prep) is less than six hours before \(wake), when you plan to wake up: type "
        }
        for (prep, evening) in [("06:30", "18:30"), ("07:00", "19:00")] {
            #expect(said.contains(refusal(prep, "07:00") + "\(evening) for the evening."), "\(said)")
        }
        #expect(try await Self.values(cli)["schedule.prep"] == "18:30", "\(said)")

        // Who sleeps by day; what is kept is looked at like an answer.
        let byDay = try await Self.run(
            cli,
            [
                (question: "1/6 Regimen", answer: ""), (question: "2/6 Times: when do you plan", answer: "20:00"),
                (question: begin, answer: ""), (question: begin, answer: "\u{4}"),
            ])
        let told = refusal("18:30", "20:00") + "an earlier time, such as 11:00."
        #expect(Self.line(byDay.screen).contains(told), "\(byDay.screen)")
        let shift = try await Self.run(
            cli,
            [
                (question: "1/6 Regimen", answer: ""), (question: "2/6 Times: when do you plan", answer: "16:00"),
                (question: begin, answer: "22:00"), (question: "3/6 Alarm: minutes", answer: "\u{4}"),
            ])
        #expect(!shift.screen.contains("less than six"), "\(shift.screen)")
        let values = try await Self.values(cli)
        #expect(values["schedule.wake"] == "16:00" && values["schedule.prep"] == "22:00", "\(values)")
    }

    @Test func `the name of the substance is answered with its products`() async throws {
        let cli = try Self.harness(ScratchFolder())
        let outcome = try await Self.run(
            cli,
            [
                (question: "1/6 Regimen", answer: "sodium oxybate 4.5 g"),
                (question: "1/6 Regimen", answer: "xyrem 4.5 g"), (question: "2/6 Times", answer: "\u{4}"),
            ])
        let said = Self.line(outcome.screen)
        #expect(said.contains("type the name of yours: xyrem (sodium oxybate, liquid), lumryz ("), "\(said)")
        #expect(try await cli.json("regimen")["active"]?["total"] == "4.5 g", "\(said)")
        let typed = try await cli.error(64, "regimen", "set", "sodium oxybate", "4.5g")
        #expect(typed["message"]?.stringValue?.contains("xyrem (sodium oxybate, liquid)") == true, "\(typed)")
    }

    @Test(.enabled(if: Cipher.isAvailable, "needs the tests linked with SQLCipher"))
    func `R25.9 without a keyring setup offers a file for the key, and only the word encrypts`() async throws {
        let folder = try ScratchFolder()
        let cli = try CLIHarness(["XDG_CONFIG_HOME": folder.path("config")])
        try await cli.json("log", "bathroom")
        func answers(_ encryption: [(question: String, answer: String)]) -> [(question: String, answer: String)] {
            var answers = Self.questions.map { (question: $0, answer: $0.contains("ring it") ? "no" : "") }
            answers.insert(contentsOf: encryption, at: 6)
            return answers
        }
        func head() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: cli.store)).prefix(6) }
        let (encrypt, keep) = ("5/6 Encryption: encrypt the record", "5/6 Encryption: keep the key in a file")
        let declined = try await Self.run(
            cli,
            answers([
                (question: encrypt, answer: "yes"), (question: "Type encrypt", answer: "yes"),
                (question: encrypt, answer: "yes"), (question: "Type encrypt", answer: "encrypt"),
                (question: keep, answer: ""),
            ]))
        let said = Self.line(declined.screen)
        #expect(said.contains("Nothing was changed: only the word 'encrypt' confirms it."), "\(said)")
        #expect(said.contains("no keyring answers") && said.contains("It lies on the same disk"), "\(said)")
        #expect(said.contains("The record is not encrypted. Once a keyring runs"), "\(said)")
        #expect(try head() == Data("SQLite".utf8))

        let taken = try await Self.run(
            cli,
            answers([
                (question: encrypt, answer: "yes"), (question: "Type encrypt", answer: "encrypt"),
                (question: keep, answer: "yes"),
            ]))
        #expect(Self.line(taken.screen).contains("The record is encrypted."), "\(taken.screen)")
        #expect(try await Self.values(cli)["encryption.key"] == "file")
        #expect(try head() != Data("SQLite".utf8))
    }

    @Test func `without a terminal it asks nothing and says what does`() async throws {
        let cli = try CLIHarness()
        let refused = try await cli.run("setup")
        #expect(refused.code == 64 && refused.err.contains("config show"), "\(refused)")
    }
}
