public import DoseTapDomain

/// The settings and what they may refer to. The service, not this module, knows the plugins and zones.
public struct ConfigRules: Sendable {
    /// All settings, in the order of the file.
    public let rows: [SettingRow]
    /// Ids of the known plugins; nil accepts every well-formed id.
    public let knownPlugins: Set<String>?
    /// Returns true if this machine has a time zone of that name.
    public let acceptsZone: @Sendable (String) -> Bool

    public init(
        rows: [SettingRow] = ServiceSettings.rows(), knownPlugins: Set<String>? = nil,
        acceptsZone: @escaping @Sendable (String) -> Bool = { _ in true }
    ) {
        self.rows = rows
        self.knownPlugins = knownPlugins
        self.acceptsZone = acceptsZone
    }

    /// Returns a setting's value, or the fault of the text.
    func value(_ row: SettingRow, _ text: String) -> Result<SettingValue, Objection> {
        guard let value = row.kind.value(text) else { return .failure(Objection(row.kind.complaint(text))) }
        if case .text(let zone) = value, row.kind == .zone, !zone.isEmpty, !acceptsZone(zone) {
            return .failure(Objection(sent("expected a time zone of this machine, found \(Quoted.text(zone))")))
        }
        return .success(value)
    }

    func row(_ key: String) -> SettingRow? { rows.first { $0.key == key } }

    /// The plugin whose switch a policy may lock.
    static let lockablePlugin = "hooks"

    /// Returns true if a policy may lock the setting: privacy and backups, never a reminder or a rule of the night (R37.2).
    static func isLockable(_ row: SettingRow) -> Bool { row.section == "privacy" || row.section == "backup" }

    /// The reason for refusing a value.
    struct Objection: Error {
        let message: String
        init(_ message: String) { self.message = message }
    }

    /// Returns true for a well-formed id of a plugin: a lower-case letter, then lower-case letters, digits, hyphens.
    static func isPluginID(_ id: String) -> Bool {
        guard (1...64).contains(id.utf8.count), let first = id.utf8.first, (0x61...0x7A).contains(first) else {
            return false
        }
        return id.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }
}

/// A full key as a person writes it on the command line.
enum ConfigKey {
    case setting(SettingRow)
    /// The switch of a plugin, with its id.
    case plugin(String)
    /// No known key, with the nearest one.
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
        self = .unknown(suggestion: own ?? Suggestions.to(name, in: known).min())
    }
}
