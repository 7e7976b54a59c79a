/// What a plugin may still propose: some at once, then one every few seconds. It bounds what a plugin gone wild can write
/// into the log.
struct ProposalBudget {
    /// How many at once.
    static let burst: Int64 = 20
    /// Microseconds until one more is allowed.
    static let refill: Int64 = 3_000_000

    private var left = burst
    /// Up to when what is allowed again has been counted, in microseconds since boot.
    private var counted: Int64

    init(_ boot: Int64) { counted = boot }

    /// Takes one.
    ///
    /// - Returns: false when none is left.
    mutating func spend(_ boot: Int64) -> Bool {
        let more = max(0, boot - counted) / Self.refill
        counted += more * Self.refill
        left = min(Self.burst, left + more)
        guard left > 0 else { return false }
        left -= 1
        return true
    }
}
