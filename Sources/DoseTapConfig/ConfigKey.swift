import DoseTapDomain

/// A full key as a person writes it on the command line.
enum ConfigKey {
    /// A setting.
    case setting(SettingRow)
    /// The switch of a plugin, with its id.
    case plugin(String)
    /// None, with the nearest known one.
    case unknown(suggestion: String?)

    init(_ name: String, rules: ConfigRules) {
        if let row = rules.row(name) {
            self = .setting(row)
            return
        }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count == 3, parts[0] == "plugins", parts[2] == "enabled", ConfigRules.isPluginID(String(parts[1])),
            rules.knownPlugins?.contains(String(parts[1])) != false
        {
            self = .plugin(String(parts[1]))
            return
        }
        let known = rules.rows.map(\.key) + (rules.knownPlugins ?? []).map { "plugins.\($0).enabled" }
        let own = rules.rows.first { $0.key.hasSuffix("." + name) }?.key
        self = .unknown(suggestion: own ?? NearestWords.to(name, in: known).min())
    }
}
