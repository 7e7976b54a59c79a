import DoseTapDomain
import Foundation
import Testing

/// Questionnaires at a terminal.
@Suite struct InterviewTests {
    static let questions = 19

    private func answers(_ night: JSONValue) -> JSONValue? {
        night["nights"]?.arrayValue?.first?["entries"]?.arrayValue?.last?["metadata"]?["answers"]
    }

    @Test func `a check-in with all defaults takes no more than 20 keys`() async throws {
        let cli = try await CheckInTests.morning()
        let session = try TerminalSession(cli.options + ["checkin"], cli.environment)
        let before = session.modes
        let enters = (1...Self.questions).map { (question: "\n\($0)/\(Self.questions)  ", answer: "\r") }
        #expect(enters.count <= 20)
        let outcome = try await session.run(enters, end: "")
        #expect(outcome.code == 0, "\(outcome.screen)")
        #expect(
            outcome.screen.contains("Recorded: morning check-in at ") && outcome.screen.contains("No wellness score"))
        #expect(try await cli.json("history")["nights"]?.arrayValue?.first?["wellness_score"]?.isNull == true)
        #expect(session.modes == before)
    }

    @Test func `one key answers, b goes back, s skips, details follow`() async throws {
        let cli = try await CheckInTests.morning()
        let keys: [(question: String, answer: String)] = [
            ("1/19  ", "5"), ("2/19  ", "b"), ("1/19  ", "\r"), ("2/19  ", "1"), ("3/19  ", "\u{1B}[A\u{7F}"),
            ("2/19  ", "5"), ("3/19  ", "s"), ("4/19  ", "\u{1B}"), ("5/19  ", "\r"), ("6/19  ", "0"), ("7/19  ", "5"),
            ("8/19  ", "\r"), ("9/19  ", "\r"), ("10/19  ", "y"), ("11/26  Where?", "c2\r"), ("12/26  ", "11\r4\r"),
            ("13/26  ", "\r"), ("14/26  ", "knee lft\r"), ("the nearest is 'left'", "knee left 4\r"), ("15/26  ", "n"),
            ("16/26  ", "\r"), ("17/26  ", "\r"), ("18/26  ", "\r"), ("19/26  ", "13\r"), ("20/26  ", "\r"),
            ("21/26  ", "\r"), ("22/26  ", "\r"), ("23/26  ", "15\r"), ("24/26  ", "\r"), ("25/26  ", "\r"),
            ("26/26  ", "grün\u{7F}n\r"),
        ]
        let outcome = try await TerminalSession(cli.options + ["checkin"], cli.environment).run(keys, end: "")
        #expect(outcome.code == 0, "\(outcome.screen)")
        let answers = try #require(self.answers(try await cli.json("show", "today")))
        #expect(
            answers["sleep_quality"] == 5 && answers["feel_rested"] == "veryWell" && answers["grogginess"] == "mild")
        #expect(answers["mental_clarity"] == 10 && answers["mood"] == "great")
        #expect(answers["pain_areas"] == ["neck", "arms"])
        #expect(answers["pain_severity"] == 4)
        #expect(answers["pain_entries"]?.arrayValue?.first?["side"] == "left")
        #expect(answers["had_sleep_paralysis"] == true && answers["had_automatic_behavior"] == true)
        #expect(answers["had_hallucinations"] == false && answers["sleep_latency_min"] == 15)
        #expect(answers["notes"] == "grün")
    }

    @Test func `R38.2: j and y answer yes in German, and nothing chosen is told in German`() async throws {
        let cli = try await CheckInTests.morning()
        let environment = cli.environment.merging(["DOSETAP_DISPLAY_LANGUAGE": "de"]) { _, new in new }
        let enters = (1...9).map { (question: "\n\($0)/19  ", answer: "\r") }
        let keys: [(question: String, answer: String)] = [
            ("\n10/19  ", "j"), ("\n11/26  Wo?", "b"), ("\n10/26  ", "n"), ("\n11/19  ", "b"), ("\n10/19  ", "y"),
            ("\n11/26  Wo?", "\u{3}"),
        ]
        let stopped = try await TerminalSession(cli.options + ["checkin"], environment).run(enters + keys, end: "")
        #expect(stopped.code == 1, "\(stopped.screen)")
        let shown = stopped.screen
        #expect(shown.contains("  j ja  [n] nein") && shown.contains("  [j] ja  n nein"), "\(shown)")
        #expect(shown.contains("> nichts") && !shown.contains("> none"), "\(shown)")
    }

    @Test func `stopped, a check-in leaves the night as it is and goes on there`() async throws {
        let cli = try await CheckInTests.morning()
        let environment = cli.environment
        let first = try TerminalSession(cli.options + ["checkin"], environment)
        let before = first.modes
        let stopped = try await first.run([("1/19  ", "5"), ("2/19  ", "2"), ("3/19  ", "\u{3}")], end: "")
        #expect(stopped.code == 1 && stopped.screen.contains("your answers so far are kept"))
        #expect(first.modes == before)
        let draft = cli.store + ".checkin"
        let attributes = try FileManager.default.attributesOfItem(atPath: draft)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(try await cli.json("status")["phase"] == "finalizing")

        let second = try TerminalSession(cli.options + ["checkin"], environment)
        let terminated = try await second.run([("3/19  ", "4")], end: "") { second.send(SIGTERM) }
        #expect(terminated.code == 1 && second.modes == before, "\(terminated.screen)")
        let rest = (4...Self.questions).map { (question: "\n\($0)/\(Self.questions)  ", answer: "\r") }
        let third = try await TerminalSession(cli.options + ["checkin"], environment).run(rest, end: "")
        #expect(third.code == 0 && third.screen.contains("Continuing where you stopped"), "\(third.screen)")
        let answers = try #require(self.answers(try await cli.json("show", "today")))
        #expect(answers["sleep_quality"] == 5 && answers["feel_rested"] == "slightly")
        #expect(answers["grogginess"] == "severe")
        #expect(!FileManager.default.fileExists(atPath: draft))
    }

    @Test func `stopped, a pre-sleep log is saved as partial`() async throws {
        let cli = try CLIHarness()
        let nothing = try await TerminalSession(cli.options + ["presleep"]).run([("1/14  ", "\u{3}")], end: "")
        #expect(nothing.code == 2 && nothing.screen.contains("nothing was recorded"))
        let session = try TerminalSession(cli.options + ["presleep"])
        let before = session.modes
        let outcome = try await session.run(
            [("1/14  ", "\r"), ("2/14  ", "0"), ("3/14  ", "1"), ("4/14  ", "2"), ("5/18  ", "\u{4}")], end: "")
        #expect(outcome.code == 0 && outcome.screen.contains("It is partial."), "\(outcome.screen)")
        #expect(session.modes == before)
        let log = try await cli.json("presleep", "--set", "nap=none")
        #expect(
            log["metadata"]?["answers"]
                == ["stress_level": 0, "body_pain": "none", "stimulants": "coffee", "nap": "none"])
    }

    @Test func `for a machine nothing is asked`() async throws {
        let cli = try await CheckInTests.morning()
        let outcome = try await TerminalSession(cli.options + ["checkin", "--json"]).run()
        #expect(outcome.code == 64 && !outcome.screen.contains("1/19"))
    }

    @Test func `what asks to confirm is asked before the questions`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "3h")
        let enters = (1...Self.questions).map { (question: "\n\($0)/\(Self.questions)  ", answer: "\r") }
        func asked(_ answer: String) -> [(question: String, answer: String)] {
            [(question: "Type window_unresolved or y", answer: answer)]
        }
        let declined = try await TerminalSession(cli.options + ["checkin"], cli.environment).run(asked("n\r"), end: "")
        #expect(declined.code == 4 && !declined.screen.contains("1/19  "), "\(declined.screen)")
        let outcome = try await TerminalSession(cli.options + ["checkin"], cli.environment)
            .run(asked("y\r") + enters, end: "")
        #expect(outcome.code == 0 && outcome.screen.contains("Recorded: morning check-in"), "\(outcome.screen)")
    }
}
