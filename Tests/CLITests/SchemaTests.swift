import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

@Suite struct SchemaTests {
    /// The differences between a value and its schema. A key that the schema does not name is a difference.
    struct Validator {
        let folder = ManualTests.root.appending(path: "Config/schemas/v1")

        func schema(_ name: String) throws -> JSONValue {
            try JSONValue.parse(try String(contentsOf: folder.appending(path: name), encoding: .utf8))
        }

        func faults(_ value: JSONValue, _ name: String) throws -> [String] {
            try faults(value, try schema(name + ".json"), at: name)
        }

        private func faults(_ value: JSONValue, _ schema: JSONValue, at place: String) throws -> [String] {
            if let name = schema["$ref"]?.stringValue { return try faults(value, try self.schema(name), at: place) }
            if let choices = schema["anyOf"]?.arrayValue {
                let all = try choices.map { try faults(value, $0, at: place) }
                return all.contains(where: \.isEmpty) ? [] : all.first ?? []
            }
            var found: [String] = []
            let types = schema["type"].map { $0.arrayValue ?? [$0] } ?? []
            if !types.isEmpty, !types.contains(where: { Self.isOf(value, $0.stringValue) }) {
                found.append("\(place): \(value.serialized()) is no \(JSONValue.array(types).serialized())")
            }
            if let words = schema["enum"]?.arrayValue, !words.contains(value) {
                found.append("\(place): \(value.serialized()) is none of the words")
            }
            if schema["format"]?.stringValue == "date-time", let text = value.stringValue,
                (try? Instant(iso8601: text)) == nil
            {
                found.append("\(place): \(text) is no instant")
            }
            if let items = schema["items"] {
                for element in value.arrayValue ?? [] { found += try faults(element, items, at: place + "[]") }
            }
            if let properties = schema["properties"]?.objectValue, let object = value.objectValue {
                for key in schema["required"]?.arrayValue?.compactMap(\.stringValue) ?? [] where object[key] == nil {
                    found.append("\(place).\(key) is missing")
                }
                for entry in object {
                    guard let own = properties[entry.key] else {
                        found.append("\(place).\(entry.key) is not described")
                        continue
                    }
                    found += try faults(entry.value, own, at: "\(place).\(entry.key)")
                }
            }
            return found
        }

        private static func isOf(_ value: JSONValue, _ type: String?) -> Bool {
            switch (value, type) {
            case (.null, "null"), (.bool, "boolean"), (.integer, "integer"), (.integer, "number"), (.number, "number"),
                (.string, "string"), (.instant, "string"), (.array, "array"), (.object, "object"):
                true
            default: false
            }
        }
    }

    private static let copy = NSTemporaryDirectory() + "dosetap-schema-\(getpid()).db"

    /// A line and the schema of what it prints.
    static let lines: [([String], String)] = [
        (["session-key", "2026-01-14T22:00:00Z"], "session-key"),
        (["window", "--dose1", "2026-01-14T22:00:00Z", "--now", "2026-01-15T01:00:00Z"], "window"),
        (["plan-reminders", "--dose1", "2026-01-14T22:00:00Z", "--now", "2026-01-14T23:00:00Z"], "plan-reminders"),
        (["simulate", ManualTests.root.path + "/Contrib/nights/autumn.txt"], "simulate"),
        (["sleep-plan"], "sleep-plan"), (["sleep-plan", "--night", "2026-01-14"], "sleep-plan"),
        ([], "status"), (["history"], "history"), (["stats"], "stats"), (["log", "dose2"], "error"),
        (["med", "list"], "med-list"), (["med", "catalogue"], "med-catalogue"),
        (["med", "catalogue", "sunosi"], "medication"), (["regimen"], "regimen"),
        (["regimen", "history"], "regimen-history"), (["checkin", "--questions"], "questions"),
        (["presleep", "--questions"], "questions"), (["reminders", "--test"], "channels"),
        (["regimen", "set", "xyrem", "6g", "--step", "2199-01-01=7g"], "receipt"),
        (["med", "take", "modafinil", "--ago", "6h"], "receipt"),
        (["regimen", "set", "xyrem", "7g", "--split", "0.6,0.4", "--until", "2198-01-01"], "receipt"),
        (["med", "list"], "med-list"), (["regimen"], "regimen"), (["regimen", "history"], "regimen-history"),
        (["presleep", "--set", "late_meal=light", "--set", "alcohol=1", "--ago", "10m"], "receipt"),
        (["log", "dose1", "--ago", "5m", "--dry-run"], "receipt"), (["log", "dose1", "--ago", "5m"], "receipt"),
        (["simulate", "--night", "today", "--script"], "simulate-script"),
        (["simulate", "--night", "today"], "simulate"),
        (["log", "nap_start"], "receipt"), (["status"], "status"), (["log", "dose2"], "error"),
        (["snooze"], "error"), (["show", "today"], "show"), (["skip"], "receipt"), (["undo"], "receipt"),
        (["reminders"], "reminders"),
        (["inventory", "add", "180mL", "--medicine", "xyrem"], "receipt"), (["inventory"], "inventory"),
        (["inventory", "pour", "--for", "dose1", "--medicine", "xyrem"], "receipt"), (["inventory"], "inventory"),
        (["inventory", "correct", "xyrem", "90mL"], "receipt"), (["inventory", "discard", "00000000"], "error"),
        (["inventory", "add", "4.5g", "--medicine", "lumryz"], "receipt"), (["inventory"], "inventory"),
        (["status"], "status"), (["show", "today"], "show"),
        (["log", "nonsense"], "error"), (["skip"], "receipt"), (["wake"], "receipt"),
        (["checkin", "--set", "mood=good"], "receipt"), (["status"], "status"), (["show", "yesterday"], "error"),
        (["history", "--by", "week"], "history"), (["stats", "--by", "month"], "stats"),
        (["stats", "--intervals"], "intervals"),
        (["history", "--sort", "x"], "error"),
        (["lab", "ask", "late_meal", "rested"], "receipt"), (["lab", "plan", "screens", "rested"], "receipt"),
        (["lab", "list"], "lab-list"), (["lab", "explore", "interval", "rested"], "lab-answer"),
        (["lab", "plan", "dose2", "rested"], "error"),
        (["db", "check"], "db"), (["db", "verify"], "db"), (["db", "rebuild"], "db"),
        (["db", "backup", copy, "--force"], "backup"), (["db", "backup"], "backup"), (["db", "backups"], "backups"),
        (["export", "log", "-o", copy + ".jsonl"], "export"), (["export", "csv"], "error"),
        (["packet", "--yes", "-o", copy + ".zip"], "packet"), (["packet", "-o", copy + ".zip"], "error"),
        (["report", "-o", copy + ".html"], "export"), (["report", "--nights", "0", "-o", copy], "error"),
        (["import", "list"], "imports"),
        (["db", "restore", copy, "--dry-run"], "restore"), (["db", "restore", copy], "error"),
        (["config", "show"], "config-show"),
        (["config", "check"], "config-check"), (["plugins"], "plugins"), (["metrics"], "metrics"),
        (["plugins", "show", "alarm"], "plugin"), (["config", "set", "ladder.speech_after", "90"], "config-set"),
        (["plugins", "disable", "hooks"], "plugins-set"), (["plugins", "enable", "hooks"], "plugins-set"),
        (["config", "reload"], "config-reload"), (["reminders", "--test", "journal"], "channel-test"),
        (["doctor"], "doctor"), (["support-bundle"], "support-bundle"),
        (["why", "00000000"], "error"), (["sleep"], "sleep-list"), (["sleep", "add", "2h ago", "1h ago"], "receipt"),
        (["sleep", "list"], "sleep-list"), (["sleep", "add", "1h ago", "2h ago"], "error"),
        (["sleep", "live", "deep"], "error"), (["status"], "status"), (["usual"], "usual"),
        (["show", "today"], "show"), (["stats"], "stats"),
    ]

    @Test func `everything that is printed as JSON is as its schema says`() async throws {
        let cli = try CLIHarness()
        let validator = Validator()
        var used: Set<String> = [
            "night", "entry", "finding", "warning", "support-bundle-written", "db-wipe", "import", "signer", "web",
        ]
        let suffixes = ["", ".jsonl", ".html", ".zip"]
        defer { for suffix in suffixes { try? FileManager.default.removeItem(atPath: Self.copy + suffix) } }
        for (line, name) in Self.lines {
            let outcome = try await cli.run(words: line + ["--json"])
            let value = try outcome.json
            #expect(value.objectValue?.keys.contains("error") == (name == "error"), "\(line): \(outcome.out)")
            #expect(try validator.faults(value, name) == [], "\(line)")
            used.insert(name)
        }
        // Only a running service keeps a stage.
        let (bus, folder) = (try PrivateBus(), try ScratchFolder())
        let daemon = try DaemonProcess(
            arguments: ["--store", folder.path("dosetap.db"), "--address", bus.address],
            environment: ["HOME": folder.path("home")])
        try daemon.awaitReady()
        let live = try await Tool.run(
            ["sleep", "live", "deep", "--json"], ["DBUS_SESSION_BUS_ADDRESS": bus.address])
        #expect(try validator.faults(try live.json, "sleep-live") == [], "\(live)")
        used.insert("sleep-live")
        daemon.signal(SIGTERM)
        #expect(try daemon.awaitExit() == 0)
        let night = try #require(try await cli.json("history")["nights"]?.arrayValue?.first)
        let id = try #require(night["session_id"]?.stringValue)
        let shown = try await cli.json("show", id)
        #expect(try validator.faults(shown, "show") == [])
        let entry = try #require(shown["nights"]?.arrayValue?.first?["entries"]?.arrayValue?.first?["id"]?.stringValue)
        for (verb, name) in [("show", "show"), ("why", "why"), ("delete", "receipt")] {
            let words = [verb, entry]
            let outcome = try await cli.run(words: words + ["--json"])
            #expect(try validator.faults(try outcome.json, outcome.code == 0 ? name : "error") == [], "\(words)")
            used.insert(name)
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: validator.folder.path)
        #expect(Set(files) == Set(used.map { $0 + ".json" }))
    }

    @Test func `what is not as the schema says is found`() throws {
        let validator = Validator()
        #expect(try validator.faults(["session_date": "2026-01-14"], "session-key") == [])
        for wrong: JSONValue in [[:], ["session_date": 5], ["session_date": "2026-01-14", "more": true]] {
            #expect(try validator.faults(wrong, "session-key").count == 1)
        }
        #expect(try validator.faults(["nights": [["session_id": "x"]], "next": .null], "history").count > 10)
    }
}
