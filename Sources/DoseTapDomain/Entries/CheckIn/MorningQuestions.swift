extension Questionnaire {
    /// The morning check-in (R9). Home-made and not validated by anybody.
    public static let morning = Questionnaire(
        kind: .morning, items: wakingItems + bodyItems + airwayItems + narcolepsyItems + bedroomItems + diaryItems)

    private static let wakingItems: [Item] = [
        .ask("sleep_quality", .whole(1...5), 3, "How well did you sleep?", hint: "1 very badly, 5 very well"),
        .ask(
            "feel_rested",
            .choice([
                .init("notAtAll", "not at all"), .init("slightly", "a little"), .init("moderate", "moderately"),
                .init("well"), .init("veryWell", "very well"),
            ]), "moderate", "How rested do you feel?"),
        .ask(
            "grogginess",
            .choice([
                .init("none", "not"), .init("mild", "a little"), .init("moderate", "moderately"),
                .init("severe", "very"), .init("cantFunction", "could not function"),
            ]), "mild", "How groggy were you after waking up?"),
        .ask(
            "sleep_inertia_duration",
            .choice([
                .init("lessThanFive", "under 5 min", 3), .init("fiveToFifteen", "5 to 15 min", 10),
                .init("fifteenToThirty", "15 to 30 min", 22), .init("thirtyToSixty", "30 to 60 min", 45),
                .init("moreThanHour", "over 1 h", 90),
            ]), "fiveToFifteen", "How long did it take until you were fully awake?"),
        .ask(
            "dream_recall", .choice(AnswerKind.codes("none", "vague", "normal", "vivid", "nightmares", "disturbing")),
            "none", "What do you remember of your dreams?"),
        .ask("mental_clarity", .whole(1...10), 5, "How clear is your thinking?", hint: "1 foggy, 10 clear"),
        .ask(
            "mood",
            .choice([.init("veryLow", "very low"), .init("low"), .init("neutral"), .init("good"), .init("great")]),
            "neutral", "How is your mood?"),
        .ask(
            "anxiety_level", .choice(AnswerKind.codes("none", "mild", "moderate", "high", "severe")), "none",
            "How anxious are you?"),
        .ask(
            "readiness_for_day", .whole(1...5), 3, "How ready are you for the day?", hint: "1 not at all, 5 fully"),
    ]

    private static let severity = AnswerKind.codes("none", "mild", "moderate", "severe")
    private static let body: Place = .part(of: "physical_symptoms_json")
    private static let ifBody: Condition = .yes("has_physical_symptoms")

    private static let bodyItems: [Item] = [
        .ask("has_physical_symptoms", .yesNo, false, "Do you have any pain or stiffness?"),
        .ask(
            "pain_areas",
            .choices([
                .init("head"), .init("neck"), .init("shoulders"), .init("upperBack", "upper back"),
                .init("lowerBack", "lower back"), .init("hips"), .init("legs"), .init("knees"), .init("feet"),
                .init("hands"), .init("arms"), .init("chest"), .init("abdomen"),
            ]), nil, "Where?", if: ifBody, in: body),
        .ask(
            "pain_severity", .whole(0...10), 0, "How much does it hurt?", hint: "0 not at all, 10 worst", if: ifBody,
            in: body),
        .ask(
            "pain_type",
            .choice(
                AnswerKind.codes("aching", "sharp", "stiff", "throbbing", "burning", "tingling", "cramping")),
            "aching", "What does the pain feel like?", if: ifBody, in: body),
        .ask(
            "pain_entries", .pains, nil, "More detail about a place?", hint: "e.g. knee left 4 aching, neck 2",
            if: ifBody, in: body),
        .ask("headache", .yesNo, false, "Is there a headache?", if: ifBody, in: body),
        .ask(
            "headache_severity", .choice(severity + [.init("migraine")]), "mild", "How bad is the headache?",
            if: .yes("headache"), in: body),
        .ask(
            "headache_location",
            .choice([
                .init("forehead"), .init("temples"), .init("backOfHead", "back of the head"),
                .init("behindEyes", "behind the eyes"), .init("allOver", "everywhere"),
                .init("oneSide", "on one side"),
            ]), "forehead", "Where in the head?", if: .yes("headache"), in: body),
        .ask("headache_migraine", .yesNo, false, "Is it a migraine?", if: .yes("headache"), in: body),
        .ask("muscle_stiffness", .choice(severity), "none", "How stiff are the muscles?", if: ifBody, in: body),
        .ask("muscle_soreness", .choice(severity), "none", "How sore are the muscles?", if: ifBody, in: body),
    ]

    private static let airway: Place = .part(of: "respiratory_symptoms_json")
    private static let ifAirway: Condition = .yes("has_respiratory_symptoms")

    private static let airwayItems: [Item] = [
        .ask("has_respiratory_symptoms", .yesNo, false, "Any trouble with nose, throat or chest?"),
        .ask(
            "congestion",
            .choice([
                .init("none"), .init("stuffyNose", "blocked nose"), .init("runnyNose", "running nose"),
                .init("stuffyAndRunny", "both"),
            ]), "none", "How is your nose?", if: ifAirway, in: airway),
        .ask(
            "throat", .choice(AnswerKind.codes("normal", "dry", "sore", "scratchy")), "normal",
            "How is your throat?", if: ifAirway, in: airway),
        .ask(
            "cough",
            .choice([.init("none"), .init("dryCough", "dry"), .init("productive")]), "none", "Is there a cough?",
            if: ifAirway, in: airway),
        .ask(
            "sinus_pressure", .choice(severity), "none", "Is there pressure in the sinuses?", if: ifAirway, in: airway),
        .ask("feverish", .yesNo, false, "Do you feel feverish?", if: ifAirway, in: airway),
        .ask(
            "sickness",
            .choice([
                .init("no"), .init("comingDown", "coming down with something"), .init("activelySick", "ill now"),
                .init("recovering", "recovering"),
            ]), "no", "Are you ill?", if: ifAirway, in: airway),
    ]

    private static let narcolepsyItems: [Item] = [
        .ask("had_sleep_paralysis", .yesNo, false, "could not move", under: "Did any of these happen?"),
        .ask("had_hallucinations", .yesNo, false, "saw or heard what was not there", under: "Did any of these happen?"),
        .ask("had_automatic_behavior", .yesNo, false, "did things without noticing", under: "Did any of these happen?"),
        .ask("fell_out_of_bed", .yesNo, false, "fell out of bed", under: "Did any of these happen?"),
        .ask("had_confusion_on_waking", .yesNo, false, "woke up confused", under: "Did any of these happen?"),
    ]
}

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
