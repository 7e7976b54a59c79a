/// How far a pre-sleep log was filled in; the `completion_state` column (R10).
public enum PreSleepCompletion: String, Hashable, Sendable, CaseIterable, Comparable {
    /// The person did not want to answer tonight.
    case skipped
    /// Interrupted; a later save goes on with it.
    case partial
    /// To the end.
    case complete

    /// Whether `left` is less filled in.
    public static func < (left: PreSleepCompletion, right: PreSleepCompletion) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .skipped: 0
        case .partial: 1
        case .complete: 2
        }
    }
}
