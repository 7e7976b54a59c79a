public import DoseTapDomain

/// One line of `config show`.
public struct ConfigEntry: Sendable, Hashable {
    /// Full key.
    public let key: String
    /// Value in force.
    public let value: SettingValue
    /// Where it comes from.
    public let source: ConfigSource
    /// Built-in value; nil for a plugin, whose own default counts.
    public let defaultValue: SettingValue?
    /// Accepted values in words.
    public let range: String
    /// Whether a change is recorded as an event, because it changes the rules of a night.
    public let isNightRule: Bool
    /// What it is for.
    public let summary: String
}
