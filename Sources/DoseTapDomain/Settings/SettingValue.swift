/// The value of one setting.
public enum SettingValue: Sendable, Hashable, CustomStringConvertible {
    /// A time of day.
    case clockTime(ClockTime)
    /// A whole number.
    case integer(Int)
    /// Seconds; nil for off.
    case delay(Int?)
    /// True or false.
    case flag(Bool)
    /// Text.
    case text(String)
    /// The types of sleep events there are, of which only the person's own are written.
    case sleepEvents(SleepEventCatalogue)
    /// The medicines there are, of which only the person's own are written.
    case medications(MedicationCatalogue)

    /// As it is written in the file.
    public var description: String {
        switch self {
        case .clockTime(let time): time.description
        case .integer(let number): String(number)
        case .delay(let seconds): seconds.map(String.init) ?? "off"
        case .flag(let flag): flag ? "true" : "false"
        case .text(let text): text
        case .sleepEvents(let catalogue): catalogue.custom.map(\.word).joined(separator: ", ")
        case .medications(let catalogue): catalogue.own.joined(separator: ", ")
        }
    }
}

/// A type in which the value of a setting is read.
public protocol SettingContent: Hashable, Sendable {
    /// Nil for a value of another type.
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
