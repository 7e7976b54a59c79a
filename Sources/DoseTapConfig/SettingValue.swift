public import DoseTapDomain

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
