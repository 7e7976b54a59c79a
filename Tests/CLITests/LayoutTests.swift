import DoseTapDomain
import Foundation
import Testing

/// The layout of the output: the first page, widths, colours, prompts.
@Suite struct LayoutTests {
    /// The text without colour and cursor sequences, with plain line ends.
    static func plain(_ screen: String) -> String {
        screen.replacing(/\u{1B}\[[0-9;]*[A-Za-z]/, with: "").replacing("\r\n", with: "\n")
    }

    @Test func `a bare dosetap before the first dose is a page`() async throws {
        let cli = try CLIHarness()
        let page = try await cli.run().out
        #expect(page.hasPrefix("Dose 1: no. Dose 2: no.\nNo dose is on record yet.\n"))
        for text in [
            "gives no dose advice", "keep your alarm clock set", "dosetap doctor", "dosetap setup",
            "\n  dosetap log dose1 ", "\n  dosetap log dose2 ", "\n  dosetap  ", "dosetap --help",
        ] {
            #expect(page.contains(text), "\(text)")
        }
        try await cli.json("log", "dose1")
        #expect(try await cli.run().out.contains("advice") == false)
    }

    @Test(arguments: ["40", "60", "100"])
    func `text is broken at words to the width, commands stay whole`(columns: String) async throws {
        let cli = try CLIHarness(["COLUMNS": columns])
        func wide(_ text: String) -> [Substring] {
            text.split(separator: "\n").filter { $0.count > (Int(columns) ?? 0) && !$0.contains("dosetap ") }
        }
        let page = try await cli.run().out
        #expect(wide(page).isEmpty, "\(page)")
        #expect(page.contains("  dosetap setup  "))
        try await cli.json("log", "dose1", "--ago", "150m")
        for verb in [[], ["status"], ["show"], ["doctor"]] {
            let text = try await cli.run(words: verb).out
            #expect(wide(text).filter { !$0.contains("-7") }.isEmpty, "\(text)")
        }
    }

    @Test func `states have colours on a terminal, and none under NO_COLOR or with --plain`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "155m")
        func screen(_ words: [String], _ more: [String: String] = [:]) async throws -> String {
            try await TerminalSession(cli.options + words, cli.environment.merging(more) { $1 }).run().screen
        }
        let tonight = try await screen([])
        #expect(tonight.contains("\u{1B}[32mThe window for dose 2 is open: "), "\(tonight)")
        #expect(tonight.contains("\u{1B}[33mdosetap: no reminders"), "\(tonight)")
        #expect(try await screen(["show"]).contains("\u{1B}[2m0"))
        #expect(try await screen(["snoze"]).contains("\u{1B}[31mdosetap: There is no verb"))
        for (words, more) in [([], ["NO_COLOR": "1"]), (["--plain"], [:])] as [([String], [String: String])] {
            #expect(try await screen(words, more).contains("\u{1B}") == false)
        }
        #expect(try await cli.run().out.contains("\u{1B}") == false)
    }

    @Test func `show, regimen, config and reminders --test have an answer without an argument`() async throws {
        let cli = try CLIHarness()
        let date = try await cli.json("log", "dose1")["session_date"]?.stringValue ?? "?"
        let night = try await cli.run("show").out
        #expect(night.contains("Night of ") && night.contains(date))
        #expect(try await cli.run("regimen").out == cli.run("regimen", "show").out)
        #expect(try await cli.run("config").out == cli.run("config", "show").out)
        let channels = try await cli.run("reminders", "--test").out
        #expect(channels.contains("notification") && channels.contains("dosetap reminders --test "), "\(channels)")
        #expect(try await cli.json("reminders", "--test")["channels"]?.arrayValue?.isEmpty == false)
    }

    @Test func `a key never stands beside another number, s is text, choices are shown in place`() async throws {
        let cli = try CLIHarness()
        let keys: [(question: String, answer: String)] = [
            ("1/14  ", "\r"), ("2/14  ", "3"), ("3/17  ", "13\r"), ("4/17  ", "\r"), ("5/17  ", "sad\r"),
            ("6/17  ", "\r"),
            ("7/17  ", "2"), ("8/21  ", "s\u{1B}"), ("9/21  ", "\r"), ("10/21  ", "\r"), ("11/21  ", "\r"),
            ("12/21  ", "2"), ("13/24  ", "\u{3}"),
        ]
        let outcome = try await TerminalSession(cli.options + ["presleep"], cli.environment).run(keys, end: "")
        let screen = Self.plain(outcome.screen)
        #expect(outcome.code == 0, "\(screen)")
        #expect(screen.contains("\n  0 none  1  2 or 3  4 or more\n  > 2 or 3\n"), "\(screen)")
        #expect(!screen.contains(" +") && !screen.contains("go on >"), "\(screen)")
        let answers = try await cli.json("presleep", "--set", "nap=none")["metadata"]?["answers"]
        #expect(answers?["stress_notes"] == "sad" && answers?["alcohol"] == "2-3", "\(screen)")
        #expect(answers?["caffeine_drink"] == nil, "Esc skips what was typed")
    }

    @Test func `a key beside a duration is a letter`() async throws {
        let cli = try await CheckInTests.morning()
        let keys: [(question: String, answer: String)] = [
            ("1/19  ", "\r"), ("2/19  ", "\r"), ("3/19  ", "\r"), ("4/19  ", "d"), ("5/19  ", "\u{3}"),
        ]
        let screen = Self.plain(
            try await TerminalSession(cli.options + ["checkin"], cli.environment).run(keys, end: "").screen)
        #expect(screen.contains("  a under 5 min  [c] 5 to 15 min  d 15 to 30 min"), "\(screen)")
        #expect(screen.contains("\n  > 15 to 30 min\n"), "\(screen)")
    }
}
