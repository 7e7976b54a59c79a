internal import DoseTapDomain

/// The test of a plan whose order was drawn for each pair (R34.8). Without a difference, each pair could just as well have come
/// in the other order.
public struct PairTest: Sendable {
    /// Up to this number of pairs every order is counted; for more pairs, orders are drawn.
    public static let mostExact = 20
    /// The number of drawn orders.
    public static let draws = 100_000

    /// For each order: the sum of the differences under it, and the sum of its signs.
    private let sums: [Double]
    private let signs: [Int32]
    private let isExact: Bool
    private let total: Double
    private let count: Int
    private let size: Double

    /// - Parameters:
    ///   - differences: A less B of each known pair.
    ///   - seed: the seed of the plan, for drawn orders.
    public init(_ differences: [Double], seed: UInt64) {
        count = differences.count
        total = differences.reduce(0, +)
        size = differences.reduce(0) { $0 + abs($1) }
        isExact = count <= Self.mostExact
        guard isExact else {
            var generator = SplitMix64(seed, for: .analysis)
            var (sums, signs): ([Double], [Int32]) = ([], [])
            sums.reserveCapacity(Self.draws)
            signs.reserveCapacity(Self.draws)
            for _ in 0..<Self.draws {
                var (sum, sign) = (0.0, Int32(0))
                for difference in differences {
                    if generator.next() >> 63 == 0 {
                        sum += difference
                        sign += 1
                    } else {
                        sum -= difference
                        sign -= 1
                    }
                }
                sums.append(sum)
                signs.append(sign)
            }
            (self.sums, self.signs) = (sums, signs)
            return
        }
        // Each pair doubles the orders: the pair as it came, and the other way round.
        var (sums, signs): ([Double], [Int32]) = ([0], [0])
        for difference in differences {
            sums = sums.map { $0 + difference } + sums.map { $0 - difference }
            signs = signs.map { $0 + 1 } + signs.map { $0 - 1 }
        }
        (self.sums, self.signs) = (sums, signs)
    }

    /// The mean difference; nil without a pair.
    public var effect: Double? { count > 0 ? total / Double(count) : nil }

    /// Returns the share of the orders under which the sum of the differences, each less `b`, lies at least as far from 0 as the
    /// real sum. With drawn orders, the real order counts too.
    public func p(_ b: Double = 0) -> Double {
        let seen = abs(total - b * Double(count))
        let least = seen - 1e-12 * (size + abs(b) * Double(count))
        var found = 0
        for index in sums.indices where abs(sums[index] - b * Double(signs[index])) >= least { found += 1 }
        return isExact ? Double(found) / Double(sums.count) : Double(found + 1) / Double(sums.count + 1)
    }

    /// Returns the range of the differences that are not rejected; nil with fewer than 6 pairs, or if a side has no end.
    public func interval(level: Double = 0.05) -> (low: Double, high: Double)? {
        guard let effect, count >= 6 else { return nil }
        let scale = max(size / Double(count), 1e-6) / 4
        guard let low = edge(effect, -scale, level), let high = edge(effect, scale, level) else { return nil }
        return (low, high)
    }

    private func edge(_ best: Double, _ step: Double, _ level: Double) -> Double? {
        IntervalEnd.find(from: best, step: step, level: level, doublings: 16) { p($0) }
    }
}
