/// How the morning feels, in one number from 0 to 100; all defaults give 58. A sum of answers, not a diagnosis.
public enum WellnessScore {
    /// What lowers it.
    public struct Symptoms: Hashable, Sendable {
        /// Pain or stiffness: 10.
        public var physical: Bool
        /// Nose, throat or chest: 5.
        public var respiratory: Bool
        /// Any of narcolepsy: 5.
        public var narcolepsy: Bool

        /// Memberwise.
        public init(physical: Bool, respiratory: Bool, narcolepsy: Bool) {
            self.physical = physical
            self.respiratory = respiratory
            self.narcolepsy = narcolepsy
        }
    }

    /// The questions it adds up, apart from the symptoms that lower it.
    public static let keys = ["sleep_quality", "feel_rested", "mental_clarity", "mood", "readiness_for_day"]

    /// The score of a morning check-in; nil when an answer it needs is unknown.
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

    /// The score of single answers: quality counts 30, rest 25, clarity 20, mood 15, readiness 10, less the symptoms.
    /// The scales make it whole.
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

    /// The place of a code in its set, from 1.
    private static func rank(_ code: String?, _ key: String) -> Int? {
        (ranks[key]?.firstIndex { $0 == code }).map { $0 + 1 }
    }

    private static let ranks = ["feel_rested", "mood"].reduce(into: [String: [String]]()) { ranks, key in
        ranks[key] = Questionnaire.morning[key]?.kind.choices.map(\.code)
    }

    /// The questions about symptoms of narcolepsy.
    private static let narcolepsy = Questionnaire.morning.items.filter { $0.title != nil }.map(\.key)
}
