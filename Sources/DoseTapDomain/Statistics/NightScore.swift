/// How complete a night of doses was, in one number from 0 to 100. A sum of what is on record, not a diagnosis.
public enum NightScore {
    /// What the score is made from.
    public struct Facts: Hashable, Sendable {
        /// Dose 1 is on record.
        public var dose1 = false
        /// Dose 2 is on record.
        public var dose2 = false
        /// Dose 2 was skipped and not taken after all.
        public var skipped = false
        /// One dose a night is prescribed: there is no interval to judge.
        public var onceNightly = false
        /// Between the doses; nil is unknown.
        public var interval: Duration?
        /// Lights out is on record.
        public var lightsOut = false
        /// The final wake is on record.
        public var finalWake = false
        /// The morning check-in is on record.
        public var checkIn = false
        /// Asleep, in minutes; nil is unknown.
        public var totalSleepMinutes: Double?
        /// Of them in deep sleep; nil is unknown.
        public var deepSleepMinutes: Double?

        /// Nothing is on record.
        public init() {}
    }

    /// The score: interval 40, doses 25, record of the night 20, sleep 15 of 100. What is unknown, or not asked for, takes
    /// no part and the rest is weighed up to 100.
    public static func of(_ facts: Facts) -> Int {
        var parts = [(weight: 0.25, value: doses(facts)), (weight: 0.20, value: record(facts))]
        if !facts.onceNightly { parts.insert((0.40, interval(facts)), at: 0) }
        if let sleep = sleep(facts) { parts.append((0.15, sleep)) }
        let weight = parts.map(\.weight).reduce(0, +)
        let score = 100 * parts.map { $0.weight * $0.value }.reduce(0, +) / weight
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

    /// Deep sleep alone says nothing.
    private static func sleep(_ facts: Facts) -> Double? {
        guard let total = facts.totalSleepMinutes else { return nil }
        let enough = min(1, max(0, total / 420))
        guard let deep = facts.deepSleepMinutes else { return enough }
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
        /// Less.
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
