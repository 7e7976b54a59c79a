internal import DoseTapDomain
internal import DoseTapText

/// The figures of the one page of a packet: counts, medians and means, no verdict.
struct SummaryFigures {
    /// Sessions with a sign of a night (R32.5).
    private(set) var nights: [ReportNight] = []
    /// Minutes since 18:00, by the wall clock.
    private(set) var bedTimes: [Double] = []
    private(set) var riseTimes: [Double] = []
    private(set) var naps: [Double] = []
    /// Dates with a nap. Naps count by day, so a date may have no night.
    private(set) var datesWithNaps: Set<SessionDate> = []
    private(set) var wellness: [Double] = []
    /// Morning scores that count an answer by default.
    private(set) var wellnessByDefault = 0
    /// For each question about symptoms: the mornings with a yes, and the mornings with an answer.
    private(set) var symptoms: [String: (yes: Int, of: Int)] = [:]
    private(set) var nightsWithExtra = 0
    private(set) var extraDoses = 0
    /// Amounts taken and prescribed, by date. Two sessions of one date count together.
    private var bundles: [SessionDate: DoseBundle] = [:]
    private(set) var entered = Entered()
    /// Recorded sleep that a person told and no device measured.
    private(set) var recordsTold = 0
    /// Recorded sleep that belongs to no night.
    private(set) var looseSleeps = 0
    /// Minutes asleep of the loose sleeps that are no nap and tell their minutes.
    private(set) var looseMinutes: [Double] = []
    /// The number of intakes of other medicines, by name.
    private(set) var medicines: [String: Int] = [:]

    /// The ways in which the doses came onto the record.
    struct Entered: Hashable {
        var doses = 0
        /// Doses recorded more than ``SummaryText/lateMinutes`` after the dose, without the imported ones.
        var late = 0
        var corrected = 0
        var imported = 0
    }

    /// The questions about symptoms, in the order of the questionnaire.
    static let symptomKeys = Questionnaire.morning.items.filter { $0.group == .narcolepsy }.map(\.key)

    /// The number of dates whose amount taken is known.
    var nightsCompared: Int { bundles.values.count { $0.taken > 0 && $0.state != .unknown } }
    var nightsOver: Int { bundles.values.count { $0.state == .over } }

    private mutating func take(_ bundle: DoseBundle?, on date: SessionDate) {
        guard let bundle else { return }
        bundles[date] = bundles[date].map { $0.adding(bundle) } ?? bundle
    }

    mutating func take(_ record: NightRecord) {
        let night = ReportNight(record)
        if night.isNight {
            nights.append(night)
            take(record.bundle, on: record.summary.sessionDate)
            take(times: record, night.clock)
            take(checkIn: record.entries.last { $0.type == EntityType.checkin.rawValue }, record.summary)
        }
        let lengths = record.napSpans.map { ($0.upperBound - $0.lowerBound).minutes }
        naps += lengths
        if !lengths.isEmpty { datesWithNaps.insert(record.summary.sessionDate) }
        nightsWithExtra += record.summary.extraDoses > 0 ? 1 : 0
        extraDoses = extraDoses.addingReportingOverflow(max(0, record.summary.extraDoses)).partialValue
        recordsTold += record.recordedSleep?.grade == .told ? 1 : 0
        take(doses: record)
        for medicine in night.medicines { medicines[medicine.name, default: 0] += 1 }
    }

    /// Takes over an entry that belongs to no night.
    mutating func take(_ entry: NightRecord.Entry) {
        if let medicine = ReportNight.Medicine(entry) { medicines[medicine.name, default: 0] += 1 }
        guard entry.type == EntityType.sleepRecord.rawValue else { return }
        looseSleeps += 1
        if entry.metadata["part"] != "nap", let minutes = entry.metadata["sleep"]?["total_sleep_min"]?.integerValue {
            looseMinutes.append(Double(minutes))
        }
    }

    private mutating func take(times record: NightRecord, _ clock: NightClock) {
        let bed =
            record.entries.first { $0.type == SleepEventWord.inBed }
            ?? record.entries.first { $0.type == SleepEventWord.lightsOut }
        if let bed { bedTimes.append(Self.evening(bed.timestamp, clock)) }
        if let up = record.finalWake { riseTimes.append(Self.evening(up, clock)) }
    }

    private mutating func take(checkIn: NightRecord.Entry?, _ summary: NightSummary) {
        if let score = summary.wellnessScore { wellness.append(Double(score)) }
        guard let checkIn else { return }
        let byDefault = Set((checkIn.metadata["defaults"]?.arrayValue ?? []).compactMap(\.stringValue))
        wellnessByDefault += summary.wellnessScore != nil && !byDefault.isDisjoint(with: WellnessScore.keys) ? 1 : 0
        for key in Self.symptomKeys where !byDefault.contains(key) {
            guard case .bool(let said)? = checkIn.metadata["answers"]?[key] else { continue }
            symptoms[key, default: (0, 0)].of += 1
            symptoms[key, default: (0, 0)].yes += said ? 1 : 0
        }
    }

    private mutating func take(doses record: NightRecord) {
        let corrected = Set(record.standingCorrections.compactMap(\.target))
        for entry in record.entries where DoseKind(rawValue: entry.type) != nil {
            entered.doses += 1
            let isImported = entry.metadata["source"] == "imported"
            let isLate = (entry.recordedAt - entry.timestamp).minutes > Double(SummaryText.lateMinutes)
            entered.late += isLate && !isImported ? 1 : 0
            entered.corrected += corrected.contains(entry.id) ? 1 : 0
            entered.imported += isImported ? 1 : 0
        }
    }

    /// Returns the time of day as minutes since 18:00, so that bed times of one evening stand together.
    private static func evening(_ instant: Instant, _ clock: NightClock) -> Double {
        let local = clock.local(instant)
        return Double((local.hour * 60 + local.minute + 360) % 1_440)
    }

    // MARK: What follows

    /// The number of dates with a night.
    var dates: Int { ReportNight.dates(nights) }

    /// Nights by the outcome of dose 2, for nights that expected a dose 2 and are over.
    var outcomes: [(outcome: NightOutcome, count: Int)] {
        [NightOutcome.onTime, .early, .late, .skipped, .notRecorded].map { wanted in
            (wanted, nights.count { $0.outcome == wanted })
        }
    }

    /// Nights in which dose 2 is not judged, by the reason.
    var others: [(outcome: NightOutcome, count: Int)] {
        [NightOutcome.onceNightly, .pending, .noDose1, .anomaly].compactMap { wanted in
            let count = nights.count { $0.outcome == wanted }
            return count == 0 ? nil : (wanted, count)
        }
    }

    var intervals: [Double] { nights.compactMap(\.countedInterval) }

    /// Returns the values of a measure of sleep, from the diary and from devices.
    func sleep(_ value: (SleepDiary) -> Int?) -> (diary: [Double], device: [Double]) {
        (
            nights.compactMap { value($0.measured.sleep) }.map(Double.init),
            nights.compactMap { night in
                night.measured.recorded.flatMap { $0.grade == .told ? nil : value($0.measures) }
            }.map(Double.init)
        )
    }

    /// Counts the dates of a stretch, those without a night, and the longest run of dates without one.
    ///
    /// - Parameters:
    ///   - first: the first date of the request; nil takes the date of the first night.
    ///   - last: the last date of the request; nil takes the date of the last night.
    func gaps(from first: SessionDate?, to last: SessionDate?) -> (days: Int, missing: Int, longest: Int) {
        let known = Set(nights.map(\.date.daysSinceEpoch))
        guard let least = first?.civil.daysSinceEpoch ?? known.min(),
            let most = last?.civil.daysSinceEpoch ?? known.max(), least <= most, most - least < 100_000
        else { return (0, 0, 0) }
        var (missing, run, longest) = (0, 0, 0)
        for day in least...most {
            run = known.contains(day) ? 0 : run + 1
            missing += run > 0 ? 1 : 0
            longest = max(longest, run)
        }
        return (most - least + 1, missing, longest)
    }
}

/// Mean and standard deviation of a sample.
struct MeanAndDeviation: Hashable {
    let count: Int
    let mean: Double
    /// Nil for a single value.
    let deviation: Double?

    /// - Returns: nil without a value.
    init?(_ values: [Double]) {
        guard !values.isEmpty else { return nil }
        count = values.count
        let mean = values.reduce(0, +) / Double(values.count)
        self.mean = mean
        let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        deviation = values.count > 1 ? (squares / Double(values.count - 1)).squareRoot() : nil
    }
}
