extension Questionnaire {
    /// The pre-sleep log (R10): nothing in it has to be answered, so what is not answered stays unknown.
    public static let preSleep = Questionnaire(
        kind: .preSleep, items: (intentItems + substanceItems + activityItems + eveningItems).map(\.inAnswers))

    private static let intentItems: [Item] = [
        .ask(
            "intended_sleep_time",
            .choice([
                .init("now"), .init("15min", "in 15 min"), .init("30min", "in 30 min"), .init("1hr", "in 1 h"),
                .init("later"),
            ]), nil, "When do you want to sleep?"),
        .ask(
            "later_reason",
            .choice([
                .init("not_tired", "not tired"), .init("work"), .init("social", "company"), .init("entertainment"),
                .init("other"),
            ]), nil, "Why later?", if: .answer("intended_sleep_time", "later")),
        .ask("stress_level", .whole(0...5), nil, "How stressed are you?", hint: "0 not at all, 5 very much"),
        .ask(
            "stress_drivers", .choices(stressDrivers), nil, "What causes it?", if: .anything("stress_level", but: 0)),
        .ask(
            "stress_progression", .choice(stressProgression), nil, "How is it compared with yesterday?",
            if: .anything("stress_level", but: 0)),
        .ask(
            "stress_notes", .text(scalars: 500), nil, "Anything else about it?",
            if: .anything("stress_level", but: 0)),
        .ask(
            "body_pain",
            .choice([.init("none", nil, 0), .init("mild", nil, 3), .init("moderate", nil, 6), .init("severe", nil, 8)]),
            nil, "Does anything hurt?"),
        .ask(
            "pain_entries", .pains, nil, "Where?", hint: "e.g. knee left 4 aching, neck 2",
            if: .anything("body_pain")),
    ]

    private static let drinks = AnswerKind.codes("coffee", "tea", "soda", "energy_drink")

    private static let substanceItems: [Item] = [
        .ask(
            "stimulants", .choice([.init("none")] + drinks + [.init("multiple", "several")]), nil,
            "Any caffeine today?"),
        .ask("caffeine_sources", .choices(drinks), nil, "Which ones?", if: .answer("stimulants", "multiple")),
        .ask(
            "caffeine_drink", .text(scalars: 200), nil, "What was the last one?", hint: "e.g. large filter coffee",
            if: .anything("stimulants")),
        .ask("caffeine_last_at", .instant, nil, "When was the last one?", if: .anything("stimulants")),
        .ask(
            "caffeine_last_mg", .whole(1...2_000, unit: "mg"), nil, "How much caffeine was in it?",
            if: .anything("stimulants")),
        .ask(
            "caffeine_total_mg", .whole(1...2_000, unit: "mg"), nil, "And in total today?",
            if: .anything("stimulants")),
        .ask(
            "alcohol", .choice([.init("none"), .init("1"), .init("2-3", "2 or 3"), .init("4+", "4 or more")]), nil,
            "Any alcoholic drinks today?"),
        .ask("alcohol_last_at", .instant, nil, "When was the last one?", if: .anything("alcohol")),
        .ask(
            "alcohol_last_drinks", .decimal(0.1...40, unit: "drinks"), nil, "How much was it?", if: .anything("alcohol")
        ),
        .ask(
            "alcohol_total_drinks", .decimal(0.1...40, unit: "drinks"), nil, "And in total today?",
            if: .anything("alcohol")),
        .ask("dose_plan", .yesNo, nil, "Do you want to note the plan for tonight's doses?"),
        .ask(
            "dose_plan_total_mg", .whole(500...20_000, step: 250, unit: "mg"), 9_000, "How much in total?",
            if: .yes("dose_plan")),
        .ask(
            "dose_plan_first_percent", .whole(1...99, unit: "%"), 50, "How much of that is dose 1?",
            if: .yes("dose_plan")),
    ]

    private static let activityItems: [Item] = [
        .ask(
            "exercise", .choice(AnswerKind.codes("none", "light", "moderate", "intense")), nil, "Any exercise today?"),
        .ask(
            "exercise_type",
            .choice([
                .init("walking"), .init("cardio"), .init("strength"), .init("yoga_mobility", "yoga or mobility"),
                .init("sports"), .init("labor", "physical work"), .init("other"),
            ]), nil, "What kind?", if: .anything("exercise")),
        .ask("exercise_last_at", .instant, nil, "When did it end?", if: .anything("exercise")),
        .ask("exercise_min", .whole(5...600, unit: "min"), nil, "For how long?", if: .anything("exercise")),
        .ask("nap", .choice(AnswerKind.codes("none", "short", "medium", "long")), nil, "Any nap today?"),
        .ask("nap_count", .whole(1...6), nil, "How many?", if: .anything("nap")),
        .ask("nap_total_min", .whole(5...360, unit: "min"), nil, "For how long in total?", if: .anything("nap")),
        .ask("nap_last_end_at", .instant, nil, "When did the last one end?", if: .anything("nap")),
    ]

    private static let eveningItems: [Item] = [
        .ask("late_meal", .choice(AnswerKind.codes("none", "snack", "light", "heavy")), nil, "Did you eat late?"),
        .ask("meal_end_at", .instant, nil, "When did you finish eating?", if: .anything("late_meal")),
        .ask(
            "screens",
            .choice([.init("none"), .init("briefly"), .init("30min", "30 min"), .init("1hr+", "1 h or more")]), nil,
            "Any screen use in the last hours?"),
        .ask("screens_last_at", .instant, nil, "When did you stop?", if: .anything("screens")),
        .ask(
            "room_temperature", .choice(AnswerKind.codes("cold", "cool", "comfortable", "warm", "hot")), nil,
            "How warm is the room?"),
        .ask(
            "room_noise", .choice(AnswerKind.codes("silent", "quiet", "moderate", "noisy")), nil,
            "How quiet is the room?"),
        .ask(
            "sleep_aids",
            .choices(
                AnswerKind.codes(
                    "none", "eye_mask", "earplugs", "white_noise", "fan", "blackout_curtains", "multiple")), nil,
            "What helps you sleep tonight?"),
        .ask("notes", .text(scalars: Bounds.noteScalars), nil, "Anything else?"),
    ]
}

extension Questionnaire.Item {
    /// The table of the pre-sleep logs has one column for all answers.
    fileprivate var inAnswers: Questionnaire.Item {
        Questionnaire.Item(
            key: key, kind: kind, defaultValue: defaultValue, prompt: prompt, hint: hint, condition: condition,
            place: .part(of: "answers_json"), title: title)
    }
}

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
