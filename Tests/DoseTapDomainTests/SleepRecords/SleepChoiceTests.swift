import DoseTapDomain
import Testing

/// R30.4 to R30.7: the source of a night, its figures, and their use.
struct SleepChoiceTests {
    private static let evening = utc("2026-01-14T22:00:00Z")

    /// The records in the log of a machine with these sleeps, in minutes from the evening.
    private static func candidates(_ sleeps: [(source: String, sleep: ImportedSleep)]) throws -> [SleepCandidate] {
        var machine = SimulatedMachine(at: evening + .hours(24))
        for (source, sleep) in sleeps {
            try machine.perform(.recordSleep(sleep, source: source))
            machine.pass(.seconds(1))
        }
        return machine.logState.sleepRecords.map { SleepCandidate($0) }
    }

    private static func sleep(
        _ from: Int, _ minutes: Int, _ stages: [(ImportedSleep.Stage, Int, Int)] = [],
        part: ImportedSleep.Part = .main, grade: ImportedSleep.Grade = .measured, device: String? = nil
    ) -> ImportedSleep {
        SleepRecordTests.sleep(
            evening + .minutes(from), minutes, stages, part: part, grade: grade, device: device)
    }

    @Test func `R30.4 stages go before lengths, both before what is told, then the source with most nights`() throws {
        let all = try Self.candidates([
            ("zeta", Self.sleep(0, 400, [(.light, 0, 400)], grade: .estimated)), ("alpha", Self.sleep(0, 450)),
            ("hand", Self.sleep(0, 480, [(.asleep, 0, 480)], grade: .told)),
            ("beta", Self.sleep(0, 410, [(.rem, 0, 410)], device: "Ring")),
        ])
        func chosen(_ order: [String] = [], _ dates: [String: Int] = [:], without: Set<String> = []) -> String? {
            let nights = Dictionary(
                uniqueKeysWithValues: dates.map {
                    (SleepSource($0.key, device: $0.key == "beta" ? "Ring" : nil), $0.value)
                })
            let left = all.filter { !without.contains($0.source.source) }.shuffled()
            return SleepSources(order: order, dates: nights).choice(left, lightsOut: nil, end: nil)?.source
        }
        #expect(chosen() == "beta", "of equals the first by its name")
        #expect(chosen([], ["zeta": 9, "beta": 8, "alpha": 90]) == "zeta")
        #expect(chosen(without: ["zeta", "beta"]) == "alpha")
        #expect(chosen(without: ["zeta", "beta", "alpha"]) == "hand")
        #expect(chosen(["nothing", "Hand", "alpha"]) == "hand" && chosen(["alpha", "hand"]) == "alpha")
        #expect(chosen(["ring"], ["zeta": 9]) == "beta", "a device is named, too")
        let found = try #require(SleepSources().choice(all, lightsOut: nil, end: nil))
        #expect((found.device, found.others, found.records) == ("Ring", 3, 1))
        #expect(SleepSources().choice([], lightsOut: nil, end: nil) == nil)
    }

    @Test func `R30.4 of records about the same time one counts, naps do not, and two parts of a night add up`() throws
    {
        let sources = SleepSources()
        let parts = try Self.candidates([
            ("oura", Self.sleep(0, 180, [(.inBed, 0, 180), (.light, 10, 170)])),
            ("oura", Self.sleep(5, 170, [(.deep, 0, 170)])), ("oura", Self.sleep(170, 20)),
            ("oura", Self.sleep(200, 240, [(.inBed, 0, 240), (.deep, 0, 100), (.awake, 100, 120), (.rem, 120, 230)])),
            ("oura", Self.sleep(500, 40, part: .nap)),
        ])
        let night = try #require(sources.choice(parts.shuffled(), lightsOut: nil, end: nil))
        #expect(night.records == 2 && night.start == Self.evening && night.end == Self.evening + .minutes(440))
        #expect(night.measures.totalSleepMinutes == 160 + 210 && night.measures.timeInBedMinutes == 420)
        #expect(night.measures.wakeAfterSleepOnsetMinutes == 20 + 30 && night.measures.awakenings == 1 + 1)
        #expect(night.measures.sleepOnsetLatencyMinutes == 10 && night.deepMinutes == 100)
        #expect(night.measures.sleepEfficiencyPercent == 88)
        // The time awake between two parts counts from sleep to sleep, whatever stages lie at their edges.
        func between(_ first: [(ImportedSleep.Stage, Int, Int)], _ rest: [(ImportedSleep.Stage, Int, Int)]) throws
            -> SleepDiary
        {
            let parts = try Self.candidates([("x", Self.sleep(0, 60, first)), ("x", Self.sleep(60, 60, rest))])
            return try #require(sources.choice(parts, lightsOut: nil, end: nil)).measures
        }
        let one = try between([(.light, 0, 50), (.awake, 50, 60)], [(.rem, 0, 60)])
        #expect((one.wakeAfterSleepOnsetMinutes, one.awakenings) == (10, 1))
        let two = try between([(.light, 0, 50), (.awake, 50, 60)], [(.awake, 0, 5), (.rem, 5, 60)])
        #expect((two.wakeAfterSleepOnsetMinutes, two.awakenings) == (15, 1))
        let none = try between([(.light, 0, 60)], [(.rem, 0, 60)])
        #expect((none.wakeAfterSleepOnsetMinutes, none.awakenings) == (0, 0))
        // Of three parts each gap counts from the last sleep before it.
        let three = try Self.candidates([
            ("x", Self.sleep(0, 60, [(.light, 0, 50)])), ("x", Self.sleep(60, 60, [(.rem, 0, 40)])),
            ("x", Self.sleep(120, 60, [(.deep, 10, 60)])),
        ])
        let all = try #require(sources.choice(three, lightsOut: nil, end: nil)).measures
        #expect((all.wakeAfterSleepOnsetMinutes, all.awakenings) == (10 + 30, 2))
        // A part with lengths alone leaves the time awake unknown.
        let mixed = try Self.candidates([
            ("x", Self.sleep(0, 60, [(.light, 0, 60)])), ("x", Self.sleep(90, 60)),
        ])
        let both = try #require(sources.choice(mixed, lightsOut: nil, end: nil)).measures
        #expect(both.wakeAfterSleepOnsetMinutes == nil && both.totalSleepMinutes == 120)
        let deep = try Self.candidates([("x", Self.sleep(0, 60, [(.deep, 0, 60)])), ("x", Self.sleep(90, 60))])
        #expect(try #require(sources.choice(deep, lightsOut: nil, end: nil)).deepMinutes == nil)
        let naps = parts.filter { $0.part == .nap }
        #expect(sources.choice(naps, lightsOut: nil, end: nil) == nil)
    }

    @Test func `R30.4 a sleep of the day that no source calls a nap is no part of the night`() throws {
        let night: [(ImportedSleep.Stage, Int, Int)] = [(.light, 0, 200), (.awake, 200, 215), (.deep, 215, 420)]
        func chosen(
            _ day: ImportedSleep, _ part: ImportedSleep.Part = .unknown, end: Int? = nil
        ) throws -> RecordedSleep {
            let all = try Self.candidates([("x", Self.sleep(0, 420, night, part: part)), ("x", day)])
            let end = end.map { Self.evening + .minutes($0) }
            return try #require(SleepSources().choice(all.shuffled(), lightsOut: nil, end: end))
        }
        let nap = Self.sleep(840, 90, [(.light, 0, 90)], part: .unknown)
        let without = try chosen(nap)
        #expect((without.records, without.end) == (1, Self.evening + .minutes(420)))
        #expect(without.measures.totalSleepMinutes == 405 && without.measures.wakeAfterSleepOnsetMinutes == 15)
        #expect(without.measures.awakenings == 1)
        // A sleep after three hours awake is still a part of the night.
        let late = Self.sleep(600, 60, [(.light, 0, 60)], part: .unknown)
        #expect(try chosen(late).measures.wakeAfterSleepOnsetMinutes == 15 + 180)
        #expect(try chosen(late, end: 430).records == 1, "the night had ended before it")
        // A longer sleep of the day does not replace the sleep that the source calls the main one.
        let long = Self.sleep(700, 480, [(.light, 0, 480)], part: .unknown)
        #expect(try chosen(long, .main).start == Self.evening && (try chosen(long)).start != Self.evening)
        let naps = try Self.candidates([("x", nap)])
        #expect(SleepSources().choice(naps, lightsOut: nil, end: Self.evening + .minutes(430)) == nil)
    }

    @Test func `R30.4 R30.5 who says only when somebody slept knows of no awakening, and goes behind stages`() throws {
        let parts: [(ImportedSleep.Stage, Int, Int)] = [(.inBed, 0, 420), (.asleep, 10, 180), (.asleep, 200, 400)]
        let all = try Self.candidates([
            ("alpha", Self.sleep(0, 420, parts)), ("beta", Self.sleep(0, 420, [(.light, 10, 400)])),
        ])
        let bare = all[0].figures.measures
        #expect(bare.wakeAfterSleepOnsetMinutes == nil && bare.awakenings == nil)
        #expect(bare.totalSleepMinutes == 370 && bare.sleepOnsetLatencyMinutes == 10)
        let chosen = try #require(SleepSources().choice(all, lightsOut: nil, end: nil))
        #expect(chosen.source == "beta" && chosen.measures.awakenings == 0)
    }

    @Test
    func `R30.5 asleep is the sum of its stages, awake counts between the first and the last, unknown stays unknown`()
        throws
    {
        func measures(
            _ minutes: Int, _ stages: [(ImportedSleep.Stage, Int, Int)], lightsOut: Int? = nil
        ) throws -> SleepDiary {
            let found = try Self.candidates([("x", Self.sleep(0, minutes, stages))])
            return found[0].figures.measures(lightsOut: lightsOut.map { Self.evening + .minutes($0) })
        }
        let whole: [(ImportedSleep.Stage, Int, Int)] = [
            (.inBed, 0, 480), (.awake, 5, 20), (.light, 20, 80), (.deep, 80, 140), (.awake, 140, 150),
            (.awake, 150, 155),
            (.unknown, 155, 160), (.rem, 160, 200), (.awake, 200, 210), (.asleep, 210, 400), (.awake, 400, 450),
        ]
        let all = try measures(480, whole, lightsOut: 2)
        #expect(all.totalSleepMinutes == 60 + 60 + 40 + 190 && all.wakeAfterSleepOnsetMinutes == 25)
        #expect(all.awakenings == 2 && all.sleepOnsetLatencyMinutes == 20 && all.timeInBedMinutes == 480)
        #expect(all.sleepEfficiencyPercent == 73)
        let bare = Array(whole.dropFirst())
        let without = try measures(480, bare)
        #expect(without.sleepOnsetLatencyMinutes == nil && without.timeInBedMinutes == nil)
        #expect(without.sleepEfficiencyPercent == nil && without.totalSleepMinutes == 350)
        #expect(try measures(480, bare, lightsOut: -10).sleepOnsetLatencyMinutes == 30)
        #expect(try measures(480, bare, lightsOut: 30).sleepOnsetLatencyMinutes == nil, "asleep before lights out")
        let awake = try measures(60, [(.awake, 0, 60)])
        #expect(awake == SleepDiary(kept: []), "nobody slept, as far as it is known")
        let lengths = try Self.candidates([("x", Self.sleep(0, 300))])[0].figures.measures
        #expect(lengths.totalSleepMinutes == 300 && lengths.wakeAfterSleepOnsetMinutes == nil)
    }

    /// Minutes of the record, its stages; minutes in bed, asleep, to the first sleep, and the efficiency.
    static let beds: [(Int, [(ImportedSleep.Stage, Int, Int)], [Int?])] = [
        (480, [(.inBed, 0, 20), (.light, 20, 440), (.awake, 440, 450)], [480, 420, 20, 88]),
        (450, [(.inBed, 0, 20), (.light, 20, 440), (.awake, 440, 450)], [450, 420, 20, 93]),
        // Longer in bed than asleep, and still before it.
        (600, [(.inBed, 0, 400), (.light, 400, 600)], [600, 200, 400, 33]),
        (480, [(.light, 0, 420), (.inBed, 420, 470)], [480, 420, nil, 88]),
        (600, [(.light, 0, 100), (.inBed, 100, 600)], [600, 100, nil, 17]),
        (480, [(.light, 0, 200), (.inBed, 200, 210), (.light, 210, 470)], [480, 460, nil, 96]),
        // Time in bed under the sleep is as the source tells it, with a time out of bed in it.
        (480, [(.inBed, 0, 200), (.light, 10, 190), (.inBed, 240, 480), (.light, 245, 470)], [440, 405, 10, 92]),
    ]

    @Test(arguments: beds)
    func `R30.5 nobody sleeps longer than they are in bed`(
        minutes: Int, stages: [(ImportedSleep.Stage, Int, Int)], expected: [Int?]
    ) throws {
        let found = try Self.candidates([("x", Self.sleep(0, minutes, stages))])
        func figures(_ measures: SleepDiary) -> [Int?] {
            [
                measures.timeInBedMinutes, measures.totalSleepMinutes, measures.sleepOnsetLatencyMinutes,
                measures.sleepEfficiencyPercent,
            ]
        }
        #expect(figures(found[0].figures.measures) == expected)
        let night = try #require(SleepSources().choice(found, lightsOut: nil, end: nil))
        #expect(figures(night.measures) == expected)
    }

    @Test func `R30.5 R30.2 a length in bed that is shorter than the sleep is refused, and of a file unknown`() throws {
        var machine = SimulatedMachine(at: Self.evening + .hours(24))
        var sleep = Self.sleep(0, 480)
        sleep.course = .durations([.light: 300 * 60, .deep: 120 * 60, .awake: 30 * 60, .inBed: 10 * 60])
        guard case .invalidInput(let said)? = machine.failure(.recordSleep(sleep, source: "hand")) else {
            Issue.record("7 hours of sleep in 10 minutes of bed were taken")
            return
        }
        #expect(said.contains("10 min") && said.contains("420 min"), "\(said)")
        let entry = try machine.perform(.recordSleep(sleep, source: "hand")) { options in
            options.surface = .importer
            options.origin = .file
        }.primary.id
        let record = try #require(machine.logState.sleepRecords.first { $0.id == entry })
        let measures = SleepCandidate(record).figures.measures
        #expect(measures.totalSleepMinutes == 420 && measures.timeInBedMinutes == nil)
        #expect(measures.sleepEfficiencyPercent == nil)
        #expect(record.metadata["sleep"]?["total_sleep_min"] == 420)
        #expect(record.metadata["sleep"]?["time_in_bed_min"]?.integerValue == nil)
        machine.pass(.minutes(1))
        sleep.course = .durations([.light: 300 * 60, .deep: 120 * 60, .awake: 30 * 60, .inBed: 420 * 60])
        let next = try machine.perform(.recordSleep(sleep, source: "hand")).primary.id
        let whole = try #require(machine.logState.sleepRecords.first { $0.id == next }).metadata["sleep"]
        #expect(whole?["time_in_bed_min"] == 420 && whole?["sleep_efficiency_percent"] == 100)
    }

    /// A night with dose 1, dose 2, lights out, wake and check-in.
    private static func night(_ answers: JSONObject = [:]) throws -> SimulatedMachine {
        var machine = SimulatedMachine(at: evening)
        try machine.perform(.logSleepEvent("lights_out"))
        try machine.perform(.logDose(.dose1))
        machine.pass(.minutes(165))
        try machine.perform(.logDose(.dose2))
        machine.pass(.minutes(300))
        try machine.perform(.logFinalWake)
        machine.pass(.minutes(5))
        try machine.perform(.saveCheckIn(answers, night: nil))
        return machine
    }

    @Test func `R30.6 the night score takes the recorded sleep where there is one, else the diary's`() throws {
        var machine = try Self.night(["sleep_latency_min": 15, "awake_after_onset_min": 30, "mood": "good"])
        let session = try #require(machine.night)
        let diary = NightRecord(session)
        #expect(session.sleepDiary.totalSleepMinutes == 420 && diary.summary.nightScore == 100)
        try machine.perform(.recordSleep(Self.sleep(20, 400, [(.light, 0, 165), (.deep, 165, 210)]), source: "x"))
        let record = NightRecord(session, standalone: machine.logState.standalone)
        // 85 of 85 points for the doses and the record; sleep 0.6 × 210/420 + 0.4 × 45/90 of 15.
        #expect(record.summary.nightScore == 93 && record.recordedSleep?.measures.totalSleepMinutes == 210)
        #expect(record.sleepDiary == diary.sleepDiary)
        #expect(try NightRecord(json: record.json) == record)
        var facts = session.scoreFacts
        (facts.totalSleepMinutes, facts.deepSleepMinutes) = (210, 45)
        #expect(NightScore.of(facts) == 93)
        // Without deep sleep in the source the length alone counts. A little deep sleep gives the same length less.
        for (stages, score) in [
            ([(.asleep, 0, 360)], 98), ([(.light, 0, 351), (.deep, 351, 360)], 93),
            ([(.light, 0, 270), (.deep, 270, 360)], 99),
        ] as [([(ImportedSleep.Stage, Int, Int)], Int)] {
            var machine = try Self.night()
            try machine.perform(.recordSleep(Self.sleep(20, 400, stages), source: "x"))
            let night = try #require(machine.night)
            #expect(NightRecord(night, standalone: machine.logState.standalone).summary.nightScore == score)
        }
        // A record without a length of sleep leaves the diary's length.
        var other = try Self.night(["sleep_latency_min": 15, "awake_after_onset_min": 30])
        try other.perform(.recordSleep(Self.sleep(0, 400, [(.inBed, 0, 400)]), source: "x"))
        let unknown = NightRecord(try #require(other.night), standalone: other.logState.standalone)
        #expect(unknown.summary.nightScore == 100 && unknown.recordedSleep != nil)
    }

    @Test func `R30.7 recorded sleep and the diary are never pooled: each has its mean and its number`() throws {
        var nights: [MeasuredNight] = []
        for (place, asleep) in [400, nil, 420, nil].enumerated() {
            nights.append(try StatisticsTests.night("2026-01-1\(place)", 9_930, score: 80, asleep: asleep))
        }
        let plain = NightStatistics(nights, targetMinutes: 165)
        let recorded = try #require(
            SleepSources().choice(try Self.candidates([("x", Self.sleep(0, 300))]), lightsOut: nil, end: nil))
        for place in [1, 2, 3] { nights[place].recorded = recorded }
        let both = NightStatistics(nights, targetMinutes: 165)
        #expect(both.figures.sleep == plain.figures.sleep && both.zones == plain.zones)
        #expect(both.figures.sleep["total_sleep_min"]?.mean == 410 && both.figures.sleep["total_sleep_min"]?.count == 2)
        let apart = both.figures.recordedSleep["total_sleep_min"]
        #expect(apart?.mean == 300 && apart?.count == 3)
        #expect(plain.figures.recordedSleep["total_sleep_min"]?.count == 0)
        #expect(
            try NightStatistics(json: JSONValue.parse(JSONValue.object(both.json).serialized()).objectValue!) == both)
    }
}

/// R30.8 and R30.9: the stage of the moment, and the usual interval.
struct LiveStageTests {
    @Test(
        arguments: [
            (0, "green", "light", 0), (300, "green", "light", 5), (301, "yellow", "light", 5),
            (900, "yellow", "light", 15),
            (901, "unknown", nil, 15), (100_000, "unknown", nil, 1_666),
        ] as [(Int64, String, String?, Int)])
    func `R30.8 a reported stage is green for 5 minutes, yellow until 15, then unknown, whatever the clock is set to`(
        seconds: Int64, freshness: String, stage: String?, age: Int
    ) {
        var machine = SimulatedMachine.evening()
        let live = LiveStage(.light, machine.clock)
        machine.pass(.seconds(seconds))
        for step in [Duration.zero, .hours(5), .hours(-9)] {
            machine.setClock(by: step)
            let told = live.report(at: machine.clock)
            #expect((told.freshness.rawValue, told.stage?.rawValue, told.ageMinutes) == (freshness, stage, age))
        }
        machine.reboot()
        #expect(live.report(at: machine.clock) == .unknown)
    }

    private static func usual(
        _ intervals: [Int], _ elapsed: Int? = nil, _ stage: IntervalRecommendation.Stage? = nil,
        _ freshness: LiveStage.Freshness = .green
    ) -> UsualInterval {
        UsualInterval(
            intervals, nights: 30, elapsedMinutes: elapsed,
            live: .init(stage: stage, freshness: freshness, ageMinutes: 1))
    }

    @Test func `R30.9 the usual interval is the median within the window, and says of how many`() {
        let found = Self.usual([-5, 100, 170, 190, 180, 260])
        #expect((found.minutes, found.count, found.nights) == (180, 3, 30))
        #expect(found.medianMinutes == 180)
        #expect(Self.usual([150, 152]).minutes == 165 && Self.usual([239]).minutes == 225)
        #expect(Self.usual([150, 152]).medianMinutes == 151 && Self.usual([230]).medianMinutes == 230)
        let half = Self.usual([181, 182])
        #expect(half.minutes == 181 && half.medianMinutes == 181.5, "whole minutes, and the median itself")
        #expect(Self.usual([]).minutes == nil && Self.usual([100]).minutes == nil, "nothing is made up")
        #expect(Self.usual([], 170, .light).liveMinutes == nil)
        #expect(Self.usual([180], 172, .light).liveMinutes == 172 && Self.usual([180], 172, .awake).liveMinutes == 172)
        #expect(Self.usual([180], 172, .deep).liveMinutes == 190 && Self.usual([180], 185, .rem).liveMinutes == 180)
        #expect(Self.usual([180], 172, .light, .yellow).liveMinutes == nil, "only a green stage")
        #expect(Self.usual([180], nil, .light).liveMinutes == nil, "dose 2 is not open")
        #expect(Self.usual([180], 172, nil).liveMinutes == nil)
    }
}
