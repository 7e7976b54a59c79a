/// One setting as a row: its key, its kind of values, its default and its purpose.
///
/// The rows give the check of the files with the nearest key, the environment variables, `config show`, the commented
/// default file and the list of keys in dosetap-config(5).
public struct SettingRow: Sendable, Hashable {
    /// Section and name in `config.yaml`, joined with a dot; a name alone stands outside of all sections.
    public let key: String
    public let kind: SettingKind
    /// The built-in value.
    public let defaultValue: SettingValue
    /// True if the setting changes the rules of a night; its changes are recorded as events. All others are preferences.
    public let isNightRule: Bool
    /// One sentence for `config show`.
    public let summary: String
    /// The text of the manual and of the default file; empty for the summary with the range.
    public let manual: String

    /// The section of the file; nil outside of all sections.
    public var section: String? { key.contains(".") ? String(key.prefix { $0 != "." }) : nil }

    /// The environment variable of the setting: `DOSETAP_` and the key in upper case, dots as underscores.
    public var variable: String { "DOSETAP_" + key.uppercased().replacing(".", with: "_") }
}

/// A setting as its owner declares it: a row, and the type in which its value is read.
public struct Setting<Value: SettingContent>: Sendable {
    /// The part of the setting that everybody else needs.
    public let row: SettingRow

    let defaultValue: Value

    /// Declares a setting.
    ///
    /// - Parameters:
    ///   - key: section and name, joined with a dot.
    ///   - kind: the values it takes, of which the default is one.
    ///   - summary: one sentence, which begins with the unit if there is one; the range is added to the sentence.
    ///   - manual: the text of the manual instead; empty for the summary and the range.
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

/// The values of all settings: from the sources, else the defaults.
public struct SettingValues: Sendable, Hashable {
    /// The values that differ from their defaults, by key.
    private var changed: [String: SettingValue] = [:]
    /// Plugins turned on or off by name; a plugin that is not named decides for itself.
    public var plugins: [String: Bool] = [:]

    /// The defaults.
    public init() {}

    /// The value of a setting.
    public subscript<Value>(setting: Setting<Value>) -> Value {
        get { changed[setting.row.key].flatMap(Value.content) ?? setting.defaultValue }
        set { self[setting.row] = newValue.settingValue }
    }

    /// The value of a row, as ``SettingKind/value(_:)`` of its kind gave it.
    public subscript(row: SettingRow) -> SettingValue {
        get { changed[row.key] ?? row.defaultValue }
        set { changed[row.key] = newValue == row.defaultValue ? nil : newValue }
    }
}

public enum SettingValue: Sendable, Hashable, CustomStringConvertible {
    /// A time of day.
    case clockTime(ClockTime)
    /// A whole number.
    case integer(Int)
    /// Seconds; nil for off.
    case delay(Int?)
    /// True or false.
    case flag(Bool)
    case text(String)
    /// The types of sleep events, of which only the person's own are written.
    case sleepEvents(SleepEventCatalogue)
    /// The medicines, of which only the person's own are written.
    case medications(MedicationCatalogue)
    case names(NameList)

    /// The value as it is written in the file.
    public var description: String {
        switch self {
        case .clockTime(let time): time.description
        case .integer(let number): String(number)
        case .delay(let seconds): seconds.map(String.init) ?? "off"
        case .flag(let flag): flag ? "true" : "false"
        case .text(let text): text
        case .sleepEvents(let catalogue): catalogue.custom.map(\.word).joined(separator: ", ")
        case .medications(let catalogue): catalogue.own.joined(separator: ", ")
        case .names(let list): list.names.joined(separator: ", ")
        }
    }
}

/// A type in which the value of a setting is read.
public protocol SettingContent: Hashable, Sendable {
    /// Returns the content of a value; nil for a value of another type.
    static func content(of value: SettingValue) -> Self?
    /// The value as all settings have it.
    var settingValue: SettingValue { get }
}

extension ClockTime: SettingContent {
    /// From ``SettingKind/clockTime``.
    public static func content(of value: SettingValue) -> Self? {
        if case .clockTime(let time) = value { time } else { nil }
    }

    /// A time of day.
    public var settingValue: SettingValue { .clockTime(self) }
}

extension Int: SettingContent {
    /// From ``SettingKind/integer(_:)`` and ``SettingKind/choice(_:)``.
    public static func content(of value: SettingValue) -> Self? {
        if case .integer(let number) = value { number } else { nil }
    }

    /// A whole number.
    public var settingValue: SettingValue { .integer(self) }
}

extension Int?: SettingContent {
    /// From ``SettingKind/delay(_:)``.
    public static func content(of value: SettingValue) -> Self? {
        if case .delay(let seconds) = value { .some(seconds) } else { .none }
    }

    /// Seconds, or off.
    public var settingValue: SettingValue { .delay(self) }
}

extension Bool: SettingContent {
    /// From ``SettingKind/flag``.
    public static func content(of value: SettingValue) -> Self? {
        if case .flag(let flag) = value { flag } else { nil }
    }

    /// True or false.
    public var settingValue: SettingValue { .flag(self) }
}

extension String: SettingContent {
    /// From all kinds of text.
    public static func content(of value: SettingValue) -> Self? {
        if case .text(let text) = value { text } else { nil }
    }

    /// Text.
    public var settingValue: SettingValue { .text(self) }
}

extension SleepEventCatalogue: SettingContent {
    /// From ``SettingKind/sleepEvents``.
    public static func content(of value: SettingValue) -> Self? {
        if case .sleepEvents(let all) = value { all } else { nil }
    }

    /// All types, the person's own included.
    public var settingValue: SettingValue { .sleepEvents(self) }
}

extension MedicationCatalogue: SettingContent {
    /// From ``SettingKind/medications``.
    public static func content(of value: SettingValue) -> Self? {
        if case .medications(let all) = value { all } else { nil }
    }

    /// All medicines, the person's own included.
    public var settingValue: SettingValue { .medications(self) }
}

/// Names in the order of preference.
public struct NameList: Hashable, Sendable {
    public let names: [String]

    /// The largest number of names.
    public static let most = 20
    /// The largest number of characters of a name.
    public static let scalars = 64

    /// No names.
    public init() { names = [] }

    /// - Returns: nil for too many names, for a name that is empty or too long, and for one with a control character.
    public init?(_ texts: [String]) {
        let names = texts.map { $0.split { $0 == " " || $0 == "\t" }.joined(separator: " ") }
        guard names.count <= Self.most,
            names.allSatisfy({ name in
                (1...Self.scalars).contains(name.unicodeScalars.count)
                    && !name.unicodeScalars.contains { $0.isControlOrBidirectional || $0 == "\n" }
            })
        else { return nil }
        self.names = names
    }
}

extension NameList: SettingContent {
    /// From ``SettingKind/names``.
    public static func content(of value: SettingValue) -> Self? {
        if case .names(let list) = value { list } else { nil }
    }

    public var settingValue: SettingValue { .names(self) }
}
