import DoseTapConfig
import DoseTapDomain
import Testing

@Suite struct ConfigReaderTests {
    private let file = ConfigSource.userFile("config.yaml")

    private func read(_ text: String, rules: ConfigRules = ConfigRules()) -> ConfigLayer {
        ConfigReader.read(Array(text.utf8), source: file, rules: rules)
    }

    private func complaints(_ text: String, rules: ConfigRules = ConfigRules()) -> [String] {
        read(text, rules: rules).complaints.map(\.description)
    }

    @Test func `every setting is read from its section`() throws {
        let text = """
            schedule:
              wake: "06:30"
              prep: '17:00'
              checkin_cutoff_hours: 12
              rollover_hour: 0
            dose: {target_minutes: 225}
            snooze:
              step_minutes: 30
              max: 0
            undo:
              window_seconds: 600
            regimen:
              once_nightly: true
            privacy:
              details: yes
            time_zone: America/New_York
            plugins:
              sleep-lock:
                enabled: false
              bell:
                enabled: on
            """
        let layer = read(text)
        #expect(layer.complaints == [])
        let settings = Configuration(layers: [layer]).settings
        #expect(settings[ServiceSettings.wake] == ClockTime(hour: 6, minute: 30))
        #expect(settings[ServiceSettings.prep] == ClockTime(hour: 17))
        #expect(settings[ServiceSettings.checkinCutoffHours] == 12)
        #expect(settings[ServiceSettings.rolloverHour] == 0)
        #expect(settings[ServiceSettings.targetMinutes] == 225)
        #expect(settings[ServiceSettings.snoozeStepMinutes] == 30)
        #expect(settings[ServiceSettings.snoozeMax] == 0)
        #expect(settings[ServiceSettings.undoWindowSeconds] == 600)
        #expect(settings[ServiceSettings.onceNightly])
        #expect(settings[ServiceSettings.details])
        #expect(settings[ServiceSettings.timeZone] == "America/New_York")
        #expect(settings.plugins == ["sleep-lock": false, "bell": true])
    }

    @Test(arguments: [
        "", "\n", "# only a comment\n", "---\n", "~", "schedule:\n", "schedule:\n  # wake: 06:00\nplugins:\n",
    ])
    func `a file that says nothing leaves the defaults`(text: String) {
        #expect(read(text) == ConfigLayer())
        let settings = Configuration(layers: [read(text)]).settings
        #expect(settings == SettingValues())
        #expect(settings[ServiceSettings.wake] == ClockTime(hour: 7))
        #expect(
            settings[ServiceSettings.prep] == ClockTime(hour: 18) && settings[ServiceSettings.checkinCutoffHours] == 4
                && settings[ServiceSettings.rolloverHour] == 18)
        #expect(
            settings[ServiceSettings.targetMinutes] == 165 && settings[ServiceSettings.snoozeStepMinutes] == 10
                && settings[ServiceSettings.snoozeMax] == 3)
        #expect(
            settings[ServiceSettings.undoWindowSeconds] == 60 && !settings[ServiceSettings.onceNightly]
                && !settings[ServiceSettings.details])
    }

    @Test(arguments: [
        ("custom: Leg Cramps, hunger", ["leg_cramps", "hunger"]), ("custom: \"Übelkeit\"", ["übelkeit"]),
        ("custom: [Leg Cramps, hunger]", ["leg_cramps", "hunger"]), ("custom:\n    - hunger", ["hunger"]),
        ("custom: []", []), ("custom: ''", []),
    ])
    func `sleep events of one's own are a list, or a text with commas`(line: String, words: [String]) {
        let layer = read("sleep_events:\n  \(line)\n")
        #expect(layer.complaints == [])
        #expect(Configuration(layers: [layer]).settings[ServiceSettings.sleepEvents].custom.map(\.word) == words)
    }

    @Test(arguments: [
        (
            "Bathroom",
            "config.yaml:2:11: “sleep_events.custom”: “Bathroom” does not do: 'bathroom' has a meaning already"
        ),
        (
            "[a, [b]]",
            "config.yaml:2:15: “sleep_events.custom”: expected up to 8 names of up to 32 characters, or empty, found a list"
        ),
        (
            "[a, 'b💤']",
            "config.yaml:2:11: “sleep_events.custom”: “a,b💤” does not do: a name has letters, digits, blanks and hyphens"
        ),
        (
            "{a: b}",
            "config.yaml:2:11: “sleep_events.custom”: expected up to 8 names of up to 32 characters, or empty, found a section"
        ),
        ("&x [a]", "config.yaml:2:11: anchors and aliases are not accepted"),
    ])
    func `K4 sleep events that do not do are told`(value: String, complaint: String) {
        let layer = read("sleep_events:\n  custom: \(value)\n")
        #expect(layer.complaints.map(\.description) == [complaint])
        #expect(layer.values.isEmpty)
    }

    @Test(arguments: [
        ("snooze:\n  max: 11\n", "config.yaml:2:8: “snooze.max”: “11” is out of range: 0 to 10"),
        ("snooze:\n  max: -1\n", "config.yaml:2:8: “snooze.max”: “-1” is out of range: 0 to 10"),
        ("snooze:\n  max: many\n", "config.yaml:2:8: “snooze.max”: expected a whole number, found “many”"),
        ("snooze:\n  max: 0x3\n", "config.yaml:2:8: “snooze.max”: expected a whole number, found “0x3”"),
        ("snooze:\n  max: 03\n", "config.yaml:2:8: “snooze.max”: expected a whole number, found “03”"),
        ("snooze:\n  max: 3.0\n", "config.yaml:2:8: “snooze.max”: expected a whole number, found “3.0”"),
        ("snooze:\n  max: \"3\"\n", "config.yaml:2:8: “snooze.max”: expected 0 to 10 without quotes"),
        ("snooze:\n  max: [3]\n", "config.yaml:2:8: “snooze.max”: expected 0 to 10, found a list"),
        ("snooze:\n  max: {a: 3}\n", "config.yaml:2:8: “snooze.max”: expected 0 to 10, found a section"),
        (
            "dose:\n  target_minutes: 170\n",
            "config.yaml:2:19: “dose.target_minutes”: “170” is none of 165, 180, 195, 210, 225"
        ),
        (
            "regimen:\n  once_nightly: 1\n",
            "config.yaml:2:17: “regimen.once_nightly”: expected true or false, found “1”"
        ),
        (
            "schedule:\n  wake: 25:00\n",
            "config.yaml:2:9: “schedule.wake”: expected a time of day such as 21:30, found “25:00”"
        ),
        ("schedule:\n  wake: 7\n", "config.yaml:2:9: “schedule.wake”: expected a time of day such as 21:30, found “7”"),
        ("snoze:\n  max: 3\n", "config.yaml:1:1: “snoze”: unknown key; did you mean snooze?"),
        ("snooze:\n  maxx: 3\n", "config.yaml:2:3: “snooze.maxx”: unknown key; did you mean snooze.max?"),
        ("wake: 07:00\n", "config.yaml:1:1: “wake”: unknown key; did you mean schedule.wake?"),
        (
            "snooze.max: 3\n",
            "config.yaml:1:1: “snooze.max”: a section and its key stand on two lines, the key indented"
        ),
        ("qwertyuiop: 3\n", "config.yaml:1:1: “qwertyuiop”: unknown key"),
        ("snooze: 3\n", "config.yaml:1:9: “snooze”: expected a section with indented “key: value” lines"),
        ("- a\n", "config.yaml:1:1: expected settings as “key: value” lines"),
        ("time_zone: a b\n", "config.yaml:1:12: “time_zone”: “a b” is no name of a time zone"),
        ("plugins:\n  Bell: 3\n", "config.yaml:2:3: “plugins.Bell”: unknown plugin"),
        (
            "plugins:\n  bell: on\n",
            "config.yaml:2:9: “plugins.bell”: expected “enabled: true” or “enabled: false” below"
        ),
        (
            "plugins:\n  bell:\n    enable: on\n",
            "config.yaml:3:5: “plugins.bell.enable”: unknown key; did you mean plugins.bell.enabled?"
        ),
    ])
    func `K4 what is wrong is told with its line, column and nearest key`(text: String, complaint: String) {
        let layer = read(text)
        #expect(layer.complaints.map(\.description) == [complaint])
        #expect(layer.values.isEmpty && layer.plugins.isEmpty)
    }

    @Test func `a missing value is told`() {
        #expect(complaints("snooze:\n  max:\n").first?.contains("the value is missing: 0 to 10") == true)
    }

    @Test(arguments: [
        ("snooze: {\n", 2), ("snooze:\n\tmax: 3\n", 2), ("a: 'unclosed\n", 2), ("snooze:\n max: 3\n  step: 4\n", 3),
        ("a: b: c\n", 1), ("snooze:\n  max: 3\n---\nsnooze:\n  max: 4\n", 3), ("snooze:\n  max: *x\n", 2),
    ])
    func `K4 broken YAML is told with its line, and nothing of it is used`(text: String, line: Int) {
        let layer = read(text)
        #expect(layer.complaints.count == 1)
        #expect(layer.complaints.first?.line == line, "\(layer.complaints)")
        #expect(layer.complaints.first?.message.contains("YAML") == true)
        #expect(layer.values.isEmpty)
    }

    @Test func `a key that stands twice is refused`() {
        let found = complaints("snooze:\n  max: 3\n  max: 4\n")
        #expect(found == ["config.yaml:2:3: “max”: the key occurs more than once"])
    }

    @Test(arguments: [
        ("snooze: &a\n  max: 3\n", 1), ("snooze:\n  max: &a 3\n  step_minutes: *a\n", 2),
        ("privacy: &a {details: true}\nregimen: *a\n", 1),
    ])
    func `anchors and aliases are refused`(text: String, line: Int) {
        let layer = read(text)
        #expect(layer.complaints.first?.message == "anchors and aliases are not accepted")
        #expect(layer.complaints.first?.line == line)
        #expect(layer.values.isEmpty)
    }

    @Test func `an alias bomb is refused at once`() {
        var bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n"
        for level in 1...30 {
            let before = "*a\(level - 1)"
            bomb += "a\(level): &a\(level) [" + Array(repeating: before, count: 9).joined(separator: ",") + "]\n"
        }
        let asKey = bomb + "? *a30\n: 1\n? *a30\n: 2\n"
        for text in [bomb, asKey] {
            let time = ContinuousClock().measure {
                #expect(complaints(text) == ["config.yaml: anchors and aliases are not accepted"])
            }
            #expect(time < .seconds(1))
        }
    }

    @Test func `a bomb with few aliases stays small`() {
        var bomb = "a0: &a0 [x]\n"
        for level in 1...8 { bomb += "a\(level): &a\(level) [*a\(level - 1),*a\(level - 1)]\n" }
        #expect(complaints(bomb).count == 9)
    }

    @Test(arguments: ["[", "{a: ", "- ", "? "])
    func `deep nesting is refused, not a crash`(piece: String) {
        let text = String(repeating: piece, count: 60_000)
        #expect(!complaints(text).isEmpty)
    }

    @Test func `the largest file is read, one byte more is refused`() {
        let text = "snooze:\n  max: 2\n"
        let padding = String(repeating: "#", count: ConfigReader.sizeLimit - text.utf8.count)
        #expect(read(text + padding).values.count == 1)
        #expect(complaints(text + padding + "#") == ["config.yaml: the file is larger than 256 KiB"])
    }

    @Test func `invalid text is told with its line`() {
        let bytes = Array("snooze:\n  max: 3\n# ".utf8) + [0xC3, 0x28] + Array("\n".utf8)
        let layer = ConfigReader.read(bytes, source: file)
        #expect(layer.complaints.map(\.description) == ["config.yaml:3: the line is not valid UTF-8"])
        #expect(complaints("snooze:\n  max: 3\n  \u{1b}[0m: 3\n").first?.contains("YAML") == true)
    }

    @Test func `a byte order mark and Windows line ends are read`() {
        let layer = read("\u{FEFF}snooze:\r\n  max: 2\r\n")
        #expect(layer.complaints == [] && layer.values["snooze.max"]?.value == .integer(2))
    }

    @Test func `a complaint is one harmless line`() {
        let found = complaints("\"a\\e[31m\\nb\": 3\n")
        #expect(found == ["config.yaml:1:1: “a\u{FFFD}[31m\u{FFFD}b”: unknown key"])
    }

    @Test func `plugins and zones are checked against what there is`() {
        let rules = ConfigRules(knownPlugins: ["journal", "bell"], acceptsZone: { $0 == "Europe/Berlin" })
        let text = "plugins:\n  jurnal:\n    enabled: true\n  bell:\n    enabled: false\ntime_zone: Europe/Berlln\n"
        #expect(
            complaints(text, rules: rules) == [
                "config.yaml:2:3: “plugins.jurnal”: unknown plugin; did you mean plugins.journal?",
                "config.yaml:6:12: “time_zone”: expected a time zone of this machine, found “Europe/Berlln”",
            ])
        #expect(read(text, rules: rules).plugins.keys.sorted() == ["bell"])
    }

    @Test func `mutated files never crash the reader`() {
        let seed = Array(
            "schedule:\n  wake: \"06:30\" # x\nsnooze: {max: 3}\nplugins:\n  bell:\n    enabled: true\n? a\n: |\n  b\n"
                .utf8)
        let alphabet = Array("{}[]:,&*#?|-<>=!%@\\\"'\n \t\r0a~\u{0}\u{FF}é💊".utf8)
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<5_000 {
            var bytes = seed
            for _ in 0..<Int.random(in: 1...12, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[place] = alphabet.randomElement(using: &generator) ?? 0
                case 1: bytes.insert(alphabet.randomElement(using: &generator) ?? 0, at: place)
                default: bytes.remove(at: place)
                }
            }
            let layer = ConfigReader.read(bytes, source: file)
            _ = Configuration(layers: [layer]).entries
        }
    }
}
