/// Kinds of nights to look for; a night may be of several.
public enum NightKind: String, Hashable, Sendable, CaseIterable {
    case onTime = "on_time"
    case early
    case late
    /// By the person, not by the clock.
    case skipped
    /// Dose 2 was expected, and nothing says what became of it.
    case notRecorded = "not_recorded"
    case extra
    case snoozed
    case open

    /// What may have become of the doses in such a night; none where the kind says nothing about that.
    public var outcomes: [NightOutcome] {
        switch self {
        case .onTime: [.onTime]
        case .early: [.early]
        case .late: [.late]
        case .skipped: [.skipped]
        case .notRecorded: [.notRecorded]
        case .extra, .snoozed, .open: []
        }
    }
}
