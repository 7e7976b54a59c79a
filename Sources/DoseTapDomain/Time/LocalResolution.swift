/// What a local time means in a zone.
public enum LocalResolution: Hashable, Sendable {
    /// The local clock showed it once.
    case unique(Instant)
    /// The clocks were put back over it, so that they showed it twice: these are the first and the last time.
    case repeated(earlier: Instant, later: Instant)
    /// The clocks were put forward past it, at that instant.
    case skipped(jump: Instant)

    /// The first moment at which the local clock had reached or jumped past the time.
    public var first: Instant {
        switch self {
        case .unique(let instant), .repeated(let instant, _), .skipped(let instant): instant
        }
    }
}
