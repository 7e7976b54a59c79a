import DoseTapDomain
import Foundation
import Testing

@Suite struct UsageTests {
    @Test(arguments: [
        (["stauts"], "status"), (["hsitory"], "history"), (["log", "dsoe1"], "dose1"), (["log", "Dose-3"], "dose2"),
        (["log", "xtra"], "extra"), (["status", "--format", "{phas}"], "{phase}"),
        (["log", "dose2", "--confirm", "erly"], "early"), (["window", "--dose", "22:30"], "--dose1"),
        (["--plain", "undoo"], "undo"),
    ])
    func `an unknown word is answered with the nearest`(arguments: [String], nearest: String) async throws {
        let outcome = try await Tool.run(arguments)
        #expect(outcome.code == 64)
        #expect(outcome.out.isEmpty)
        #expect(outcome.err.contains(nearest))
    }

    @Test(arguments: [
        (["water", "--at", "02:10"], "dosetap log water --at 02:10"), (["lights-out"], "dosetap log lights-out"),
        (["taken"], "dosetap log --help"), (["take", "dose2"], "dosetap log dose2"),
    ])
    func `R20.20 an event or a dose without its verb is answered with 'log', never with 'wake'`(
        arguments: [String], next: String
    ) async throws {
        let outcome = try await Tool.run(arguments)
        #expect(outcome.code == 64 && outcome.err.contains("Next: \(next)\n"), "\(outcome)")
        #expect(!outcome.err.contains("dosetap wake"), "\(outcome)")
    }

    @Test(arguments: [
        (["med", "modafinil", "200mg"], "modafinil", "dosetap med --help"), (["lab", "asx"], "asx", "dosetap lab ask"),
        (["sleep", "23:00", "07:00"], "23:00", "dosetap sleep --help"), (["db", "foo"], "foo", "dosetap db --help"),
        (["config", "shwo"], "shwo", "dosetap config show"),
        (["med", "tak", "modafinil", "--ago", "2h"], "tak", "dosetap med take modafinil --ago 2h"),
    ])
    func `a word where a group has its verbs is answered with these`(
        arguments: [String], word: String, next: String
    ) async throws {
        let outcome = try await Tool.run(arguments)
        #expect(outcome.code == 64 && outcome.out.isEmpty)
        #expect(
            outcome.err.hasPrefix("dosetap: There is no verb '\(word)'.") && outcome.err.contains("Next: \(next)\n"))
        // The verb was typed, so the message names the verb's own help.
        let typed = try await Tool.run(["med", "list", "modafinil"])
        #expect(typed.code == 64 && typed.err.contains("dosetap med list --help"))
    }

    @Test(arguments: [["report"], ["export", "log"], ["db", "backup"], ["packet", "--yes"]])
    func `a folder is no file that --force would replace`(words: [String]) async throws {
        let cli = try CLIHarness()
        let folder = cli.store + ".folder"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try await cli.json("log", "dose1")
        let outcome = try await cli.run(words: words + (words[0] == "db" ? [folder] : ["-o", folder]) + ["--json"])
        let error = try #require(try outcome.json["error"])
        #expect(outcome.code == 64 && error["message"]?.stringValue?.contains("it is not replaced") == true, "\(error)")
        #expect(error["hint"] == "choose another name")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test(arguments: [
        (["take", "dose1"], "dosetap log dose1"), (["take", "dose2"], "dosetap log dose2"),
        (["took", "d1"], "dosetap log dose1"),
        (["take", "dose", "1"], "dosetap log dose1"), (["dose1"], "dosetap log dose1"),
        (["take"], "dosetap log --help"),
        (["take", "dose1", "dose2"], "dosetap log --help"), (["dose"], "dosetap log --help"),
        (["log", "dsoe1"], "dosetap log --help"), (["log", "Dose-3"], "dosetap log --help"),
    ])
    func `R20.15 only the dose that was typed is named`(arguments: [String], next: String) async throws {
        let cli = try CLIHarness()
        let outcome = try await cli.run(words: arguments)
        #expect(outcome.code == 64 && outcome.err.hasSuffix("\n  Next: \(next)\n"), "\(outcome)")
    }

    @Test(arguments: [
        ["window", "--foo"], ["session-key"], ["log"], ["amend"], ["frobnicate"], ["status", "--at"],
        ["status", "--at", "soon"], ["status", "--at", "22:30", "--follow"], ["window", "--max-snoozes", "11"],
        ["window", "--snoozes", "-1"], ["session-key", "22:30", "--rollover-hour", "24"], ["--bus", "train"],
        ["--time-zone", "Mars/Olympus"], ["--store", "/tmp/x"], ["log", "dose1", "--at", "22:30", "--ago", "5m"],
        ["log", "dose1", "--ago", "soon"], ["log", "dose1", "--amount", "5mL"], ["log", "dose1", "--amount", "2,250g"],
        ["log", "dose1", "--amount", "0.5mg"], ["log", "dose1", "--amount", "heaps"], ["amend", "x"],
        ["history", "--nights", "0"], ["history", "--from", "someday"], ["show", ""], ["db"], ["db", "wip"],
        ["db", "wipe", "--confirm", "early-late"],
        ["history", "--from", "2026-01-15", "--to", "2026-01-14"], ["snooze", "now"],
        ["reminders", "--test", ""], ["status", "--format", "{phase"], ["status", "--json", "--format", "{phase}"],
    ])
    func `wrong usage exits with 64 and says what is wrong`(arguments: [String]) async throws {
        let text = try await Tool.run(arguments)
        if arguments == ["db"] {
            #expect(text.code == 0 && text.out.contains("SUBCOMMANDS"), "a group alone prints its help")
            return
        }
        #expect(text.code == 64)
        if !arguments.contains("--json") {
            #expect(text.out.isEmpty)
            #expect(text.err.hasPrefix("dosetap: "))
        }
        let json = try await Tool.run(arguments + ["--json"])
        #expect(json.code == 64)
        let error = try #require(try json.json["error"])
        #expect(error["kind"]?.stringValue == "invalid_input")
        #expect(error["message"]?.stringValue?.isEmpty == false)
    }

    @Test(arguments: [
        (["history", "--sort", "oldest"], ["--oldest-first"]),
        (["history", "--sort", "size"], ["date, interval, score"]),
        (["checkin", "--set", "sleepquality=3"], ["Next: dosetap --bus none checkin --set sleep_quality=3"]),
        (["checkin", "--set", "xyz=3"], ["Next: dosetap --bus none checkin --questions"]),
        (["med", "take", "paracetamol"], ["medications.custom", "Next: dosetap --bus none med catalogue"]),
        (["log", "dose1", "--amount", "9mL"], ["in mg or g", "Next: dosetap log --help"]),
        (["log", "dose1", "--amount", "-1"], ["'-1' is no value", "Next: dosetap log --help"]),
        (
            ["log", "bathroom", "--note", "-1"],
            ["--note has no text", "written --note=-TEXT", "Next: dosetap log --help"]
        ),
        (["log", "dose1", "2.25g"], ["--amount 2.25g.", "Next: dosetap --bus none log dose1 --amount 2.25g"]),
        (
            ["log", "dose2", "--at", "2026-11-28", "03:10"],
            ["--at '2026-11-28 03:10'.", "Next: dosetap --bus none log dose2 --at '2026-11-28 03:10'\n"]
        ),
        (
            ["log", "water", "--at=12", "Nov", "22:30", "--note", "x"],
            ["needs quotes", "Next: dosetap --bus none log water '--at=12 Nov 22:30' --note x\n"]
        ),
        (["log", "dose1", "--ago", "3", "h"], ["Next: dosetap --bus none log dose1 --ago '3 h'\n"]),
        (
            ["amend", "dose1", "--at", "yesterday", "23:10"],
            ["Next: dosetap --bus none amend dose1 --at 'yesterday 23:10'"]
        ),
        (
            ["sleep", "add", "yesterday", "23:10", "06:40", "--part", "nap"],
            ["quotes: 'yesterday 23:10'.", "Next: dosetap --bus none sleep add 'yesterday 23:10' 06:40 --part nap\n"]
        ),
        (
            ["sleep", "add", "23:10", "tomorrow", "06:40"],
            ["quotes: 'tomorrow 06:40'.", "Next: dosetap --bus none sleep add 23:10 'tomorrow 06:40'\n"]
        ),
        (["sleep", "add", "23:10", "06:40", "--part", "nap", "stray"], ["Unexpected argument 'stray'"]),
        (["log", "water", "--at", "22:30", "bottle"], ["Unexpected argument 'bottle'"]),
        (["log", "dose1", "--ago", ""], ["is not a duration: write for example 20m"]),
        (["export", "csv"], [" Known: nights, ", "\n  Next: dosetap export --help\n"]),
        (["export", "csv", "xyzzyxyz"], [" Known: nights, ", "\n  Next: dosetap export --help\n"]),
        (
            ["log", "water", "--confirm", "new_night"],
            [" Known: early, ", "\n  Nothing was recorded.\n  Next: dosetap log --help\n"]
        ),
        (["history", "7"], ["or '12 Nov', not '7'."]),
        (["config", "set", "snooze.max", "-5"], ["'-5' is no value", "Next: dosetap config set --help"]),
    ])
    func `what is not known names the nearest, the known or the next command`(
        arguments: [String], texts: [String]
    ) async throws {
        let outcome = try await Tool.run(["--bus", "none"] + arguments)
        #expect(outcome.code == 64)
        for text in texts { #expect(outcome.err.contains(text), "\(outcome.err)") }
    }

    @Test(arguments: [
        ["log", "dose1", "--at", "25:99"], ["log", "nonsense"], ["log", "dose1", "--frobnicate"], ["log", "dose", "1"],
        ["log", "dose2", "--confirm", "erly"], ["skip", "--ago", "soon"], ["snooze", "now"], ["wake", "--bogus"],
        ["checkin", "--set", "mood"], ["presleep", "--set", "mood"], ["med", "take", "aspirinx"], ["dose1"],
        ["lgo", "dose1"],
    ])
    func `an entry that was typed wrongly says that nothing was recorded`(arguments: [String]) async throws {
        let outcome = try await CLIHarness().run(words: arguments)
        #expect(outcome.code == 64 && outcome.err.contains("\n  Nothing was recorded.\n"), "\(outcome)")
    }

    @Test func `R20.15 of several verbs that may be meant none is offered with a dose`() async throws {
        let outcome = try await CLIHarness().run(words: ["lag", "dose2"])
        #expect(outcome.code == 64 && outcome.err.contains("'log' or 'lab'"), "\(outcome)")
        #expect(!outcome.err.contains("log dose2"), "\(outcome)")
    }

    @Test(arguments: [
        ["status", "--at", "soon"], ["history", "--nights", "0"], ["med", "list", "x"], ["undo", "now"],
        // An entry with this key may be on record.
        ["log", "dose1", "--key", "k", "--at", "25:99"],
    ])
    func `what is no entry, or may be recorded already, does not`(arguments: [String]) async throws {
        let outcome = try await CLIHarness().run(words: arguments)
        #expect(outcome.code == 64 && !outcome.err.contains("Nothing was recorded"), "\(outcome)")
    }

    @Test func `millilitres are refused with the reason`() async throws {
        let outcome = try await Tool.run(["log", "dose1", "--amount", "4.5 mL"])
        #expect(outcome.code == 64)
        #expect(outcome.err.contains("how many milligrams"))
    }

    @Test func `a mistyped variable is no silent default`() async throws {
        let outcome = try await Tool.run(["session-key", "22:30"], ["DOSETAP_JSON": "ja"])
        #expect(outcome.code == 64)
        #expect(outcome.err.contains("DOSETAP_JSON"))
    }

    @Test func `escapes in what was typed do not reach the terminal`() async throws {
        let outcome = try await Tool.run(["log", "\u{1B}[2Jdose"])
        #expect(outcome.code == 64)
        #expect(!outcome.err.contains("\u{1B}"))
    }

    /// Runs a line of a shell in which `$0` is the program.
    private func shell(_ line: String) async throws -> (code: Int32, err: String) {
        let scratch = try Scratch()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", line, Tool.program.path]
        process.environment = Tool.environment(home: scratch.path)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = try scratch.file("err")
        return (try await process.outcome(), try scratch.text("err"))
    }

    @Test(arguments: ["log dream --note", "skip --reason", "--bus none --store", "log dose1 --key"])
    func `an argument that is no UTF-8 is refused, not mended`(line: String) async throws {
        let outcome = try await shell("\"$0\" \(line) \"$(printf 'a\\377b')\"")
        #expect(outcome.code == 64)
        #expect(outcome.err.contains("UTF-8"))
    }

    @Test(arguments: ["session-key 2026-01-14T22:30:00Z", "--help", "--bus none status --json"])
    func `an answer that cannot be written is no success`(line: String) async throws {
        let outcome = try await shell("\"$0\" \(line) >/dev/full")
        #expect(outcome.code == 1)
        #expect(outcome.err.contains("No space left"))
    }

    @Test func `a question that cannot be written keeps its exit code`() async throws {
        let cli = try CLIHarness()
        _ = try await cli.json("log", "dose1")
        let line = (cli.options + ["log", "dose2", "--json"]).joined(separator: " ")
        let outcome = try await shell("\"$0\" \(line) >/dev/full")
        #expect(outcome.code == 4 && outcome.err.contains("No space left") && !outcome.err.contains("recorded"))
    }

    @Test func `a clock time a little ahead is a slip, not yesterday's`() async throws {
        let now = Int(time(nil)) + 1_800
        let ahead = String(format: "%02d:%02d", now / 3_600 % 24, now / 60 % 60)
        let outcome = try await Tool.run(["--bus", "none", "log", "dose1", "--at", ahead])
        #expect(outcome.code == 5)
        #expect(outcome.err.contains("ahead"))
    }
}
