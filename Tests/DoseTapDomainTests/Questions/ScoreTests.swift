import DoseTapDomain
import Testing

/// R9.9, R9.10: figures that follow from answers.
struct ScoreTests {
    static let scores: [(JSONObject, Int)] = [
        ([:], 58),
        (
            [
                "sleep_quality": 5, "feel_rested": "veryWell", "mental_clarity": 10, "mood": "great",
                "readiness_for_day": 5,
            ], 100
        ),
        (
            [
                "sleep_quality": 1, "feel_rested": "notAtAll", "mental_clarity": 1, "mood": "veryLow",
                "readiness_for_day": 1,
            ],
            18
        ),
        (["has_physical_symptoms": true], 48), (["has_respiratory_symptoms": true], 53),
        (["had_sleep_paralysis": true], 53), (["had_sleep_paralysis": true, "fell_out_of_bed": true], 53),
        (
            [
                "sleep_quality": 1, "feel_rested": "notAtAll", "mental_clarity": 1, "mood": "veryLow",
                "readiness_for_day": 1, "has_physical_symptoms": true, "has_respiratory_symptoms": true,
                "had_hallucinations": true,
            ], 0
        ),
    ]

    @Test(arguments: scores)
    func `R9.9 the wellness score weighs the answers and stays within 0 to 100`(given: JSONObject, score: Int) throws {
        #expect(WellnessScore.of(try Questionnaire.morning.answers(given, at: utc("2026-01-15T07:00:00Z"))) == score)
    }

    @Test func `R9.9 without an answer it needs there is no score`() {
        #expect(WellnessScore.of(.none) == nil)
        #expect(
            WellnessScore.of(
                quality: 3, rested: "from the future", clarity: 5, mood: "good", readiness: 3,
                symptoms: .init(physical: false, respiratory: false, narcolepsy: false)) == nil)
    }

    struct Night: Sendable {
        var bed: String?
        var lights: String?
        var wake: String?
        var latency: Int?
        var awakenings: Int?
        var awake: Int?
        var brief = 0
        var expected: [Int?]
    }

    /// Time in bed, latency, awake after onset, awakenings, asleep, efficiency.
    static let nights = [
        Night(
            bed: "22:00", lights: "22:30", wake: "06:30", latency: 15, awakenings: 2, awake: 25,
            expected: [510, 15, 25, 2, 440, 86]),
        Night(bed: "22:00", wake: "06:00", latency: 0, awakenings: 0, awake: 0, expected: [480, 0, 0, 0, 480, 100]),
        Night(lights: "22:30", wake: "06:30", latency: 15, awake: 25, expected: [480, 15, 25, nil, 440, 92]),
        Night(bed: "22:00", lights: "22:30", wake: "06:30", latency: 15, expected: [510, 15, nil, nil, nil, nil]),
        Night(bed: "22:00", lights: "22:30", wake: "06:30", brief: 3, expected: [510, nil, nil, 3, nil, nil]),
        Night(bed: "22:00", wake: "06:00", awakenings: 1, brief: 3, expected: [480, nil, nil, 1, nil, nil]),
        Night(bed: "22:00", latency: 10, awakenings: 1, awake: 5, expected: [nil, 10, 5, 1, nil, nil]),
        Night(wake: "06:00", expected: [nil, nil, nil, nil, nil, nil]),
        Night(bed: "06:00", wake: "06:00", latency: 0, awake: 0, expected: [nil, 0, 0, nil, nil, nil]),
        Night(
            bed: "22:00", wake: "23:00", latency: 50, awakenings: 1, awake: 30,
            expected: [60, 50, 30, 1, nil, nil]),
    ]

    @Test(arguments: nights)
    func `R9.10 the sleep diary measures what is known and nothing else`(night: Night) {
        func instant(_ clock: String?) -> Instant? {
            clock.map { utc(($0 < "12:00" ? "2026-01-15T" : "2026-01-14T") + $0 + ":00Z") }
        }
        var facts = SleepDiary.Facts()
        facts.inBed = instant(night.bed)
        facts.lightsOut = instant(night.lights)
        facts.finalWake = instant(night.wake)
        facts.briefWakes = night.brief
        facts.latencyMinutes = night.latency
        facts.awakenings = night.awakenings
        facts.awakeMinutes = night.awake
        let logState = SleepDiary(facts)
        #expect(
            [
                logState.timeInBedMinutes, logState.sleepOnsetLatencyMinutes, logState.wakeAfterSleepOnsetMinutes,
                logState.awakenings, logState.totalSleepMinutes, logState.sleepEfficiencyPercent,
            ] == night.expected)
    }
}
