import DoseTapDomain
import Foundation
import Testing

@Suite struct HelpTests {
    static let verbs = [
        [], ["status"], ["log"], ["snooze"], ["skip"], ["wake"], ["checkin"], ["presleep"], ["undo"], ["amend"],
        ["delete"], ["history"], ["stats"], ["show"], ["why"], ["reminders"], ["tonight"],
        ["window"], ["session-key"], ["plan-reminders"], ["simulate"], ["sleep-plan"], ["db"], ["db", "check"],
        ["db", "verify"],
        ["db", "rebuild"], ["db", "repair"], ["db", "backup"], ["db", "backups"], ["db", "restore"],
        ["db", "encrypt"], ["db", "decrypt"], ["db", "rekey"], ["db", "wipe"],
        ["config"], ["config", "show"], ["config", "set"], ["config", "check"], ["config", "reload"],
        ["plugins"],
        ["med"], ["med", "take"], ["med", "list"], ["med", "catalogue"], ["regimen"], ["regimen", "show"],
        ["regimen", "set"], ["regimen", "history"], ["inventory"], ["inventory", "show"], ["inventory", "add"],
        ["inventory", "pour"],
        ["inventory", "discard"], ["inventory", "correct"],
        ["plugins", "show"], ["plugins", "enable"], ["metrics"], ["setup"], ["plugins", "disable"], ["support-bundle"],
        ["export"], ["packet"],
        ["import"],
        ["sleep"], ["sleep", "list"], ["sleep", "add"], ["sleep", "live"], ["usual"], ["report"], ["web"],
        ["lab"], ["lab", "list"], ["lab", "ask"], ["lab", "explore"], ["lab", "plan"], ["lab", "kept"],
    ]

    /// Help must not need the service: the address is dead.
    static let noService = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"]

    @Test(arguments: verbs)
    func `help of every verb has an example and names the options for all verbs`(verb: [String]) async throws {
        let outcome = try await Tool.run(verb + ["--help"], Self.noService)
        #expect(outcome.code == 0)
        #expect(outcome.err.isEmpty)
        #expect(outcome.out.contains((["Example: dosetap"] + verb).joined(separator: " ")))
        if !["db", "config", "med", "regimen", "inventory", "sleep", "lab"].contains(verb.last) {
            for option in ["--json", "--time-zone", "--bus", "--store", "--plain", "--quiet"] {
                #expect(outcome.out.contains(option))
            }
        }
    }

    @Test func `help names every verb`() async throws {
        let help = try await Tool.run(["--help"], Self.noService).out
        for verb in Self.verbs { #expect(verb.first.map { help.contains("  \($0)") } ?? true) }
    }

    @Test func `the help of dosetap is grouped, without headings of the parser`() async throws {
        let help = try await Tool.run(["--help"], Self.noService).out
        let groups = ["TONIGHT:", "MORNING:", "LOOKING BACK:", "SUPPLIES:", "CARE:", "WHAT IF:"]
        let places = groups.compactMap { help.range(of: "\n\($0)\n")?.lowerBound }
        #expect(places.count == groups.count && places == places.sorted(), "\(help)")
        let whatIf = try #require(help.components(separatedBy: "\nWHAT IF:\n").last)
        for verb in ["window", "plan-reminders", "session-key", "sleep-plan", "simulate"] {
            #expect(whatIf.contains("\n  \(verb) ") || whatIf.hasPrefix("  \(verb) "))
        }
        for text in [help, try await Tool.run(["regimen", "--help"], Self.noService).out] {
            #expect(!text.contains("OVERVIEW:"))
        }
    }

    @Test func `the help of import says of each source which file it has`() async throws {
        let lines = try await Tool.run(["import", "--help"], Self.noService).out.split(separator: "\n")
        for source in ImportSource.allCases {
            #expect(lines.contains { $0.hasPrefix("  \(source.rawValue) ") && $0.count > 25 }, "\(source)")
        }
    }

    @Test(arguments: verbs.filter { ["lab", "web"].contains($0.first) })
    func `a sentence in the help goes on in the next line where a line is full`(verb: [String]) async throws {
        let help = try await Tool.run(verb + ["--help"], Self.noService).out
        let lines = help.components(separatedBy: "\nUSAGE:")[0].components(separatedBy: "\n")
        for (line, next) in zip(lines, lines.dropFirst()) where !line.isEmpty && !next.isEmpty {
            // Examples and routines have a line each.
            guard !next.hasPrefix("Example: "), !next.hasSuffix(", B as usual") else { continue }
            #expect(line.count + 1 + next.prefix { $0 != " " }.count >= 80, "\(line)")
        }
    }

    @Test func `the help of history says which nights are sorted`() async throws {
        let help = try await Tool.run(["history", "--help"], Self.noService).out
        #expect(help.contains("the newest 14, or as many as --nights"), "\(help)")
    }

    @Test func `the version is one line`() async throws {
        let outcome = try await Tool.run(["--version"], Self.noService)
        #expect(outcome.code == 0)
        #expect(outcome.out.hasPrefix("dosetap "))
        #expect(outcome.out.split(separator: "\n").count == 1)
    }

    @Test(arguments: [["help"], ["help", "status"], ["-h"], ["status", "-h"]])
    func `help is also a verb and a letter`(arguments: [String]) async throws {
        let outcome = try await Tool.run(arguments, Self.noService)
        #expect(outcome.code == 0)
        #expect(outcome.out.contains("USAGE: dosetap"))
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `shells get their completions`(shell: String) async throws {
        let outcome = try await Tool.run(["--generate-completion-script", shell], Self.noService)
        #expect(outcome.code == 0)
        #expect(outcome.out.contains("plan-reminders"))
    }

    @Test(arguments: [
        (["db", "restore", "--bogus"], "dosetap db restore --help"), (["db", "bogus"], "dosetap db --help"),
        (["wake", "--bogus"], "dosetap wake --help"),
    ])
    func `wrong usage leads to the help of the innermost verb`(words: [String], help: String) async throws {
        let outcome = try await Tool.run(words, Self.noService)
        #expect(outcome.code == 64 && outcome.err.hasSuffix("\n  Next: \(help)\n"), "\(outcome.err)")
    }
}
