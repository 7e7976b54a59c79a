import DoseTapConfig
import DoseTapDomain
import DoseTapPlugins
import Testing

@Suite struct ConfigurationTests {
    private func layer(_ text: String, _ source: ConfigSource) -> ConfigLayer {
        ConfigReader.read(Array(text.utf8), source: source)
    }

    @Test func `options win over environment, user file, system file and defaults`() {
        let system = layer(
            "snooze:\n  max: 1\n  step_minutes: 11\n  \nundo:\n  window_seconds: 61\ndose:\n  target_minutes: 180\n",
            .systemFile("/etc/c"))
        let user = layer("snooze:\n  max: 2\n  step_minutes: 12\nundo:\n  window_seconds: 62\n", .userFile("/u/c"))
        let environment = ConfigLayer(environment: [
            "DOSETAP_SNOOZE_MAX": "3", "DOSETAP_SNOOZE_STEP_MINUTES": "13", "DOSETAP_STORE": "/s",
            "DOSETAP_UNDO_WINDOW_SECONDS": "",
        ])
        let flags = ConfigLayer(flags: [("snooze.max", "4")])
        let configuration = Configuration(layers: [system, user, environment, flags])
        #expect(configuration.complaints == [])
        #expect(configuration.settings[ServiceSettings.snoozeMax] == 4)
        #expect(configuration.settings[ServiceSettings.snoozeStepMinutes] == 13)
        #expect(configuration.settings[ServiceSettings.undoWindowSeconds] == 62)
        #expect(configuration.settings[ServiceSettings.targetMinutes] == 180)
        #expect(configuration.settings[ServiceSettings.rolloverHour] == 18)
        let shown = Dictionary(uniqueKeysWithValues: configuration.entries.map { ($0.key, $0) })
        #expect(shown["snooze.max"]?.source.description == "option snooze.max")
        #expect(shown["snooze.step_minutes"]?.source.description == "environment DOSETAP_SNOOZE_STEP_MINUTES")
        #expect(shown["undo.window_seconds"]?.source.description == "/u/c")
        #expect(shown["dose.target_minutes"]?.source.description == "/etc/c")
        #expect(shown["schedule.rollover_hour"]?.source.description == "default")
        #expect(shown["snooze.max"]?.value.description == "4")
        #expect(shown["snooze.max"]?.defaultValue?.description == "3")
        #expect(shown["snooze.max"]?.range == "0 to 10")
        #expect(shown["snooze.max"]?.isNightRule == true && shown["privacy.details"]?.isNightRule == false)
    }

    @Test func `a variable of no setting is named, and holds nothing back`() {
        let environment = [
            "DOSETAP_SNOOZE_MAXX": "9", "DOSETAP_SNOOZE_MAX": "2", "DOSETAP_STORE": "/s", "DOSETAP_SNOOZE_MIN": "",
        ]
        #expect(ConfigLayer(environment: environment).complaints.isEmpty)
        #expect(
            ConfigLayer.unknownVariables(environment).map(\.description) == [
                "environment DOSETAP_SNOOZE_MAXX: “DOSETAP_SNOOZE_MAXX”: unknown variable; did you mean DOSETAP_SNOOZE_MAX?"
            ])
    }

    @Test(arguments: [
        (
            ["DOSETAP_SNOOZE_MAX": "eleven"],
            "environment DOSETAP_SNOOZE_MAX: “snooze.max”: expected a whole number, found “eleven”"
        ),
        (
            ["DOSETAP_PLUGINS_SLEEP_LOCK_ENABLED": "2"],
            "environment DOSETAP_PLUGINS_SLEEP_LOCK_ENABLED: “plugins.sleep-lock.enabled”: expected true or false, found “2”"
        ),
    ])
    func `a wrong variable is told by its name`(environment: [String: String], complaint: String) {
        #expect(ConfigLayer(environment: environment).complaints.map(\.description) == [complaint])
    }

    @Test func `a plugin is switched by variable and by option`() {
        let environment = ConfigLayer(environment: ["DOSETAP_PLUGINS_SLEEP_LOCK_ENABLED": "no"])
        let flags = ConfigLayer(flags: [("plugins.bell.enabled", "true")])
        let configuration = Configuration(layers: [environment, flags])
        #expect(configuration.settings.plugins == ["sleep-lock": false, "bell": true])
        #expect(configuration.entries.suffix(2).map(\.key) == ["plugins.bell.enabled", "plugins.sleep-lock.enabled"])
    }

    @Test func `an unknown option is told with the nearest key`() {
        let flags = ConfigLayer(flags: [("snooze.maximum", "4"), ("max", "4")])
        #expect(flags.complaints.map(\.suggestion) == ["snooze.max", "snooze.max"])
    }

    @Test func `K4 a broken reload keeps all the last good settings`() {
        let good = Configuration(layers: [layer("snooze:\n  max: 2\n", .userFile("c"))])
        let bad = Configuration(layers: [layer("snooze:\n  max: 5\n  step_minutes: 99\n", .userFile("c"))])
        let after = good.reloaded(with: bad)
        #expect(after.settings == good.settings)
        #expect(after.isHeldBack)
        #expect(after.complaints == bad.complaints && after.complaints.first?.line == 3)
        let mended = after.reloaded(with: Configuration(layers: [layer("snooze:\n  max: 5\n", .userFile("c"))]))
        #expect(mended.settings[ServiceSettings.snoozeMax] == 5 && !mended.isHeldBack && mended.complaints == [])
    }

    @Test(arguments: Roster.settings)
    func `every key has words for people and a default within its range`(row: SettingRow) {
        #expect(row.kind.value(row.defaultValue.description) == row.defaultValue)
        #expect(row.summary.hasSuffix(".") && !row.kind.range.isEmpty)
        #expect(row.variable == "DOSETAP_" + row.key.uppercased().replacing(".", with: "_"))
        #expect(Roster.settings.count { $0.key == row.key } == 1)
    }

    @Test(arguments: Roster.settings)
    func `every key can be changed`(row: SettingRow) throws {
        let other =
            switch row.kind {
            case .clockTime: "12:34"
            case .word(let words): words.last ?? ""
            case .integer(let range): String(range.upperBound)
            case .delay(let range): String(range.upperBound)
            case .program: "/opt/bin/play"
            case .sentence: "Good morning."
            case .choice(let numbers): String(numbers[1])
            case .flag: row.defaultValue.description == "true" ? "false" : "true"
            case .zone: "Asia/Tokyo"
            case .soundName: "bell"
            case .sleepEvents: "leg_cramps, hunger"
            case .medications: "Melatonin 3mg/tablet, Ibuprofen 400mg"
            case .names: "oura, Ring 4"
            }
        let changed = Configuration(
            layers: [ConfigLayer(flags: [(row.key, other)], rules: ConfigRules(rows: Roster.settings))],
            rows: Roster.settings
        ).settings
        #expect(changed[row].description == other)
        #expect(changed != SettingValues())
        #expect(row.kind.value("no such\u{7}value!") == nil)
    }

    @Test func `a setting is read in its own type, whichever it is`() {
        let layer = ConfigLayer(
            flags: [
                ("schedule.wake", "06:30"), ("snooze.max", "2"), ("privacy.details", "yes"),
                ("time_zone", "Asia/Tokyo"),
                ("ladder.speech_after", "off"), ("ladder.sound_after", "30"), ("sleep_events.custom", "hunger"),
                ("medications.custom", "Ibuprofen 400mg"),
            ], rules: ConfigRules(rows: Roster.settings))
        let settings = Configuration(layers: [layer], rows: Roster.settings).settings
        #expect(settings[ServiceSettings.wake] == ClockTime(hour: 6, minute: 30))
        #expect(settings[ServiceSettings.snoozeMax] == 2 && settings[ServiceSettings.details])
        #expect(settings[ServiceSettings.timeZone] == "Asia/Tokyo")
        #expect(settings[ServiceSettings.sleepEvents].custom.map(\.word) == ["hunger"])
        #expect(settings[ServiceSettings.medications].own == ["Ibuprofen 400mg"])
        let ladder = AlarmPreferences(settings).ladder.delays
        #expect(ladder == [.sound: .seconds(30), .hook: .seconds(120), .partner: .seconds(300)])
        #expect(AlarmPreferences(SettingValues()) == AlarmPreferences())
    }
}
