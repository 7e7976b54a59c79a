/// Why bytes are no usable time zone data, or a text is no zone rule.
public enum ZoneError: Error, Hashable, Sendable, CustomStringConvertible {
    /// More than ``TZifReader/sizeLimit`` bytes.
    case tooLarge(bytes: Int)
    /// The data does not start with `TZif`.
    case notTZif
    /// A version of the format later than 4 or unknown.
    case unknownVersion(UInt8)
    /// The data ends before what its header announces.
    case truncated
    /// A count of the header is out of range or contradicts another.
    case badCounts
    /// Transition times do not ascend, or one lies before the Big Bang or as far in the future.
    case badTransitionTimes
    /// A transition refers to a local time type that is not there.
    case badTypeIndex
    /// A local time type is out of range: more than 26 hours from UTC, an unknown flag or no designation.
    case badLocalTimeType
    /// The leap second table does not ascend.
    case badLeapSeconds
    /// The rule for the time after the last transition is no POSIX `TZ` string.
    case badRule(String)

    /// One sentence that says what is wrong.
    public var description: String {
        switch self {
        case .tooLarge(let bytes): "The time zone data has \(bytes) bytes, more than any zone needs."
        case .notTZif: "The time zone data is not in TZif format."
        case .unknownVersion(let version): "The time zone data has an unknown format version, byte \(version)."
        case .truncated: "The time zone data is cut short."
        case .badCounts: "The header of the time zone data contradicts itself."
        case .badTransitionTimes: "The transition times of the time zone data are not in order or impossible."
        case .badTypeIndex: "The time zone data refers to a local time type it does not have."
        case .badLocalTimeType: "The time zone data has an impossible local time type."
        case .badLeapSeconds: "The leap seconds of the time zone data are not in order."
        case .badRule(let rule): "The time zone rule \"\(rule)\" is not a POSIX TZ string."
        }
    }
}
