public import DoseTapDomain

/// The values that the lab takes of the nights: one for each session date and each thing that can be asked about (R34.1, R34.2).
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

    /// Takes over the prescribed regimens. The regimen that was set last comes first.
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

    /// Takes over a night. If two nights of one date tell the same value, the first counts. Minutes of naps are added up.
    public mutating func take(_ told: LabNight) {
        let day = told.date.civil.daysSinceEpoch
        var night = nights[day] ?? Night()
        for exposure in LabExposure.allCases where night.exposures[exposure] == nil {
            night.exposures[exposure] = told.value(exposure)
        }
        for outcome in LabOutcome.allCases where night.outcomes[outcome] == nil {
            night.outcomes[outcome] = told.value(outcome)
        }
        night.naps += Double(told.napMinutes)
        night.hasUnfinishedNap = night.hasUnfinishedNap || told.hasUnfinishedNap
        night.hasCheckIn = night.hasCheckIn || told.hasCheckIn
        night.isOver = night.isOver || told.isOver
        nights[day] = night
    }

    /// Returns the days of a question, from night `first` on and before night `end`.
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

    public func outcome(_ outcome: LabOutcome, of date: SessionDate) -> Double? {
        nights[date.civil.daysSinceEpoch]?.outcome(outcome)
    }

    /// Returns true if the night of a date is over: a check-in or a final wake is on record, or the session ended after dose 1.
    func isOver(_ date: SessionDate) -> Bool { nights[date.civil.daysSinceEpoch]?.isOver == true }

    /// Returns the name of the regimen in force and its step. Dates as text sort in the order of time.
    private func period(_ date: String) -> String {
        guard
            let place = regimens.firstIndex(where: { regimen in
                regimen.from <= date && regimen.until.map { date <= $0 } ?? true
            })
        else { return "" }
        return "\(place)/\(regimens[place].steps.count { $0 <= date })"
    }
}
