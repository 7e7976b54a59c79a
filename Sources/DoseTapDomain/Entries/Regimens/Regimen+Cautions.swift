extension Regimen {
    /// The label's most that a night's amount is raised by within a week, in mg.
    static let weeklyRaise = 1_500

    private static let raiseSource = "Xyrem, Xywav and Lumryz labels, dosage"

    /// What labels say about it; shown, never enforced.
    ///
    /// - Parameter earlier: the regimen on the date before it.
    func cautions(after earlier: Regimen?) -> [Medication.Caution] {
        var cautions: [Medication.Caution] = []
        for date in [from] + steps.map(\.from) {
            let total = totalMilligrams(on: date)
            guard let least = least(beforeWithinAWeekOf: date, earlier), total - least > Self.weeklyRaise else {
                continue
            }
            cautions.append(
                Medication.Caution(
                    text:
                        "From \(least) to \(total) mg a night within a week of \(date.text): labels raise it by at most "
                        + "\(Self.weeklyRaise) mg a week.", source: Self.raiseSource))
        }
        let most = ([from] + steps.map(\.from)).map(totalMilligrams).max() ?? 0
        if most > RegistrationPolicy.nightLimitMilligrams {
            cautions.append(
                Medication.Caution(
                    text: "\(most) mg a night is over the \(RegistrationPolicy.nightLimitMilligrams) mg of the labels.",
                    source: Self.raiseSource))
        }
        return cautions
    }

    /// The least that was in force on one of the seven days before a date.
    private func least(beforeWithinAWeekOf date: SessionDate, _ earlier: Regimen?) -> Int? {
        let totals = (1...7).compactMap { back -> Int? in
            let day = SessionDate(date.civil.adding(days: -back))
            if day >= from { return totalMilligrams(on: day) }
            return earlier.flatMap { $0.isActive(on: day) ? $0.totalMilligrams(on: day) : nil }
        }
        return totals.min()
    }
}
