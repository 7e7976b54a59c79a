import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

@Suite struct ServiceVerbTests {
    @Test(arguments: ["check", "verify", "rebuild"])
    func `a sound store is reported as such`(verb: String) async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1")
        let report = try await cli.json("db", verb)
        #expect(CLIHarness.keys(report).prefix(3) == ["ok", "events", "rows"])
        #expect(report["ok"] == true)
        #expect(try await cli.json("status")["phase"] == "before_window")
        #expect(try await cli.run("db", verb).out.hasPrefix("All is well"))
    }

    @Test func `R21.18 a damaged record is looked at first and repaired by a second word`() async throws {
        let folder = try ScratchFolder()
        let store = folder.path("x.db")
        let options = ["--bus", "none", "--store", store]
        #expect(try await Tool.run(options + ["log", "bathroom"]).code == 0)
        let whole = try await Tool.run(options + ["db", "repair"])
        #expect(whole.code == 2 && whole.err.contains("nothing to repair"), "\(whole)")
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: store))
        try handle.seek(toOffset: 100)
        try handle.write(contentsOf: Data(repeating: 0xA7, count: 2_000))
        try handle.close()
        let looked = try await Tool.run(options + ["db", "repair"])
        #expect(looked.code == 0 && looked.out.contains("Nothing was changed yet"), "\(looked)")
        #expect(looked.out.contains("Next: dosetap --bus none --store \(store) db repair --replace"), "\(looked)")
        let done = try await Tool.run(options + ["db", "repair", "--replace"])
        #expect(done.code == 0 && done.out.contains("The record is repaired."), "\(done)")
        let shown = try await Tool.run(options + ["db", "verify"])
        #expect(shown.code == 0, "\(shown)")
    }

    @Test func `without a bus the doctor sees red, and says so by its exit code`() async throws {
        let cli = try CLIHarness()
        let outcome = try await cli.run("doctor")
        #expect(outcome.code == 1)
        #expect(
            outcome.out.contains("red      bus             there is no session bus, ")
                && outcome.out.contains("red      service         no service is running: ")
                && outcome.out.contains("Something is broken"))
        #expect(try await cli.run("log", "dose1").err.contains("before you sleep") == false)
        // Nor is a backup promised that nobody makes.
        func backup() async throws -> JSONValue? {
            try await cli.run("doctor", "--json").json["findings"]?.arrayValue?.first { $0["id"] == "backup" }
        }
        let told = try await backup()
        #expect(told?["level"] == "amber" && told?["remedy_code"] == "back_up", "\(String(describing: told))")
        #expect(told?["sentence"]?.stringValue?.hasPrefix("no automatic backup is made") == true)
        try await cli.json("db", "backup")
        #expect(try await backup()?["level"] == "green")
    }

    @Test func `the doctor names a second dosetap, in the path and below the home`() async throws {
        let scratch = try Scratch()
        let home = scratch.path + "/.local/bin"
        let path = scratch.path + "/bin"
        for folder in [home, path] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        let variables = ["HOME": scratch.path, "PATH": "\(path):/usr/bin:/bin"]
        let cli = try CLIHarness(variables)
        try FileManager.default.createSymbolicLink(atPath: path + "/dosetap", withDestinationPath: Tool.program.path)
        #expect(try await cli.run("doctor", environment: variables).out.contains("second dosetap") == false)
        try "#!/bin/sh\n".write(toFile: home + "/dosetap", atomically: true, encoding: .utf8)
        #expect(try await cli.run("doctor", environment: variables).out.contains("second dosetap") == false)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home + "/dosetap")
        let named = try await cli.run("doctor", "--json").json["findings"]?.arrayValue?.last
        #expect(named?["id"] == "command" && named?["level"] == "amber", "\(String(describing: named))")
        #expect(named?["sentence"]?.stringValue?.contains("is at \(home)/dosetap.") == true)
        // The service that answers may be that of the second version, which cannot open the record.
        try await cli.json("log", "dose1")
        #expect(try Command.run(["sqlite3", cli.store, "PRAGMA user_version=999"]).status == 0)
        let refused = try await cli.run("doctor")
        #expect(refused.code == 1 && refused.err.contains("newer version"), "\(refused)")
        #expect(refused.out.contains("second dosetap is at"), "\(refused)")
        let json = try await cli.run("doctor", "--json")
        #expect(json.code == 1)
        #expect(try json.json["findings"]?.arrayValue?.map { $0["id"] } == ["service", "command"], "\(json)")
    }

    @Test func `config and plugins answer with one object each`() async throws {
        let cli = try CLIHarness()
        #expect(CLIHarness.keys(try await cli.json("config", "show")) == ["settings"])
        #expect(try await cli.json("config", "check")["ok"] == true)
        #expect(try await cli.json("config", "reload")["reloaded"] == true)
        #expect(CLIHarness.keys(try await cli.json("plugins")) == ["plugins"])
        for verb in ["disable", "show"] {
            #expect(try await cli.error(3, "plugins", verb, "no-such")["kind"] == "not_found")
        }
    }

    @Test func `a plugin is shown with its channels and settings`() async throws {
        let folder = try ScratchFolder()
        let cli = try CLIHarness(["XDG_CONFIG_HOME": folder.path("config")])
        try await cli.json("config", "set", "ladder.speech_after", "90")
        let shown = try await cli.run("plugins", "show", "alarm").out
        for line in [
            "Channels: sound, speech, hook, partner", "  Try one: dosetap reminders --test sound",
            "  ladder.sound_after: 0  (default)", "  Change one: dosetap config set KEY VALUE",
        ] { #expect(shown.split(separator: "\n").contains { $0 == line }, "\(line): \(shown)") }
        #expect(shown.contains("  ladder.speech_after: 90  (/"))
        #expect(shown.contains("  ladder.text: It is time. Look at the screen.  (default)\n"), "\(shown)")
        let german = try await cli.run("plugins", "show", "alarm", environment: ["DOSETAP_DISPLAY_LANGUAGE": "de"]).out
        #expect(german.contains("  ladder.text: Es ist Zeit. Auf den Bildschirm sehen.  (Vorgabe)\n"), "\(german)")
    }

    @Test func `a setting is changed for good, and what does not do changes nothing`() async throws {
        let folder = try ScratchFolder()
        let cli = try CLIHarness(["XDG_CONFIG_HOME": folder.path("config")])
        let receipt = try await cli.json("config", "set", "snooze.max", "2")
        #expect(receipt["value"] == "2" && receipt["night_rule"] == true && receipt["written"] == true)
        let file = try #require(receipt["file"]?.stringValue)
        let written = try String(contentsOfFile: file, encoding: .utf8)
        for (key, value, said) in [
            ("snooze.max", "99", "is out of range: 0 to 10"), ("snooze.most", "2", "did you mean snooze.max"),
            ("plugins.alram.enabled", "false", "did you mean plugins.alarm.enabled"),
            ("ladder.text", "", "cannot be spoken"),
        ] {
            let error = try await cli.error(64, "config", "set", key, value)
            #expect(
                error["kind"] == "invalid_input" && error["message"]?.stringValue?.contains(said) == true, "\(error)")
        }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == written)
        let rows = try await cli.json("config", "show")["settings"]?.arrayValue ?? []
        #expect(rows.contains { $0.objectValue?["key"] == "snooze.max" && $0.objectValue?["value"] == "2" })
    }
}
