import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

@Suite struct ImportTests {
    /// Nights of Plees Tracker from 2025-01-05 on, at 23:00 UTC.
    private func plees(_ nights: Range<Int>) -> String {
        let rows = nights.map { night -> String in
            let start = (1_736_118_000 + night * 86_400) * 1_000
            return "\(night),\(start),\(start + 8 * 3_600_000),0\n"
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
        #expect(again.code == 2 && again.out.contains("Imported before, or twice in the file: 3 rows."), "\(again)")
        #expect(again.out.contains("Not taken, in whole or in part: 1 place of the file."), "\(again)")
        #expect(again.out.contains("  line 5: its start 'x' is no time\n"), "\(again)")
        try write(plees(0..<5), file)
        let grown = try await cli.run("import", "plees", file)
        #expect(grown.code == 0 && grown.out.contains("2 entries") && grown.out.contains("--take-back"), "\(grown)")
        let listed = try await cli.json("import", "list")
        #expect(try SchemaTests.Validator().faults(listed, "imports") == [])
        #expect(listed["imports"]?.arrayValue?.count == 2)
        let narrow = try await cli.run("import", "list", environment: ["COLUMNS": "60"]).out
        #expect(narrow.contains(id) && narrow.contains("Imported") && narrow.contains("plees"), "\(narrow)")
        let back = try await cli.run("import", "--take-back", id)
        #expect(back.code == 0 && back.out.hasPrefix("Taken back: 3 entries"), "\(back)")
        let after = try await cli.run("import", "list", environment: ["COLUMNS": "60"]).out
        #expect(after.contains("plees") && after.contains("Taken back") && after.contains(" no"), "\(after)")
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
        #expect(try await cli.error(64, "import", "fitbit", file)["kind"] == "invalid_input")
        #expect(try await cli.run("import", "list").out == "Nothing was imported yet.\n")
    }
}

/// A database that is in use has a part of its rows in the write-ahead log beside it.
@Suite struct ImportWriteAheadTests {
    /// The program keeps a database open. The file has one dose, the log has one committed dose and uncommitted rows.
    /// The program then runs a command and fails if either file changed. With `busy` the program keeps writing.
    private static let program = """
        import os, sqlite3, subprocess, sys, threading
        path, form, words = sys.argv[1], sys.argv[2], sys.argv[3:]
        database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        run = database.execute
        run("CREATE TABLE dose_events(id TEXT, event_type TEXT, timestamp TEXT)")
        run("INSERT INTO dose_events VALUES ('a', 'dose1', '2026-01-14T22:30:00Z')")
        run("PRAGMA journal_mode=WAL"); run("PRAGMA wal_autocheckpoint=0"); run("PRAGMA synchronous=OFF")
        run("INSERT INTO dose_events VALUES ('b', 'dose2', '2026-01-15T01:30:00Z')")
        if form == "busy":
            done = threading.Event()
            def write():
                while not done.is_set():
                    run("INSERT INTO dose_events VALUES ('c', 'dose1', '2026-01-16T22:30:00Z')")
            writer = threading.Thread(target=write)
            writer.start()
        else:
            # They do not fit into memory: the log has them, and no end of a transaction.
            run("PRAGMA cache_size=2"); run("BEGIN")
            run("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO dose_events "
                "SELECT 'd' || i, 'dose1', strftime('%Y-%m-%dT22:30:00Z', '2020-01-01', i || ' days') FROM n")
        if form == "left":
            os.replace(path + "-shm", path + "-gone")
        if form == "alone":
            os.rename(path + "-wal", path + "-away")
        def files():
            return {name: open(name, "rb").read() for name in (path, path + "-wal") if os.path.exists(name)}
        before = files()
        if form != "alone" and form != "busy":
            assert len(before[path + "-wal"]) > 100_000
        made = subprocess.run(words, capture_output=True, text=True)
        if form == "busy":
            done.set()
            writer.join()
        else:
            assert before == files(), "a file was changed"
        print(made.stdout.strip() or made.stderr.strip())
        sys.exit(made.returncode)
        """

    private func run(
        _ cli: CLIHarness, _ path: String, in folder: ScratchFolder, form: String = "open"
    ) throws -> TestProgram.Outcome {
        try TestProgram.run(
            ["python3", "-c", Self.program, path, form, Tool.program.path, "import", "ios", path, "--json"],
            environment: Tool.environment(home: folder.url.path, cli.environment))
    }

    @Test(arguments: [
        "app.sqlite", "a?immutable=0&mode=rwc#%41.db", "-o quoted 'x' \"y\" $(id).db", "line\nbreak\t.db", "file:x.db",
        "-wal", "x-wal", "ä\u{202E}é.db",
    ])
    func `R31.5 a database that is open is read with its log, whatever its name, and neither file is changed`(
        name: String
    ) async throws {
        let (cli, folder) = (try CLIHarness(["TZ": "UTC"]), try ScratchFolder())
        let outcome = try run(cli, folder.path(name), in: folder)
        let report = try JSONValue.parse(outcome.text)
        #expect(outcome.status == 0 && report["counts"] == ["dose": 2] && !outcome.text.contains("-wal"), "\(outcome)")
        #expect(try await cli.json("show", "2026-01-14")["nights"]?.arrayValue?.first?["interval_min"] == 180)
        // The import leaves no file of its own beside the database.
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(Set(names).isSubset(of: [name, name + "-wal", name + "-shm"]), "\(names)")
    }

    @Test func `R31.5 what its program left behind is read, and a file without its log says so`() async throws {
        let folder = try ScratchFolder()
        let whole = try run(CLIHarness(["TZ": "UTC"]), folder.path("left.db"), in: folder, form: "left")
        #expect(try JSONValue.parse(whole.text)["counts"] == ["dose": 2], "\(whole)")
        let alone = try run(CLIHarness(["TZ": "UTC"]), folder.path("alone.db"), in: folder, form: "alone")
        let report = try JSONValue.parse(alone.text)
        #expect(report["counts"] == ["dose": 1], "\(alone)")
        let notes = report["notes"]?.arrayValue?.compactMap(\.stringValue) ?? []
        #expect(notes.contains { $0.contains("(a file beside it that ends in -wal) was read.") }, "\(alone)")
    }

    @Test func `R31.5 a database that is written all the time is refused by name, and nothing is recorded`()
        async throws
    {
        let (cli, folder) = (try CLIHarness(["TZ": "UTC"]), try ScratchFolder())
        let outcome = try run(cli, folder.path("app.db"), in: folder, form: "busy")
        let error = try JSONValue.parse(outcome.text)["error"]
        #expect(outcome.status == 64 && error?["kind"] == "invalid_input", "\(outcome)")
        #expect(error?["message"]?.stringValue?.contains("is written while it is read") == true, "\(outcome)")
        #expect(try await cli.run("import", "list").out == "Nothing was imported yet.\n")
    }

    @Test func `R31.5 a database whose program ended in the middle of a change is refused until that is taken back`()
        async throws
    {
        let (cli, folder) = (try CLIHarness(["TZ": "UTC"]), try ScratchFolder())
        let (file, journal) = (folder.path("app.db"), folder.path("app.db-journal"))
        // The small cache makes SQLite write pages of an open transaction to the file. The kill comes before the
        // commit.
        let program = """
            import os, sqlite3, sys
            database = sqlite3.connect(sys.argv[1], isolation_level=None)
            run = database.execute
            run("CREATE TABLE dose_events(id TEXT, event_type TEXT, timestamp TEXT)")
            run("INSERT INTO dose_events VALUES ('a', 'dose1', '2026-01-14T22:30:00Z')")
            run("PRAGMA cache_size=2"); run("BEGIN")
            run("UPDATE dose_events SET event_type = 'dose2'")
            run("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO dose_events "
                "SELECT 'd' || i, 'dose1', strftime('%Y-%m-%dT22:30:00Z', '2020-01-01', i || ' days') FROM n")
            os.kill(os.getpid(), 9)
            """
        _ = try TestProgram.run(["python3", "-c", program, file])
        let before = try [file, journal].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        #expect(before[0].count > 100_000 && before[1].first == 0xD9, "the change is in the file, its journal in use")
        let refused = try await cli.error(64, "import", "ios", file)
        #expect(refused["message"]?.stringValue?.contains("in the middle of a change") == true, "\(refused)")
        #expect(try [file, journal].map { try Data(contentsOf: URL(fileURLWithPath: $0)) } == before)
        // sqlite3 rolls the change back. Some journal modes leave a finished journal in place with a zeroed head.
        try TestProgram.check(["sqlite3", file, "SELECT count(*) FROM dose_events"])
        #expect(!FileManager.default.fileExists(atPath: journal))
        #expect(try await cli.json("import", "ios", file, "--dry-run")["counts"] == ["dose": 1])
        try (Data(count: 512) + before[1].dropFirst(512)).write(to: URL(fileURLWithPath: journal))
        #expect(try await cli.json("import", "ios", file, "--dry-run")["counts"] == ["dose": 1])
    }

    @Test func `R31.5 a log that is no plain file is refused, an empty one and one of another kind of file are none`()
        async throws
    {
        let (cli, folder) = (try CLIHarness(["TZ": "UTC"]), try ScratchFolder())
        let (file, log) = (folder.path("app.db"), folder.path("app.db-wal"))
        try TestProgram.check([
            "sqlite3", file,
            "CREATE TABLE dose_events(id TEXT, event_type TEXT, timestamp TEXT);"
                + "INSERT INTO dose_events VALUES ('a', 'dose1', '2026-01-14T22:30:00Z')",
        ])
        try FileManager.default.createSymbolicLink(atPath: log, withDestinationPath: file)
        let link = try await cli.error(64, "import", "ios", file)
        #expect(link["message"]?.stringValue?.contains("app.db-wal is a link") == true, "\(link)")
        try FileManager.default.removeItem(atPath: log)
        #expect(mkfifo(log, 0o600) == 0)
        #expect(try await cli.error(64, "import", "ios", file)["message"]?.stringValue?.contains("no plain") == true)
        try FileManager.default.removeItem(atPath: log)
        try Data().write(to: URL(fileURLWithPath: log))
        #expect(try await cli.json("import", "ios", file, "--dry-run")["counts"] == ["dose": 1])
        // A foreign or damaged log has no frame that counts.
        try Data(repeating: 0x37, count: 100_000).write(to: URL(fileURLWithPath: log))
        #expect(try await cli.json("import", "ios", file, "--dry-run")["counts"] == ["dose": 1])
        let plain = folder.path("plees.csv")
        try "sid,start,stop,rating\n1,1736118000000,1736146800000,4\n".write(
            toFile: plain, atomically: false, encoding: .utf8)
        try Data("x".utf8).write(to: URL(fileURLWithPath: plain + "-wal"))
        #expect(try await cli.json("import", "plees", plain)["new"] == 1)
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
        // A dose of tonight is told before the rows: it does not count on this machine.
        try await other.json("log", "dose1", "--ago", "10m")
        try await old.json("log", "dose1", "--ago", "40m")
        try await old.json("export", "log", "-o", folder.path("4.jsonl"))
        let tonight = try await other.run("import", "log", folder.path("4.jsonl"), "--merge").out
        #expect(tonight.contains("\nThe file has doses of tonight, and they do not count here: "), "\(tonight)")
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
