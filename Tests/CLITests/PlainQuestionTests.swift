import DoseTapDomain
import Foundation
import Synchronization
import Testing

/// Questions for a person who hears the screen: ASCII, no redrawing, each answer is a line.
@Suite struct PlainQuestionTests {
    /// The ways to ask for plain questions.
    enum Way: CaseIterable {
        case option, variable, terminal

        var words: [String] { self == .option ? ["--plain"] : [] }
        var environment: [String: String] {
            switch self {
            case .option: [:]
            case .variable: ["DOSETAP_PLAIN": "1"]
            case .terminal: ["TERM": "dumb"]
            }
        }
    }

    private func isPlain(_ screen: String) -> Bool {
        screen.utf8.allSatisfy { $0 == 0x0A || (0x20...0x7E).contains($0) || $0 == 0x0D }
            && !screen.replacing("\r\n", with: "\n").contains("\r")
    }

    @Test(arguments: Way.allCases) func `a check-in is answered by lines`(way: Way) async throws {
        let cli = try await CheckInTests.morning()
        let lines: [(question: String, answer: String)] = [
            ("1/19  ", "5"), ("2/19  ", "b"), ("1/19  ", ""), ("2/19  ", "very well"), ("3/19  ", "9x"),
            ("'9x' is none of the answers.", "1"), ("4/19  ", "s"), ("5/19  ", ""), ("6/19  ", ""), ("7/19  ", "5"),
            ("8/19  ", ""), ("9/19  ", ""), ("10/19  ", "yes"), ("11/26  Where?", "c, 2"), ("12/26  ", "b"),
            ("11/26  ", ","), ("',' is none of the answers.", ""), ("12/26  ", "4"),
            ("13/26  ", ""), ("14/26  ", "knee lft"), ("the nearest is 'left'", "knee left 4"), ("15/26  ", "n"),
            ("16/26  ", ""), ("17/26  ", ""), ("18/26  ", ""), ("19/26  ", ""), ("20/26  ", ""), ("21/26  ", ""),
            ("22/26  ", ""), ("23/26  ", "15"), ("24/26  ", ""), ("25/26  ", ""), ("26/26  ", ".b"), ("25/26  ", ""),
            ("26/26  ", "a bad night"),
        ]
        let session = try TerminalSession(
            cli.options + ["checkin"] + way.words, cli.environment.merging(way.environment) { $1 })
        let before = session.modes
        let outcome = try await session.run(lines)
        #expect(outcome.code == 0, "\(outcome.screen)")
        #expect(session.modes == before && isPlain(outcome.screen), "\(outcome.screen)")
        // The line of the cursor holds the question.
        #expect(outcome.screen.contains("\n1/19 How well did you sleep? > "), "\(outcome.screen)")
        let night = try await cli.json("show", "today")
        let entries = night["nights"]?.arrayValue?.first?["entries"]?.arrayValue
        let answers = try #require(entries?.last?["metadata"]?["answers"])
        #expect(answers["sleep_quality"] == 5 && answers["feel_rested"] == "veryWell" && answers["mood"] == "great")
        #expect(answers["pain_areas"]?.arrayValue?.count == 2 && answers["notes"] == "a bad night")
        #expect(answers["pain_entries"]?.arrayValue?.first?["side"] == "left" && answers["sleep_latency_min"] == 15)
    }

    /// The stop is Ctrl-D, or the signal that Ctrl-C becomes.
    @Test(arguments: [true, false]) func `stopped, the answers so far are kept`(byKey: Bool) async throws {
        let cli = try await CheckInTests.morning()
        let session = try TerminalSession(cli.options + ["checkin", "--plain"], cli.environment)
        let typed = Mutex(0)
        let stopped = try await session.run([("1/19  ", "5\n"), ("2/19  ", byKey ? "\u{4}" : "")], end: "") {
            let count = typed.withLock { typed in
                typed += 1
                return typed
            }
            if count == 2, !byKey { session.send(SIGINT) }
        }
        #expect(stopped.code == 1 && stopped.screen.contains("your answers so far are kept"), "\(stopped.screen)")
        let draft = try String(contentsOfFile: cli.store + ".checkin", encoding: .utf8)
        #expect(draft.contains("\"sleep_quality\":5"), "\(draft)")
    }

    @Test func `a confirmation can be given, and setup can be answered`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "20m")
        let words = cli.options + ["log", "dose2", "--plain"]
        let refused = try await TerminalSession(words, cli.environment).run([("anything else stops:", "no")])
        #expect(refused.code == 4 && isPlain(refused.screen), "\(refused.screen)")
        let confirmed = try await TerminalSession(words, cli.environment).run([("anything else stops:", "early")])
        #expect(confirmed.code == 0 && confirmed.screen.contains("Recorded: dose 2"), "\(confirmed.screen)")
        let setup = try await TerminalSession(cli.options + ["setup", "--plain"], cli.environment)
            .run([("1/6", "\n"), ("2/6", "\u{4}")], end: "")
        #expect(setup.screen.contains(" > ") && isPlain(setup.screen), "\(setup.screen)")
    }

    /// A braille display shows the line of the cursor alone (seen with brltty 6.5 and its virtual display).
    @Test func `a question of two lines ends with a line that says how it is answered`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "20m")
        let asked = try await TerminalSession(cli.options + ["checkin", "--plain"], cli.environment)
            .run([("anything else stops:", "no")])
        let lines = asked.screen.split(whereSeparator: \.isNewline)
        #expect(
            lines.contains { $0.hasPrefix("Type window_unresolved or y, anything else stops:") }, "\(asked.screen)")
    }
}
