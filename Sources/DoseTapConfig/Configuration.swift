public import DoseTapDomain

/// The settings in force, with the source of each, and the faults of the sources.
public struct Configuration: Sendable, Hashable {
    /// The settings in force.
    public let settings: SettingValues
    /// All known settings, in the order of the file.
    private let rows: [SettingRow]
    /// The source of each setting; a key that is missing here has its default.
    public let sources: [String: ConfigSource]
    /// The source of each plugin's switch.
    public let pluginSources: [String: ConfigSource]
    /// Every fault of the newest files, variables and options.
    public let complaints: [ConfigComplaint]
    /// True if the newest sources were refused and older settings are in force.
    public let isHeldBack: Bool

    /// The defaults alone.
    public init() {
        self.init(layers: [])
    }

    /// Lays sources over each other.
    ///
    /// - Parameters:
    ///   - layers: Weakest first: system file, user file, environment, options.
    ///   - policy: The layer above all others. If it has a complaint, a lockable setting without a value in it has its default
    ///     (R37.4). Hooks are left alone: they may be somebody's alarm.
    ///   - policySource: The policy's file.
    ///   - rows: All known settings.
    public init(
        layers: [ConfigLayer], policy: ConfigLayer = ConfigLayer(), from policySource: ConfigSource = .policy("policy"),
        rows: [SettingRow] = ServiceSettings.rows()
    ) {
        var policy = policy
        if !policy.complaints.isEmpty {
            for row in rows where ConfigRules.isLockable(row) && policy.values[row.key] == nil {
                policy.values[row.key] = .init(value: row.defaultValue, source: policySource)
            }
        }
        let layers = layers + [policy]
        var settings = SettingValues()
        var sources: [String: ConfigSource] = [:]
        var pluginSources: [String: ConfigSource] = [:]
        for layer in layers {
            for row in rows {
                guard let found = layer.values[row.key] else { continue }
                settings[row] = found.value
                sources[row.key] = found.source
            }
            for (id, found) in layer.plugins {
                settings.plugins[id] = found.value
                pluginSources[id] = found.source
            }
        }
        self.settings = settings
        self.rows = rows
        self.sources = sources
        self.pluginSources = pluginSources
        complaints = layers.flatMap(\.complaints)
        isHeldBack = false
    }

    private init(_ active: Configuration, complaints: [ConfigComplaint]) {
        settings = active.settings
        rows = active.rows
        sources = active.sources
        pluginSources = active.pluginSources
        self.complaints = complaints
        isHeldBack = true
    }

    /// Returns the configuration in force after a reload: the new one, or, if the new one has complaints, all of the old
    /// settings with the new complaints. A half-read file must not change a night.
    public func reloaded(with new: Configuration) -> Configuration {
        new.complaints.isEmpty ? new : Configuration(self, complaints: new.complaints)
    }

    /// The settings that are not in force and what holds instead, in a sentence or two; nil if there is no complaint.
    public var loss: String? {
        guard !complaints.isEmpty else { return nil }
        var keys: [String] = []
        for key in complaints.compactMap(\.key) where !keys.contains(key) { keys.append(key) }
        let rest =
            isHeldBack
            ? sent("The settings that were last in order stay in force.") : sent("The defaults hold instead.")
        guard let whole = complaints.first(where: { $0.key == nil }) else {
            let named = keys.prefix(5).map { String($0.prefix(60)) }.joined(separator: ", ")
            return keys.count > 5
                ? sent("Not in force: \(named) and \(keys.count - 5) more. \(rest)")
                : sent("Not in force: \(named). \(rest)")
        }
        return sent("No setting of \(whole.source) is in force: \(String(whole.message.prefix(200))). \(rest)")
    }

    /// Every setting as `config show` prints it, in the file's order, plugins last.
    public var entries: [ConfigEntry] {
        let keyed = rows.map { row in
            ConfigEntry(
                key: row.key, value: settings[row], source: sources[row.key] ?? .builtIn,
                defaultValue: row.defaultValue, range: row.kind.range, isNightRule: row.isNightRule,
                summary: row.summary)
        }
        let plugins = settings.plugins.sorted { $0.key < $1.key }.map { id, isEnabled in
            ConfigEntry(
                key: "plugins.\(id).enabled", value: .flag(isEnabled), source: pluginSources[id] ?? .builtIn,
                defaultValue: nil, range: SettingKind.flag.range, isNightRule: false,
                summary: "Whether the plugin \(id) runs.")
        }
        return keyed + plugins
    }
}

/// One line of `config show`.
public struct ConfigEntry: Sendable, Hashable {
    /// Full key.
    public let key: String
    /// Value in force.
    public let value: SettingValue
    /// Source of the value.
    public let source: ConfigSource
    /// Built-in value; nil for a plugin, whose own default counts.
    public let defaultValue: SettingValue?
    /// Accepted values in words.
    public let range: String
    /// True if a change is recorded as an event, because the setting changes the rules of a night.
    public let isNightRule: Bool
    /// Purpose of the setting.
    public let summary: String
    /// True if the machine's policy decides the setting.
    public var isLocked: Bool { source.isLock }
}
