import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

@Suite struct ExportTests {
    /// A store with a few entries.
    private func harness() async throws -> CLIHarness {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--note", "=1+1")
        try await cli.json("log", "bathroom", "--note", "a, \"b\"")
        return cli
    }

    private func names(_ folder: ScratchFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    @Test func `R27.10 export makes a private file in place or none, and replaces one only when asked`() async throws {
        let cli = try await harness()
        let folder = try ScratchFolder()
        let file = folder.path("doses.csv")
        let report = try await cli.json("export", "csv", "dose_events", "-o", file)
        #expect(try SchemaTests.Validator().faults(report, "export") == [])
        #expect(report["path"]?.stringValue == file && report["rows"] == 1 && report["moved"] == false)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(report["bytes"]?.integerValue == Int64(bytes.count))
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("id,event_type,timestamp,timestamp_local,"))
        #expect(
            try await cli.error(64, "export", "log", "-o", file)["message"]?.stringValue?.contains("exists") == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == bytes)
        let text = try await cli.run("export", "log", "-o", file, "--force")
        #expect(text.code == 0 && text.out.hasPrefix("Exported: ") && text.out.contains("doses.csv"), "\(text)")
        #expect(try names(folder) == ["doses.csv"])
        let log = try String(contentsOfFile: file, encoding: .utf8)
        #expect(log.hasPrefix("{\"format\":\"dosetap-log\",\"version\":1,"))
        // Neither the record nor a path that is no regular file is replaced.
        let link = folder.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: cli.store)
        for wrong in [cli.store, link, folder.url.path, "/dev/null", folder.path("no/such/file"), ""] {
            let error = try await cli.error(64, "export", "log", "-o", wrong, "--force")
            #expect(error["kind"] == "invalid_input", "\(wrong)")
        }
        #expect(try await cli.json("db", "verify")["ok"] == true)
    }

    @Test func `R27.7 R27.8 standard output gets what a file gets, with the guard or without`() async throws {
        let cli = try await harness()
        let folder = try ScratchFolder()
        for words in [["log"], ["csv", "nights"], ["csv", "dose_events"], ["csv", "sleep_events", "--exact"]] {
            let printed = try await cli.run(words: ["export"] + words)
            #expect(printed.code == 0 && !printed.out.isEmpty)
            try await cli.json(["export"] + words + ["-o", folder.path("file"), "--force"])
            #expect(try String(contentsOfFile: folder.path("file"), encoding: .utf8) == printed.out, "\(words)")
        }
        let doses = try await cli.run("export", "csv", "dose_events").out
        let notes = try await cli.run("export", "csv", "sleep_events").out
        #expect(doses.contains("=1+1") && notes.contains("\"a, \"\"b\"\"\""))
        let dates = ["--from", "2020-01-01", "--to", "2020-12-31"]
        #expect(try await cli.run(words: ["export", "csv", "nights"] + dates).out.split(separator: "\r\n").count == 1)
    }

    @Test func `what cannot be exported is refused, and the known words are named`() async throws {
        let cli = try await harness()
        let table = try await cli.error(64, "export", "csv", "dose_event", "-o", "x")
        #expect(table["nearest"] == ["dose_events"] && table["known"]?.arrayValue?.count == 16, "\(table)")
        #expect(try await cli.run("export", "csv", "events").err.contains("sleep_sessions"))
        #expect(try await cli.run("export", "csv").err.contains("sleep_sessions"))
        #expect(try await cli.error(64, "export", "logs", "-o", "x")["nearest"] == ["log"])
        for words in [
            ["log", "nights"], ["log", "--exact"], ["log", "--from", "2026-01-01"],
            ["csv", "regimens", "--to", "2026-01-01"], ["log", "--force"], ["log", "--json"],
            ["csv", "nights", "--from", "2026-02-01", "--to", "2026-01-01"],
        ] {
            let refused = try await cli.run(words: ["export"] + words)
            #expect(refused.code == 64, "\(words): \(refused)")
        }
        let fresh = try CLIHarness()
        let folder = try ScratchFolder()
        #expect(try await fresh.error(2, "export", "log", "-o", folder.path("log"))["kind"] == "nothing_to_do")
        #expect(try names(folder).isEmpty)
        let terminal = try TerminalSession(["export", "log"], cli.environment)
        let outcome = try await terminal.run()
        #expect(outcome.code == 64 && outcome.screen.contains("not shown on a terminal"), "\(outcome)")
    }

    @Test func `K6 an export into a closed pipe or a full target ends with 1, and nothing is left`() async throws {
        let cli = try await harness()
        let program = Tool.program.path
        func shell(_ script: String) throws -> TestProgram.Outcome {
            try TestProgram.run(
                ["bash", "-c", script],
                environment: Tool.environment(home: NSTemporaryDirectory(), cli.environment))
        }
        let gone = try shell("exec 3> >(exec true); wait $!; '\(program)' --quiet export log >&3; echo $?")
        #expect(gone.text == "1\n" && gone.errors.isEmpty, "\(gone)")
        let full = try shell("'\(program)' --quiet export log > /dev/full; echo $?")
        #expect(full.text == "1\n" && full.errors.contains("no space left"), "\(full)")
        let missing = try shell("'\(program)' --quiet export log >&-; echo $?")
        #expect(missing.text != "0\n", "\(missing)")
    }

    @Test func `K6 R27.10 a kill at any moment leaves the whole file or none`() async throws {
        let cli = try await harness()
        let folder = try ScratchFolder()
        let file = folder.path("log")
        let began = ContinuousClock.now
        let whole = try await cli.run("export", "log").out
        let lasted = ContinuousClock.now - began
        var left = 0
        for turn in 0..<24 {
            let process = Process()
            process.executableURL = Tool.program
            process.arguments = ["export", "log", "-o", file]
            process.environment = Tool.environment(home: folder.url.path, cli.environment)
            (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
            // The kill comes at any moment of a run, and after some runs. The file is then whole or absent.
            let delay = (lasted * turn / 12) / .seconds(1)
            DispatchQueue.global().asyncAfter(deadline: .now() + delay) {
                if process.isRunning { kill(process.processIdentifier, SIGKILL) }
            }
            _ = try await process.outcome()
            let found = try names(folder)
            #expect(found == [] || found == ["log"])
            guard found == ["log"] else { continue }
            #expect(try String(contentsOfFile: file, encoding: .utf8) == whole)
            try FileManager.default.removeItem(atPath: file)
            left += 1
        }
        #expect((1..<24).contains(left), "some runs were killed, and some had ended: \(left)")
        // The store can be opened again.
        #expect(try await cli.json("db", "verify")["ok"] == true)
    }

    @Test func `R28.3 R28.11 a file for others is made of the nights, and what is taken out is shown first`()
        async throws
    {
        let cli = try await harness()
        try await cli.json("regimen", "set", "xyrem", "4.5g")
        let folder = try ScratchFolder()
        let file = folder.path("nights.json")
        let report = try await cli.json("export", "fhir", "-o", file)
        #expect(try SchemaTests.Validator().faults(report, "export") == [])
        #expect(report["what"] == "fhir" && report["rows"] == 1 && report["complete"] == true)
        let whole = try String(contentsOfFile: file, encoding: .utf8)
        let bundle = try JSONValue.parse(whole)
        let kinds = bundle["entry"]?.arrayValue?.compactMap { $0["resource"]?["resourceType"]?.stringValue } ?? []
        #expect(kinds.contains("MedicationAdministration") && kinds.contains("MedicationStatement"), "\(kinds)")
        let printed = try await cli.run("export", "fhir")
        #expect(printed.out == whole, "one record, equal bytes")
        #expect(try await cli.run("export", "ical").out.hasPrefix("BEGIN:VCALENDAR\r\n"))
        #expect(try await cli.json("export", "ios", "-o", folder.path("app.zip"))["bytes"]?.integerValue ?? 0 > 100)
        // Without a terminal the person cannot see the parts that are taken out.
        _ = try await cli.error(4, "export", "fhir", "--profile", "clinic", "-o", folder.path("clinic.json"))
        #expect(!FileManager.default.fileExists(atPath: folder.path("clinic.json")))
        try await cli.json("export", "fhir", "--profile", "clinic", "--yes", "-o", folder.path("clinic.json"))
        let clinic = try String(contentsOfFile: folder.path("clinic.json"), encoding: .utf8)
        #expect(!clinic.contains("=1+1") && whole.contains("=1+1"))
        // The setting gives the profile where the command names none. An export of the record itself stays whole.
        let asSet = ["DOSETAP_EXPORT_PROFILE": "clinic"]
        #expect(try await cli.run("export", "fhir", "-o", folder.path("set.json"), environment: asSet).code == 4)
        let set = try await cli.run("export", "fhir", "--yes", environment: asSet)
        #expect(set.code == 0 && !set.out.contains("=1+1") && set.out.hasPrefix("{"), "\(set.err)")
        #expect(try await cli.run("export", "fhir", "--profile", "full", environment: asSet).out == whole)
        #expect(try await cli.run("export", "csv", "dose_events", environment: asSet).code == 0)
        for wrong in [
            ["fhir", "--profile", "some"], ["log", "--profile", "clinic"], ["ical", "--ndjson"],
            ["ical", "--profile", "figures", "--yes"], ["fhir", "nights"],
        ] {
            let outcome = try await cli.run(words: ["export"] + wrong + ["-o", folder.path("wrong")])
            #expect(outcome.code == 64, "\(wrong): \(outcome)")
        }
        #expect(try names(folder) == ["app.zip", "clinic.json", "nights.json"])
        let session = try TerminalSession(
            cli.options + ["export", "ical", "--profile", "share", "-o", folder.path("shared.ics")], cli.environment)
        let shown = try await session.run([("Write it like this", "y")])
        #expect(
            shown.code == 0 && shown.screen.contains("Night ") && shown.screen.contains("Exported"), "\(shown.screen)")
        #expect(try names(folder).contains("shared.ics"))
    }

    @Test func `R27.6 R28.4 what was noted on a day without a night is shown and exported`() async throws {
        let cli = try CLIHarness(["TZ": "UTC"])
        let confirmed = ["--confirm", "long_ago"]
        try await cli.json(["med", "take", "modafinil", "200", "--at", "2026-01-10 09:00"] + confirmed)
        try await cli.json(["log", "dose1", "--at", "2026-01-12 22:30"] + confirmed)
        try await cli.json(["presleep", "--set", "late_meal=light", "--at", "2026-01-14 22:00"] + confirmed)
        #expect(try await cli.json("show", "2026-01-14")["pre_sleep"]?.arrayValue?.count == 1)
        let bundle = try JSONValue.parse(try await cli.run("export", "fhir").out)
        let kinds = bundle["entry"]?.arrayValue?.compactMap { $0["resource"]?["resourceType"]?.stringValue } ?? []
        let alone = ["MedicationStatement", "QuestionnaireResponse"]
        #expect(alone.allSatisfy { kind in kinds.count { $0 == kind } == 1 }, "\(kinds)")
        #expect(kinds.contains("MedicationAdministration"), "\(kinds)")
        // A file for a clinic and the view before it have the same entries.
        let clinic = try await cli.run("export", "fhir", "--profile", "clinic", "--yes").out
        #expect(alone.allSatisfy { clinic.contains("\"resourceType\":\"\($0)\"") }, "\(clinic)")
        let session = try TerminalSession(
            cli.options + ["export", "fhir", "--profile", "clinic", "-o", "/dev/null/none"], cli.environment)
        let shown = try await session.run([("Write it like this", "n")])
        #expect(
            shown.screen.contains("Day 2026-01-10, without a night") && shown.screen.contains("modafinil")
                && shown.screen.contains("Day 2026-01-14, without a night"), "\(shown.screen)")
        let some = try await cli.run("export", "fhir", "--from", "2026-01-11", "--to", "2026-01-13").out
        #expect(some.contains("MedicationAdministration") && !some.contains("odafinil") && !some.contains("late_meal"))
    }

    @Test func `R28.2 a stream that does not come makes no file and nothing whole on standard output`() async throws {
        let cli = try CLIHarness()
        let folder = try ScratchFolder()
        let none = try await cli.run("export", "fhir")
        #expect(none.code == 2 && !none.out.contains("]"), "\(none)")
        #expect(try await cli.run("export", "ical", "-o", folder.path("night.ics")).code == 2)
        #expect(try names(folder) == [])
    }
}
