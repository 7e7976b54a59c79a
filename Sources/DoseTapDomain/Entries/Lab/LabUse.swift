/// The uses of a recorded seed: each use has a stream of numbers of its own.
public enum LabUse: UInt64, Sendable {
    /// The order of each pair of a plan.
    case order = 0
    /// The orders that are drawn if there are too many to count all.
    case analysis = 0x6C61_625F_7465_7374
}

extension SplitMix64 {
    /// Creates the stream of a use from the seed, with the bits of the use turned over.
    public init(_ seed: UInt64, for use: LabUse) { self.init(seed: seed ^ use.rawValue) }
}
