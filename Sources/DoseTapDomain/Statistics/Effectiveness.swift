/// How far the doses of many nights kept to their window, and where that is going.
public enum Effectiveness {
    /// Where an interval between the doses lies.
    public enum Zone: String, Hashable, Sendable, CaseIterable {
        /// 150:00 to 165:00.
        case optimal
        /// On time, right above 165:00.
        case acceptable
        /// Too early, too late, or no second dose.
        case nonCompliant = "non_compliant"

        /// The zone of a night; nil of the interval is: no second dose, or skipped.
        public init(interval: Duration?) {
            guard let interval, DoseWindow.isOnTime(interval) else {
                self = .nonCompliant
                return
            }
            self = DoseWindow.isOptimal(interval) ? .optimal : .acceptable
        }
    }

    /// The share of nights with a dose 2 on time, 0 to 1; nil without a night.
    ///
    /// - Parameter intervals: one for each night that expected a second dose; nil is: none was had.
    public static func compliance(_ intervals: [Duration?]) -> Double? {
        guard !intervals.isEmpty else { return nil }
        let onTime = intervals.count { Zone(interval: $0) != .nonCompliant }
        return Double(onTime) / Double(intervals.count)
    }

    /// Whether a night tells something about what an interval does: both are known.
    public static func isPairable(interval: Duration?, totalSleepMinutes: Int?) -> Bool {
        interval != nil && totalSleepMinutes != nil
    }

    /// Where the intervals are going.
    public struct Trend: Hashable, Sendable {
        /// The direction, seen from the target.
        public enum Direction: String, Hashable, Sendable, CaseIterable {
            /// Nearer to the target than before.
            case towardsTarget = "towards_target"
            /// Farther from it.
            case awayFromTarget = "away_from_target"
            /// The same, or as far from it on the other side.
            case stable
        }

        /// The direction.
        public var direction: Direction
        /// Mean of the first half of the nights, in minutes.
        public var earlierMinutes: Double
        /// Mean of the rest, in minutes.
        public var laterMinutes: Double

        /// Memberwise.
        public init(direction: Direction, earlierMinutes: Double, laterMinutes: Double) {
            self.direction = direction
            self.earlierMinutes = earlierMinutes
            self.laterMinutes = laterMinutes
        }
    }

    /// Compares the first half of the nights, rounded down, with the rest; up to 3 minutes between their means are stable.
    ///
    /// - Parameters:
    ///   - intervals: those that are known, oldest first.
    ///   - targetMinutes: what they are measured by.
    /// - Returns: nil for fewer than four.
    public static func trend(_ intervals: [Duration], targetMinutes: Int) -> Trend? {
        guard intervals.count >= 4 else { return nil }
        let half = intervals.count / 2
        let earlier = mean(intervals[..<half])
        let later = mean(intervals[half...])
        let before = abs(earlier - Double(targetMinutes))
        let after = abs(later - Double(targetMinutes))
        let direction: Trend.Direction =
            abs(later - earlier) <= 3 || before == after ? .stable : after < before ? .towardsTarget : .awayFromTarget
        return Trend(direction: direction, earlierMinutes: earlier, laterMinutes: later)
    }

    private static func mean(_ intervals: ArraySlice<Duration>) -> Double {
        intervals.map(\.minutes).reduce(0, +) / Double(intervals.count)
    }
}
