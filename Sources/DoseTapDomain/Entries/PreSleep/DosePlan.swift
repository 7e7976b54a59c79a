/// The plan for the night as the person states it before sleeping: a record, never advice.
public enum DosePlan {
    /// A part smaller than this is no part, in mg.
    static let leastPart = 250

    /// The two parts in mg, the first cut to whole milligrams.
    static func parts(total: Int, firstPercent: Int) -> [Int] {
        let first = total * firstPercent / 100
        return [first, total - first]
    }

    /// Which limits of the label a stated plan passes: `dose`, `night`.
    public static func passedLimits(_ answers: Answers) -> [String] {
        guard let total = answers.number("dose_plan_total_mg"), let share = answers.number("dose_plan_first_percent")
        else { return [] }
        var passed: [String] = []
        if parts(total: total, firstPercent: share).contains(where: { $0 > RegistrationPolicy.doseLimitMilligrams }) {
            passed.append("dose")
        }
        if total > RegistrationPolicy.nightLimitMilligrams { passed.append("night") }
        return passed
    }
}
