import DoseTapDomain
import Foundation
import Testing

@Suite struct StatusBarTests {
    /// The text between `--format` and the next quote of the same kind, with its own quotes unescaped.
    private static func format(_ file: String) throws -> String {
        let path = ManualTests.root.appending(path: "Contrib/status-bars/" + file)
        let text = try String(contentsOf: path, encoding: .utf8)
        let quoted = try #require(text.components(separatedBy: "--format ").last)
        let quote = try #require(quoted.first)
        let end = try #require(quoted.dropFirst().firstIndex(of: quote))
        return quoted[quoted.index(after: quoted.startIndex)..<end].replacingOccurrences(of: "\\\"", with: "\"")
    }

    @Test(arguments: ["waybar.jsonc", "i3blocks.conf", "tmux.conf"])
    func `the format of each bar is one the program takes`(file: String) async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "170m")
        let outcome = try await cli.run("status", "--format", try Self.format(file))
        #expect(outcome.code == 0 && outcome.out.contains("active 1 h 9 min"), "\(outcome.out)\(outcome.err)")
        guard file == "waybar.jsonc" else { return }
        let object = try JSONValue.parse(Array(outcome.out.utf8))
        #expect(object["class"] == "active" && object["tooltip"]?.stringValue?.hasPrefix("dose 1 ") == true)
    }
}
