import DoseTapDomain
import Testing

/// R13.7: figures of many nights.
struct StatisticsTests {
    /// A night of a date with an interval in seconds.
    static func night(
        _ date: String, _ seconds: Int64?, _ outcome: NightOutcome = .onTime, score: Int? = nil, asleep: Int? = nil
    ) throws -> MeasuredNight {
        let dose1 = utc(date + "T22:00:00Z")
        let night = NightSummary(
            sessionID: SessionID(date), sessionDate: try SessionDate(text: date), start: dose1, end: dose1 + .hours(9),
            dose1: dose1, dose2: seconds.map { dose1 + .seconds($0) }, dose2Skipped: outcome == .skipped, extraDoses: 0,
            snoozeCount: 0, interval: seconds.map(Duration.seconds), terminalState: nil, timeZone: "UTC",
            wellnessScore: score, outcome: outcome, nightScore: score)
        return MeasuredNight(night: night, sleep: SleepDiary(kept: [nil, nil, nil, nil, asleep, nil]))
    }

    @Test func `R13.7 figures count outcomes and average what is known`() throws {
        let nights = [
            try Self.night("2026-02-02", nil, .pending), try Self.night("2026-02-01", 9_930, score: 80, asleep: 400),
            try Self.night("2026-01-31", 9_000, score: 90), try Self.night("2026-01-30", nil, .notRecorded),
            try Self.night("2026-01-29", 15_000, .late, asleep: 300), try Self.night("2026-01-28", -60, .anomaly),
        ]
        let found = NightStatistics(nights, targetMinutes: 165, by: .month)
        #expect(found.figures.nights == 6 && found.figures.judged == 4 && found.figures.onTime == 2)
        #expect(found.figures.optimal == 1 && found.figures.compliancePercent == 50)
        #expect(found.figures.outcomes == [.pending: 1, .onTime: 2, .notRecorded: 1, .late: 1, .anomaly: 1])
        #expect(found.figures.intervals.average.count == 3 && found.figures.intervals.average.mean == 188.3)
        #expect(found.figures.intervals.median == 165 && found.figures.intervals.most == 250)
        #expect(found.figures.score.mean == 85 && found.figures.score.count == 2)
        #expect(found.figures.sleep["total_sleep_min"]?.mean == 350)
        #expect(found.figures.sleep["awakenings"]?.mean == nil && found.figures.sleep["awakenings"]?.count == 0)
        #expect(found.zones[.acceptable]?.totalSleep.mean == 400 && found.zones[.nonCompliant]?.totalSleep.mean == 300)
        #expect(found.zones[.optimal]?.totalSleep.count == 0)
        #expect(found.trend == nil && found.usualMinutes == 165)
        #expect(found.intervals.map(\.minutes) == [-1, 250, 150, 165])
        #expect(found.groups.map(\.key) == ["2026-02", "2026-01"] && found.groups.map(\.figures.nights) == [2, 4])
        #expect([found.first?.text, found.last?.text] == ["2026-01-28", "2026-02-02"])
    }

    @Test(arguments: [(Int64(9_479), 157.0), (7_199, 119), (13_800, 230)])
    func `R13.7 the interval of one night is the same in every figure`(seconds: Int64, minutes: Double) throws {
        let night = try Self.night("2026-02-01", seconds)
        let found = NightStatistics([night], targetMinutes: 165)
        let figures = found.figures.intervals
        #expect([figures.average.mean, figures.median, figures.least, figures.most].allSatisfy { $0 == minutes })
        #expect(found.intervals.map(\.minutes) == [Int64(minutes)])
        #expect(night.night.intervalMinutes == Int64(minutes))
    }

    @Test func `R13.6 a second dose where one a night is prescribed is in no figure`() throws {
        let twice = try (1...5).map { try Self.night("2026-02-0\($0)", 9_600, .onceNightly, asleep: 400) }
        let found = NightStatistics(twice, targetMinutes: 165, by: .month)
        #expect(found.figures.outcomes == [.onceNightly: 5] && found.figures.optimal == 0)
        #expect(found.figures.intervals.average.count == 0 && found.groups[0].figures.intervals.median == nil)
        #expect(found.intervals.isEmpty && found.usualMinutes == nil && found.trend == nil)
        #expect(found.zones.values.allSatisfy { $0.totalSleep.count == 0 })
        #expect(twice.allSatisfy { $0.night.onTime == nil && $0.night.intervalMinutes == 160 })
        let mixed = NightStatistics(twice + [try Self.night("2026-01-31", 12_000)], targetMinutes: 165)
        #expect(mixed.intervals.map(\.minutes) == [200] && mixed.figures.intervals.median == 200)
    }

    @Test func `R13.7 without a night everything is unknown`() {
        let none = NightStatistics([], targetMinutes: 165)
        #expect(none.figures.compliancePercent == nil && none.figures.intervals.median == nil && none.first == nil)
        #expect(none.usualMinutes == nil && none.trend == nil)
    }

    @Test func `R13.7 figures read back from JSON are the same`() throws {
        let nights = try (1...9).map {
            try Self.night("2026-01-1\($0)", 9_000 + Int64($0) * 77, score: $0, asleep: 400 + $0)
        }
        for found in [
            NightStatistics(nights.reversed(), targetMinutes: 180, by: .week), NightStatistics([], targetMinutes: 165),
        ] {
            let parsed = try JSONValue.parse(JSONValue.object(found.json).serialized())
            let again = try NightStatistics(json: try #require(parsed.objectValue))
            #expect(again.json == found.json)
        }
    }

    @Test(arguments: [
        ("2026-01-01", "2026-W01"), ("2025-12-29", "2026-W01"), ("2025-12-28", "2025-W52"), ("2027-01-03", "2026-W53"),
        ("2027-01-04", "2027-W01"), ("2026-11-21", "2026-W47"),
    ])
    func `R13.7 a week belongs to the year of its Thursday`(date: String, week: String) throws {
        #expect(Grouping.week.key(of: try SessionDate(text: date)) == week)
        #expect(Grouping.month.key(of: try SessionDate(text: date)) == date.prefix(7))
    }

    @Test func `R13.7 a span of dates holds both ends`() throws {
        let span = NightSpan(first: try SessionDate(text: "2026-01-02"), last: try SessionDate(text: "2026-01-03"))
        let inside = try ["2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04"].map {
            span.contains(try SessionDate(text: $0))
        }
        #expect(inside == [false, true, true, false])
        #expect(NightSpan().contains(try SessionDate(text: "0001-01-01")))
    }
}
