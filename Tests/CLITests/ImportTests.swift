import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

@Suite struct ImportTests {
    /// Nights of Plees Tracker from 2025-01-05 on, at 23:00 UTC.
    private func plees(_ nights: Range<Int>) -> String {
        let rows = nights.map { night -> String in
            let start = (1_736_118_000 + night * 86_400) * 1_000
            return "\(night),\(start),\(start + 8 * 3_600_000),4\n"
        }
        return "sid,start,stop,rating\n" + rows.joined()
    }

    private func write(_ text: String, _ path: String) throws {
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }

    @Test func `R29.1 R29.2 R29.12 import shows first, takes a file once, lists it and takes it back`() async throws {
        let cli = try CLIHarness()
        let folder = try ScratchFolder()
        let file = folder.path("plees.csv")
        try write(plees(0..<3) + "7,x,y,1\n", file)
        let dry = try await cli.json("import", "plees", file, "--dry-run")
        #expect(try SchemaTests.Validator().faults(dry, "import") == [])
        #expect(
            dry["new"] == 3 && dry["not_taken"] == 1 && dry["dry_run"] == true && dry["import_id"] == .null, "\(dry)")
        #expect(try await cli.run("import", "list").out == "Nothing was imported yet.\n")
        let report = folder.path("rows.csv")
        let taken = try await cli.json("import", "plees", file, "--report", report)
        #expect(taken["new"] == 3)
        let id = try #require(taken["import_id"]?.stringValue)
        let rows = try String(contentsOfFile: report, encoding: .utf8)
        #expect(rows.split(separator: "\r\n").count == 5 && rows.contains("line 5,not_taken,"), "\(rows)")
        let mode = try FileManager.default.attributesOfItem(atPath: report)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let again = try await cli.run("import", "plees", file)
        #expect(again.code == 2 && again.out.contains("Imported before: 3 rows."), "\(again)")
        try write(plees(0..<5), file)
        let grown = try await cli.run("import", "plees", file)
        #expect(grown.code == 0 && grown.out.contains("2 entries") && grown.out.contains("--take-back"), "\(grown)")
        let listed = try await cli.json("import", "list")
        #expect(try SchemaTests.Validator().faults(listed, "imports") == [])
        #expect(listed["imports"]?.arrayValue?.count == 2)
        let back = try await cli.run("import", "--take-back", id)
        #expect(back.code == 0 && back.out.hasPrefix("Taken back: 3 entries"), "\(back)")
        #expect(
            try await cli.error(3, "import", "--take-back", id)["hint"]?.stringValue?.contains("import list") == true)
        #expect(try await cli.run("import", "plees", file).out.contains("3 entries"))
        #expect(try await cli.json("db", "verify")["ok"] == true)
        #expect(try await cli.json("db", "check")["ok"] == true)
    }

    @Test func `R29.4 the record of the iOS app comes in with its nights, and the open night is as before`()
        async throws
    {
        let cli = try CLIHarness(["TZ": "Europe/Berlin"])
        let folder = try ScratchFolder()
        let file = folder.path("app.sqlite")
        let oracle = ManualTests.root.appendingPathComponent("Tests/Support/import_oracle.py").path
        try TestProgram.check(["python3", oracle, "make", "ios", file, "7"])
        let dry = try await cli.json("import", "ios", file, "--dry-run")
        let taken = try await cli.json("import", "ios", file)
        #expect(taken["new"] == dry["new"] && taken["counts"]?["dose"]?.integerValue ?? 0 > 0, "\(taken)")
        #expect(try await cli.json("status")["phase"] == "no_dose1")
        let nights = try await cli.json("history", "--nights", "1000")["nights"]?.arrayValue ?? []
        #expect(nights.count > 1 && nights.allSatisfy { $0["terminal_state"] != .null })
        #expect(try await cli.run("import", "ios", file).code == 2)
        #expect(try await cli.json("db", "check")["ok"] == true)
    }

    @Test func `R29.8 what is no file to import is refused by name, and nothing is recorded`() async throws {
        let cli = try CLIHarness()
        let folder = try ScratchFolder()
        let file = folder.path("plees.csv")
        try write(plees(0..<1), file)
        let link = folder.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(
            try await cli.error(3, "import", "plees", folder.path("none"))["message"]?.stringValue?.contains("no file")
                == true)
        for (path, word) in [(link, "link"), (pipe, "no plain file"), (folder.url.path, "no plain file")] {
            let error = try await cli.error(64, "import", "plees", path)
            #expect(error["message"]?.stringValue?.contains(word) == true, "\(error)")
        }
        #expect(try await cli.error(64, "import", "plee", file)["nearest"] == ["plees"])
        for words in [
            [], ["plees"], ["list", file], ["--take-back", "x", "plees"], ["plees", file, "--zone", "Nowhere"],
        ] {
            #expect(try await cli.run(words: ["import"] + words).code == 64, "\(words)")
        }
        try write("a,b\n1,2\n", file)
        let wrong = try await cli.error(64, "import", "plees", file)
        #expect(wrong["message"]?.stringValue?.contains("Plees") == true, "\(wrong)")
        try write(plees(0..<1), file)
        try write("x", file + "-wal")
        #expect(
            try await cli.error(64, "import", "plees", file)["message"]?.stringValue?.contains("write-ahead") == true)
        #expect(try await cli.error(64, "import", "fitbit", file)["kind"] == "invalid_input")
        #expect(try await cli.run("import", "list").out == "Nothing was imported yet.\n")
    }
}
