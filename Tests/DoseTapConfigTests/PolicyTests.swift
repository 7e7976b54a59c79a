import DoseTapConfig
import DoseTapDomain
import DoseTapEngine
import DoseTapPlugins
import DoseTapTestSupport
import Foundation
import Testing

/// The policy of the machine (R37).
@Suite struct PolicyTests {
    private static let policy = ConfigSource.policy("/etc/dosetap/policy.yaml")
    private static let weaker: [ConfigLayer] = {
        let file = """
            privacy:
              details: true
            backup:
              enabled: false
              daily: 3
            plugins:
              hooks:
                enabled: true
            """
        let variables = ["DOSETAP_PRIVACY_DETAILS": "true", "DOSETAP_PLUGINS_HOOKS_ENABLED": "true"]
        return [
            ConfigReader.read(Array(file.utf8), source: .userFile("/u/c")),
            ConfigLayer(environment: variables), ConfigLayer(flags: [("privacy.details", "true")]),
        ]
    }()

    private func configuration(_ text: String, under layers: [ConfigLayer] = weaker) -> Configuration {
        Configuration(
            layers: layers, policy: ConfigReader.read(Array(text.utf8), source: Self.policy), from: Self.policy)
    }

    @Test func `R37.2 a policy wins over options, variables and files, and leaves the rest to them`() {
        let locked = configuration("privacy:\n  details: false\nplugins:\n  hooks:\n    enabled: false\n")
        #expect(locked.complaints == [])
        #expect(locked.settings[ServiceSettings.details] == false && locked.settings.plugins["hooks"] == false)
        #expect(locked.settings[ServiceSettings.backups] == false && locked.settings[ServiceSettings.dailyBackups] == 3)
        #expect(locked.entries.filter(\.isLocked).map(\.key) == ["privacy.details", "plugins.hooks.enabled"])
        #expect(locked.pluginSources["hooks"] == Self.policy)
    }

    /// Config/policy.yaml as it is installed sets nothing. Without the # before each key it locks all that can be
    /// locked.
    @Test func `R37.2 the example of a policy is one, and has every key that can be locked`() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Config/policy.yaml")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(configuration(text).complaints == [] && configuration(text).entries.filter(\.isLocked).isEmpty)
        let whole = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard let mark = line.firstIndex(of: "#"), line[mark...].dropFirst().first != " " else { return "" }
            return String(line[..<mark] + line[mark...].dropFirst())
        }.joined(separator: "\n")
        let locked = configuration(whole)
        #expect(locked.complaints == [], "\(whole)")
        let may = Roster.settings.filter { ["privacy", "backup"].contains($0.section) }.map(\.key)
        #expect(
            Set(locked.entries.filter(\.isLocked).map(\.key)) == Set(may + ["plugins.hooks.enabled"]), "\(whole)")
    }

    /// Each setting and each plugin, except those that a policy may set.
    @Test func `R37.2 nothing that reminds, and no rule of a night, can be locked`() {
        for row in Roster.settings where row.section != "privacy" && row.section != "backup" {
            let name = row.key.split(separator: ".").map(String.init)
            let value = "\"\(row.defaultValue.description)\""
            let plain = row.kind.value(row.defaultValue.description) == nil ? value : row.defaultValue.description
            let text = name.count == 2 ? "\(name[0]):\n  \(name[1]): \(plain)\n" : "\(name[0]): \(plain)\n"
            let read = configuration(text)
            #expect(read.sources[row.key]?.isLock != true, "\(row.key)")
        }
        for id in Roster.manifests.map(\.id) where id != "hooks" {
            let read = configuration("plugins:\n  \(id):\n    enabled: false\n")
            #expect(read.settings.plugins[id] == nil && read.complaints.map(\.line) == [3], "\(id)")
        }
        let refused = configuration("privacy:\n  details: false\nsnooze:\n  max: 0\n")
        #expect(
            refused.complaints.map(\.description) == [
                "/etc/dosetap/policy.yaml:4:8: “snooze.max”: a policy cannot set it, only privacy, backup and plugins.hooks.enabled"
            ])
        #expect(refused.settings[ServiceSettings.snoozeMax] == 3)
    }

    @Test(arguments: ["privacy:\n  details: flase\n", "privacy: [\n", "\u{0}", "privcay:\n  details: false\n"])
    func `R37.4 a policy with an error holds privacy and backups at their defaults, and not hooks`(text: String) {
        let read = configuration(text)
        #expect(read.complaints.count == 1 && read.loss != nil)
        #expect(read.settings[ServiceSettings.details] == false && read.settings[ServiceSettings.backups] == true)
        #expect(read.settings[ServiceSettings.dailyBackups] == 7)
        #expect(read.settings.plugins["hooks"] == true && read.pluginSources["hooks"]?.isLock == false)
        #expect(read.sources["privacy.details"] == Self.policy)
    }

    @Test func `R37.4 what a policy with an error says rightly holds`() {
        let read = configuration("backup:\n  daily: 2\n  weekly: many\n")
        #expect(read.settings[ServiceSettings.dailyBackups] == 2 && read.settings[ServiceSettings.weeklyBackups] == 8)
    }

    @Test func `R37.5 a changed policy with an error changes nothing`() {
        let good = configuration("privacy:\n  details: false\nbackup:\n  daily: 2\n")
        let after = good.reloaded(with: configuration("privacy:\n  details: flase\n"))
        #expect(after.settings == good.settings && after.sources == good.sources && after.isHeldBack)
    }

    @Test func `R37.4 a policy that cannot be read is no policy that says nothing`() throws {
        let folder = try ScratchFolder()
        let file = folder.path("config.yaml"), policy = folder.path("policy.yaml")
        try Data("privacy:\n  details: true\n".utf8).write(to: URL(fileURLWithPath: file))
        let files = ConfigFiles(systemFile: folder.path("none"), userFile: file, policyFile: policy)
        #expect(files.load().settings[ServiceSettings.details] == true)
        try FileManager.default.createDirectory(atPath: policy, withIntermediateDirectories: false)
        #expect(files.load().settings[ServiceSettings.details] == false)
        #expect(files.load().complaints.map(\.message) == ["is no regular file"])
        // The kept copy of a good file does not win over the policy.
        files.keepGood()
        try Data("privacy:\n  details: maybe\n".utf8).write(to: URL(fileURLWithPath: file))
        #expect(files.start().settings[ServiceSettings.details] == false)
    }

    @Test func `R37.1 an option of the service wins over a variable, also at its start`() throws {
        let folder = try ScratchFolder()
        let files = ConfigFiles(
            systemFile: folder.path("none"), userFile: folder.path("none"), policyFile: folder.path("none"))
        let started = files.start(environment: ["DOSETAP_SNOOZE_MAX": "1"], flags: [("snooze.max", "2")])
        #expect(started.settings[ServiceSettings.snoozeMax] == 2)
    }
}
