/// The end of an interval that holds all effects a test does not reject.
enum IntervalEnd {
    /// - Parameters:
    ///   - best: the effect found, which is not rejected.
    ///   - step: the first distance from `best`; its sign is the side.
    ///   - doublings: the number of doublings after which the side counts as open.
    ///   - p: the test of an effect.
    /// - Returns: the first effect that is rejected, so that the interval is not too narrow; nil on an open side.
    static func find(
        from best: Double, step: Double, level: Double, doublings: Int, _ p: (Double) -> Double
    ) -> Double? {
        var (inside, outside) = (0.0, step)
        var turns = 0
        while p(best + outside) > level {
            (inside, outside) = (outside, outside * 2)
            turns += 1
            guard turns < doublings else { return nil }
        }
        for _ in 0..<32 {
            let middle = (inside + outside) / 2
            if p(best + middle) > level { inside = middle } else { outside = middle }
        }
        return best + outside
    }
}
