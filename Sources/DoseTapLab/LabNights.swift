public import DoseTapDomain

/// What the lab takes of the nights: a value a session date for each thing it may be asked about (R34.1, R34.2).
public struct LabNights: Sendable {
    private struct Night {
        var exposures: [LabExposure: Double] = [:]
        var outcomes: [LabOutcome: Double] = [:]
        var naps = 0.0
        var hasUnfinishedNap = false
        var hasCheckIn = false
        var isOver = false

        func outcome(_ outcome: LabOutcome) -> Double? {
            guard outcome == .napMinutes else { return outcomes[outcome] }
            return hasCheckIn && !hasUnfinishedNap ? naps : nil
        }
    }

    private var nights: [Int: Night] = [:]
    private var regimens: [(from: String, until: String?, steps: [String])] = []

    public init() {}

    /// Takes up what was prescribed, the regimen that was set last first.
    public mutating func take(history: [JSONObject]) {
        regimens = history.compactMap { regimen in
            regimen["from"]?.stringValue.map { from in
                (
                    from, regimen["until"]?.stringValue,
                    (regimen["steps"]?.arrayValue ?? []).compactMap { $0["from"]?.stringValue }
                )
            }
        }
    }

    /// Takes up a night. Of two of one date that tell the same, the first counts; naps are added.
    public mutating func take(_ record: NightRecord) {
        let day = record.summary.sessionDate.civil.daysSinceEpoch
        var night = nights[day] ?? Night()
        for exposure in LabExposure.allCases where night.exposures[exposure] == nil {
            night.exposures[exposure] = Self.value(exposure, record).map { $0 / exposure.step }
        }
        for outcome in LabOutcome.allCases where night.outcomes[outcome] == nil {
            night.outcomes[outcome] = Self.value(outcome, record)
        }
        night.naps += record.naps.compactMap(\.length).reduce(0) { $0 + Double($1.wholeMinutes) }
        night.hasUnfinishedNap = night.hasUnfinishedNap || record.naps.contains { $0.length == nil }
        night.hasCheckIn = night.hasCheckIn || Self.checkIn(record) != nil
        let isAwake = record.entries.contains { $0.type == SleepEventWord.finalWake }
        let hasEnded = record.summary.end != nil && record.summary.dose1 != nil
        night.isOver = night.isOver || night.hasCheckIn || isAwake || hasEnded
        nights[day] = night
    }

    /// The days of a question, from a night on and before another one.
    public func days(
        _ exposure: LabExposure, _ outcome: LabOutcome, from first: SessionDate? = nil, before end: SessionDate? = nil
    ) -> [LabDay] {
        let (least, most) = (first?.civil.daysSinceEpoch ?? .min, end?.civil.daysSinceEpoch ?? .max)
        var periods: [String: Int] = [:]
        return nights.filter { $0.key >= least && $0.key < most }.sorted { $0.key < $1.key }.map { day, night in
            let name = period(SessionDate(CivilDate(daysSinceEpoch: day)).text)
            let number = periods[name] ?? periods.count
            periods[name] = number
            return LabDay(day: day, x: night.exposures[exposure], y: night.outcome(outcome), period: number)
        }
    }

    /// The outcome of a session date.
    public func outcome(_ outcome: LabOutcome, of date: SessionDate) -> Double? {
        nights[date.civil.daysSinceEpoch]?.outcome(outcome)
    }

    /// Whether the night of a date is over: a check-in or a final wake is on record, or it ended after dose 1.
    func isOver(_ date: SessionDate) -> Bool { nights[date.civil.daysSinceEpoch]?.isOver == true }

    /// The regimen in force and its step; dates as texts are in their order.
    private func period(_ date: String) -> String {
        guard
            let place = regimens.firstIndex(where: { regimen in
                regimen.from <= date && regimen.until.map { date <= $0 } ?? true
            })
        else { return "" }
        return "\(place)/\(regimens[place].steps.count { $0 <= date })"
    }

    private static func value(_ exposure: LabExposure, _ night: NightRecord) -> Double? {
        switch exposure {
        case .interval:
            guard let interval = night.summary.interval, interval >= .zero else { return nil }
            return Double(interval.wholeMilliseconds) / 60_000
        case .lateMeal: return preSleep(night, "late_meal").map { $0 == "none" ? 0 : 1 }
        case .alcohol: return preSleep(night, "alcohol").map { $0 == "none" ? 0 : 1 }
        case .screens: return preSleep(night, "screens").map { ["none", "briefly"].contains($0) ? 0 : 1 }
        case .bedtime: return bedtime(night)
        case .split:
            guard night.summary.extraDoses == 0, let first = amount(night, .dose1), let second = amount(night, .dose2),
                first + second > 0
            else { return nil }
            return 100 * first / (first + second)
        }
    }

    private static func preSleep(_ night: NightRecord, _ key: String) -> String? {
        night.entries.last { $0.type == EntityType.preSleep.rawValue }?.metadata["answers"]?[key]?.stringValue
    }

    private static func amount(_ night: NightRecord, _ kind: DoseKind) -> Double? {
        let doses = night.entries.filter { $0.type == kind.rawValue }
        guard doses.count == 1 else { return nil }
        return doses[0].metadata["amount_mg"]?.doubleValue
    }

    /// Minutes after noon by the clock of the night.
    private static func bedtime(_ night: NightRecord) -> Double? {
        let words = [SleepEventWord.lightsOut, SleepEventWord.inBed]
        guard let entry = words.lazy.compactMap({ word in night.entries.first { $0.type == word } }).first,
            let offset = entry.metadata["local_offset_minutes"]?.integerValue, abs(offset) <= 1_440
        else { return nil }
        let minutes = entry.timestamp.seconds / 60 + offset - 720
        return Double((minutes % 1_440 + 1_440) % 1_440)
    }

    private static func value(_ outcome: LabOutcome, _ night: NightRecord) -> Double? {
        switch outcome {
        case .rested: return rank(night, "feel_rested").map { Double($0 + 1) }
        case .grogginess: return rank(night, "grogginess").map(Double.init)
        case .clarity: return given(night, "mental_clarity")?.doubleValue
        case .wellness:
            guard checkIn(night)?["wellness_defaults"]?.arrayValue?.isEmpty ?? true else { return nil }
            return night.summary.wellnessScore.map(Double.init)
        // The naps of a date may be of several sessions.
        case .napMinutes: return nil
        }
    }

    private static func checkIn(_ night: NightRecord) -> JSONObject? {
        night.entries.last { $0.type == EntityType.checkin.rawValue }?.metadata
    }

    /// An answer that somebody gave: a default is none.
    private static func given(_ night: NightRecord, _ key: String) -> JSONValue? {
        guard let checkIn = checkIn(night),
            checkIn["defaults"]?.arrayValue?.contains(.string(key)) != true
        else { return nil }
        return checkIn["answers"]?[key]
    }

    /// The place of an answer among its codes, from 0.
    private static func rank(_ night: NightRecord, _ key: String) -> Int? {
        guard let code = given(night, key)?.stringValue else { return nil }
        return codes[key]?.firstIndex(of: code)
    }

    private static let codes = ["feel_rested", "grogginess"].reduce(into: [String: [String]]()) { codes, key in
        codes[key] = Questionnaire.morning[key]?.kind.choices.map(\.code)
    }
}
