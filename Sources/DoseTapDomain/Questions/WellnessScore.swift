/// How the morning feels, in one number from 0 to 100; all defaults give 58. A sum of answers, not a diagnosis.
public enum WellnessScore {
    /// The score of a morning check-in; nil when an answer it needs is unknown.
    ///
    /// Weights of quality 30, rest 25, clarity 20, mood 15 and readiness 10, less 10 for physical, 5 for respiratory
    /// and 5 for any narcolepsy symptoms. The scales make it whole.
    public static func of(_ answers: Answers) -> Int? {
        let questions = Questionnaire.morning
        guard let quality = answers.number("sleep_quality"), let clarity = answers.number("mental_clarity"),
            let readiness = answers.number("readiness_for_day"),
            let rested = answers.rank("feel_rested", in: questions), let mood = answers.rank("mood", in: questions)
        else { return nil }
        var score = quality * 6 + rested * 5 + clarity * 2 + mood * 3 + readiness * 2
        if answers.isYes("has_physical_symptoms") { score -= 10 }
        if answers.isYes("has_respiratory_symptoms") { score -= 5 }
        if narcolepsySymptoms.contains(where: answers.isYes) { score -= 5 }
        return min(100, max(0, score))
    }

    /// The questions about symptoms of narcolepsy.
    static let narcolepsySymptoms = Questionnaire.morning.items.filter { $0.title != nil }.map(\.key)
}
