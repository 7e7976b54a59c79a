import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

@Suite struct WipeTests {
    @Test func `R26.4 the statement is calm: what happens, what is kept, two choices`() async throws {
        let folder = try ScratchFolder()
        let cli = try CLIHarness(["XDG_CONFIG_HOME": folder.path("config")])
        try await cli.json("config", "set", "snooze.max", "2")
        try await cli.json("log", "dose1", "--ago", "160m")
        try await cli.json("db", "backup")
        let look = try await cli.run("db", "wipe", "--dry-run")
        #expect(look.code == 0 && look.out.contains("Dose 2 is open. Its reminders end with the data."), "\(look)")
        #expect(!look.out.contains("?") && !look.out.contains("!") && !look.out.lowercased().contains("warn"))
        let unasked = try await cli.error(4, "db", "wipe")
        #expect(
            unasked["confirm_with"]?.stringValue?
                .hasSuffix("db wipe --confirm window_unresolved --confirm wipe") == true, "\(unasked)")
        let kept = try await TerminalSession(cli.options + ["db", "wipe"], cli.environment)
            .run([("Press Return to keep it:", "")])
        #expect(kept.code == 0 && kept.screen.contains("Nothing was deleted."), "\(kept)")
        #expect(try await cli.json("status")["dose1_time"] != .null)
        let gone = try await TerminalSession(cli.options + ["db", "wipe"], cli.environment)
            .run([("Press Return to keep it:", "delete")])
        #expect(gone.code == 0 && gone.screen.contains("All data is deleted."), "\(gone)")
        #expect(gone.screen.contains("Still there: 1 backup of the record."), "\(gone)")
        #expect(!gone.screen.contains("?") && !gone.screen.contains("!"))
        #expect(try await cli.run().out.contains("DoseTap records the two doses of a night"), "a newcomer is greeted")
        let rows = try await cli.json("config", "show")["settings"]?.arrayValue ?? []
        #expect(rows.contains { $0["key"] == "snooze.max" && $0["value"] == "2" }, "settings are kept")
        #expect(try await cli.error(2, "db", "wipe")["kind"] == "nothing_to_do")
    }

    @Test func `R26.4 a report that was opened goes with the record, one that was saved stays`() async throws {
        let folder = try ScratchFolder()
        let data = folder.path("data")
        let downloads = folder.path("Downloads")
        for place in [downloads, data + "/dosetap"] {
            try FileManager.default.createDirectory(
                atPath: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        let cli = try CLIHarness([
            "HOME": folder.url.path, "XDG_DATA_HOME": data, "DOSETAP_STORE": data + "/dosetap/dosetap.db",
            "XDG_CONFIG_HOME": folder.path("config"), "XDG_RUNTIME_DIR": folder.url.path, "PATH": folder.url.path,
        ])
        try await cli.json("log", "dose1", "--ago", "9h", "--confirm", "long_ago")
        let (opened, saved) = (downloads + "/dosetap-report-to-view.html", downloads + "/mine.html")
        _ = try await cli.run("report", "--open")
        #expect(try await cli.run("report", "-o", saved).code == 0)
        #expect(FileManager.default.fileExists(atPath: opened))
        // A record that was named is not the person's own.
        let other = ["--store", folder.path("other.db")]
        #expect(try await cli.run(words: other + ["log", "bathroom"]).code == 0)
        #expect(try await cli.run(words: other + ["db", "wipe", "--confirm", "wipe"]).code == 0)
        #expect(FileManager.default.fileExists(atPath: opened))
        // What a killed command has left of a report for the printer.
        let left = folder.path(".dosetap-print-abcdef")
        for place in [left, folder.path("dosetap-report-for-dr")] {
            try FileManager.default.createDirectory(
                atPath: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        try "a night".write(toFile: left + "/report.html", atomically: true, encoding: .utf8)
        let wiped = try await cli.run("db", "wipe", "--confirm", "wipe", "--confirm", "window_unresolved")
        #expect(!FileManager.default.fileExists(atPath: left))
        #expect(FileManager.default.fileExists(atPath: folder.path("dosetap-report-for-dr")), "it is the person's")
        #expect(wiped.out.contains("reports and packets that you saved stay where they are"), "\(wiped)")
        #expect(!FileManager.default.fileExists(atPath: opened) && FileManager.default.fileExists(atPath: saved))
    }

    @Test func `R26.6 a record of a newer version is removed without a service`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1")
        #expect(try Command.run(["sqlite3", cli.store, "PRAGMA user_version=999"]).status == 0)
        #expect(try await cli.run("status").code == 1)
        let report = try await cli.json("db", "wipe", "--confirm", "wipe", "--confirm", "window_unresolved")
        #expect(report["finished"] == true)
        #expect(try SchemaTests.Validator().faults(report, "db-wipe") == [])
        #expect(try await cli.run("status").code == 0)
    }
}
