public import DoseTapDomain

/// The finding for one question, before it is judged together with others.
public struct LabFinding: Hashable, Sendable {
    /// The number of known nights, or of known pairs of a plan.
    public var count = 0
    /// Nights with and without, for a question that is yes or no; nil for any other.
    public var with: Int?
    public var without: Int?
    /// The difference for one step, in the unit of the outcome.
    public var effect: Double?
    /// The range of the differences that are not rejected.
    public var low: Double?
    public var high: Double?
    public var p: Double?
    /// The correlation of a day with the next.
    public var alike: Double?
    /// The reasons for no answer; empty if an answer may be possible.
    public var reasons: [LabReason] = []

    public init() {}

    /// Evaluates a series (R34.4 to R34.6).
    public init(_ series: LabSeries, _ exposure: LabExposure) {
        count = series.count
        if exposure.isYesNo { (with, without) = (series.with, series.without) }
        guard count >= LabLimits.fewestNights else {
            reasons = [.fewNights]
            return
        }
        if min(series.lessThanMean, series.count - series.lessThanMean) < LabLimits.fewestOfEach {
            reasons.append(.fewOfEach)
        }
        if series.periods * LabSeries.nightsOfPeriod > count { reasons.append(.manyRegimens) }
        if series.spread.x < 0.05 { reasons.append(.noSpread) }
        if series.spread.y < 1e-9 { reasons.append(.noChange) }
        guard reasons.isEmpty, let effect = series.effect else { return }
        guard let alike = series.autocorrelation else {
            reasons = [.fewInARow]
            return
        }
        (self.alike, self.effect) = (alike, effect)
        if alike > LabLimits.mostAlike {
            reasons = [.alike]
            return
        }
        let test = ShiftTest(series)
        p = test.p()
        let error = (series.y.squares / series.x.squares / Double(count)).squareRoot()
        guard let interval = test.interval(around: effect, scale: max(error, 1e-9)) else {
            reasons = [.open]
            return
        }
        (low, high) = interval
    }

    /// Evaluates the pairs of a plan.
    ///
    /// - Parameter differences: A less B of each known pair.
    public init(pairs differences: [Double], seed: UInt64) {
        count = differences.count
        guard count >= LabLimits.fewestPairs else {
            reasons = [.fewPairs]
            return
        }
        guard differences.contains(where: { $0 != 0 }) else {
            reasons = [.noChange]
            return
        }
        let test = PairTest(differences, seed: seed)
        (effect, p) = (test.effect, test.p())
        guard let interval = test.interval() else {
            reasons = [.open]
            return
        }
        (low, high) = interval
    }

    /// Returns the answer, and the reasons if the answer is "cannot tell".
    ///
    /// - Parameters:
    ///   - adjusted: p after Holm, ``holm(_:)``.
    ///   - margin: the smallest difference that matters.
    public func verdict(adjusted: Double?, margin: Double) -> (LabVerdict, [LabReason]) {
        guard reasons.isEmpty, let low, let high, let p else { return (.cannotTell, reasons) }
        if p <= LabLimits.level {
            return (adjusted ?? p) <= LabLimits.level ? (.goesWith, []) : (.cannotTell, [.manyQuestions])
        }
        return low >= -margin && high <= margin ? (.noDifference, []) : (.cannotTell, [.wide])
    }

    /// Holm's p-values of questions that are judged together, in their order. A question without a p-value counts as 1.
    public static func holm(_ values: [Double?]) -> [Double] {
        var adjusted = values.map { _ in 1.0 }
        var most = 0.0
        for (rank, place) in values.indices.sorted(by: { (values[$0] ?? 1) < (values[$1] ?? 1) }).enumerated() {
            most = max(most, min(1, (values[place] ?? 1) * Double(values.count - rank)))
            adjusted[place] = most
        }
        return adjusted
    }
}
