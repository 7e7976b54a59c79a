package import DoseTapDomain

/// The questions and answers of a questionnaire in words: a row for each question, by its key.
package struct QuestionText: Sendable {
    package let prompt: String
    /// The meaning of the ends of a scale, or the form of the answer; may be empty.
    package let hint: String
    /// The codes whose label differs from the code.
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

    /// Returns a code in words for people.
    package func label(_ code: String) -> String {
        labels.first { $0.key == code }?.value ?? Words.answer(String(code.map { $0 == "_" ? " " : $0 }))
    }

    /// Returns a question in a word or two: its key, without the unit that stands beside the answer.
    package static func name(of key: String, _ item: Questionnaire.Item?) -> String {
        var words = key.split(separator: "_").map(String.init)
        if case .whole(_, _, let unit)? = item?.kind, words.count > 1, words.last == unit { words.removeLast() }
        if item?.kind == .instant, words.count > 1, words.last == "at" { words.removeLast() }
        return Words.answer(words.joined(separator: " "))
    }

    /// Returns the heading of questions that are asked together.
    package static func title(_ group: Questionnaire.Group) -> String {
        switch group {
        case .narcolepsy: tr("Did any of these happen?")
        }
    }

    private typealias Question = QuestionText
    private static var progression: KeyValuePairs<String, String> {
        ["much_better": tr("much better"), "same": tr("the same"), "much_worse": tr("much worse")]
    }

    private static func preSleep(_ key: String) -> QuestionText {
        switch key {
        case "intended_sleep_time":
            Question(
                tr("When do you want to sleep?"),
                ["15min": tr("in 15 min"), "30min": tr("in 30 min"), "1hr": tr("in 1 h")])
        case "later_reason": Question(tr("Why later?"), ["not_tired": tr("not tired"), "social": tr("company")])
        case "stress_level": Question(tr("How stressed are you?"), hint: tr("0 not at all, 5 very much"))
        case "stress_drivers": Question(tr("What causes it?"))
        case "stress_progression": Question(tr("How is it compared with yesterday?"), progression)
        case "stress_notes": Question(tr("Anything else about it?"))
        case "body_pain": Question(tr("Does anything hurt?"), ["none": tr("none", context: "feminine")])
        case "pain_entries": Question(tr("Where?"), hint: tr("e.g. knee left 4 aching, neck 2"))
        case "stimulants":
            Question(tr("Any caffeine today?"), ["none": tr("none", context: "neuter"), "multiple": tr("several")])
        case "caffeine_sources": Question(tr("Which ones?"))
        case "caffeine_drink": Question(tr("What was the last one?"), hint: tr("e.g. large filter coffee"))
        case "caffeine_last_at": Question(tr("When was the last one?"))
        case "caffeine_last_mg": Question(tr("How much caffeine was in it?"))
        case "caffeine_total_mg": Question(tr("And in total today?"))
        case "alcohol":
            Question(
                tr("Any alcoholic drinks today?"),
                ["none": tr("none", context: "feminine"), "2-3": tr("2 or 3"), "4+": tr("4 or more")])
        case "alcohol_last_at": Question(tr("When was the last one?"))
        case "alcohol_last_drinks": Question(tr("How much was it?"))
        case "alcohol_total_drinks": Question(tr("And in total today?"))
        case "dose_plan": Question(tr("Do you want to note the plan for tonight's doses?"))
        case "dose_plan_total_mg": Question(tr("How much in total?"))
        case "dose_plan_first_percent": Question(tr("How much of that is dose 1?"))
        case "exercise": Question(tr("Any exercise today?"), ["none": tr("none", context: "feminine")])
        case "exercise_type":
            Question(tr("What kind?"), ["yoga_mobility": tr("yoga or mobility"), "labor": tr("physical work")])
        case "exercise_last_at": Question(tr("When did it end?"))
        case "exercise_min": Question(tr("For how long?"))
        case "nap": Question(tr("Any nap today?"), ["none": tr("none", context: "neuter")])
        case "nap_count": Question(tr("How many?"))
        case "nap_total_min": Question(tr("For how long in total?"))
        case "nap_last_end_at": Question(tr("When did the last one end?"))
        case "late_meal": Question(tr("Did you eat late?"), ["none": tr("none", context: "feminine")])
        case "meal_end_at": Question(tr("When did you finish eating?"))
        case "screens":
            Question(
                tr("Any screen use in the last hours?"),
                ["none": tr("none", context: "masculine"), "30min": tr("30 min"), "1hr+": tr("1 h or more")])
        case "screens_last_at": Question(tr("When did you stop?"))
        case "room_temperature": Question(tr("How warm is the room?"))
        case "room_noise": Question(tr("How quiet is the room?"))
        case "sleep_aids": Question(tr("What helps you sleep tonight?"), ["none": tr("none", context: "feminine")])
        case "notes": Question(tr("Anything else?"))
        default: Question(key)
        }
    }

    private static func morning(_ key: String) -> QuestionText {
        switch key {
        case "sleep_quality": Question(tr("How well did you sleep?"), hint: tr("1 very badly, 5 very well"))
        case "feel_rested":
            Question(
                tr("How rested do you feel?"),
                [
                    "notAtAll": tr("not at all"), "slightly": tr("a little"), "moderate": tr("moderately"),
                    "veryWell": tr("very well"),
                ])
        case "grogginess":
            Question(
                tr("How groggy were you after waking up?"),
                [
                    "none": tr("not at all"), "mild": tr("a little"), "moderate": tr("moderately"),
                    "severe": tr("very"),
                    "cantFunction": tr("could not function"),
                ])
        case "sleep_inertia_duration":
            Question(
                tr("How long did it take until you were fully awake?"),
                [
                    "lessThanFive": tr("under 5 min"), "fiveToFifteen": tr("5 to 15 min"),
                    "fifteenToThirty": tr("15 to 30 min"),
                    "thirtyToSixty": tr("30 to 60 min"), "moreThanHour": tr("over 1 h"),
                ])
        case "dream_recall":
            Question(tr("What do you remember of your dreams?"), ["none": tr("none", context: "feminine")])
        case "mental_clarity": Question(tr("How clear is your thinking?"), hint: tr("1 foggy, 10 clear"))
        case "mood": Question(tr("How is your mood?"), ["veryLow": tr("very low")])
        case "anxiety_level": Question(tr("How anxious are you?"), ["none": tr("none", context: "feminine")])
        case "readiness_for_day": Question(tr("How ready are you for the day?"), hint: tr("1 not at all, 5 fully"))
        case "has_physical_symptoms": Question(tr("Do you have any pain or stiffness?"))
        case "pain_areas": Question(tr("Where?"), ["upperBack": tr("upper back"), "lowerBack": tr("lower back")])
        case "pain_severity": Question(tr("How much does it hurt?"), hint: tr("0 not at all, 10 worst"))
        case "pain_type": Question(tr("What does the pain feel like?"))
        case "pain_entries": Question(tr("More detail about a place?"), hint: tr("e.g. knee left 4 aching, neck 2"))
        case "headache": Question(tr("Is there a headache?"))
        case "headache_severity":
            Question(tr("How bad is the headache?"), ["none": tr("none", context: "feminine")])
        case "headache_location":
            Question(
                tr("Where in the head?"),
                [
                    "backOfHead": tr("back of the head"), "behindEyes": tr("behind the eyes"),
                    "allOver": tr("everywhere"),
                    "oneSide": tr("on one side"),
                ])
        case "headache_migraine": Question(tr("Is it a migraine?"))
        case "muscle_stiffness":
            Question(tr("How stiff are the muscles?"), ["none": tr("none", context: "feminine")])
        case "muscle_soreness":
            Question(tr("How sore are the muscles?"), ["none": tr("none", context: "masculine")])
        case "has_respiratory_symptoms": Question(tr("Any trouble with nose, throat or chest?"))
        case "congestion":
            Question(
                tr("How is your nose?"),
                [
                    "none": tr("none", context: "nose"), "stuffyNose": tr("blocked nose"),
                    "runnyNose": tr("running nose"), "stuffyAndRunny": tr("both"),
                ])
        case "throat": Question(tr("How is your throat?"))
        case "cough":
            Question(tr("Is there a cough?"), ["none": tr("none", context: "masculine"), "dryCough": tr("dry")])
        case "sinus_pressure":
            Question(tr("Is there pressure in the sinuses?"), ["none": tr("none", context: "masculine")])
        case "feverish": Question(tr("Do you feel feverish?"))
        case "sickness":
            Question(
                tr("Are you ill?"),
                [
                    "comingDown": tr("coming down with something"), "activelySick": tr("ill now"),
                    "recovering": tr("recovering"),
                ])
        case "had_sleep_paralysis": Question(tr("could not move"))
        case "had_hallucinations": Question(tr("saw or heard what was not there"))
        case "had_automatic_behavior": Question(tr("did things without noticing"))
        case "fell_out_of_bed": Question(tr("fell out of bed"))
        case "had_confusion_on_waking": Question(tr("woke up confused"))
        case "used_sleep_therapy": Question(tr("Did you sleep with a therapy device?"))
        case "therapy_device":
            Question(
                tr("Which one?"),
                [
                    "none": tr("none", context: "neuter"), "cpap": "CPAP", "bipap": "BiPAP", "apap": "APAP",
                    "oxygenConcentrator": tr("oxygen"),
                    "oralAppliance": tr("oral appliance"), "positionalTherapy": tr("positional"),
                ])
        case "therapy_compliance": Question(tr("For how much of the night?"))
        case "has_sleep_environment": Question(tr("Do you want to note how the room was?"))
        case "sleep_aids":
            Question(
                tr("What did you use for sleep?"),
                [
                    "eyeMask": tr("eye mask"), "whiteNoise": tr("white noise"),
                    "weightedBlanket": tr("weighted blanket"),
                    "sleepMeditation": tr("meditation"), "breathingExercises": tr("breathing exercises"),
                    "sleepPodcast": tr("podcast"), "cbdThc": tr("CBD or THC"), "tvOn": tr("TV on"),
                    "phoneInBed": tr("phone in bed"),
                ])
        case "room_darkness": Question(tr("How dark was it?"), ["pitchBlack": tr("black"), "dimLight": tr("dim")])
        case "room_noise":
            Question(tr("How quiet was it?"), ["whiteNoise": tr("white noise"), "someNoise": tr("some noise")])
        case "screen_time":
            Question(
                tr("How long did you look at a screen in bed?"),
                [
                    "none": tr("none", context: "feminine"), "lessThanFifteen": tr("under 15 min"),
                    "fifteenToThirty": tr("15 to 30 min"), "thirtyToSixty": tr("30 to 60 min"),
                    "moreThanHour": tr("over 1 h"),
                ])
        case "room_temperature":
            Question(tr("How warm was it?"), ["tooCold": tr("too cold"), "tooWarm": tr("too warm")])
        case "partner_disruption": Question(tr("Did a partner or a pet disturb you?"))
        case "environment_notes": Question(tr("Anything else about the room?"))
        case "stress_level": Question(tr("How stressed are you?"), hint: tr("1 hardly, 5 very much"))
        case "stress_drivers": Question(tr("What causes it?"))
        case "stress_progression": Question(tr("How is it compared with yesterday?"), progression)
        case "stress_notes": Question(tr("Anything else about it?"))
        case "sleep_latency_min": Question(tr("How many minutes did it take to fall asleep?"))
        case "awakenings": Question(tr("How many times did you wake up, not counting the last?"))
        case "awake_after_onset_min": Question(tr("How many minutes were you awake during the night?"))
        case "notes": Question(tr("Anything else?"))
        default: Question(key)
        }
    }
}

/// The questions in the form of the D-Bus call `Questions` and of `--questions`.
extension QuestionText {
    /// Returns one object for each question, in the order of the questionnaire.
    package static func json(_ questionnaire: Questionnaire) -> [JSONObject] {
        questionnaire.items.map { json($0, of($0.key, in: questionnaire.kind)) }
    }

    /// Returns `key`, `kind`, `prompt`; if present `default`, `hint`, `title`, `column`, `codes` with `labels`, `minimum` and
    /// `maximum`, `step`, `unit`, `characters`; and `asked_if` with `asked_if_is` or `asked_if_is_not`.
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
