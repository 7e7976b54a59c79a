import DoseTapDomain
import Testing

/// A quick reader reads the command lines of every night. It must find the same meaning as the parser of arguments.
@Suite struct FastPathTests {
    /// A flag given twice is valid for the parser only, so the quick reader leaves the line to the parser.
    static let detour = ["--quiet", "--quiet"]

    static let now = "2026-01-14T23:30:00Z"

    @Test(arguments: [
        ["log", "dose1", "--ago", "5m", "--amount", "2.25g", "--note=a=b", "--key", "k", "--dry-run"],
        ["log", "Dose-1", "--confirm", "early", "--confirm=late", "--dry-run"], ["log", "bathroom", "--dry-run"],
        ["wake", "--dry-run"], ["--time-zone=Europe/Berlin", "wake", "--dry-run", "--note", ""],
        ["log", "dose1", "--at", now, "--confirm", "long_ago", "--dry-run"],
    ])
    func `what is recorded is the same`(arguments: [String]) async throws {
        let cli = try CLIHarness()
        let quick = try #require(try await cli.json(arguments).objectValue)
        let parsed = try #require(try await cli.json(arguments + Self.detour).objectValue)
        for key in quick.keys where !["event_id", "session_id", "timestamp"].contains(key) {
            #expect(quick[key] == parsed[key], "\(key)")
        }
        #expect(quick.keys == parsed.keys)
    }

    @Test(arguments: [
        [], ["status"], ["status", "--format", "{phase} {remaining}"], ["status", "--at", now], ["--plain", "status"],
        ["--time-zone", "Asia/Tokyo"], ["snooze"], ["skip", "--reason", "x"], ["log", "dose2"],
        ["log", "dose2", "--confirm", "erly"], ["log", "dose1", "--at", "22:30", "--ago", "5m"],
        ["status", "--at", "soon"], ["--bus", "train"], ["log", "dose1", "--amount", "heaps"],
        ["history"], ["history", "--nights", "3"], ["history", "--nights", "0"], ["stats"], ["stats", "--intervals"],
        ["history", "--nights", "few"],
        // The quick reader leaves the following lines to the parser at once.
        ["log"], ["log", "dose1", "dose2"], ["snooze", "now"], ["status", "--at"], ["skip", "--note", "--reason"],
        ["wake", "--follow"], ["--follow"],
    ])
    func `what is printed and how it ends is the same`(arguments: [String]) async throws {
        let cli = try CLIHarness()
        let arguments = arguments.contains("--bus") ? arguments : cli.options + arguments
        let quick = try await Tool.run(arguments + ["--quiet"])
        let parsed = try await Tool.run(arguments + Self.detour)
        #expect(quick.code == parsed.code)
        #expect(quick.out == parsed.out)
        #expect(quick.err == parsed.err.replacing(" --quiet --quiet", with: " --quiet"))
    }
}
