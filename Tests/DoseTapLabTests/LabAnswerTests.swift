import DoseTapDomain
import Foundation
import Testing

@testable import DoseTapLab

/// Questions, nights and answers (R34).
@Suite struct LabAnswerTests {
    private static let first = SessionDate(CivilDate(daysSinceEpoch: 20_454))

    private static func date(_ place: Int) -> SessionDate { SessionDate(first.civil.adding(days: place)) }

    /// A night in the form of the stream.
    private static func night(_ date: SessionDate, _ told: JSONObject = JSONObject()) throws -> LabNight {
        var object: JSONObject = ["session_date": .string(date.text), "nap_min": 0]
        for entry in told { object[entry.key] = entry.value }
        return try LabNight(json: object)
    }

    private static func taken(_ night: LabNight, _ exposure: LabExposure, _ outcome: LabOutcome) -> LabDay? {
        var nights = LabNights()
        nights.take(night)
        return nights.days(exposure, outcome).first
    }

    @Test func `R34.1 what is compared is what the record has, in its steps`() throws {
        let night = try Self.night(
            Self.first,
            [
                "late_meal": "snack", "alcohol": "none", "screens": "briefly", "first_share_percent": 60.0,
                "bedtime_min": 750, "interval_ms": 10_800_000,
            ])
        func x(_ exposure: LabExposure) -> Double? { Self.taken(night, exposure, .rested)?.x }
        #expect(x(.interval) == 6 && x(.split) == 6)
        // Half past midnight is 12.5 hours after noon.
        #expect(x(.bedtime) == 12.5)
        #expect(x(.lateMeal) == 1 && x(.alcohol) == 0 && x(.screens) == 0)
        let bare = try Self.night(Self.first)
        for exposure in LabExposure.allCases { #expect(Self.taken(bare, exposure, .rested)?.x == nil) }
        #expect(Self.taken(try Self.night(Self.first, ["interval_ms": -5]), .interval, .rested)?.x == nil)
    }

    @Test func `R34.2 naps need a check-in, and none of them may be unfinished`() throws {
        let night = try Self.night(Self.first, ["rested": 5, "clarity": 7, "wellness": 61, "has_checkin": true])
        func y(_ outcome: LabOutcome) -> Double? { Self.taken(night, .alcohol, outcome)?.y }
        #expect(y(.rested) == 5 && y(.clarity) == 7 && y(.wellness) == 61 && y(.grogginess) == nil)
        #expect(y(.napMinutes) == 0)
        func minutes(_ told: [JSONObject]) throws -> Double? {
            var nights = LabNights()
            for night in told { nights.take(try Self.night(Self.first, night)) }
            return nights.outcome(.napMinutes, of: Self.first)
        }
        let (checkIn, nap): (JSONObject, JSONObject) = (["has_checkin": true], ["nap_min": 25])
        #expect(try minutes([checkIn, nap]) == 25, "two sessions of one date are one day")
        #expect(try minutes([nap, checkIn]) == 25)
        #expect(try minutes([nap]) == nil, "nobody was asked that day")
        #expect(try minutes([checkIn, nap, ["naps_unfinished": true]]) == nil)
    }

    /// Nights with and without a late meal, each with its answer in the morning.
    private static func nights(_ count: Int, _ rested: (Int, Bool) -> Int) throws -> LabNights {
        var (nights, generator) = (LabNights(), SplitMix64(5, for: .order))
        for place in 0..<count {
            let isLate = generator.next() >> 63 == 0
            let answer = min(5, max(1, rested(place, isLate)))
            nights.take(
                try night(
                    date(place),
                    [
                        "late_meal": isLate ? "heavy" : "none", "rested": .integer(Int64(answer)), "has_checkin": true,
                        "is_over": true,
                    ]))
        }
        return nights
    }

    private static func question(_ id: String, from date: SessionDate, nights: Int = 60) throws -> NightRecord.Entry {
        try NightRecord.Entry(
            json: [
                "id": .string(id), "type": "lab_question", "timestamp": "2026-01-01T12:00:00Z",
                "recorded_at": "2026-01-01T12:00:00Z", "surface": "cli",
                "metadata": [
                    "exposure": "late_meal", "outcome": "rested", "nights": .integer(Int64(nights)),
                    "from_date": .string(date.text),
                ],
            ])
    }

    @Test func `R34.3 until its nights are known only their number is told, and later ones are no part of it`()
        throws
    {
        var request = LabRequest(today: Self.date(200))
        request.entries = [try Self.question("q", from: Self.date(10))]
        let few = try #require(Lab.answers(request, try Self.nights(69) { $1 ? 2 : 4 }).first)
        #expect(!few.isComplete && few.known == 59 && few.wanted == 60)
        #expect(few.verdict == nil && few.effect == nil && few.p == nil && few.with == nil)
        let whole = try #require(Lab.answers(request, try Self.nights(70) { $1 ? 2 : 4 }).first)
        #expect(whole.isComplete && whole.known == 60 && whole.verdict == .goesWith)
        #expect(whole.with.map { $0 + (whole.without ?? 0) } == 60)
        // From the 61st night on the effect is reversed, which does not change the answer.
        let later = Lab.answers(request, try Self.nights(180) { ($0 < 70) == $1 ? 2 : 4 })
        #expect(later == [whole])
        #expect(try #require(whole.effect) < -1.5 && whole.power == 38)
        var explored = LabRequest(today: Self.date(200))
        explored.explored = (.lateMeal, .rested)
        let looked = try #require(Lab.answers(explored, try Self.nights(70) { $1 ? 2 : 4 }).first)
        #expect(looked.kind == .explored && looked.id == nil && looked.known == 70)
    }

    @Test func `R34.3 the present day is not over, so it is no part of a question or of what is explored`() throws {
        let nights = try Self.nights(60) { $1 ? 2 : 4 }
        var request = LabRequest(today: Self.date(59))
        request.entries = [try Self.question("q", from: Self.first)]
        #expect(Lab.answers(request, nights).map(\.known) == [59])
        request.entries = []
        request.explored = (.lateMeal, .rested)
        #expect(Lab.answers(request, nights).map(\.known) == [59])
        #expect(Lab.answers(request, nights).map(\.from) == [nil])
        request.span = NightSpan(first: Self.date(10), last: Self.date(19))
        let limited = Lab.answers(try LabRequest(json: request.json), nights)
        #expect(limited.map(\.known) == [10] && limited.map(\.from) == [Self.date(10)])
        #expect(limited.first?.json["from_date"] == .string(Self.date(10).text))
    }

    @Test func `R34.3 what is explored leaves out the nights of a question or plan that waits`() throws {
        let nights = try Self.nights(200) { $1 ? 2 : 4 }
        func looked(_ entry: NightRecord.Entry, _ exposure: LabExposure = .lateMeal) throws -> LabAnswer {
            var request = LabRequest(today: Self.date(200))
            request.entries = [entry]
            request.explored = (exposure, .rested)
            return try #require(Lab.answers(try LabRequest(json: request.json), nights).first)
        }
        let waiting = try looked(try Self.question("q", from: Self.date(70), nights: 140))
        #expect(waiting.kind == .explored && waiting.known == 70 && waiting.leftOutFrom == Self.date(70))
        let complete = try looked(try Self.question("q", from: Self.date(70), nights: 130))
        #expect(complete.known == 200 && complete.leftOutFrom == nil)
        #expect(try looked(try Self.question("q", from: Self.date(70), nights: 140), .alcohol).leftOutFrom == nil)
        let plan = try Self.plan("late_meal", pairs: 80, from: Self.date(90))
        #expect(try looked(plan).leftOutFrom == Self.date(90))
        var withdrawn = try Self.question("q", from: Self.date(70), nights: 140)
        withdrawn.metadata["withdrawn"] = true
        #expect(try looked(withdrawn).leftOutFrom == nil)
    }

    private static func plan(_ routine: String, pairs: Int, from date: SessionDate) throws -> NightRecord.Entry {
        try NightRecord.Entry(
            json: [
                "id": "p", "type": "lab_plan", "timestamp": "2026-01-01T12:00:00Z",
                "recorded_at": "2026-01-01T12:00:00Z", "surface": "cli",
                "metadata": [
                    "routine": .string(routine), "outcome": "rested", "pairs": .integer(Int64(pairs)), "seed": 9,
                    "from_date": .string(date.text),
                ],
            ])
    }

    @Test func `R34.7 once the present night is over a plan tells the next one`() throws {
        var request = LabRequest(today: Self.first)
        let entry = try Self.plan("screens", pairs: 14, from: Self.first)
        request.entries = [entry]
        let plan = try #require(entry.labPlan)
        func tonight(_ told: [JSONObject]) throws -> SessionDate? {
            var nights = LabNights()
            for night in told { nights.take(try Self.night(Self.first, night)) }
            let answer = Lab.answers(request, nights).first
            #expect(answer?.tonight == answer?.tonightDate.flatMap { plan.arm(on: $0) })
            return answer?.tonightDate
        }
        #expect(try tonight([]) == Self.first)
        #expect(try tonight([["late_meal": "none"]]) == Self.first)
        #expect(try tonight([["is_over": true]]) == Self.date(1))
        #expect(try tonight([["is_over": true], [:]]) == Self.date(1), "one session of the date is over")
    }

    @Test func `R34.6 the likeness of days is unknown with fewer than fifteen in a row`() {
        func series(inARow count: Int) -> LabSeries {
            LabSeries(
                (0..<60).map { place in
                    // The days are three apart, and `count` of them have a neighbour.
                    let day = place < 60 - count ? 3 * place : 3 * (place - (60 - count)) + 1
                    return LabDay(day: day, x: Double(day * 7 % 11), y: Double(day * 5 % 13))
                })
        }
        #expect(series(inARow: 14).autocorrelation == nil && series(inARow: 15).autocorrelation != nil)
        #expect(LabFinding(series(inARow: 14), .interval).reasons == [.fewInARow])
    }

    @Test func `R34.6 a question that was withdrawn still counts among those that were asked`() throws {
        let nights = try Self.nights(300) { place, isLate in 3 + place % 3 - (isLate && place % 3 > 0 ? 1 : 0) }
        var request = LabRequest(today: Self.date(300))
        var withdrawn = try Self.question("w", from: Self.date(5))
        withdrawn.metadata["withdrawn"] = true
        request.entries = [try Self.question("a", from: Self.first, nights: 90), withdrawn]
        let answers = Lab.answers(try LabRequest(json: request.json), nights)
        #expect(answers.map(\.id?.text) == ["a"] && answers.first?.family == 2)
        #expect(answers.first.map { $0.adjusted == min(1, 2 * ($0.p ?? 1)) } == true)
    }

    @Test func `R34.10 a request has nothing of the entries but what the lab uses`() throws {
        var entry = try Self.question("q", from: Self.first)
        entry.metadata["note"] = .string(String(repeating: "n", count: 2_000))
        var request = LabRequest(today: Self.first)
        request.entries = Array(repeating: entry, count: 3_000)
        let line = JSONValue.object(request.json).serialized()
        #expect(line.utf8.count < 1 << 20 && !line.contains("nnn"))
    }

    @Test func `R34.6 the answers and every reason why it cannot tell`() {
        func reasons(_ change: (inout [LabDay]) -> Void, _ exposure: LabExposure = .interval) -> [LabReason] {
            var person = LabPerson(seed: 3, length: 120)
            var days = person.days()
            change(&days)
            return LabFinding(LabSeries(days), exposure).verdict(adjusted: nil, margin: 0.01).1
        }
        #expect(reasons { $0 = Array($0.prefix(60)) } == [.fewNights])
        #expect(
            reasons({ days in for i in days.indices { days[i].x = i % 12 == 0 ? 1 : 0 } }, .alcohol) == [.fewOfEach])
        #expect(reasons { days in for i in days.indices { days[i].x = Double(i) } } == [.noSpread])
        #expect(reasons { days in for i in days.indices { days[i].y = 3 } } == [.noChange])
        #expect(reasons { days in for i in days.indices { days[i].period = i / 9 } } == [.manyRegimens])
        #expect(
            reasons { days in
                // The values have waves of forty days.
                for i in days.indices { days[i].y = i % 40 < 20 ? Double(i % 20) : 20 - Double(i % 20) }
            } == [.alike])
        #expect(reasons { _ in } == [.wide])
        #expect(LabFinding(pairs: Array(repeating: 1, count: 13), seed: 1).reasons == [.fewPairs])
        #expect(LabFinding(pairs: Array(repeating: 0, count: 14), seed: 1).reasons == [.noChange])

        func verdict(_ low: Double, _ high: Double, p: Double, adjusted: Double?) -> LabVerdict {
            var finding = LabFinding()
            (finding.low, finding.high, finding.p) = (low, high, p)
            return finding.verdict(adjusted: adjusted, margin: 0.5).0
        }
        #expect(verdict(0.1, 0.4, p: 0.05, adjusted: 0.05) == .goesWith)
        #expect(verdict(0.1, 0.4, p: 0.02, adjusted: 0.06) == .cannotTell)
        #expect(verdict(-0.5, 0.5, p: 0.4, adjusted: 1) == .noDifference)
        #expect(verdict(-0.5, 0.51, p: 0.4, adjusted: 1) == .cannotTell)
        #expect(LabFinding.holm([0.04, nil, 0.01, 0.02]) == [0.08, 1, 0.04, 0.06])
    }

    @Test func `R34.6 questions are judged with those asked within 180 days`() throws {
        let nights = try Self.nights(300) { place, isLate in 3 + place % 3 - (isLate && place % 3 > 0 ? 1 : 0) }
        var request = LabRequest(today: Self.date(300))
        request.entries = [try Self.question("a", from: Self.date(0), nights: 90)]
        let alone = try #require(Lab.answers(request, nights).first)
        #expect(alone.family == 1 && alone.adjusted == alone.p)
        for place in [1, 180, 181] {
            request.entries.append(try Self.question("q\(place)", from: Self.date(place), nights: 730))
        }
        let answers = Lab.answers(request, nights)
        #expect(answers.map(\.family) == [3, 4, 4, 3])
        #expect(answers[0].adjusted == min(1, 3 * (alone.p ?? 1)), "those that wait count, too")
    }

    @Test func `R34.5 R34.6 without a link few find one, and the interval holds the true effect`() {
        var (alarms, missed, wide) = (0, 0, 0)
        // DOSETAP_LAB_PEOPLE=3000 is the long form, with longer questions, too.
        let wanted = ProcessInfo.processInfo.environment["DOSETAP_LAB_PEOPLE"].flatMap { Int($0) }
        let people = max(1_500, wanted ?? 0)
        let lengths = wanted == nil ? [78] : [78, 110, 210]
        for seed in 0..<people {
            var person = LabPerson(seed: UInt64(seed), length: lengths[seed / 6 % lengths.count])
            person.isYesNo = seed % 2 == 0
            person.effect = seed % 3 == 0 ? 0.4 : 0
            let series = LabSeries(person.days())
            let test = ShiftTest(series)
            if person.effect == 0, test.p() <= LabLimits.level { alarms += 1 }
            if test.p(person.effect) <= LabLimits.level { missed += 1 }
            guard seed < 20, let effect = series.effect else { continue }
            // The interval has the effects that the test does not reject.
            guard let interval = test.interval(around: effect, scale: 0.05) else {
                wide += 1
                continue
            }
            #expect((interval.low...interval.high).contains(person.effect) == (test.p(person.effect) > LabLimits.level))
        }
        let without = people - (people + 2) / 3
        print("lab: \(alarms) of \(without) without a link found one, \(missed) of \(people) intervals missed")
        #expect(Double(alarms) <= 0.07 * Double(without), "\(alarms) of \(without) found a link that is none")
        #expect(Double(missed) <= 0.08 * Double(people), "\(missed) of \(people) intervals leave the true effect out")
        #expect(wide == 0)
    }

    @Test func `R34.8 a plan counts each night as it was planned, when its last day is over`() throws {
        let metadata: JSONObject = [
            "routine": "screens", "outcome": "rested", "pairs": 14, "seed": 9, "from_date": .string(Self.first.text),
        ]
        let plan = try NightRecord.Entry(
            json: [
                "id": "p", "type": "lab_plan", "timestamp": "2026-01-01T12:00:00Z",
                "recorded_at": "2026-01-01T12:00:00Z", "surface": "cli", "metadata": .object(metadata),
            ])
        let planned = try #require(plan.labPlan)
        func kept(_ place: Int, _ way: String) throws -> NightRecord.Entry {
            try NightRecord.Entry(
                json: [
                    "id": .string("k\(place)\(way)"), "type": "lab_night", "timestamp": "2026-01-01T12:00:00Z",
                    "recorded_at": "2026-01-01T12:00:00Z", "surface": "cli",
                    "metadata": ["plan_id": "p", "night_date": .string(Self.date(place).text), "kept": .string(way)],
                ])
        }
        func morning(_ place: Int) throws -> LabNight {
            let rested: JSONValue = planned.arm(on: Self.date(place)) == .a ? 4 : 2
            return try Self.night(Self.date(place), ["rested": rested, "has_checkin": true, "is_over": true])
        }
        var nights = LabNights()
        for place in 0..<28 where place != 5 {
            nights.take(try morning(place))
        }
        let arm = try #require(planned.arm(on: Self.date(0)))
        var request = LabRequest(today: Self.date(27))
        // The entries are newest first: the last answer about the first night is that it was kept.
        request.entries = [plan, try kept(0, arm.rawValue), try kept(0, "neither"), try kept(1, "neither")]
        let waiting = try #require(Lab.answers(request, nights).first)
        #expect(!waiting.isComplete && waiting.known == 12 && waiting.effect == nil && waiting.verdict == nil)
        #expect(waiting.tonight == nil, "the last night has its check-in")
        request.today = Self.date(26)
        let before = try #require(Lab.answers(request, nights).first)
        #expect(before.tonightDate == Self.date(27) && before.tonight == planned.arm(on: Self.date(27)))
        #expect((waiting.kept, waiting.keptOtherwise, waiting.untold) == (1, 1, 25))
        request.today = Self.date(28)
        let few = try #require(Lab.answers(request, nights).first)
        #expect(few.isComplete && few.known == 13 && few.reasons == [.fewPairs] && few.tonight == nil)
        nights.take(try morning(5))
        let answer = try #require(Lab.answers(request, nights).first)
        #expect(answer.verdict == .goesWith && answer.effect == 2 && answer.p == 2 / 16_384.0)
    }

    @Test func `R34.9 more than twenty pairs are tested by orders that the seed draws`() {
        var generator = SplitMix64(3, for: .order)
        let differences = (0..<24).map { _ in Double.random(in: -1...1.6, using: &generator) }
        let exact = PairTest(Array(differences.prefix(14)), seed: 1).p()
        #expect(exact == PairTest(Array(differences.prefix(14)), seed: 2).p(), "no chance in it")
        let (one, other) = (PairTest(differences, seed: 1).p(), PairTest(differences, seed: 2).p())
        #expect(one == PairTest(differences, seed: 1).p() && abs(one - other) < 0.01)
        #expect(PairTest(Array(repeating: 1, count: 24), seed: 1).p() < 0.0001)
    }
}
