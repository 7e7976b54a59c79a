package import DoseTapDomain

/// What a questionnaire asks and how its answers read: a row for each question, by its key.
package struct QuestionText: Sendable {
    package let prompt: String
    /// What the ends of a scale mean, or how to write the answer; may be empty.
    package let hint: String
    /// The codes whose label is not the code itself.
    private let labels: KeyValuePairs<String, String>

    private init(_ prompt: String, hint: String = "", _ labels: KeyValuePairs<String, String> = [:]) {
        self.prompt = prompt
        self.hint = hint
        self.labels = labels
    }

    package static func of(_ key: String, in kind: Questionnaire.Kind) -> QuestionText {
        switch kind {
        case .morning: morning(key)
        case .preSleep: preSleep(key)
        }
    }

    /// A code as people read it.
    package func label(_ code: String) -> String {
        labels.first { $0.key == code }?.value ?? String(code.map { $0 == "_" ? " " : $0 })
    }

    /// What was asked, in a word or two: its key, without the unit that stands beside the answer.
    static func name(of key: String, _ item: Questionnaire.Item?) -> String {
        var words = key.split(separator: "_").map(String.init)
        if case .whole(_, _, let unit)? = item?.kind, words.count > 1, words.last == unit { words.removeLast() }
        if item?.kind == .instant, words.count > 1, words.last == "at" { words.removeLast() }
        return words.joined(separator: " ")
    }

    /// What stands over questions that are asked together.
    package static func title(_ group: Questionnaire.Group) -> String {
        switch group {
        case .narcolepsy: "Did any of these happen?"
        }
    }

    private typealias Question = QuestionText
    private static var progression: KeyValuePairs<String, String> {
        ["much_better": "much better", "same": "the same", "much_worse": "much worse"]
    }

    private static func preSleep(_ key: String) -> QuestionText {
        switch key {
        case "intended_sleep_time":
            Question("When do you want to sleep?", ["15min": "in 15 min", "30min": "in 30 min", "1hr": "in 1 h"])
        case "later_reason": Question("Why later?", ["not_tired": "not tired", "social": "company"])
        case "stress_level": Question("How stressed are you?", hint: "0 not at all, 5 very much")
        case "stress_drivers": Question("What causes it?")
        case "stress_progression": Question("How is it compared with yesterday?", progression)
        case "stress_notes": Question("Anything else about it?")
        case "body_pain": Question("Does anything hurt?")
        case "pain_entries": Question("Where?", hint: "e.g. knee left 4 aching, neck 2")
        case "stimulants": Question("Any caffeine today?", ["multiple": "several"])
        case "caffeine_sources": Question("Which ones?")
        case "caffeine_drink": Question("What was the last one?", hint: "e.g. large filter coffee")
        case "caffeine_last_at": Question("When was the last one?")
        case "caffeine_last_mg": Question("How much caffeine was in it?")
        case "caffeine_total_mg": Question("And in total today?")
        case "alcohol": Question("Any alcoholic drinks today?", ["2-3": "2 or 3", "4+": "4 or more"])
        case "alcohol_last_at": Question("When was the last one?")
        case "alcohol_last_drinks": Question("How much was it?")
        case "alcohol_total_drinks": Question("And in total today?")
        case "dose_plan": Question("Do you want to note the plan for tonight's doses?")
        case "dose_plan_total_mg": Question("How much in total?")
        case "dose_plan_first_percent": Question("How much of that is dose 1?")
        case "exercise": Question("Any exercise today?")
        case "exercise_type": Question("What kind?", ["yoga_mobility": "yoga or mobility", "labor": "physical work"])
        case "exercise_last_at": Question("When did it end?")
        case "exercise_min": Question("For how long?")
        case "nap": Question("Any nap today?")
        case "nap_count": Question("How many?")
        case "nap_total_min": Question("For how long in total?")
        case "nap_last_end_at": Question("When did the last one end?")
        case "late_meal": Question("Did you eat late?")
        case "meal_end_at": Question("When did you finish eating?")
        case "screens": Question("Any screen use in the last hours?", ["30min": "30 min", "1hr+": "1 h or more"])
        case "screens_last_at": Question("When did you stop?")
        case "room_temperature": Question("How warm is the room?")
        case "room_noise": Question("How quiet is the room?")
        case "sleep_aids": Question("What helps you sleep tonight?")
        case "notes": Question("Anything else?")
        default: Question(key)
        }
    }

    private static func morning(_ key: String) -> QuestionText {
        switch key {
        case "sleep_quality": Question("How well did you sleep?", hint: "1 very badly, 5 very well")
        case "feel_rested":
            Question(
                "How rested do you feel?",
                ["notAtAll": "not at all", "slightly": "a little", "moderate": "moderately", "veryWell": "very well"])
        case "grogginess":
            Question(
                "How groggy were you after waking up?",
                [
                    "none": "not", "mild": "a little", "moderate": "moderately", "severe": "very",
                    "cantFunction": "could not function",
                ])
        case "sleep_inertia_duration":
            Question(
                "How long did it take until you were fully awake?",
                [
                    "lessThanFive": "under 5 min", "fiveToFifteen": "5 to 15 min", "fifteenToThirty": "15 to 30 min",
                    "thirtyToSixty": "30 to 60 min", "moreThanHour": "over 1 h",
                ])
        case "dream_recall": Question("What do you remember of your dreams?")
        case "mental_clarity": Question("How clear is your thinking?", hint: "1 foggy, 10 clear")
        case "mood": Question("How is your mood?", ["veryLow": "very low"])
        case "anxiety_level": Question("How anxious are you?")
        case "readiness_for_day": Question("How ready are you for the day?", hint: "1 not at all, 5 fully")
        case "has_physical_symptoms": Question("Do you have any pain or stiffness?")
        case "pain_areas": Question("Where?", ["upperBack": "upper back", "lowerBack": "lower back"])
        case "pain_severity": Question("How much does it hurt?", hint: "0 not at all, 10 worst")
        case "pain_type": Question("What does the pain feel like?")
        case "pain_entries": Question("More detail about a place?", hint: "e.g. knee left 4 aching, neck 2")
        case "headache": Question("Is there a headache?")
        case "headache_severity": Question("How bad is the headache?")
        case "headache_location":
            Question(
                "Where in the head?",
                [
                    "backOfHead": "back of the head", "behindEyes": "behind the eyes", "allOver": "everywhere",
                    "oneSide": "on one side",
                ])
        case "headache_migraine": Question("Is it a migraine?")
        case "muscle_stiffness": Question("How stiff are the muscles?")
        case "muscle_soreness": Question("How sore are the muscles?")
        case "has_respiratory_symptoms": Question("Any trouble with nose, throat or chest?")
        case "congestion":
            Question(
                "How is your nose?",
                ["stuffyNose": "blocked nose", "runnyNose": "running nose", "stuffyAndRunny": "both"])
        case "throat": Question("How is your throat?")
        case "cough": Question("Is there a cough?", ["dryCough": "dry"])
        case "sinus_pressure": Question("Is there pressure in the sinuses?")
        case "feverish": Question("Do you feel feverish?")
        case "sickness":
            Question(
                "Are you ill?",
                ["comingDown": "coming down with something", "activelySick": "ill now", "recovering": "recovering"])
        case "had_sleep_paralysis": Question("could not move")
        case "had_hallucinations": Question("saw or heard what was not there")
        case "had_automatic_behavior": Question("did things without noticing")
        case "fell_out_of_bed": Question("fell out of bed")
        case "had_confusion_on_waking": Question("woke up confused")
        case "used_sleep_therapy": Question("Did you sleep with a therapy device?")
        case "therapy_device":
            Question(
                "Which one?",
                [
                    "cpap": "CPAP", "bipap": "BiPAP", "apap": "APAP", "oxygenConcentrator": "oxygen",
                    "oralAppliance": "oral appliance", "positionalTherapy": "positional",
                ])
        case "therapy_compliance": Question("For how much of the night?")
        case "has_sleep_environment": Question("Do you want to note how the room was?")
        case "sleep_aids":
            Question(
                "What did you use for sleep?",
                [
                    "eyeMask": "eye mask", "whiteNoise": "white noise", "weightedBlanket": "weighted blanket",
                    "sleepMeditation": "meditation", "breathingExercises": "breathing exercises",
                    "sleepPodcast": "podcast", "cbdThc": "CBD or THC", "tvOn": "TV on", "phoneInBed": "phone in bed",
                ])
        case "room_darkness": Question("How dark was it?", ["pitchBlack": "black", "dimLight": "dim"])
        case "room_noise": Question("How quiet was it?", ["whiteNoise": "white noise", "someNoise": "some noise"])
        case "screen_time":
            Question(
                "How long did you look at a screen in bed?",
                [
                    "lessThanFifteen": "under 15 min", "fifteenToThirty": "15 to 30 min",
                    "thirtyToSixty": "30 to 60 min", "moreThanHour": "over 1 h",
                ])
        case "room_temperature": Question("How warm was it?", ["tooCold": "too cold", "tooWarm": "too warm"])
        case "partner_disruption": Question("Did a partner or a pet disturb you?")
        case "environment_notes": Question("Anything else about the room?")
        case "stress_level": Question("How stressed are you?", hint: "1 hardly, 5 very much")
        case "stress_drivers": Question("What causes it?")
        case "stress_progression": Question("How is it compared with yesterday?", progression)
        case "stress_notes": Question("Anything else about it?")
        case "sleep_latency_min": Question("How many minutes did it take to fall asleep?")
        case "awakenings": Question("How many times did you wake up, not counting the last?")
        case "awake_after_onset_min": Question("How many minutes were you awake during the night?")
        case "notes": Question("Anything else?")
        default: Question(key)
        }
    }
}

/// The questions as D-Bus `Questions` answers them and `--questions` prints them.
extension QuestionText {
    /// One object a question, in the order in which they are asked.
    package static func json(_ questionnaire: Questionnaire) -> [JSONObject] {
        questionnaire.items.map { json($0, of($0.key, in: questionnaire.kind)) }
    }

    /// `key`, `kind`, `prompt`; where there is one `default`, `hint`, `title`, `column`, `codes` with `labels`,
    /// `minimum` and `maximum`, `step`, `unit`, `characters`; and `asked_if` with `asked_if_is` or `asked_if_is_not`.
    private static func json(_ item: Questionnaire.Item, _ text: QuestionText) -> JSONObject {
        var object: JSONObject = [
            "key": .string(item.key), "kind": .string(item.kind.word), "prompt": .string(text.prompt),
        ]
        if let defaultValue = item.defaultValue { object["default"] = defaultValue }
        if !text.hint.isEmpty { object["hint"] = .string(text.hint) }
        object["title"] = item.group.map { .string(title($0)) }
        switch item.place {
        case .column: object["column"] = .string(item.key)
        case .part(let column): object["column"] = .string(column)
        case .log: break
        }
        describe(item.kind, text, in: &object)
        if let condition = item.condition {
            object["asked_if"] = .string(condition.key)
            let name = condition.isWanted ? "asked_if_is" : "asked_if_is_not"
            if !condition.value.isNull { object[name] = condition.value }
        }
        return object
    }

    private static func describe(_ kind: AnswerKind, _ text: QuestionText, in object: inout JSONObject) {
        switch kind {
        case .whole(let range, let step, let unit):
            object["minimum"] = .integer(Int64(range.lowerBound))
            object["maximum"] = .integer(Int64(range.upperBound))
            if step != 1 { object["step"] = .integer(Int64(step)) }
            if !unit.isEmpty { object["unit"] = .string(unit) }
        case .decimal(let range, let unit):
            object["minimum"] = .number(range.lowerBound)
            object["maximum"] = .number(range.upperBound)
            object["unit"] = .string(unit)
        case .choice(let choices), .choices(let choices):
            object["codes"] = .array(choices.map { .string($0.code) })
            object["labels"] = .array(choices.map { .string(text.label($0.code)) })
        case .text(let scalars): object["characters"] = .integer(Int64(scalars))
        case .pains:
            object["areas"] = .array(PainEntry.areas.map { .string($0.code) })
            object["sides"] = .array(PainEntry.sides.map { .string($0.code) })
            object["sensations"] = .array(PainEntry.sensations.map { .string($0.code) })
            object["patterns"] = .array(PainEntry.patterns.map { .string($0.code) })
        case .yesNo, .instant: break
        }
    }
}
