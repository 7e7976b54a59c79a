import DoseTapDomain
import Testing

/// R13: figures of past nights.
struct PlanAndFiguresTests {
    static func facts(_ change: (inout NightScore.Facts) -> Void) -> NightScore.Facts {
        var facts = NightScore.Facts()
        (facts.dose1, facts.lightsOut, facts.finalWake, facts.checkIn) = (true, true, true, true)
        change(&facts)
        return facts
    }

    /// A complete night with both doses at this interval.
    static func interval(_ seconds: Int64) -> NightScore.Facts {
        facts { facts in
            facts.dose2 = true
            facts.interval = .seconds(seconds)
        }
    }

    static let scores: [(NightScore.Facts, Int)] = [
        (NightScore.Facts(), 0),
        (interval(165 * 60), 100), (interval(150 * 60), 95), (interval(240 * 60), 76), (interval(202 * 60 + 30), 88),
        (interval(150 * 60 - 1), 58), (interval(240 * 60 + 1), 58), (interval(-60), 58),
        (facts { $0.skipped = true }, 52), (facts { _ in }, 32),
        (facts { $0.onceNightly = true }, 100),
        (facts { ($0.checkIn, $0.lightsOut, $0.finalWake) = (false, false, false) }, 9),
        // An interval without a second dose does not count.
        (facts { $0.interval = .minutes(165) }, 32),
        // Nights with recorded sleep follow.
        (
            facts {
                ($0.dose2, $0.interval, $0.totalSleepMinutes) = (true, .minutes(165), 420)
            }, 100
        ),
        (facts { ($0.dose2, $0.interval, $0.totalSleepMinutes) = (true, .minutes(165), 210) }, 93),
        (
            facts {
                ($0.dose2, $0.interval, $0.totalSleepMinutes, $0.deepSleepMinutes) = (true, .minutes(165), 420, 45)
            }, 97
        ),
        (
            facts {
                ($0.dose2, $0.interval, $0.totalSleepMinutes, $0.deepSleepMinutes) = (true, .minutes(165), 420, 0)
            }, 94
        ),
        (facts { ($0.dose2, $0.interval, $0.deepSleepMinutes) = (true, .minutes(165), 0) }, 100),
        (facts { ($0.dose2, $0.interval, $0.totalSleepMinutes) = (true, .minutes(165), -5) }, 85),
    ]

    @Test(arguments: scores)
    func `R13.1 the night score weighs what is known`(facts: NightScore.Facts, score: Int) {
        #expect(NightScore.of(facts) == score)
    }

    @Test(arguments: [
        (100, NightScore.Grade.excellent), (85, .excellent), (84, .good), (70, .good), (69, .fair), (50, .fair),
        (49, .needsWork), (0, .needsWork),
    ])
    func `R13.1 a score has a word`(score: Int, grade: NightScore.Grade) { #expect(NightScore.grade(score) == grade) }

    static let zones: [(Int64?, Effectiveness.Zone)] = [
        (nil, .nonCompliant), (-1, .nonCompliant), (8_999_999, .nonCompliant), (9_000_000, .optimal),
        (9_900_000, .optimal), (9_900_001, .acceptable), (9_900_030, .acceptable), (14_399_999, .acceptable),
        (14_400_000, .nonCompliant),
    ]

    @Test(arguments: zones)
    func `R13.2 zones meet without a gap, and are on time by the one definition`(
        milliseconds: Int64?, zone: Effectiveness.Zone
    ) {
        let interval = milliseconds.map { Duration.milliseconds($0) }
        #expect(Effectiveness.Zone(interval: interval) == zone)
        #expect(Effectiveness.compliance([interval]) == (interval.map(DoseWindow.isOnTime) == true ? 1 : 0))
    }

    @Test func `R13.2 compliance is the share on time of all nights, unknown without one`() {
        #expect(Effectiveness.compliance([]) == nil)
        #expect(Effectiveness.compliance([.minutes(160), nil, .minutes(239), .minutes(240)]) == 0.5)
        #expect(Effectiveness.isPairable(interval: .minutes(160), totalSleepMinutes: 400))
        #expect(!Effectiveness.isPairable(interval: .minutes(160), totalSleepMinutes: nil))
        #expect(!Effectiveness.isPairable(interval: nil, totalSleepMinutes: 400))
    }

    static let trends: [([Int], Effectiveness.Trend.Direction?)] = [
        ([140, 165, 165], nil), ([140, 140, 165, 165], .towardsTarget), ([165, 165, 140, 140], .awayFromTarget),
        ([200, 200, 180, 180, 180], .towardsTarget), ([165, 165, 190, 190, 190], .awayFromTarget),
        ([165, 165, 168, 168], .stable), ([165, 165, 169, 169], .awayFromTarget),
        ([155, 155, 175, 175], .stable), ([150, 150, 181, 181], .awayFromTarget),
        // The half of an odd number is rounded down: 150 against (150 + 150 + 180) / 3.
        ([150, 150, 150, 150, 180], .towardsTarget),
    ]

    @Test(arguments: trends)
    func `R13.3 the trend is towards the target or away from it`(
        minutes: [Int], direction: Effectiveness.Trend.Direction?
    ) {
        let trend = Effectiveness.trend(minutes.map { .minutes($0) }, targetMinutes: 165)
        #expect(trend?.direction == direction)
    }

    typealias Live = IntervalRecommendation.Live
    static let recommendations: [([Int], Live?, Int)] = [
        ([], nil, 165), ([149, 241], nil, 165), ([150, 152], nil, 165), ([170, 181], nil, 175),
        ([170, 190, 181], nil, 181),
        ([240, 240], nil, 225), ([149, 200], nil, 200),
        ([200], Live(minutes: 160, stage: .awake), 160), ([200], Live(minutes: 150, stage: .light), 150),
        ([200], Live(minutes: 240, stage: .awake), 240), ([200], Live(minutes: 149, stage: .light), 210),
        ([200], Live(minutes: 241, stage: .awake), 200), ([200], Live(minutes: 179, stage: .deep), 210),
        ([200], Live(minutes: 180, stage: .rem), 200), ([225], Live(minutes: 10, stage: .deep), 235),
        ([200], Live(minutes: 160, stage: nil), 200),
    ]

    @Test(arguments: recommendations)
    func `R13.4 an interval follows from earlier nights and from the moment`(samples: [Int], live: Live?, minutes: Int)
    {
        #expect(IntervalRecommendation.minutes(samples, live: live) == minutes)
    }

    /// Zone, date, wake by, in bed by, wind down, with the defaults.
    static let plans = [
        ("UTC", "2026-01-14", "2026-01-15T07:30:00.000Z", "2026-01-14T23:15:00.000Z", "2026-01-14T22:55:00.000Z"),
        // The clock goes forward in the night: eight true hours.
        (
            "Europe/Berlin", "2026-03-28", "2026-03-29T05:30:00.000Z", "2026-03-28T21:15:00.000Z",
            "2026-03-28T20:55:00.000Z"
        ),
        // The morning's date has no local midnight.
        (
            "America/Sao_Paulo", "2018-11-03", "2018-11-04T09:30:00.000Z", "2018-11-04T01:15:00.000Z",
            "2018-11-04T00:55:00.000Z"
        ),
        // The night's date has no local midnight.
        (
            "America/Sao_Paulo", "2018-11-04", "2018-11-05T09:30:00.000Z", "2018-11-05T01:15:00.000Z",
            "2018-11-05T00:55:00.000Z"
        ),
    ]

    @Test(arguments: plans)
    func `R13.5 a sleep plan is worked back from the wake time of the morning after`(
        zone: String, date: String, wake: String, bed: String, windDown: String
    ) throws {
        let plan = SleepPlan(of: try SessionDate(text: date), in: try SystemZones.zone(zone))
        #expect([plan.wakeBy, plan.inBedBy, plan.windDownStart].map(\.iso8601) == [wake, bed, windDown])
        #expect(plan.expectedSleepMinutes(from: plan.inBedBy) == 480)
        #expect(plan.expectedSleepMinutes(from: plan.wakeBy) == 0)
        #expect(plan.expectedSleepMinutes(from: plan.inBedBy + .seconds(30)) == 479.5)
    }

    @Test func `R13.5 a weekday has its own wake time, one that is jumped over counts at the jump`() throws {
        var schedule = SleepPlan.Schedule()
        schedule.wakeTimes = [.thursday: try ClockTime(text: "06:00"), .sunday: try ClockTime(text: "02:30")]
        func wake(_ date: String, _ zone: Zone) throws -> String {
            SleepPlan(of: try SessionDate(text: date), schedule, in: zone).wakeBy.iso8601
        }
        #expect(try wake("2026-01-14", .utc) == "2026-01-15T06:00:00.000Z")
        #expect(try wake("2026-01-15", .utc) == "2026-01-16T07:30:00.000Z")
        #expect(try wake("2026-03-28", try SystemZones.zone("Europe/Berlin")) == "2026-03-29T01:00:00.000Z")
        schedule.targetMinutes = .max
        let plan = SleepPlan(of: try SessionDate(text: "0001-01-01"), schedule, in: .utc)
        #expect(plan.inBedBy <= plan.wakeBy)
    }

    typealias Act = (after: Int, command: Command)
    static let outcomes: [([Act], NightOutcome, Bool)] = [
        ([(0, .logSleepEvent("water"))], .noDose1, true), ([(0, .logDose(.dose1))], .pending, true),
        ([(0, .logDose(.dose1)), (150, .logDose(.dose2))], .onTime, true),
        ([(0, .logDose(.dose1)), (149, .logDose(.dose2))], .early, true),
        ([(0, .logDose(.dose1)), (240, .logDose(.dose2))], .late, true),
        ([(0, .logDose(.dose1)), (60, .skipDose2)], .skipped, true),
        ([(0, .logDose(.dose1)), (60, .skipDose2), (170, .logDose(.dose2))], .onTime, true),
        ([(0, .logDose(.dose1)), (271, .logSleepEvent("water"))], .notRecorded, true),
        ([(0, .logDose(.dose1)), (160, .logDose(.dose2)), (480, .saveCheckIn([:], night: nil))], .onTime, false),
    ]

    @Test(arguments: outcomes)
    func `R13.6 a night has one outcome, and a score once it is over`(acts: [Act], outcome: NightOutcome, open: Bool)
        throws
    {
        var machine = SimulatedMachine.evening()
        var passed = 0
        for act in acts {
            machine.pass(.minutes(act.after - passed))
            passed = act.after
            machine.settle()
            try machine.performConfirmed(act.command)
        }
        let night = try #require(machine.night)
        #expect(NightOutcome(night) == outcome)
        #expect(night.isOpen == open && (night.nightScore == nil) == open)
    }

    @Test func `R13.6 a once-nightly night expects no second dose`() throws {
        var rules = NightRules.standard
        rules.onceNightly = true
        var machine = SimulatedMachine.evening(rules: rules)
        try machine.perform(.logDose(.dose1))
        machine.pass(.hours(8))
        try machine.perform(.saveCheckIn([:], night: nil))
        let night = try #require(machine.night)
        #expect(NightOutcome(night) == .onceNightly && !NightOutcome(night).isJudged)
        // Doses 25 of 25, check-in 8 of 20.
        #expect(night.nightScore == 73)
        // A second dose in a once-nightly night makes no night on time.
        var twice = SimulatedMachine.evening(rules: rules)
        try twice.perform(.logDose(.dose1))
        twice.pass(.minutes(180))
        try twice.performConfirmed(.logDose(.dose2))
        let second = try #require(twice.night)
        #expect(NightOutcome(second) == .onceNightly && second.interval == .minutes(180))
        let summary = NightSummary(second)
        #expect(summary.intervalMinutes == 180 && summary.countedInterval == nil && summary.onTime == nil)
        #expect(summary.json["on_time"]?.isNull == true && LabNight(second).intervalMilliseconds == nil)
    }
}
