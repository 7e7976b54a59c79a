/// One setting as a row: its key, what values it takes, its default, and what it is for.
///
/// From the rows follow the check of the files with the nearest key, the environment variables, `config show`, the
/// commented default file and the list of keys in dosetap-config(5).
public struct SettingRow: Sendable, Hashable {
    /// Section and name in `config.yaml`, joined with a dot; a name alone stands outside of all sections.
    public let key: String
    /// What values it takes.
    public let kind: SettingKind
    /// The built-in value.
    public let defaultValue: SettingValue
    /// Whether it changes the rules of a night: such a change is recorded as an event. All others are preferences.
    public let isNightRule: Bool
    /// One sentence for `config show`.
    public let summary: String
    /// What the manual and the default file say; empty: the summary, with the range.
    public let manual: String

    /// The section of the file; nil outside of all sections.
    public var section: String? { key.contains(".") ? String(key.prefix { $0 != "." }) : nil }

    /// The environment variable that sets it: `DOSETAP_` and the key in upper case, dots as underscores.
    public var variable: String { "DOSETAP_" + key.uppercased().replacing(".", with: "_") }
}

/// A setting as its owner declares it: a row, and the type in which its value is read.
public struct Setting<Value: SettingContent>: Sendable {
    /// What everybody else needs of it.
    public let row: SettingRow

    let defaultValue: Value

    /// Declares a setting.
    ///
    /// - Parameters:
    ///   - key: section and name, joined with a dot.
    ///   - kind: the values it takes, of which the default is one.
    ///   - summary: one sentence, which begins with the unit where there is one; the range is added to it.
    ///   - manual: what the manual says instead; empty: the summary and the range.
    public init(
        _ key: String, _ kind: SettingKind, default value: Value, isNightRule: Bool = false, _ summary: String,
        manual: String = ""
    ) {
        defaultValue = value
        row = SettingRow(
            key: key, kind: kind, defaultValue: value.settingValue, isNightRule: isNightRule, summary: summary,
            manual: manual)
    }
}

/// The value of every setting: what the sources say, else its default.
public struct SettingValues: Sendable, Hashable {
    /// Those that differ from their defaults, by key.
    private var changed: [String: SettingValue] = [:]
    /// Plugins turned on or off by name; one that is not named decides for itself.
    public var plugins: [String: Bool] = [:]

    /// The defaults.
    public init() {}

    /// The value of a setting.
    public subscript<Value>(setting: Setting<Value>) -> Value {
        get { changed[setting.row.key].flatMap(Value.content) ?? setting.defaultValue }
        set { self[setting.row] = newValue.settingValue }
    }

    /// The value of a row; one that ``SettingKind/value(_:)`` of its kind gave.
    public subscript(row: SettingRow) -> SettingValue {
        get { changed[row.key] ?? row.defaultValue }
        set { changed[row.key] = newValue == row.defaultValue ? nil : newValue }
    }
}
