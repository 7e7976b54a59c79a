import DoseTapDomain

/// A full key as a person writes it on the command line.
enum ConfigKey {
    /// A setting.
    case setting(SettingKey)
    /// The switch of a plugin, with its id.
    case plugin(String)
    /// None, with the nearest known one.
    case unknown(suggestion: String?)

    init(_ name: String, rules: ConfigRules) {
        if let key = SettingKey(rawValue: name) {
            self = .setting(key)
            return
        }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count == 3, parts[0] == "plugins", parts[2] == "enabled", ConfigRules.isPluginID(String(parts[1])),
            rules.knownPlugins?.contains(String(parts[1])) != false
        {
            self = .plugin(String(parts[1]))
            return
        }
        let known = SettingKey.allCases.map(\.rawValue) + (rules.knownPlugins ?? []).map { "plugins.\($0).enabled" }
        let own = SettingKey.allCases.first { $0.rawValue.hasSuffix("." + name) }?.rawValue
        self = .unknown(suggestion: own ?? NearestWords.to(name, in: known).min())
    }
}
