extension Questionnaire {
    /// The pre-sleep log (R10). No question has to be answered, so an unanswered question stays unknown.
    public static let preSleep = Questionnaire(
        kind: .preSleep, items: (intentItems + substanceItems + activityItems + eveningItems).map(\.inAnswers))

    private static let intentItems: [Item] = [
        .ask(
            "intended_sleep_time",
            .choice(AnswerKind.codes("now", "15min", "30min", "1hr", "later"))),
        .ask(
            "later_reason",
            .choice(AnswerKind.codes("not_tired", "work", "social", "entertainment", "other")),
            if: .answer("intended_sleep_time", "later")),
        .ask("stress_level", .whole(0...5)),
        .ask("stress_drivers", .choices(stressDrivers), if: .anything("stress_level", but: 0)),
        .ask("stress_progression", .choice(stressProgression), if: .anything("stress_level", but: 0)),
        .ask("stress_notes", .text(scalars: 500), if: .anything("stress_level", but: 0)),
        .ask("body_pain", .choice([.init("none", 0), .init("mild", 3), .init("moderate", 6), .init("severe", 8)])),
        .ask("pain_entries", .pains, if: .anything("body_pain")),
    ]

    private static let drinks = AnswerKind.codes("coffee", "tea", "soda", "energy_drink")

    /// The unit of alcoholic drinks.
    private static let drinkUnit = sent("drinks")

    private static let substanceItems: [Item] = [
        .ask("stimulants", .choice([.init("none")] + drinks + [.init("multiple")])),
        .ask("caffeine_sources", .choices(drinks), if: .answer("stimulants", "multiple")),
        .ask("caffeine_drink", .text(scalars: 200), if: .anything("stimulants")),
        .ask("caffeine_last_at", .instant, if: .anything("stimulants")),
        .ask("caffeine_last_mg", .whole(1...2_000, unit: "mg"), if: .anything("stimulants")),
        .ask("caffeine_total_mg", .whole(1...2_000, unit: "mg"), if: .anything("stimulants")),
        .ask("alcohol", .choice(AnswerKind.codes("none", "1", "2-3", "4+"))),
        .ask("alcohol_last_at", .instant, if: .anything("alcohol")),
        .ask("alcohol_last_drinks", .decimal(0.1...40, unit: drinkUnit), if: .anything("alcohol")),
        .ask("alcohol_total_drinks", .decimal(0.1...40, unit: drinkUnit), if: .anything("alcohol")),
        .ask("dose_plan", .yesNo),
        .ask("dose_plan_total_mg", .whole(500...20_000, step: 250, unit: "mg"), if: .yes("dose_plan")),
        .ask("dose_plan_first_percent", .whole(1...99, unit: "%"), if: .yes("dose_plan")),
    ]

    private static let activityItems: [Item] = [
        .ask("exercise", .choice(AnswerKind.codes("none", "light", "moderate", "intense"))),
        .ask(
            "exercise_type",
            .choice(AnswerKind.codes("walking", "cardio", "strength", "yoga_mobility", "sports", "labor", "other")),
            if: .anything("exercise")),
        .ask("exercise_last_at", .instant, if: .anything("exercise")),
        .ask("exercise_min", .whole(5...600, unit: "min"), if: .anything("exercise")),
        .ask("nap", .choice(AnswerKind.codes("none", "short", "medium", "long"))),
        .ask("nap_count", .whole(1...6), if: .anything("nap")),
        .ask("nap_total_min", .whole(5...360, unit: "min"), if: .anything("nap")),
        .ask("nap_last_end_at", .instant, if: .anything("nap")),
    ]

    private static let eveningItems: [Item] = [
        .ask("late_meal", .choice(AnswerKind.codes("none", "snack", "light", "heavy"))),
        .ask("meal_end_at", .instant, if: .anything("late_meal")),
        .ask("screens", .choice(AnswerKind.codes("none", "briefly", "30min", "1hr+"))),
        .ask("screens_last_at", .instant, if: .anything("screens")),
        .ask("room_temperature", .choice(AnswerKind.codes("cold", "cool", "comfortable", "warm", "hot"))),
        .ask("room_noise", .choice(AnswerKind.codes("silent", "quiet", "moderate", "noisy"))),
        .ask(
            "sleep_aids",
            .choices(
                AnswerKind.codes(
                    "none", "eye_mask", "earplugs", "white_noise", "fan", "blackout_curtains", "multiple"))),
        .ask("notes", .text(scalars: Bounds.noteScalars)),
    ]
}

extension Questionnaire.Item {
    /// The table of the pre-sleep logs has one column for all answers.
    fileprivate var inAnswers: Questionnaire.Item {
        Questionnaire.Item(
            key: key, kind: kind, defaultValue: defaultValue, condition: condition,
            place: .part(of: "answers_json"), group: group)
    }
}

/// The plan for the night as the person states it before sleeping: a record, never advice.
public enum DosePlan {
    /// The smallest part, in mg.
    static let leastPart = 250

    /// Returns the two parts in mg, the first part cut to whole milligrams.
    static func parts(total: Int, firstPercent: Int) -> [Int] {
        let first = total * firstPercent / 100
        return [first, total - first]
    }

    /// Returns the limits of the label that a stated plan passes: `dose`, `night`.
    public static func passedLimits(_ answers: Answers) -> [String] {
        guard let total = answers.number("dose_plan_total_mg") else { return [] }
        var passed: [String] = []
        // In every split one part is at least half of the total.
        let greatest = answers.number("dose_plan_first_percent").flatMap { parts(total: total, firstPercent: $0).max() }
        if greatest ?? (total + 1) / 2 > RegistrationPolicy.doseLimitMilligrams { passed.append("dose") }
        if total > RegistrationPolicy.nightLimitMilligrams { passed.append("night") }
        return passed
    }
}
