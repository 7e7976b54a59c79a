/// A day of the week; raw values follow ISO 8601, Monday 1 to Sunday 7.
public enum Weekday: Int, CaseIterable, Sendable {
    case monday = 1
    case tuesday
    case wednesday
    case thursday
    case friday
    case saturday
    case sunday

    /// Reads `mon` to `sun`.
    public init?(abbreviation: String) {
        let words = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        guard let place = words.firstIndex(of: abbreviation) else { return nil }
        self.init(rawValue: place + 1)
    }

    /// `monday` to `sunday`.
    var name: String {
        switch self {
        case .monday: "monday"
        case .tuesday: "tuesday"
        case .wednesday: "wednesday"
        case .thursday: "thursday"
        case .friday: "friday"
        case .saturday: "saturday"
        case .sunday: "sunday"
        }
    }

    /// `Mon` to `Sun`.
    public var short: String {
        switch self {
        case .monday: "Mon"
        case .tuesday: "Tue"
        case .wednesday: "Wed"
        case .thursday: "Thu"
        case .friday: "Fri"
        case .saturday: "Sat"
        case .sunday: "Sun"
        }
    }
}
