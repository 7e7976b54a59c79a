import DoseTapConfig
import DoseTapDomain
import DoseTapEngine
import DoseTapPlugins
import DoseTapTestSupport
import Foundation
import SystemdJournal
import Testing

/// A plugin outside the roster with its own setting, in a real engine with a real store and a real settings file.
@Suite struct SamplePluginTests {
    private let folder: ScratchFolder
    private let files: ConfigFiles
    private let rules = ConfigRules(
        rows: ServiceSettings.rows(plugins: TallyPlugin.manifest.settings), knownPlugins: [TallyPlugin.manifest.id])

    init() throws {
        folder = try ScratchFolder()
        files = ConfigFiles(systemFile: folder.path("none.yaml"), userFile: folder.path("config.yaml"))
    }

    @Test func `a plugin reads the log and its setting, and a change of the setting is in force at once`() async throws
    {
        try files.set("tally.every", to: "2", rules: rules)
        let settings = PluginSettings(files.load(rules: rules).settings)
        let journal = RecordingJournal()
        var setup = NightBench.Setup()
        setup.plugins = { bench in
            [
                TallyPlugin(
                    environment: bench.environment(for: TallyPlugin.manifest, journal: journal, settings: settings))
            ]
        }
        let bench = try await NightBench.open(setup)
        func record(_ words: String...) async throws {
            for word in words {
                try await bench.submit(.logSleepEvent(word))
                try await bench.advance(by: .minutes(2))
            }
        }
        try await record("lights_out", "bathroom", "noise")
        try await journal.wait(count: 1)
        try files.set("tally.every", to: "5", rules: rules)
        settings.replace(files.load(rules: rules).settings)
        try await record("pain", "bathroom")
        try await journal.wait(count: 2)
        #expect(journal.entries.map(\.message) == ["2 sleep events were recorded", "5 sleep events were recorded"])
        let report = await bench.host.reports().first { $0.manifest.id == TallyPlugin.manifest.id }
        #expect(report?.state == .running && report?.lastError == "")
        await bench.stop()
    }

    @Test(arguments: [
        ("every: 0", ":2:10: “tally.every”: “0” is out of range: 1 to 100"),
        ("every: often", ":2:10: “tally.every”: expected a whole number, found “often”"),
        ("evry: 5", ":2:3: “tally.evry”: unknown key; did you mean tally.every?"),
    ])
    func `a value or a key that is wrong is named with its line, and the default holds`(
        line: String, complaint: String
    ) throws {
        try "tally:\n  \(line)\n".write(toFile: files.userFile, atomically: false, encoding: .utf8)
        let configuration = files.load(rules: rules)
        #expect(configuration.complaints.map(\.description) == [files.userFile + complaint])
        #expect(configuration.settings[TallyPlugin.every] == 10)
    }

    @Test func `the setting has a variable, and is shown with its default, range and summary`() {
        let configuration = files.load(environment: ["DOSETAP_TALLY_EVERY": "7"], rules: rules)
        #expect(configuration.settings[TallyPlugin.every] == 7)
        let entry = configuration.entries.first { $0.key == "tally.every" }
        #expect(entry?.source == .environment("DOSETAP_TALLY_EVERY") && entry?.defaultValue == .integer(10))
        #expect(entry?.range == "1 to 100" && entry?.summary == TallyPlugin.every.row.summary)
    }
}
