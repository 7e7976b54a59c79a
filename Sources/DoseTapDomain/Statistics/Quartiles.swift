/// The median and the quartiles of some values, in proportion between two neighbours.
public struct Quartiles: Hashable, Sendable {
    /// A quarter of the values lies below.
    public let lower: Double
    /// The median; for an even number of values the mean of the middle two.
    public let median: Double
    /// A quarter of the values lies above.
    public let upper: Double

    /// - Returns: nil without a value.
    public init?(_ values: some Sequence<Double>) {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return nil }
        func value(_ share: Double) -> Double {
            let place = share * Double(sorted.count - 1)
            let below = Int(place)
            let above = min(below + 1, sorted.count - 1)
            return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
        }
        (lower, median, upper) = (value(0.25), value(0.5), value(0.75))
    }
}
