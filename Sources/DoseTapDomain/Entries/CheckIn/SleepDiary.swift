/// The measures of a sleep diary for one night. An unknown measure is nil: no measure is made up from half of its facts.
/// The measures are those of the Consensus Sleep Diary (Carney and others, 2012).
public struct SleepDiary: Hashable, Sendable {
    /// The time from going to bed to getting up, in whole minutes.
    public var timeInBedMinutes: Int?
    /// The time from trying to sleep to falling asleep, as answered.
    public var sleepOnsetLatencyMinutes: Int?
    /// The time awake between falling asleep and the last waking, as answered.
    public var wakeAfterSleepOnsetMinutes: Int?
    /// The wakings before the last one: as answered, else the brief wakes on record, if any.
    public var awakenings: Int?
    /// The time asleep, in whole minutes.
    public var totalSleepMinutes: Int?
    /// The share of sleep in the time in bed, in percent, rounded.
    public var sleepEfficiencyPercent: Int?

    /// The facts from which the measures are made.
    public struct Facts: Hashable, Sendable {
        /// The time of going to bed.
        public var inBed: Instant?
        /// The time of trying to sleep.
        public var lightsOut: Instant?
        /// The time of getting up for good.
        public var finalWake: Instant?
        /// The number of brief wakes on record.
        public var briefWakes = 0
        /// The answer: minutes until asleep.
        public var latencyMinutes: Int?
        /// The answer: wakings before the last one.
        public var awakenings: Int?
        /// The answer: minutes awake in between.
        public var awakeMinutes: Int?

        /// Creates facts without any value.
        public init() {}
    }

    /// Creates the measures that follow from the facts.
    public init(_ facts: Facts) {
        sleepOnsetLatencyMinutes = facts.latencyMinutes
        wakeAfterSleepOnsetMinutes = facts.awakeMinutes
        awakenings = facts.awakenings ?? (facts.briefWakes > 0 ? facts.briefWakes : nil)
        timeInBedMinutes = Self.minutes(from: facts.inBed ?? facts.lightsOut, to: facts.finalWake)
        let trying = Self.minutes(from: facts.lightsOut ?? facts.inBed, to: facts.finalWake)
        if let trying, let latency = facts.latencyMinutes, let awake = facts.awakeMinutes, trying >= latency + awake {
            totalSleepMinutes = trying - latency - awake
        }
        if let asleep = totalSleepMinutes, let inBed = timeInBedMinutes, inBed > 0 {
            sleepEfficiencyPercent = min(100, (200 * asleep + inBed) / (2 * inBed))
        }
    }

    /// Returns the whole minutes between two moments; nil if one is unknown or the end does not come after the start.
    private static func minutes(from start: Instant?, to end: Instant?) -> Int? {
        guard let start, let end, end > start else { return nil }
        return Int((end - start).wholeMinutes)
    }
}

extension SleepDiary {
    /// Null is unknown.
    static let description = RecordDescription(
        SleepDiary(Facts())
    ) { it in
        it.integerOrNull(
            "time_in_bed_min", in: .minutes, get: { $0.timeInBedMinutes }, set: { $0.timeInBedMinutes = $1 })
        it.integerOrNull(
            "sleep_onset_latency_min", in: .minutes, get: { $0.sleepOnsetLatencyMinutes },
            set: { $0.sleepOnsetLatencyMinutes = $1 })
        it.integerOrNull(
            "wake_after_sleep_onset_min", in: .minutes, get: { $0.wakeAfterSleepOnsetMinutes },
            set: { $0.wakeAfterSleepOnsetMinutes = $1 })
        it.integerOrNull("awakenings", get: { $0.awakenings }, set: { $0.awakenings = $1 })
        it.integerOrNull(
            "total_sleep_min", in: .minutes, get: { $0.totalSleepMinutes }, set: { $0.totalSleepMinutes = $1 })
        it.integerOrNull(
            "sleep_efficiency_percent", in: .percent, get: { $0.sleepEfficiencyPercent },
            set: { $0.sleepEfficiencyPercent = $1 })
    }

    /// The keys of the measures, in the order in which they are told.
    public static let keys = description.shape.keys.map(\.name)

    /// The measures in the order of ``keys``; nil is unknown.
    var kept: [Int?] {
        [
            timeInBedMinutes, sleepOnsetLatencyMinutes, wakeAfterSleepOnsetMinutes, awakenings, totalSleepMinutes,
            sleepEfficiencyPercent,
        ]
    }

    /// The object with the keys of ``description``.
    var json: JSONObject { Self.description.json(self) }

    /// Creates measures from kept values, in the order of ``keys``. A missing value is unknown.
    public init(kept values: [Int?]) {
        self.init(Facts())
        let kept = values + Array(repeating: nil, count: max(0, 6 - values.count))
        timeInBedMinutes = kept[0]
        sleepOnsetLatencyMinutes = kept[1]
        wakeAfterSleepOnsetMinutes = kept[2]
        awakenings = kept[3]
        totalSleepMinutes = kept[4]
        sleepEfficiencyPercent = kept[5]
    }
}

/// The feeling of the morning in one number from 0 to 100; all defaults give 58. The score is a sum of answers, not a diagnosis.
public enum WellnessScore {
    /// The symptoms that lower the score.
    public struct Symptoms: Hashable, Sendable {
        /// Pain or stiffness: 10.
        public var physical: Bool
        /// Nose, throat or chest: 5.
        public var respiratory: Bool
        /// Any of narcolepsy: 5.
        public var narcolepsy: Bool

        public init(physical: Bool, respiratory: Bool, narcolepsy: Bool) {
            self.physical = physical
            self.respiratory = respiratory
            self.narcolepsy = narcolepsy
        }
    }

    /// The questions that the score adds up, apart from the symptoms that lower the score.
    public static let keys = ["sleep_quality", "feel_rested", "mental_clarity", "mood", "readiness_for_day"]

    /// Returns the score of a morning check-in; nil if a needed answer is unknown.
    public static func of(_ answers: Answers) -> Int? {
        of(
            quality: answers.number("sleep_quality"), rested: answers["feel_rested"]?.stringValue,
            clarity: answers.number("mental_clarity"), mood: answers["mood"]?.stringValue,
            readiness: answers.number("readiness_for_day"),
            symptoms: Symptoms(
                physical: answers.isYes("has_physical_symptoms"),
                respiratory: answers.isYes("has_respiratory_symptoms"),
                narcolepsy: narcolepsy.contains(where: answers.isYes)))
    }

    /// Returns the score of single answers: quality counts 30, rest 25, clarity 20, mood 15, readiness 10, less the symptoms.
    /// The scales make the score a whole number.
    ///
    /// - Parameters:
    ///   - rested: the code.
    ///   - mood: the code.
    public static func of(
        quality: Int?, rested: String?, clarity: Int?, mood: String?, readiness: Int?, symptoms: Symptoms
    ) -> Int? {
        guard let quality, let clarity, let readiness, let rested = rank(rested, "feel_rested"),
            let mood = rank(mood, "mood"), [quality, clarity, readiness].allSatisfy((0...10).contains)
        else { return nil }
        var score = quality * 6 + rested * 5 + clarity * 2 + mood * 3 + readiness * 2
        if symptoms.physical { score -= 10 }
        if symptoms.respiratory { score -= 5 }
        if symptoms.narcolepsy { score -= 5 }
        return min(100, max(0, score))
    }

    /// Returns the place of a code in its set, from 1.
    private static func rank(_ code: String?, _ key: String) -> Int? {
        (ranks[key]?.firstIndex { $0 == code }).map { $0 + 1 }
    }

    private static let ranks = ["feel_rested", "mood"].reduce(into: [String: [String]]()) { ranks, key in
        ranks[key] = Questionnaire.morning[key]?.kind.choices.map(\.code)
    }

    /// The questions about symptoms of narcolepsy.
    private static let narcolepsy = Questionnaire.morning.items.filter { $0.group == .narcolepsy }.map(\.key)
}
