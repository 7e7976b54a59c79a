extension Questionnaire {
    /// The morning check-in (R9). The questions are home-made and not validated by anybody.
    public static let morning = Questionnaire(
        kind: .morning, items: wakingItems + bodyItems + airwayItems + narcolepsyItems + bedroomItems + diaryItems)

    private static let wakingItems: [Item] = [
        .ask("sleep_quality", .whole(1...5), 3),
        .ask(
            "feel_rested",
            .choice(AnswerKind.codes("notAtAll", "slightly", "moderate", "well", "veryWell")), "moderate"),
        .ask(
            "grogginess",
            .choice(AnswerKind.codes("none", "mild", "moderate", "severe", "cantFunction")), "mild"),
        .ask(
            "sleep_inertia_duration",
            .choice([
                .init("lessThanFive", 3), .init("fiveToFifteen", 10),
                .init("fifteenToThirty", 22), .init("thirtyToSixty", 45),
                .init("moreThanHour", 90),
            ]), "fiveToFifteen"),
        .ask(
            "dream_recall", .choice(AnswerKind.codes("none", "vague", "normal", "vivid", "nightmares", "disturbing")),
            "none"),
        .ask("mental_clarity", .whole(1...10), 5),
        .ask(
            "mood", .choice(AnswerKind.codes("veryLow", "low", "neutral", "good", "great")),
            "neutral"),
        .ask("anxiety_level", .choice(AnswerKind.codes("none", "mild", "moderate", "high", "severe")), "none"),
        .ask("readiness_for_day", .whole(1...5), 3),
    ]

    private static let severity = AnswerKind.codes("none", "mild", "moderate", "severe")
    private static let body: Place = .part(of: "physical_symptoms_json")
    private static let ifBody: Condition = .yes("has_physical_symptoms")

    private static let bodyItems: [Item] = [
        .ask("has_physical_symptoms", .yesNo, false),
        .ask(
            "pain_areas",
            .choices(
                AnswerKind.codes(
                    "head", "neck", "shoulders", "upperBack", "lowerBack", "hips", "legs", "knees", "feet", "hands",
                    "arms", "chest", "abdomen")), if: ifBody, in: body),
        .ask("pain_severity", .whole(0...10), 0, if: ifBody, in: body),
        .ask(
            "pain_type",
            .choice(
                AnswerKind.codes("aching", "sharp", "stiff", "throbbing", "burning", "tingling", "cramping")), "aching",
            if: ifBody, in: body),
        .ask("pain_entries", .pains, if: ifBody, in: body),
        .ask("headache", .yesNo, false, if: ifBody, in: body),
        .ask("headache_severity", .choice(severity + [.init("migraine")]), "mild", if: .yes("headache"), in: body),
        .ask(
            "headache_location",
            .choice(AnswerKind.codes("forehead", "temples", "backOfHead", "behindEyes", "allOver", "oneSide")),
            "forehead", if: .yes("headache"), in: body),
        .ask("headache_migraine", .yesNo, false, if: .yes("headache"), in: body),
        .ask("muscle_stiffness", .choice(severity), "none", if: ifBody, in: body),
        .ask("muscle_soreness", .choice(severity), "none", if: ifBody, in: body),
    ]

    private static let airway: Place = .part(of: "respiratory_symptoms_json")
    private static let ifAirway: Condition = .yes("has_respiratory_symptoms")

    private static let airwayItems: [Item] = [
        .ask("has_respiratory_symptoms", .yesNo, false),
        .ask(
            "congestion",
            .choice(AnswerKind.codes("none", "stuffyNose", "runnyNose", "stuffyAndRunny")), "none", if: ifAirway,
            in: airway),
        .ask(
            "throat", .choice(AnswerKind.codes("normal", "dry", "sore", "scratchy")), "normal", if: ifAirway, in: airway
        ),
        .ask(
            "cough", .choice(AnswerKind.codes("none", "dryCough", "productive")), "none", if: ifAirway, in: airway),
        .ask("sinus_pressure", .choice(severity), "none", if: ifAirway, in: airway),
        .ask("feverish", .yesNo, false, if: ifAirway, in: airway),
        .ask(
            "sickness",
            .choice(AnswerKind.codes("no", "comingDown", "activelySick", "recovering")), "no", if: ifAirway, in: airway),
    ]

    private static let narcolepsyItems: [Item] = [
        .ask("had_sleep_paralysis", .yesNo, false, under: .narcolepsy),
        .ask("had_hallucinations", .yesNo, false, under: .narcolepsy),
        .ask("had_automatic_behavior", .yesNo, false, under: .narcolepsy),
        .ask("fell_out_of_bed", .yesNo, false, under: .narcolepsy),
        .ask("had_confusion_on_waking", .yesNo, false, under: .narcolepsy),
    ]
}

extension Questionnaire {
    private static let therapy: Place = .part(of: "sleep_therapy_json")
    private static let room: Place = .part(of: "sleep_environment_json")
    private static let ifRoom: Condition = .yes("has_sleep_environment")

    static let bedroomItems: [Item] = [
        .ask("used_sleep_therapy", .yesNo, false),
        .ask(
            "therapy_device",
            .choice(
                AnswerKind.codes(
                    "none", "cpap", "bipap", "apap", "oxygenConcentrator", "oralAppliance", "positionalTherapy", "other"
                )), "none", if: .yes("used_sleep_therapy"), in: therapy),
        .ask("therapy_compliance", .whole(0...100, unit: "%"), 100, if: .anything("therapy_device"), in: therapy),
        .ask("has_sleep_environment", .yesNo, false),
        .ask(
            "sleep_aids",
            .choices(
                AnswerKind.codes(
                    "eyeMask", "earplugs", "whiteNoise", "fan", "weightedBlanket", "sleepMeditation",
                    "breathingExercises", "sleepPodcast", "melatonin", "magnesium", "cbdThc", "tvOn", "phoneInBed")),
            if: ifRoom, in: room),
        .ask(
            "room_darkness", .choice(AnswerKind.codes("pitchBlack", "dark", "dimLight", "bright")), "dark",
            if: ifRoom, in: room),
        .ask(
            "room_noise",
            .choice(AnswerKind.codes("silent", "quiet", "whiteNoise", "someNoise", "noisy")), "quiet", if: ifRoom,
            in: room),
        .ask(
            "screen_time",
            .choice([
                .init("none", 0), .init("lessThanFifteen", 7),
                .init("fifteenToThirty", 22), .init("thirtyToSixty", 45),
                .init("moreThanHour", 90),
            ]), "none", if: ifRoom, in: room),
        .ask(
            "room_temperature", .choice(AnswerKind.codes("tooCold", "comfortable", "tooWarm")), "comfortable",
            if: ifRoom, in: room),
        .ask("partner_disruption", .yesNo, false, if: ifRoom, in: room),
        .ask("environment_notes", .text(scalars: 500), if: ifRoom, in: room),
    ]

    static let diaryItems: [Item] = [
        .ask("stress_level", .whole(1...5), in: .log),
        .ask("stress_drivers", .choices(stressDrivers), if: .answered("stress_level"), in: .log),
        .ask("stress_progression", .choice(stressProgression), if: .answered("stress_level"), in: .log),
        .ask("stress_notes", .text(scalars: 500), if: .answered("stress_level"), in: .log),
        .ask("sleep_latency_min", .whole(0...720, unit: "min"), in: .log),
        .ask("awakenings", .whole(0...100), in: .log),
        .ask("awake_after_onset_min", .whole(0...720, unit: "min"), in: .log),
        .ask("notes", .text(scalars: Bounds.noteScalars)),
    ]

    static let stressDrivers: [AnswerKind.Choice] = AnswerKind.codes(
        "work", "family", "relationship", "health", "pain", "sleep", "medication", "environment", "schedule",
        "financial", "other")
    static let stressProgression: [AnswerKind.Choice] = AnswerKind.codes(
        "much_better", "better", "same", "worse", "much_worse")
}
