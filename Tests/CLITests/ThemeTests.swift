import DoseTapTestSupport
import Foundation
import Testing

/// The colours of a terminal.
@Suite struct ThemeTests {
    /// Text with the parameters of the colour that it has; nil for none.
    private typealias Piece = (text: String, colour: String?)

    private static func pieces(_ screen: String) -> [Piece] {
        var pieces: [Piece] = []
        var colour: String?
        var rest = Substring(screen)
        while let code = rest.firstMatch(of: /\u{1B}\[([0-9;]*)m/) {
            pieces.append((String(rest[..<code.range.lowerBound]), colour))
            colour = code.output.1 == "0" ? nil : String(code.output.1)
            rest = rest[code.range.upperBound...]
        }
        return pieces + [(String(rest), colour)]
    }

    /// The commands that record each night.
    private static let nights: [[[String]]] = [
        [], [["log", "dose1", "--ago", "20m"]], [["log", "dose1", "--ago", "155m"]],
        [["log", "dose1", "--ago", "230m"]],
        [["log", "dose1", "--ago", "5h"]], [["log", "dose1", "--ago", "160m"], ["skip"]],
        [["log", "dose1", "--ago", "4h"], ["log", "dose2", "--ago", "70m"]],
        [["log", "dose1", "--ago", "5h"], ["log", "dose2", "--ago", "10m", "--confirm", "late"]],
    ]
    private static let asked: [[String]] = [
        [], ["status"], ["show"], ["history"], ["stats"], ["doctor"], ["regimen"], ["reminders"], ["plugins"],
        ["config", "check"], ["log", "bathrom"], ["snoze"], ["undo", "--dry-run"],
    ]

    @Test func `R23.14 no colour says what the words do not say`() async throws {
        // The first colour of each text, with the figures of the text left out.
        var colours: [String: String] = [:]
        var painted = 0
        for night in Self.nights {
            let cli = try CLIHarness()
            for words in night { try await cli.json(words) }
            for words in Self.asked {
                func screen(_ more: [String: String] = [:]) async throws -> String {
                    try await TerminalSession(cli.options + words, cli.environment.merging(more) { $1 }).run().screen
                }
                func shape(_ text: String) -> String {
                    LayoutTests.plain(text).replacing(/[0-9]+/, with: "0").replacing(/[ ]+/, with: " ")
                }
                let coloured = try await screen()
                let bare = try await screen(["NO_COLOR": "1"])
                #expect(!bare.contains("\u{1B}") && shape(coloured) == shape(bare), "\(words) \(coloured) \(bare)")
                for (text, colour) in Self.pieces(coloured) {
                    guard let colour, !text.allSatisfy(\.isWhitespace) else { continue }
                    painted += 1
                    let words = shape(text)
                    #expect(
                        colours[words, default: colour] == colour, "'\(words)' is \(colour) and \(colours[words] ?? "")"
                    )
                    colours[words] = colour
                }
            }
        }
        #expect(painted > 50 && Set(colours.values).isSuperset(of: ["31", "32", "33"]), "\(painted) \(colours)")
    }

    @Test func `R23.14 at night everything at a terminal is dark red`() async throws {
        let folder = try ScratchFolder()
        let cli = try CLIHarness(["XDG_CONFIG_HOME": folder.path("config")])
        try await cli.json("log", "dose1", "--ago", "155m")
        #expect(try await cli.run("config", "set", "display.theme", "blue").code != 0)
        #expect(try await cli.run("config", "set", "display.theme", "night").code == 0)
        func screen(_ words: [String], _ more: [String: String] = [:]) async throws -> String {
            try await TerminalSession(cli.options + words, cli.environment.merging(more) { $1 }).run().screen
        }
        for words in Self.asked + [["log", "dose1", "--dry-run"], ["--bus", "session", "status"]] {
            let screen = try await screen(words)
            for (text, colour) in Self.pieces(screen) where !text.allSatisfy(\.isWhitespace) {
                let isDark = ["38;5;124", "38;5;88", "0;38;5;124"].contains(colour)
                #expect(isDark, "\(words): '\(text)' is \(colour ?? "bare") of \(screen)")
            }
        }
        // Output for a program has no colour, and a variable is stronger than the file.
        #expect(try await cli.run("status").out.contains("\u{1B}") == false)
        let object = try await screen(["status", "--json"]).split(whereSeparator: \.isNewline).first {
            $0.hasPrefix("{")
        }
        #expect(object?.contains("\u{1B}") == false)
        #expect(try await screen(["--plain"]).contains("\u{1B}") == false)
        #expect(try await screen([], ["DOSETAP_DISPLAY_THEME": "standard"]).contains("\u{1B}[32mThe window"))
        #expect(try await cli.run("config", "set", "display.theme", "standard").code == 0)
        #expect(try await screen([]).contains("\u{1B}[32mThe window"))
    }
}
