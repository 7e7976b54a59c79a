/// SplitMix64 (Steele, Lea and Flood, 2014) from a seed that is on record: the same seed gives the same numbers for ever, on
/// every machine.
///
/// Each number is z of: state += 0x9E3779B97F4A7C15; z = state; z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
/// z = (z ^ z >> 27) * 0x94D049BB133111EB; z ^ z >> 31, all modulo 2^64.
public struct LabSeed: RandomNumberGenerator, Sendable {
    /// What the numbers are for: each use has a stream of its own.
    public enum Use: UInt64, Sendable {
        /// The order of each pair of a plan.
        case order = 0
        /// Orders that are drawn where there are too many to count all.
        case analysis = 0x6C61_625F_7465_7374
    }

    private var state: UInt64

    /// The stream of a use: the seed, with the bits of the use turned over.
    public init(_ seed: UInt64, for use: Use) { state = seed ^ use.rawValue }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
