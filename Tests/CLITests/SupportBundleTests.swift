import DoseTapDomain
import DoseTapSystem
import DoseTapTestSupport
import Foundation
import Testing

/// The bundle for a helper has nothing personal in it.
@Suite struct SupportBundleTests {
    /// Words that are planted in every text field and occur nowhere else.
    private static let secrets = [
        "Zanzibarnote", "zanzibarreason", "zanzibarmedicine", "zanzibarevent", "zanzibarsound", "zanzibarplayer",
        "Zanzibarsentence", "zanzibarhome", "zanzibar@example.org", "203.0.113.77", "2001:db8::77", "zanzibar-host",
        "11111111-2222-4333-8444-555555555555", "unix:path=/tmp/zanzibar-bus", "zanzibarkey", "zanzibardrink",
        "23:47", "Antarctica", "zanzibarhook",
    ]

    private static func leaks(_ text: String) -> [String] {
        secrets.filter { text.contains($0) } + ["3333", "2.75"].filter { stands($0, in: text) }
    }

    @Test func `R26.1 nothing personal is in the bundle, whatever was planted`() async throws {
        let folder = try ScratchFolder()
        let home = folder.path("zanzibarhome")
        let note = Self.secrets.prefix(12).joined(separator: " ") + " " + Self.secrets[12]
        for hooks in ["config/dosetap/hooks.d/dose_recorded"] {
            try FileManager.default.createDirectory(
                atPath: home + "/" + hooks, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        let hook = home + "/config/dosetap/hooks.d/dose_recorded/zanzibarhook"
        try Data("#!/bin/sh\necho Zanzibarnote >&2; exit 3\n".utf8).write(to: URL(filePath: hook))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: hook)
        let cli = try CLIHarness([
            "HOME": home, "XDG_CONFIG_HOME": home + "/config", "USER": "zanzibarhome", "LOGNAME": "zanzibarhome",
            "DOSETAP_PLUGINS_SECRET": "Zanzibarnote", "HOSTNAME": "zanzibar-host",
            "DBUS_STARTER_ADDRESS": "unix:path=/tmp/zanzibar-bus",
        ])
        let settings = [
            ("medications.custom", "zanzibarmedicine"), ("sleep_events.custom", "zanzibarevent"),
            ("notifications.sound_name", "zanzibarsound"), ("ladder.player", "zanzibarplayer"),
            ("ladder.text", "Zanzibarsentence comes"), ("night.wake", "07:00"),
        ]
        for (key, value) in settings {
            let outcome = try await cli.run("config", "set", key, value)
            #expect(outcome.code == 0 || key == "night.wake", "\(key): \(outcome.err)")
        }
        for words in [
            ["med", "take", "zanzibarmedicine", "3333", "--note", note, "--key", "zanzibarkey"],
            ["log", "zanzibarevent", "--note", note], ["log", "dose1", "--amount", "2.75g", "--note", note],
            ["regimen", "set", "xyrem", "6g", "--note", note], ["skip", "--reason", "zanzibarreason"],
            ["presleep", "--set", "caffeine_drink=zanzibardrink", "--note", note],
            ["inventory", "add", "180mL", "--medicine", "xyrem", "--note", note],
            ["amend", "dose1", "--note", note + " 23:47"], ["log", note], ["show", note],
        ] { _ = try await cli.run(words: words) }
        // The record has the planted words, so the bundle could leak them.
        let record = String(decoding: try Data(contentsOf: URL(filePath: cli.store)), as: UTF8.self)
        #expect(["Zanzibarnote", "zanzibarevent", "zanzibarmedicine", "zanzibarreason"].allSatisfy(record.contains))
        let shown = try await cli.run("support-bundle")
        #expect(shown.code == 0, "\(shown.err)")
        #expect(Self.leaks(shown.out) == [], "\(shown.out)")
        let personal = [NSUserName(), ProcessInfo.processInfo.hostName, home, cli.store]
        #expect(personal.filter { $0.count > 4 && shown.out.contains($0) } == [])
        #expect(!shown.out.contains(/\d\d:\d\d/) && !shown.out.contains(/[0-9a-f]{8}-[0-9a-f]{4}/))
        let bundle = try #require(JSONValue.parse(shown.out).objectValue)
        #expect(bundle["service"]?["version"] == .string(Release.name))
        let settingsShown = bundle["settings"]?.arrayValue ?? []
        #expect(settingsShown.contains { $0["key"] == "ladder.text" && $0["value"] == "(not shown)" })
        #expect(settingsShown.contains { $0["key"] == "snooze.max" && $0["value"] == "3" })
        let events = bundle["log"]?["events"]?.arrayValue ?? []
        #expect(events.contains { $0["type"] == "dose_recorded" && $0["count"] == 1 }, "\(events)")
        #expect(bundle["log"]?["files"]?.arrayValue?.contains { $0["mode"] == "600" } == true)
        #expect((bundle["doctor"]?.arrayValue?.count ?? 0) > 5)
    }

    @Test(.enabled(if: Testbed.isActive, "needs a journald of its own: run Contrib/test"))
    func `R26.1 nothing of the journal is in the bundle but words of the contract, whatever was planted there`()
        async throws
    {
        // Any program of the person can write what looks like an entry of the service.
        let planted = "0123456789abcdef0123456789abcdef"
        let fields = [
            "SYSLOG_IDENTIFIER=dosetapd", "MESSAGE_ID=\(planted)", "PRIORITY=3", "MESSAGE=Zanzibarnote at 23:47",
            "DOSETAP_EVENT=zanzibarevent", "DOSETAP_REASON=zanzibarreason", "DOSETAP_REMINDER=zanzibarmedicine",
            "DOSETAP_PHASE=Zanzibarsentence", "DOSETAP_PLUGIN=zanzibarplayer", "DOSETAP_SURFACE=zanzibarsound",
            "DOSETAP_HINT=unix:path=/tmp/zanzibar-bus", "DOSETAP_EVENT_ID=11111111-2222-4333-8444-555555555555",
            "DOSETAP_ENTRY=zanzibardrink", "ZANZIBARKEY=zanzibarkey",
        ]
        try Command.check(["sh", "-c", "printf '%s\\n' \"$@\" | logger --journald", "sh"] + fields)
        #expect(try Journal.entries(matching: ["MESSAGE_ID": planted]).first?["DOSETAP_ENTRY"] == "zanzibardrink")
        let cli = try CLIHarness()
        #expect(try await cli.run("log", "dose1").code == 0)
        let shown = try await cli.run("support-bundle")
        #expect(shown.code == 0 && Self.leaks(shown.out) == [], "\(shown)")
        let journal = try JSONValue.parse(shown.out)["journal"]
        let entry = journal?["entries"]?.arrayValue?.first { $0["message_id"] == .string(planted) }
        #expect(entry?["event"] == "(not shown)" && entry?["reason"] == "(not shown)", "\(String(describing: entry))")
    }

    @Test func `R26.2 the bundle is written as it was shown, for its owner alone, and takes nothing's place`()
        async throws
    {
        let folder = try ScratchFolder()
        let cli = try CLIHarness()
        let file = folder.path("bundle.json")
        #expect(try await cli.run("support-bundle", "-o", file).code == 4, "off a terminal it is not shown first")
        #expect(!FileManager.default.fileExists(atPath: file))
        let session = try TerminalSession(
            cli.options + ["support-bundle", "-o", file], cli.environment)
        let outcome = try await session.run([("Write this to", "y")])
        #expect(outcome.code == 0 && outcome.screen.contains("\"bundle\": 1"), "\(outcome.screen)")
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.hasSuffix("}\n") && outcome.screen.replacing("\r\n", with: "\n").contains(text))
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
        #expect(before == ["bundle.json"])
        let refused = try TerminalSession(
            cli.options + ["support-bundle", "-o", folder.path("second")], cli.environment)
        #expect(try await refused.run([("Write this to", "")]).screen.contains("Nothing was written"))
        for (name, make) in [
            ("taken", { try Data("mine".utf8).write(to: URL(filePath: $0)) }),
            ("link", { try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: "/tmp/nowhere") }),
            ("fifo", { #expect(mkfifo($0, 0o600) == 0) }),
            ("folder", { try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false) }),
        ] as [(String, (String) throws -> Void)] {
            let path = folder.path(name)
            try make(path)
            let outcome = try await cli.run("support-bundle", "--yes", "-o", path)
            #expect(outcome.code == 64 && outcome.err.contains("there is something at"), "\(name): \(outcome)")
        }
        #expect(try String(contentsOfFile: folder.path("taken"), encoding: .utf8) == "mine")
        let written = try await cli.json("support-bundle", "--yes", "-o", folder.path("third"))
        #expect(written["written"] == .string(folder.path("third")))
        #expect(try SchemaTests.Validator().faults(written, "support-bundle-written") == [])
    }

    @Test func `R26.3 without a service the bundle has what the command can see`() async throws {
        let outcome = try await Tool.run(["support-bundle"], HelpTests.noService)
        #expect(outcome.code == 0, "\(outcome.err)")
        let bundle = try #require(JSONValue.parse(outcome.out).objectValue)
        #expect(bundle["service"]?["unanswered"] == "unreachable" && bundle["settings"] == nil)
        #expect(bundle["doctor"]?.arrayValue?.first?["id"] == "bus")
        #expect(bundle["journal"] != nil && bundle["machine"]?["kernel"] != nil)
    }
}
