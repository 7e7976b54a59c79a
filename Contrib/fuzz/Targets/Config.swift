import DoseTapDomain
@testable import DoseTapConfig

extension FuzzTarget {
    /// A settings file, read as it is and with one setting changed in it.
    static let config = FuzzTarget("config") { bytes in
        let source = ConfigSource.userFile("config.yaml")
        let layer = ConfigReader.read(bytes, source: source)
        let policy = ConfigReader.read(bytes, source: .policy("policy.yaml"))
        let locked = Configuration(layers: [layer], policy: policy)
        promise(
            locked.sources.allSatisfy { !$1.isLock || $0.hasPrefix("privacy.") || $0.hasPrefix("backup.") },
            "a policy locks what reminds")
        promise(locked.pluginSources.allSatisfy { !$1.isLock || $0 == "hooks" }, "a policy locks a plugin that reminds")
        for complaint in layer.complaints { _ = "\(complaint)" }
        let keys = ["target_minutes": "170", "snooze.max": "2", "plugins.journal.enabled": "no"]
        for (key, value) in keys.sorted(by: { $0.key < $1.key }) {
            guard let edit = try? ConfigEdit(key, to: value, source: source, rules: ConfigRules()),
                let edited = try? edit.applied(to: bytes.text)
            else { continue }
            promise(ConfigReader.read(Array(edited.utf8), source: source).complaints.isEmpty, "an edit breaks the file")
        }
        let words = bytes.text.split(separator: "\n", maxSplits: 1).map(String.init)
        if words.count == 2 { _ = ConfigLayer(flags: [(words[0], words[1])]) }
    }
}
