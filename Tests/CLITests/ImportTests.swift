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

@Suite struct ImportLogVerbTests {
    @Test func `R35.2 R35.3 R35.4 a log moves to another machine, through a pipe too, and is merged when asked`()
        async throws
    {
        let (old, new) = (try CLIHarness(["TZ": "UTC"]), try CLIHarness(["TZ": "UTC"]))
        let folder = try ScratchFolder()
        let (first, second, third) = (folder.path("1.jsonl"), folder.path("2.jsonl"), folder.path("3.jsonl"))
        try await old.json("log", "dose1", "--at", "2026-01-14 22:30", "--confirm", "long_ago")
        try await old.json("log", "dose2", "--at", "2026-01-15 01:15", "--confirm", "long_ago")
        try await old.json("export", "log", "-o", first)
        let dry = try await new.json("import", "log", first, "--dry-run")
        #expect(try SchemaTests.Validator().faults(dry, "import") == [])
        #expect(dry["dry_run"] == true && dry["counts"]?["event"] == dry["new"], "\(dry)")
        #expect(try await new.error(3, "show", "last")["kind"] == "not_found")
        let taken = try await new.run("import", "log", first, "--report", folder.path("rows.csv"))
        #expect(taken.code == 0 && taken.out.hasPrefix("Taken over from the log: "), "\(taken)")
        try await new.json("export", "log", "-o", second)
        #expect(try Data(contentsOf: URL(fileURLWithPath: first)) == Data(contentsOf: URL(fileURLWithPath: second)))
        let again = try await new.run("import", "log", first)
        #expect(again.code == 2 && again.out.hasPrefix("The record has all of this log, "), "\(again)")
        #expect(try await new.run("import", "list").out == "Nothing was imported yet.\n")
        try await old.json("log", "bathroom", "--at", "2026-01-15 00:10", "--confirm", "long_ago")
        try await old.json("export", "log", "-o", third)
        let command = "cat '\(third)' | '\(Tool.program.path)' import log - --json"
        let piped = try TestProgram.run(
            ["/bin/sh", "-c", command], environment: Tool.environment(home: folder.url.path, new.environment))
        #expect(piped.status == 0 && piped.text.contains("\"event\""), "\(piped)")
        #expect(try await new.json("db", "verify")["ok"] == true)
        let other = try CLIHarness(["TZ": "UTC"])
        try await other.json("log", "dose1", "--at", "2026-01-12 22:30", "--confirm", "long_ago")
        let refused = try await other.error(64, "import", "log", third)
        #expect(refused["hint"]?.stringValue?.contains("--merge") == true, "\(refused)")
        let merged = try await other.json("import", "log", third, "--merge")
        #expect(merged["counts"] == ["dose": 2, "sleep_event": 1], "\(merged)")
        try await other.json("import", "--take-back", try #require(merged["import_id"]?.stringValue))
    }

    @Test func `R35.1 what is no log, or one that is cut, is refused by name`() async throws {
        let cli = try CLIHarness()
        let folder = try ScratchFolder()
        let file = folder.path("log.jsonl")
        try "sid,start,stop,rating\n".write(toFile: file, atomically: false, encoding: .utf8)
        let wrong = try await cli.error(64, "import", "log", file)
        #expect(wrong["message"]?.stringValue?.contains("ine 1 of the log: ") == true, "\(wrong)")
        #expect(try await cli.error(3, "import", "log", folder.path("none"))["kind"] == "not_found")
        for words in [["log", folder.url.path], ["log"], ["log", file, "--zone", "UTC"], ["plees", file, "--merge"]] {
            #expect(try await cli.run(words: ["import"] + words).code == 64, "\(words)")
        }
    }
}
