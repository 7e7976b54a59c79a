import DoseTapDomain
import Testing

/// R9.1–R9.5, R10.1: the answers of the questionnaires.
struct QuestionnaireTests {
    static let moment = utc("2026-01-15T07:00:00Z")

    struct Case: Sendable, CustomTestStringConvertible {
        var kind: Questionnaire.Kind = .morning
        var given: JSONObject
        var answers: JSONObject = [:]
        var fault: String?
        var testDescription: String { "\(JSONValue.object(given))" }
    }

    private func answers(_ test: Case, continuing earlier: Answers = .none) throws(AnswerFault) -> Answers {
        try Questionnaire.of(test.kind).answers(test.given, continuing: earlier, at: Self.moment)
    }

    static let taken = [
        Case(given: ["mood": "good"], answers: ["mood": "good", "sleep_quality": 3, "anxiety_level": "none"]),
        Case(given: ["feel_rested": "not_at_all"], answers: ["feel_rested": "notAtAll"]),
        Case(
            given: ["sleep_inertia_duration": "FIVE-to-fifteen"], answers: ["sleep_inertia_duration": "fiveToFifteen"]),
        Case(given: ["mental_clarity": 10], answers: ["mental_clarity": 10]),
        Case(given: ["mood": nil, "notes": "  "], answers: ["mood": "neutral", "notes": nil]),
        Case(given: ["notes": " a\nb "], answers: ["notes": "a\nb"]),
        // A detail answers its parent question with yes.
        Case(
            given: ["headache_location": "temples"],
            answers: [
                "has_physical_symptoms": true, "headache": true, "headache_location": "temples",
                "headache_severity": "mild", "pain_severity": 0, "has_respiratory_symptoms": false, "congestion": nil,
            ]),
        // A detail that is denied does not.
        Case(
            given: ["headache": false, "muscle_soreness": "none", "pain_severity": 0],
            answers: [
                "has_physical_symptoms": false, "headache": false, "muscle_soreness": "none", "pain_severity": 0,
                "muscle_stiffness": nil,
            ]),
        Case(
            given: ["has_physical_symptoms": false, "headache": false],
            answers: ["has_physical_symptoms": false, "headache": false]),
        Case(
            given: ["headache": false, "pain_areas": ["neck"]],
            answers: ["has_physical_symptoms": true, "headache": false, "pain_areas": ["neck"]]),
        Case(
            given: ["headache_migraine": false],
            answers: ["has_physical_symptoms": false, "headache": nil, "headache_migraine": false]),
        Case(
            given: ["cough": "none", "throat": "normal", "sickness": "no"],
            answers: ["has_respiratory_symptoms": false, "cough": "none", "throat": "normal", "sickness": "no"]),
        Case(
            given: ["therapy_device": "none"],
            answers: ["used_sleep_therapy": false, "therapy_device": "none", "therapy_compliance": nil]),
        Case(
            given: ["partner_disruption": false],
            answers: ["has_sleep_environment": true, "partner_disruption": false]),
        Case(given: ["pain_areas": ["neck", "Head", "neck"]], answers: ["pain_areas": ["head", "neck"]]),
        Case(
            given: ["pain_entries": ["knee left 4 aching constant", ["area": "neck"], "left knee 2"]],
            answers: [
                "pain_entries": [
                    ["area": "neck", "side": "na"], ["area": "knee", "side": "left", "intensity": 2],
                ]
            ]),
        Case(kind: .preSleep, given: ["alcohol": "2-3"], answers: ["alcohol": "2-3", "stimulants": nil]),
        Case(kind: .preSleep, given: ["stress_level": 0], answers: ["stress_level": 0, "stress_drivers": nil]),
        Case(
            kind: .preSleep, given: ["stimulants": "multiple", "caffeine_sources": ["tea", "coffee"]],
            answers: ["stimulants": "multiple", "caffeine_sources": ["coffee", "tea"]]),
        Case(
            kind: .preSleep, given: ["alcohol": "1", "alcohol_last_drinks": 1.0, "alcohol_total_drinks": 2.5],
            answers: ["alcohol_last_drinks": 1, "alcohol_total_drinks": 2.5]),
        Case(
            kind: .preSleep, given: ["stimulants": "tea", "caffeine_last_at": "2026-01-15T08:00:00+02:00"],
            answers: ["caffeine_last_at": "2026-01-15T06:00:00.000Z"]),
        Case(
            kind: .preSleep, given: ["dose_plan": true],
            // The person named no amount, and the program must not name one.
            answers: ["dose_plan_total_mg": nil, "dose_plan_first_percent": nil]),
    ]

    @Test(arguments: taken)
    func `R9.2 R9.3 answers are completed and stored as codes`(test: Case) throws {
        let answers = try answers(test)
        for entry in test.answers {
            #expect(answers[entry.key] == (entry.value.isNull ? JSONValue?.none : entry.value), "\(entry.key)")
        }
        // Stored answers are accepted again unchanged.
        let again = try Questionnaire.of(test.kind).answers(answers.values, at: Self.moment)
        #expect(again == answers)
    }

    static let refused = [
        Case(given: ["moood": "good"], fault: "there is no question 'moood'; the nearest is 'mood'"),
        Case(given: ["sleep_quality": 9], fault: "9 is outside 1 to 5; the nearest is 5"),
        Case(given: ["sleep_quality": 0], fault: "the nearest is 1"),
        Case(given: ["sleep_quality": 3.5], fault: "3.5 is no whole number from 1 to 5"),
        Case(given: ["sleep_quality": "3"], fault: "'3' is no whole number"),
        Case(given: ["mood": "grate"], fault: "none of veryLow, low, neutral, good, great; the nearest is 'great'"),
        Case(given: ["mood": 3], fault: "no code; known: veryLow"),
        Case(given: ["had_hallucinations": "yes"], fault: "neither true nor false"),
        Case(given: ["pain_areas": "neck"], fault: "no list of codes"),
        Case(given: ["pain_areas": ["nek"]], fault: "the nearest is 'neck'"),
        Case(given: ["notes": "a\u{1B}[2J"], fault: "control"),
        Case(given: ["notes": .string(String(repeating: "x", count: 4_001))], fault: "longer than 4000"),
        Case(
            given: ["has_physical_symptoms": false, "pain_severity": 3], fault: "needs has_physical_symptoms to be true"
        ),
        Case(given: ["stress_notes": "x"], fault: "needs stress_level to be an answer"),
        Case(given: ["pain_entries": ["knee lft 4"]], fault: "the nearest is 'left'"),
        Case(given: ["pain_entries": ["left 4"]], fault: "pain_entries.area: it is missing"),
        Case(given: ["pain_entries": [["area": "knee", "intensity": 11]]], fault: "nearest is 10"),
        Case(given: ["pain_entries": [["area": "knee", "colour": "red"]]], fault: "'colour' is none of area"),
        Case(given: ["pain_entries": .array(Array(repeating: "knee", count: 41))], fault: "more than 40"),
        Case(
            kind: .preSleep, given: ["alcohol_last_drinks": 1], fault: "needs alcohol to be something other than none"),
        Case(kind: .preSleep, given: ["alcohol": "1", "alcohol_last_drinks": .number(.infinity)], fault: "no number"),
        Case(kind: .preSleep, given: ["later_reason": "work"], fault: "needs intended_sleep_time to be later"),
        Case(
            kind: .preSleep, given: ["alcohol": "1", "alcohol_last_drinks": 2, "alcohol_total_drinks": 1],
            fault: "the least is 2"),
        Case(
            kind: .preSleep, given: ["dose_plan_total_mg": 4_600],
            fault: "no step of 250; the nearest are 4500 and 4750"),
        Case(
            kind: .preSleep, given: ["dose_plan_total_mg": 500, "dose_plan_first_percent": 40],
            fault: "a part of 200 mg"),
        Case(kind: .preSleep, given: ["sleep_aids": ["none", "fan"]], fault: "'none' stands alone"),
        Case(
            kind: .preSleep, given: ["nap": "short", "nap_last_end_at": "2026-01-15T07:02:00Z"], fault: "the latest"),
        Case(
            kind: .preSleep, given: ["nap": "short", "nap_last_end_at": "2026-01-12T07:02:00Z"], fault: "the earliest"),
        Case(kind: .preSleep, given: ["nap": "short", "nap_last_end_at": "noon"], fault: "no instant"),
    ]

    @Test(arguments: refused)
    func `R9.4 what cannot be answered is refused with the nearest that can`(test: Case) throws {
        let fault = #expect(throws: AnswerFault.self) { try answers(test) }
        #expect(fault?.description.contains(test.fault ?? "") == true, "\(fault?.description ?? "")")
    }

    @Test func `R9.5 what is continued keeps what it said, and details go with what they are details of`() throws {
        let questions = Questionnaire.morning
        let first = try questions.answers(["mood": "low", "throat": "sore", "notes": "n"], at: Self.moment)
        let second = try questions.answers(["sleep_quality": 5], continuing: first, at: Self.moment)
        #expect(second["mood"] == "low" && second["sleep_quality"] == 5 && second["throat"] == "sore")
        let third = try questions.answers(
            ["has_respiratory_symptoms": false, "notes": nil], continuing: second, at: Self.moment)
        #expect(third["throat"] == nil && third["notes"] == nil && third["mood"] == "low")
        #expect(third["congestion"] == nil, "a default that nobody answered")
    }

    @Test func `R9.3 what is denied lowers no score, stands in later saves, and is a detail again after a yes`() throws
    {
        let questions = Questionnaire.morning
        var answers = try questions.answers(["mood": "good"], at: Self.moment)
        #expect(WellnessScore.of(answers) == 61)
        for given: JSONObject in [["headache": false], ["throat": "normal"], ["sleep_quality": 3]] {
            answers = try questions.answers(given, continuing: answers, at: Self.moment)
            #expect(WellnessScore.of(answers) == 61, "\(given)")
        }
        #expect(answers["headache"] == false && answers["throat"] == "normal" && answers["cough"] == nil)
        let sore = try questions.answers(["muscle_soreness": "mild"], continuing: answers, at: Self.moment)
        #expect(sore["has_physical_symptoms"] == true && sore["headache"] == false && WellnessScore.of(sore) == 51)
        let ill = try questions.answers(["headache": true], continuing: answers, at: Self.moment)
        #expect(ill["headache"] == true && WellnessScore.of(ill) == 51)
    }

    @Test(arguments: Questionnaire.Kind.allCases)
    func `R9.1 every question is whole`(kind: Questionnaire.Kind) throws {
        let items = Questionnaire.of(kind).items
        #expect(Set(items.map(\.key)).count == items.count)
        for (place, item) in items.enumerated() {
            #expect(Set(item.kind.choices.map(\.code)).count == item.kind.choices.count)
            if let value = item.defaultValue {
                #expect(try item.checked(value, at: Self.moment) == value, "\(item.key)")
            }
            if let condition = item.condition {
                #expect(items[..<place].contains { $0.key == condition.key }, "\(item.key)")
            }
        }
    }

    @Test func `R9.1 all columns of the check-in are asked, with the defaults of the table`() throws {
        let defaults = try Questionnaire.morning.answers([:], at: Self.moment)
        let expected: JSONObject = [
            "sleep_quality": 3, "feel_rested": "moderate", "grogginess": "mild",
            "sleep_inertia_duration": "fiveToFifteen", "dream_recall": "none", "mental_clarity": 5, "mood": "neutral",
            "anxiety_level": "none", "readiness_for_day": 3, "has_physical_symptoms": false,
            "has_respiratory_symptoms": false, "had_sleep_paralysis": false, "had_hallucinations": false,
            "had_automatic_behavior": false, "fell_out_of_bed": false, "had_confusion_on_waking": false,
            "used_sleep_therapy": false, "has_sleep_environment": false,
        ]
        #expect(defaults.values == expected)
        #expect(try Questionnaire.preSleep.answers([:], at: Self.moment).isEmpty)
    }
}
