extension Questionnaire {
    private static let therapy: Place = .part(of: "sleep_therapy_json")
    private static let room: Place = .part(of: "sleep_environment_json")
    private static let ifRoom: Condition = .yes("has_sleep_environment")

    static let bedroomItems: [Item] = [
        .ask("used_sleep_therapy", .yesNo, false, "Did you sleep with a therapy device?"),
        .ask(
            "therapy_device",
            .choice([
                .init("none"), .init("cpap", "CPAP"), .init("bipap", "BiPAP"), .init("apap", "APAP"),
                .init("oxygenConcentrator", "oxygen"), .init("oralAppliance", "oral appliance"),
                .init("positionalTherapy", "positional"), .init("other"),
            ]), "none", "Which one?", if: .yes("used_sleep_therapy"), in: therapy),
        .ask(
            "therapy_compliance", .whole(0...100, unit: "%"), 100, "For how much of the night?",
            if: .anything("therapy_device"), in: therapy),
        .ask("has_sleep_environment", .yesNo, false, "Do you want to note how the room was?"),
        .ask(
            "sleep_aids",
            .choices([
                .init("eyeMask", "eye mask"), .init("earplugs"), .init("whiteNoise", "white noise"), .init("fan"),
                .init("weightedBlanket", "weighted blanket"), .init("sleepMeditation", "meditation"),
                .init("breathingExercises", "breathing exercises"), .init("sleepPodcast", "podcast"),
                .init("melatonin"), .init("magnesium"), .init("cbdThc", "CBD or THC"), .init("tvOn", "TV on"),
                .init("phoneInBed", "phone in bed"),
            ]), nil, "What did you use for sleep?", if: ifRoom, in: room),
        .ask(
            "room_darkness",
            .choice([.init("pitchBlack", "black"), .init("dark"), .init("dimLight", "dim"), .init("bright")]), "dark",
            "How dark was it?", if: ifRoom, in: room),
        .ask(
            "room_noise",
            .choice([
                .init("silent"), .init("quiet"), .init("whiteNoise", "white noise"), .init("someNoise", "some noise"),
                .init("noisy"),
            ]), "quiet", "How quiet was it?", if: ifRoom, in: room),
        .ask(
            "screen_time",
            .choice([
                .init("none", nil, 0), .init("lessThanFifteen", "under 15 min", 7),
                .init("fifteenToThirty", "15 to 30 min", 22), .init("thirtyToSixty", "30 to 60 min", 45),
                .init("moreThanHour", "over 1 h", 90),
            ]), "none", "How long did you look at a screen in bed?", if: ifRoom, in: room),
        .ask(
            "room_temperature",
            .choice([.init("tooCold", "too cold"), .init("comfortable"), .init("tooWarm", "too warm")]), "comfortable",
            "How warm was it?", if: ifRoom, in: room),
        .ask("partner_disruption", .yesNo, false, "Did a partner or a pet disturb you?", if: ifRoom, in: room),
        .ask("environment_notes", .text(scalars: 500), nil, "Anything else about the room?", if: ifRoom, in: room),
    ]

    static let diaryItems: [Item] = [
        .ask(
            "stress_level", .whole(1...5), nil, "How stressed are you?", hint: "1 hardly, 5 very much", in: .log),
        .ask(
            "stress_drivers", .choices(stressDrivers), nil, "What causes it?", if: .answered("stress_level"), in: .log),
        .ask(
            "stress_progression", .choice(stressProgression), nil, "How is it compared with yesterday?",
            if: .answered("stress_level"), in: .log),
        .ask(
            "stress_notes", .text(scalars: 500), nil, "Anything else about it?", if: .answered("stress_level"),
            in: .log),
        .ask(
            "sleep_latency_min", .whole(0...720, unit: "min"), nil, "How many minutes did it take to fall asleep?",
            in: .log),
        .ask("awakenings", .whole(0...100), nil, "How many times did you wake up, not counting the last?", in: .log),
        .ask(
            "awake_after_onset_min", .whole(0...720, unit: "min"), nil,
            "How many minutes were you awake during the night?",
            in: .log),
        .ask("notes", .text(scalars: Bounds.noteScalars), nil, "Anything else?"),
    ]

    static let stressDrivers: [AnswerKind.Choice] = AnswerKind.codes(
        "work", "family", "relationship", "health", "pain", "sleep", "medication", "environment", "schedule",
        "financial", "other")
    static let stressProgression: [AnswerKind.Choice] = [
        .init("much_better", "much better"), .init("better"), .init("same", "the same"), .init("worse"),
        .init("much_worse", "much worse"),
    ]
}
