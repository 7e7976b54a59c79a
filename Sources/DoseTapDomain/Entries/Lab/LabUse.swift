/// What the numbers of a seed that is on record are for: each use has a stream of its own.
public enum LabUse: UInt64, Sendable {
    /// The order of each pair of a plan.
    case order = 0
    /// Orders that are drawn where there are too many to count all.
    case analysis = 0x6C61_625F_7465_7374
}

extension SplitMix64 {
    /// The stream of a use: the seed, with the bits of the use turned over.
    public init(_ seed: UInt64, for use: LabUse) { self.init(seed: seed ^ use.rawValue) }
}
