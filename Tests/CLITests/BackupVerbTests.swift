import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

@Suite struct BackupVerbTests {
    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test func `R24.1 db backup makes a file in place or none, and replaces one only when asked`() async throws {
        let cli = try CLIHarness()
        let folder = try ScratchFolder()
        let file = folder.path("b.db")
        #expect(try await cli.error(2, "db", "backup", file)["kind"] == "nothing_to_do")
        #expect(try names(folder.url.path).isEmpty)
        try await cli.json("log", "dose1")
        let made = try await cli.json("db", "backup", file)
        #expect(made["path"]?.stringValue == file && made["verified"] == true)
        #expect(try names(folder.url.path) == ["b.db"])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(
            try await cli.error(64, "db", "backup", file)["message"]?.stringValue?.contains("exists already") == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == bytes)
        try await cli.json("log", "bathroom")
        try await cli.json("db", "backup", file, "--force")
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) != bytes)
        #expect(try names(folder.url.path) == ["b.db"])
        // The record itself is not replaced.
        #expect(try await cli.error(64, "db", "backup", cli.store, "--force")["kind"] == "invalid_input")
        #expect(try await cli.error(64, "db", "backup", "/no/such/folder/b.db")["kind"] == "invalid_input")
        let text = try await cli.run("db", "backup")
        #expect(text.out.hasPrefix("Backed up: ") && text.out.contains("/backups/manual-"))
        // The list names each backup at any width, since a restore needs the name.
        for columns in ["40", "80", "200"] {
            let listed = try await cli.run("db", "backups", environment: ["COLUMNS": columns]).out
            #expect(listed.contains("manual-") && (columns == "40" || listed.contains("yes")), "\(listed)")
        }
        #expect(try await cli.json("db", "verify")["ok"] == true)
    }

    @Test func `R24.8 R24.12 db restore shows, asks, replaces, and tells how to go back`() async throws {
        let cli = try CLIHarness()
        let folder = try ScratchFolder()
        let file = folder.path("b.db")
        try await cli.json("log", "bathroom")
        try await cli.json("db", "backup", file)
        try await cli.json("log", "water")
        let dry = try await cli.run("db", "restore", file, "--dry-run")
        #expect(dry.code == 0 && dry.out.contains("Brought in from the last 24 hours: "), "\(dry)")
        let asked = try await cli.error(4, "db", "restore", file)
        #expect(asked["confirmations"] == ["restore"])
        #expect(asked["confirm_with"]?.stringValue?.contains("--confirm restore") == true)
        let restored = try await cli.json("db", "restore", file, "--confirm", "restore")
        let replaced = try #require(restored["replaced"]?.stringValue)
        #expect(restored["dry_run"] == false && FileManager.default.fileExists(atPath: replaced))
        #expect(try await cli.json("db", "check")["ok"] == true)
        #expect(try await cli.json("db", "verify")["ok"] == true)
        let back = try await cli.run("db", "restore", replaced, "--confirm", "restore")
        #expect(back.code == 0 && back.out.contains("To go back: dosetap"), "\(back)")
        for (wrong, code) in [
            (folder.path("none.db"), Int32(3)), (folder.url.path, 64), ("/dev/null", 64), (cli.store, 64),
        ] {
            #expect(try await cli.error(code, "db", "restore", wrong, "--confirm", "restore")["kind"] != nil)
        }
        try Data("not a backup".utf8).write(to: URL(fileURLWithPath: folder.path("text.db")))
        let refused = try await cli.error(64, "db", "restore", folder.path("text.db"), "--confirm", "restore")
        #expect(refused["kind"] == "invalid_input" && refused["fault"] == "damaged", "\(refused)")
        // On a new computer a restore replaces no record.
        let fresh = try CLIHarness()
        let there = try await fresh.json("db", "restore", file, "--confirm", "restore")
        #expect(there["replaced"] == .null && there["other_device"] == true)
        #expect(try await fresh.json("db", "verify")["ok"] == true)
    }
}
