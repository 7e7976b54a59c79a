package import DoseTapDomain

/// The text of the lab. It never says that one thing brings about another, and gives no advice about a dose.
package enum LabText {
    /// `late_meal: A no meal in the last 4 hours before bed, B as usual`.
    package static var routines: [String] {
        LabRoutine.allCases.map { tr("\($0.rawValue): A \(way($0)), B as usual") }
    }

    /// The answer to a question about the prescribed doses.
    package static let noDoses = LabRoutine.noDoses.capitalised + "."

    /// Returns the behaviour in a night of A.
    static func way(_ routine: LabRoutine) -> String {
        switch routine {
        case .screens: tr("no screens in the last hour before bed")
        case .lateMeal: tr("no meal in the last 4 hours before bed")
        case .caffeineEnd: tr("no caffeine after 14:00")
        case .room: tr("a cooler bedroom")
        case .nap: tr("one planned nap of 20 min by day")
        case .bedtimeEarlier: tr("lights out 30 min earlier")
        case .bedtimeLater: tr("lights out 30 min later")
        }
    }

    /// Returns the comparison, for one step of the exposure.
    static func step(_ exposure: LabExposure) -> String {
        switch exposure {
        case .interval: tr("30 min more between the doses")
        case .lateMeal: tr("a late meal")
        case .alcohol: tr("alcohol")
        case .bedtime: tr("lights out an hour later")
        case .split: tr("10 % more of the night in dose 1")
        case .screens: tr("half an hour of screens or more before bed")
        }
    }

    static func name(_ outcome: LabOutcome) -> String {
        switch outcome {
        case .rested: tr("rested (1 to 5)")
        case .clarity: tr("mental clarity (1 to 10)")
        case .wellness: tr("wellness (0 to 100)")
        case .grogginess: tr("grogginess (0 to 4)")
        case .napMinutes: tr("minutes of naps")
        }
    }

    static func why(_ reason: LabReason) -> String {
        switch reason {
        case .fewNights: tr("fewer than \(LabLimits.fewestNights) nights are known")
        case .fewOfEach: tr("fewer than \(LabLimits.fewestOfEach) nights are on one side of the comparison")
        case .noSpread: tr("beside trend, weekday and regimen it hardly differs from night to night")
        case .noChange: tr("the outcome does not differ")
        case .alike: tr("a day is so much like the day before it that the nights say little")
        case .manyRegimens: tr("the regimen changed too often for the number of nights")
        case .open: tr("the nights leave one side of the interval open")
        case .wide: tr("the nights fit no difference as well as one that matters")
        case .manyQuestions: tr("it is one of several questions, and among several some go together by chance")
        case .fewInARow:
            tr("fewer than \(LabLimits.fewestInARow) known nights follow a known one, so how alike days are is unknown")
        case .fewPairs: tr("fewer than \(LabLimits.fewestPairs) pairs are known")
        }
    }

    /// Returns the text after a question was registered.
    package static func asked(nights: Int) -> [String] {
        [
            tr(
                "\(Count.nights(nights)) find a moderate link (r 0.3), where there is one, in about \(LabLimits.power(nights: nights)) of 100 cases. More nights find it more often."
            )
        ]
    }

    package static func list(_ answers: [LabAnswer], _ page: Page) -> [String] {
        guard !answers.isEmpty else {
            return [tr("Nothing was asked yet."), page.addressed(tr("Next: dosetap lab ask late_meal rested"))]
        }
        return Array(answers.map { answer($0) }.joined(separator: [""]))
    }

    /// Returns one answer, each figure with its meaning.
    package static func answer(_ answer: LabAnswer) -> [String] {
        var lines = [heading(answer)]
        if answer.kind == .explored {
            lines.append(tr("Looked at afterwards: a suggestion of what to ask, no answer to a question asked before."))
        }
        if let from = answer.leftOutFrom {
            lines.append(tr("Nights from \(from.text) on are left out: a question or a plan about them waits."))
        }
        if let tonight = answer.tonight, let date = answer.tonightDate, !answer.isComplete,
            let routine = LabRoutine(rawValue: answer.about)
        {
            lines.append(night(date, tonight, routine))
        }
        if !answer.isComplete {
            let what = answer.kind == .planned ? tr("pairs") : tr("nights")
            lines.append(tr("\(answer.known) of \(answer.wanted ?? 0) \(what) are known. Nothing more is told before."))
        }
        if let verdict = answer.verdict { lines += verdictLines(verdict, answer) }
        if answer.kind == .planned { lines += kept(answer) }
        if [LabExposure.interval, .split].map(\.rawValue).contains(answer.about) { lines.append(asTheyCame) }
        if let id = answer.id { lines.append(tr("id \(SafeText.line(id.text))")) }
        return lines
    }

    /// Returns the way of a night of a plan.
    static func night(_ date: SessionDate, _ arm: LabArm, _ routine: LabRoutine) -> String {
        tr("Night of \(date.text): \(arm == .a ? "A, \(way(routine))" : tr("B, as usual"))")
    }

    private static func heading(_ answer: LabAnswer) -> String {
        let what =
            LabRoutine(rawValue: answer.about).flatMap { answer.kind == .planned ? way($0) : nil }
            ?? LabExposure(rawValue: answer.about).map(step) ?? SafeText.line(answer.about)
        let from = answer.from.map { tr(", from \($0.text)") } ?? ""
        return tr("\(what.capitalised), and \(name(answer.outcome)) the day after\(from)")
    }

    private static var asTheyCame: String {
        tr("It describes the nights as they came. Doses and intervals are changed with the prescriber only.")
    }

    private static func verdictLines(_ verdict: LabVerdict, _ answer: LabAnswer) -> [String] {
        let nights = answer.kind == .planned ? Count.pairs(answer.known) : Count.nights(answer.known)
        var lines: [String] = []
        switch verdict {
        case .goesWith: lines.append(tr("Goes with: \(difference(answer.effect)), in \(nights)."))
        case .noDifference:
            lines.append(
                tr(
                    "No difference that matters: \(difference(answer.effect)), in \(nights). One that matters is \(number(answer.margin)) or more."
                ))
        case .cannotTell:
            let reasons = answer.reasons.map(why)
            lines.append(tr("Cannot tell, in \(nights): \(reasons.joined(separator: "; "))."))
        }
        if let low = answer.low, let high = answer.high {
            lines.append(
                tr(
                    "The nights fit every difference from \(signed(low)) to \(signed(high)); in 95 of 100 such records this interval holds the true one."
                ))
        }
        if let p = answer.adjusted ?? answer.p {
            let others = answer.family > 1 ? tr(", judged together with \(answer.family - 1) more") : ""
            lines.append(
                tr("p \(p < 0.01 ? tr("below 0.01") : number(p))\(others): how often chance alone does as much."))
        }
        if let with = answer.with, let without = answer.without {
            lines.append(tr("\(Count.nights(with)) with it, \(Count.nights(without)) without."))
        }
        if verdict == .goesWith, answer.kind != .planned {
            lines.append(tr("What brings about what, this does not say: something else may go with both."))
        }
        return lines
    }

    private static func kept(_ answer: LabAnswer) -> [String] {
        guard let kept = answer.kept, let otherwise = answer.keptOtherwise, let untold = answer.untold else {
            return []
        }
        return [
            tr(
                "Kept as planned \(kept), otherwise \(otherwise), not told \(untold). Each night counts as it was planned."
            )
        ]
    }

    private static func difference(_ effect: Double?) -> String {
        effect.map { tr("\(signed($0)) on average") } ?? tr("unknown on average")
    }

    private static func signed(_ value: Double) -> String { (value > 0 ? "+" : "") + number(value) }

    /// Returns a number to a hundredth.
    private static func number(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return tr("unknown") }
        let hundredths = Int64((value * 100).rounded())
        let (whole, part) = (abs(hundredths) / 100, abs(hundredths) % 100)
        let sign = hundredths < 0 ? "-" : ""
        guard part > 0 else { return "\(sign)\(whole)" }
        return Figure.pointed(
            part % 10 == 0 ? "\(sign)\(whole).\(part / 10)" : "\(sign)\(whole).\(part < 10 ? "0" : "")\(part)")
    }
}
