import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

/// The same record in two languages: only the words differ.
@Suite struct LanguageTests {
    private static let german = ["DOSETAP_DISPLAY_LANGUAGE": "de"]

    /// Verbs that change nothing; some succeed and some are refused.
    private static let verbs: [[String]] = [
        [], ["status"], ["reminders"], ["history"], ["show", "last"], ["stats"],
        ["why", "dose1"], ["med", "list"], ["med", "catalogue", "xyrem"], ["regimen", "show"],
        ["regimen", "history"], ["inventory"], ["sleep", "list"], ["usual"], ["lab", "list"], ["import", "list"],
        ["db", "verify"], ["db", "check"], ["db", "backups"], ["plan-reminders", "--dose1", "22:00"],
        ["log", "dose2", "--dry-run"], ["log", "dose1"], ["log", "water", "--dry-run"], ["skip", "--dry-run"],
        ["wake", "--dry-run"], ["undo", "--dry-run"], ["log", "bathrom"], ["log", "water", "--at", "nonsense"],
        ["show", "2020-01-01"], ["amend", "dose1"], ["amend", "nothing", "--at", "22:00"], ["delete", "zzzz"],
        ["med", "take", "modafinil", "200mg", "--dry-run"], ["med", "take", "aspirinx"], ["snooze"],
        ["db", "restore", "/etc/passwd", "--dry-run"],
        ["export", "csv"], ["history", "--nights", "0"], ["packet"], ["import"],
        ["log", "dose2", "--amount", "99g"], ["regimen", "set", "xyrem", "99g"],
        ["regimen", "set", "sodium oxybate", "4.5g"],
    ]

    private static func night() async throws -> CLIHarness {
        let cli = try CLIHarness()
        try await cli.json("regimen", "set", "xyrem", "4.5g")
        try await cli.json("inventory", "add", "180mL", "--medicine", "xyrem")
        try await cli.json("log", "lights_out", "--ago", "70m")
        try await cli.json("log", "dose1", "--ago", "60m")
        try await cli.json("log", "bathroom", "--ago", "30m", "--note", "the cat is of no use")
        try await cli.json("med", "take", "modafinil", "100mg", "--ago", "10h")
        return cli
    }

    private static func numbers(_ text: String) -> [String] {
        text.matches(of: /[0-9]+(?:[.,:][0-9]+)*/).map { String($0.output).replacing(",", with: ".") }.sorted()
    }

    private static func commands(_ text: String) -> [String] {
        text.matches(of: /dosetap [a-z-]+/).map { String($0.output) }.sorted()
    }

    /// Words of the sentences, without what is typed, quoted or the person's own.
    private static func english(_ text: String) -> [String] {
        let own = text.replacing(/'[^']*'|„[^“]*“/, with: "").replacing(/the cat is of no use/, with: "")
        return own.matches(of: /\b(the|is|are|was|were|of|and|not|with|been|has|have|Nothing|Dose|dose)\b/).map {
            String($0.output.1)
        }
    }

    @Test func `R38.2: exit code, JSON, numbers and commands are the same in German; only the words differ`()
        async throws
    {
        let cli = try await Self.night()
        let before = try await cli.json("show", "last")
        for verb in Self.verbs { try await Self.expectSame(verb, cli) }
        #expect(try await cli.json("show", "last") == before)
    }

    private static func expectSame(_ verb: [String], _ cli: CLIHarness) async throws {
        for attempt in 1...3 {
            let english = try await cli.run(words: verb)
            let german = try await cli.run(words: verb, environment: Self.german)
            let (one, other) = (english.out + english.err, german.out + german.err)
            // A minute may have passed between the two runs.
            if attempt < 3, numbers(one) != numbers(other) { continue }
            #expect(english.code == german.code, "\(verb)")
            #expect(numbers(one) == numbers(other), "\(verb):\n\(one)\n\(other)")
            #expect(commands(one) == commands(other), "\(verb):\n\(one)\n\(other)")
            #expect(one != other, "\(verb): \(one)")
            #expect(Self.english(other).isEmpty, "\(verb): \(Self.english(other)) in:\n\(other)")
            break
        }
        // Times advance between the runs, and each dry run makes ids of its own.
        func masked(_ outcome: Tool.Outcome) -> String {
            outcome.out.replacing(/[0-9a-f]{8}-[0-9a-f-]{27}/, with: "ID").replacing(/[0-9]+/, with: "0")
        }
        let plain = try await cli.run(words: verb + ["--json"])
        let spoken = try await cli.run(words: verb + ["--json"], environment: Self.german)
        #expect(plain.code == spoken.code && masked(plain) == masked(spoken), "\(verb): \(plain.out) \(spoken.out)")
    }

    @Test func `R38.3: environment before setting before locale, and what no locale names is English`() async throws {
        let folder = try ScratchFolder()
        let cli = try CLIHarness(["XDG_CONFIG_HOME": folder.path("config")])
        func isGerman(_ environment: [String: String] = [:]) async throws -> Bool {
            try await cli.run("reminders", environment: environment).out.contains("Keine Erinnerungen")
        }
        #expect(try await !isGerman())
        #expect(try await isGerman(["LC_ALL": "de_DE.UTF-8"]))
        #expect(try await isGerman(["LC_ALL": "", "LANG": "de_AT.UTF-8"]))
        #expect(try await isGerman(["LC_ALL": "", "LC_MESSAGES": "de_DE.UTF-8", "LANG": "C.UTF-8"]))
        #expect(try await !isGerman(["LC_ALL": "fr_FR.UTF-8"]))
        #expect(try await !isGerman(["LC_ALL": "de_DE.UTF-8", "DOSETAP_DISPLAY_LANGUAGE": "en"]))
        #expect(try await cli.run("config", "set", "display.language", "de").code == 0)
        #expect(try await isGerman())
        #expect(try await !isGerman(["DOSETAP_DISPLAY_LANGUAGE": "en"]))
        // A path is the same in every language.
        let back = try await cli.run("config", "set", "display.language", "en")
        #expect(back.code == 0 && back.out.contains("dosetap/config.yaml."), "\(back)")
        #expect(try await !isGerman(["LC_ALL": "de_DE.UTF-8"]))
        #expect(try await cli.run("config", "set", "display.language", "fr").code != 0)
    }

    @Test func `R38.3: with the setting alone, errors and what is said before the service is asked are German`()
        async throws
    {
        let folder = try ScratchFolder()
        let cli = try CLIHarness(["XDG_CONFIG_HOME": folder.path("config")])
        #expect(try await cli.run("config", "set", "display.language", "de").code == 0)
        let failing: [[String]] = [
            ["log", "dose2"], ["snooze"], ["skip"], ["undo"], ["delete", "zzzz"], ["amend", "dose1"], ["packet"],
            ["amend", "nothing", "--at", "22:00"], ["log", "bathrom"], ["log", "water", "--at", "nonsense"],
            ["snoze"], ["history", "--nights", "0"], ["show", "2020-01-01"], ["import"],
        ]
        for words in failing {
            let setting = try await cli.run(words: words)
            let variable = try await cli.run(words: words, environment: Self.german)
            #expect(setting.code == variable.code && setting.code != 0, "\(words): \(setting) \(variable)")
            #expect(setting.err == variable.err && setting.out == variable.out, "\(words): \(setting) \(variable)")
            #expect(Self.english(setting.err).isEmpty, "\(words): \(setting)")
            let other = try await cli.run(words: words, environment: ["DOSETAP_DISPLAY_LANGUAGE": "en"])
            #expect(other.err != setting.err, "\(words): \(other)")
            let json = try await cli.run(words: words + ["--json"])
            let english = try await cli.run(
                words: words + ["--json"], environment: ["DOSETAP_DISPLAY_LANGUAGE": "en"])
            #expect(json.out == english.out, "\(words): \(json) \(english)")
        }
        let setup = try await TerminalSession(["setup"], cli.environment).run([(question: "]", answer: "\u{4}")])
        let screen = setup.screen
        #expect(screen.contains("DoseTap erfasst und erinnert.") && !screen.contains("Six questions"), "\(screen)")
    }

    @Test(arguments: [
        ("display:\n  language: de\n", true), ("display: {clock: 24h, language: \"de\"}\n", true),
        ("display:\n  # language: de\n  clock: 24h\n", false), ("display:\n  clock: 24h  # language: de\n", false),
        ("display:\n  language: locale\n", false), ("display:\n  language: en\n", false),
    ])
    func `R38.3: before the service is asked the language is read from the file`(
        text: String, isGerman: Bool
    ) async throws {
        let folder = try ScratchFolder()
        let cli = try CLIHarness(["XDG_CONFIG_HOME": folder.path("config")])
        let place = folder.path("config/dosetap")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try text.write(toFile: place + "/config.yaml", atomically: true, encoding: .utf8)
        // No service is asked for either answer.
        let asked: [(word: String, german: String, english: String)] = [
            ("packet", "Eine Arztmappe braucht einen Ort.", "A packet needs a place."),
            ("snoze", "Unbekannt: Verb", "There is no verb"),
        ]
        for (word, german, english) in asked {
            let outcome = try await cli.run(word, environment: ["DOSETAP_DAEMON": "/nonexistent"])
            #expect(outcome.code == 64 && outcome.err.contains(isGerman ? german : english), "\(word): \(outcome)")
        }
    }

    @Test func `R38.4: what is asked at a terminal is asked in German`() async throws {
        let cli = try await Self.night()
        let session = try TerminalSession(
            cli.options + ["log", "dose2"], cli.environment.merging(Self.german) { _, new in new })
        let shown = try await session.run([("early", "n")])
        let words = shown.screen.replacingOccurrences(of: "\r\n", with: " ").split(separator: " ").joined(
            separator: " ")
        #expect(words.contains("Dosen kurz nacheinander können die Atmung stoppen"), "\(shown.screen)")
        #expect(!words.contains("stop breathing") && words.contains("Es wurde nichts erfasst."), "\(shown.screen)")
    }

    @Test func `R38.5: a locale without umlauts gets none, and plain output keeps them`() async throws {
        let cli = try await Self.night()
        let plan = ["plan-reminders", "--dose1", "22:00", "--now", "22:01"]
        for verb in [[], ["status"], plan, ["log", "dose2"], ["show", "last"]] {
            let outcome = try await cli.run(
                words: verb, environment: ["LC_ALL": "C", "DOSETAP_DISPLAY_LANGUAGE": "de"])
            #expect((outcome.out + outcome.err).utf8.allSatisfy { $0 < 0x80 }, "\(outcome.out)\(outcome.err)")
        }
        let plain = try await cli.run(words: plan + ["--plain"], environment: Self.german)
        #expect(plain.out.contains("öffnet"))
        let ascii = try await cli.run(words: plan, environment: ["LC_ALL": "C", "DOSETAP_DISPLAY_LANGUAGE": "de"])
        #expect(ascii.out.contains("oeffnet"))
    }

    @Test func `R38.7: the report and the summary are pages in German`() async throws {
        let cli = try await Self.night()
        let folder = try ScratchFolder()
        let page = folder.path("page.html")
        let made = try await cli.run("report", "-o", page, environment: Self.german)
        #expect(made.code == 0 && made.out.contains("Bericht: "), "\(made)")
        let text = try String(contentsOfFile: page, encoding: .utf8)
        #expect(text.contains("<html lang=\"de\">") && text.contains("Abstand zwischen den Dosen"))
        #expect(!text.contains("Interval between the doses"))
        let english = try await cli.run("report", "-o", folder.path("english.html"))
        #expect(english.code == 0)
        #expect(
            try String(contentsOfFile: folder.path("english.html"), encoding: .utf8).contains("<html lang=\"en\">"))
    }
}
