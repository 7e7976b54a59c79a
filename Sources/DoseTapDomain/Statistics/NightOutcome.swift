/// The outcome of the doses of a night, in a word.
public enum NightOutcome: String, Hashable, Sendable, CaseIterable {
    /// Both doses, the second from 150:00 on and before 240:00.
    case onTime = "on_time"
    /// Both doses, the second before 150:00.
    case early
    /// Both doses, the second from 240:00 on.
    case late
    /// The person skipped dose 2.
    case skipped
    /// The window went by and nothing says what became of dose 2.
    case notRecorded = "not_recorded"
    /// Dose 2 is still open.
    case pending
    /// The one dose of a once-nightly night.
    case onceNightly = "once_nightly"
    /// No dose 1 is on record.
    case noDose1 = "no_dose1"
    /// Dose 2 lies before dose 1: shown, never repaired.
    case anomaly

    /// The outcome of a night as it stands.
    public init(_ session: Session) {
        guard session.dose1 != nil else {
            self = .noDose1
            return
        }
        if session.rules.onceNightly {
            // A dose 2 that was taken all the same was not expected.
            self = .onceNightly
        } else if let interval = session.interval {
            self = Self.of(interval)
        } else if session.isSkippedByPerson {
            self = .skipped
        } else {
            self = session.hasUnresolvedWindow && session.isOpen ? .pending : .notRecorded
        }
    }

    /// The outcome of an interval between the doses (R5).
    static func of(_ interval: Duration) -> NightOutcome {
        if interval < .zero { return .anomaly }
        if interval < DoseWindow.opens { return .early }
        return DoseWindow.isOnTime(interval) ? .onTime : .late
    }

    /// False where one dose a night is prescribed: the time to a second one is a fact of the night, but is not judged and in no
    /// figure. An anomaly has its negative interval.
    public var hasInterval: Bool { self != .onceNightly }

    /// True if the night expected a second dose and is decided: only such nights count for compliance.
    public var isJudged: Bool {
        switch self {
        case .onTime, .early, .late, .skipped, .notRecorded: true
        case .pending, .onceNightly, .noDose1, .anomaly: false
        }
    }
}

extension Session {
    /// Returns true if the morning asks with this entry about a dose 2 that nobody recorded: with the final wake, else
    /// with the check-in, once. The question comes from the close of the window on.
    func isDose2Asked(by event: Event, now: ClockReading) -> Bool {
        switch NightOutcome(self) {
        case .notRecorded: break
        case .pending:
            guard let elapsed = elapsed(now: now), elapsed.shorter >= DoseWindow.closes else { return false }
        default: return false
        }
        switch event.payload {
        case .finalWakeRecorded: return finalWakes.contains { $0.id == event.id }
        case .checkinRecorded(let saved):
            // A final wake that was recorded before the close did not ask.
            let isSinceClose = isOpen || skips.contains(where: \.isAutomatic)
            let closed = dose1.map { $0.wall + DoseWindow.closes } ?? .min
            let unknownSince = isSinceClose ? closed : .min
            return saved.amends == nil && !finalWakes.contains { $0.event.occurredAt >= unknownSince }
        default: return false
        }
    }

    /// The completeness of the night by the sleep diary; nil for an open night, and for what is no night (R13.1).
    public var nightScore: Int? { nightScore(nil) }

    /// Returns the completeness of the night.
    ///
    /// - Parameter sleep: the sleep that a source recorded; nil for the sleep diary.
    func nightScore(_ sleep: RecordedSleep?) -> Int? {
        guard !isOpen, hasSigns else { return nil }
        var facts = scoreFacts
        if let total = sleep?.measures.totalSleepMinutes {
            facts.totalSleepMinutes = Double(total)
            facts.deepSleepMinutes = sleep?.deepMinutes.map { Double($0) }
        }
        return NightScore.of(facts)
    }

    /// The facts of the score, by the sleep diary.
    public var scoreFacts: NightScore.Facts {
        var facts = NightScore.Facts()
        facts.dose1 = dose1 != nil
        facts.dose2 = dose2 != nil
        facts.skipped = isDose2Skipped
        facts.onceNightly = rules.onceNightly
        facts.interval = interval
        facts.lightsOut = sleepEvents.contains { $0.type == SleepEventWord.lightsOut }
        facts.finalWake = !finalWakes.isEmpty
        facts.checkIn = checkIn != nil
        facts.totalSleepMinutes = sleepDiary.totalSleepMinutes.map { Double($0) }
        return facts
    }
}

/// The completeness of a night of doses, in one number from 0 to 100: a sum of what is on record, not a diagnosis.
public enum NightScore {
    /// The facts from which the score is made.
    public struct Facts: Hashable, Sendable {
        /// Dose 1 is on record.
        public var dose1 = false
        /// Dose 2 is on record.
        public var dose2 = false
        /// Dose 2 was skipped and not taken after all.
        public var skipped = false
        /// True if one dose a night is prescribed: there is no interval to judge.
        public var onceNightly = false
        /// The time between the doses; nil if unknown.
        public var interval: Duration?
        /// Lights out is on record.
        public var lightsOut = false
        /// The final wake is on record.
        public var finalWake = false
        /// The morning check-in is on record.
        public var checkIn = false
        /// The time asleep, in minutes; nil if unknown.
        public var totalSleepMinutes: Double?
        /// The part in deep sleep, in minutes; nil if unknown.
        public var deepSleepMinutes: Double?

        /// Facts of a night of which nothing is on record.
        public init() {}
    }

    /// Returns the score: interval 40, doses 25, record of the night 20, sleep 15 of 100. A part that is unknown, or not
    /// asked for, does not count, and the rest is weighed up to 100.
    public static func of(_ facts: Facts) -> Int {
        of(Base(facts), totalSleepMinutes: facts.totalSleepMinutes, deepSleepMinutes: facts.deepSleepMinutes)
    }

    /// All of the score but sleep.
    public struct Base: Hashable, Sendable {
        /// The sum of the parts by their weights.
        public var points: Double
        public var weight: Double

        public init(points: Double, weight: Double) {
            self.points = points
            self.weight = weight
        }

        public init(_ facts: Facts) {
            var parts = [(weight: 0.25, value: doses(facts)), (weight: 0.20, value: record(facts))]
            if !facts.onceNightly { parts.insert((0.40, interval(facts)), at: 0) }
            points = parts.map { $0.weight * $0.value }.reduce(0, +)
            weight = parts.map(\.weight).reduce(0, +)
        }
    }

    /// Returns the score of a base and of sleep.
    public static func of(_ base: Base, totalSleepMinutes: Double?, deepSleepMinutes: Double?) -> Int {
        var base = base
        if let sleep = sleep(totalSleepMinutes, deep: deepSleepMinutes) {
            base.points += 0.15 * sleep
            base.weight += 0.15
        }
        let score = 100 * base.points / base.weight
        // A hair above a half is rounding of binary fractions; halves go up.
        return min(100, max(0, Int((score + 1e-9).rounded())))
    }

    /// 1 at 165 minutes, falling to 0.9 at 150 and 0.5 at 240, both ends included; 0.1 beyond.
    static func interval(_ facts: Facts) -> Double {
        guard facts.dose2, let interval = facts.interval else { return facts.skipped ? 0.3 : 0 }
        let minutes = interval.minutes
        guard (DoseWindow.opens.minutes...DoseWindow.closes.minutes).contains(minutes) else { return 0.1 }
        return 1 - abs(minutes - DoseWindow.optimalUntil.minutes) / 75 * 0.5
    }

    private static func doses(_ facts: Facts) -> Double {
        guard facts.dose1 else { return 0 }
        if facts.dose2 || facts.onceNightly { return 1 }
        return facts.skipped ? 0.5 : 0.3
    }

    private static func record(_ facts: Facts) -> Double {
        (facts.lightsOut ? 0.30 : 0) + (facts.finalWake ? 0.30 : 0) + (facts.checkIn ? 0.40 : 0)
    }

    /// Returns the value of sleep by its length, and by deep sleep if known (R30.6). Deep sleep alone says nothing.
    private static func sleep(_ total: Double?, deep: Double?) -> Double? {
        guard let total else { return nil }
        let enough = min(1, max(0, total / 420))
        guard let deep else { return enough }
        return 0.6 * enough + 0.4 * min(1, max(0, deep / 90))
    }

    /// A score in a word.
    public enum Grade: String, Hashable, Sendable, CaseIterable {
        /// 85 and more.
        case excellent
        /// 70 and more.
        case good
        /// 50 and more.
        case fair
        /// Less than 50.
        case needsWork = "needs_work"
    }

    /// The word for a score.
    public static func grade(_ score: Int) -> Grade {
        switch score {
        case 85...: .excellent
        case 70...: .good
        case 50...: .fair
        default: .needsWork
        }
    }
}

extension Duration {
    /// Minutes with their fraction, exact to the millisecond.
    public var minutes: Double { Double(wholeMilliseconds) / 60_000 }
}

/// The adherence of many nights to the window of dose 2, and the trend of their intervals.
public enum Effectiveness {
    /// The zone in which an interval between the doses lies.
    public enum Zone: String, Hashable, Sendable, CaseIterable {
        /// 150:00 to 165:00.
        case optimal
        /// On time, right above 165:00.
        case acceptable
        /// Too early, too late, or no second dose.
        case nonCompliant = "non_compliant"

        /// The zone of a night; a nil interval means no second dose, or a skip.
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
    /// - Parameter intervals: one for each night that expected a second dose; nil for a night without one.
    public static func compliance(_ intervals: [Duration?]) -> Double? {
        guard !intervals.isEmpty else { return nil }
        let onTime = intervals.count { Zone(interval: $0) != .nonCompliant }
        return Double(onTime) / Double(intervals.count)
    }

    /// Returns true if a night says something about the effect of an interval: both are known.
    public static func isPairable(interval: Duration?, totalSleepMinutes: Int?) -> Bool {
        interval != nil && totalSleepMinutes != nil
    }

    public struct Trend: Hashable, Sendable {
        /// The direction, seen from the target.
        public enum Direction: String, Hashable, Sendable, CaseIterable {
            /// Nearer to the target than before.
            case towardsTarget = "towards_target"
            /// Farther from the target than before.
            case awayFromTarget = "away_from_target"
            /// About the same, or as far from the target on the other side.
            case stable
        }

        public var direction: Direction
        /// Mean of the first half of the nights, in minutes.
        public var earlierMinutes: Double
        /// Mean of the rest, in minutes.
        public var laterMinutes: Double

        public init(direction: Direction, earlierMinutes: Double, laterMinutes: Double) {
            self.direction = direction
            self.earlierMinutes = earlierMinutes
            self.laterMinutes = laterMinutes
        }
    }

    /// Compares the first half of the nights, rounded down, with the rest; up to 3 minutes between their means are stable.
    ///
    /// - Parameters:
    ///   - intervals: the known intervals, oldest first.
    ///   - targetMinutes: the target by which they are measured.
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
