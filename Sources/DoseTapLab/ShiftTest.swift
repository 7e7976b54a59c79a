/// The cyclic shift test (R34.5): the share of shifts in time at which two series go together as much as without a shift. A shift
/// keeps the link of a day to the next one, which a shuffle would destroy.
public struct ShiftTest: Sendable {
    /// The sums over the pairs that are known at one shift: of x at i, with x (`other`) and y at i − d.
    private struct Sums {
        var count = 0.0
        var (x, y, other) = (0.0, 0.0, 0.0)
        var (xx, yy, others) = (0.0, 0.0, 0.0)
        var (xy, xOther, otherY) = (0.0, 0.0, 0.0)

        /// The correlation of x with y − b · x at this shift; nil with fewer than 3 pairs, or if one of the two does not vary.
        func correlation(_ b: Double) -> Double? {
            guard count >= 3 else { return nil }
            let sum = y - b * other
            let own = xx - x * x / count
            let rest = yy - 2 * b * otherY + b * b * others - sum * sum / count
            let shared = xy - b * xOther - x * sum / count
            let size = own * rest
            return own > 1e-12 * xx && rest > 1e-12 * (yy + b * b * others) && size > 0
                ? shared / size.squareRoot() : nil
        }
    }

    private let sums: [Sums]

    /// Sums up every shift of a series. The running time grows with the square of the number of days.
    public init(_ series: LabSeries) {
        let n = series.known.count
        let m = series.known.map { $0 ? 1.0 : 0 }
        // Each series is repeated, so that every shift is one stretch.
        func doubled(_ values: [Double]) -> [Double] { values + values }
        let (x, y) = (series.x, series.y)
        let (m2, x2, y2) = (doubled(m), doubled(x), doubled(y))
        let (yy2, xy2) = (doubled(zip(y, y).map(*)), doubled(zip(x, y).map(*)))
        let xx = zip(x, x).map(*)
        var all = [Sums](repeating: Sums(), count: n)
        let (ms, xs, xxs) = (m.span, x.span, xx.span)
        let (m2s, x2s, y2s, yy2s, xy2s) = (m2.span, x2.span, y2.span, yy2.span, xy2.span)
        for shift in 0..<n {
            var sums = Sums()
            var j = n - shift
            for i in 0..<n {
                sums.count += ms[i] * m2s[j]
                sums.x += xs[i] * m2s[j]
                sums.xx += xxs[i] * m2s[j]
                sums.y += ms[i] * y2s[j]
                sums.yy += ms[i] * yy2s[j]
                sums.xy += xs[i] * y2s[j]
                sums.xOther += xs[i] * x2s[j]
                sums.otherY += ms[i] * xy2s[j]
                j += 1
            }
            all[shift] = sums
        }
        // The sums of the moved x under the mask equal the sums of x under the mask moved the other way.
        for shift in 0..<n {
            all[shift].other = all[(n - shift) % n].x
            all[shift].others = all[(n - shift) % n].xx
        }
        sums = all
    }

    /// Returns the share of the shifts at which y − b · x goes with x at least as much as without a shift. Shift 0 is among them.
    ///
    /// A shift without a correlation counts as one of them.
    public func p(_ b: Double = 0) -> Double {
        guard let unmoved = sums.first?.correlation(b) else { return 1 }
        let least = abs(unmoved) - 1e-12
        let count = sums.dropFirst().count { sums in sums.correlation(b).map { abs($0) >= least } ?? true }
        return Double(1 + count) / Double(sums.count)
    }

    /// Returns the range of the effects that are not rejected, found by halving on both sides of the best one; nil if a side has
    /// no end.
    ///
    /// - Parameters:
    ///   - best: the effect, ``LabSeries/effect``.
    ///   - scale: a small step, such as a standard error.
    public func interval(around best: Double, scale: Double, level: Double = 0.05) -> (low: Double, high: Double)? {
        guard scale > 0, scale.isFinite, let low = edge(best, -scale, level), let high = edge(best, scale, level)
        else { return nil }
        return (low, high)
    }

    private func edge(_ best: Double, _ step: Double, _ level: Double) -> Double? {
        IntervalEnd.find(from: best, step: step, level: level, doublings: 24) { p($0) }
    }
}
