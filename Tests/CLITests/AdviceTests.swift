import DoseTapTestSupport
import Foundation
import Testing

/// Files for other readers tell the record, and never what to do about a dose.
@Suite struct AdviceOfFilesTests {
    /// A record with every outcome of a night.
    private func harness(_ folder: ScratchFolder) async throws -> CLIHarness {
        let cli = try CLIHarness(["TZ": "UTC", "XDG_CONFIG_HOME": folder.path("config"), "PATH": folder.path("none")])
        for (day, dose2) in [(10, "01:15"), (12, "03:10"), (13, "00:10"), (14, nil)] as [(Int, String?)] {
            let late = ["--confirm", "long_ago"]
            try await cli.json(["log", "dose1", "--at", "2026-01-\(day) 22:30"] + late)
            if let dose2 {
                let doubts = ["--confirm", "late", "--confirm", "early", "--confirm", "after_skip"]
                try await cli.json(["log", "dose2", "--at", "2026-01-\(day + 1) \(dose2)"] + late + doubts)
            }
        }
        let sure = ["long_ago", "early", "extra", "extra_understood"].flatMap { ["--confirm", $0] }
        try await cli.json(["log", "extra", "--at", "2026-01-11 03:00"] + sure)
        try await cli.json("regimen", "set", "xyrem", "4.5g")
        return cli
    }

    @Test func `R33.7 R30.9 the summary, the READ-ME, the lab and the usual interval neither advise nor judge`()
        async throws
    {
        let folder = try ScratchFolder()
        let cli = try await harness(folder)
        try await cli.json("packet", "--yes", "-o", folder.path("packet"))
        for file in ["summary.html", "READ-ME.txt"] {
            let text = try String(contentsOfFile: folder.path("packet/\(file)"), encoding: .utf8)
            #expect(text.contains("no advice"), "\(file)")
            #expect(try Advice.found(in: text) == [], "\(file)")
        }
        try await cli.json("lab", "ask", "interval", "rested")
        try await cli.json("lab", "plan", "screens", "clarity", "--seed", "7")
        try await cli.json("packet", "--yes", "--with", "lab", "-o", folder.path("asked"))
        let lab = try String(contentsOfFile: folder.path("asked/lab.txt"), encoding: .utf8)
        #expect(try Advice.found(in: lab) == [], "\(lab)")
        for words in [
            ["usual"], ["lab"], ["lab", "explore", "split", "rested"], ["report", "--from", "2026-01-01"],
            ["lab", "ask", "alcohol", "wellness"],
        ] {
            let outcome = try await cli.run(words: words)
            #expect(outcome.code == 0 && !outcome.out.isEmpty, "\(words): \(outcome.err)")
            #expect(try Advice.found(in: outcome.out + outcome.err) == [], "\(words)")
        }
    }

    @Test func `R36.1 the live page neither advises nor judges`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1")
        let session = try FollowSession(["web"], cli.environment)
        let client = try RawClient(try await session.line())
        let path = try client.enter()
        for page in [try client.ask(path), try client.ask(path + "report")] {
            #expect(RawClient.status(page) == "200")
            #expect(try Advice.found(in: RawClient.body(page)) == [])
        }
        #expect(try await session.end(SIGTERM) == 0)
    }
}
