public import DoseTapDomain

/// Answers questions from the nights (R34).
public enum Lab {
    /// Returns the answers to a request, in the order of its entries; for an exploration its one answer.
    public static func answers(_ request: LabRequest, _ nights: LabNights) -> [LabAnswer] {
        let found = request.entries.compactMap { entry -> (LabAnswer, LabFinding?)? in
            let found =
                entry.labQuestion.map { question($0, entry.id, request, nights) }
                ?? entry.labPlan.map { plan($0, entry.id, request, nights) }
            // A withdrawn question gets no answer, but it counts among those asked.
            return entry.isWithdrawn ? found.map { ($0.0, nil) } : found
        }
        let withdrawn = Set(request.entries.filter(\.isWithdrawn).map(\.id))
        let active = judge(found).filter { answer in answer.id.map { !withdrawn.contains($0) } ?? true }
        guard let explored = request.explored else { return active }
        return [explore(explored.exposure, explored.outcome, active, request, nights)]
    }

    private static func explore(
        _ exposure: LabExposure, _ outcome: LabOutcome, _ active: [LabAnswer], _ request: LabRequest,
        _ nights: LabNights
    ) -> LabAnswer {
        var answer = asked(exposure, outcome)
        answer.from = request.span.first
        // An exploration of nights that a waiting question needs would answer that question too early.
        answer.leftOutFrom =
            active.filter { other in
                let about = LabRoutine(rawValue: other.about).flatMap { other.kind == .planned ? $0.exposure : nil }
                return !other.isComplete && other.outcome == outcome
                    && (about ?? LabExposure(rawValue: other.about)) == exposure
            }.compactMap(\.from).min()
        let end = min(answer.leftOutFrom ?? request.today, request.today)
        let days = nights.days(exposure, outcome, from: request.span.first, before: end).filter { day in
            request.span.last.map { day.day <= $0.civil.daysSinceEpoch } ?? true
        }
        let series = LabSeries(days)
        answer.known = series.count
        return judge([(answer, LabFinding(series, exposure))]).first ?? answer
    }

    private static func asked(_ exposure: LabExposure, _ outcome: LabOutcome) -> LabAnswer {
        var answer = LabAnswer()
        (answer.about, answer.outcome) = (exposure.rawValue, outcome)
        (answer.step, answer.margin) = (exposure.step, outcome.margin)
        return answer
    }

    private static func question(
        _ question: LabRegistered, _ id: EventID, _ request: LabRequest, _ nights: LabNights
    ) -> (LabAnswer, LabFinding?) {
        var answer = asked(question.exposure, question.outcome)
        (answer.kind, answer.id, answer.from, answer.wanted) = (.asked, id, question.from, question.nights)
        answer.power = LabLimits.power(nights: question.nights)
        // The day after the present night is not over, so its values may still change.
        let days = nights.days(question.exposure, question.outcome, from: question.from, before: request.today)
            .filter { $0.x != nil && $0.y != nil }
        // Later nights are no part of the question.
        let asked = Array(days.prefix(question.nights))
        answer.known = asked.count
        answer.isComplete = asked.count == question.nights
        return (answer, answer.isComplete ? LabFinding(LabSeries(asked), question.exposure) : nil)
    }

    private static func plan(
        _ plan: LabPlanned, _ id: EventID, _ request: LabRequest, _ nights: LabNights
    ) -> (LabAnswer, LabFinding?) {
        var answer = LabAnswer()
        (answer.kind, answer.id, answer.from, answer.wanted) = (.planned, id, plan.from, plan.pairs)
        (answer.about, answer.outcome, answer.margin) = (plan.routine.rawValue, plan.outcome, plan.outcome.margin)
        let next = SessionDate(request.today.civil.adding(days: 1))
        let tonight = nights.isOver(request.today) || plan.from == next ? next : request.today
        answer.tonight = plan.arm(on: tonight)
        answer.tonightDate = answer.tonight.map { _ in tonight }
        var told: [SessionDate: LabKept] = [:]
        // The entries come newest first, so the last word on a night counts.
        for night in request.entries.compactMap(\.labNight) where night.plan == id {
            told[night.night] = told[night.night] ?? night.kept
        }
        var (differences, counts) = ([Double](), (kept: 0, otherwise: 0, untold: 0))
        for (pair, first) in plan.order.enumerated() {
            let dates = [0, 1].map { SessionDate(plan.from.civil.adding(days: 2 * pair + $0)) }
            for (place, date) in dates.enumerated() where date < request.today {
                let arm: LabArm = place == 0 ? first : first == .a ? .b : .a
                switch told[date] {
                case nil: counts.untold += 1
                case let kept?: if kept.rawValue == arm.rawValue { counts.kept += 1 } else { counts.otherwise += 1 }
                }
            }
            let values = dates.compactMap { nights.outcome(plan.outcome, of: $0) }
            guard values.count == 2, dates[1] < request.today else { continue }
            differences.append(first == .a ? values[0] - values[1] : values[1] - values[0])
        }
        (answer.kept, answer.keptOtherwise, answer.untold) = (counts.kept, counts.otherwise, counts.untold)
        answer.known = differences.count
        // The last night and the day after it are over.
        answer.isComplete = plan.from.civil.adding(days: 2 * plan.pairs) <= request.today.civil
        return (answer, answer.isComplete ? LabFinding(pairs: differences, seed: UInt64(plan.seed)) : nil)
    }

    /// Adds the findings to the answers. Each finding is judged with those asked within ``LabLimits/familyDays`` days of it.
    static func judge(_ found: [(LabAnswer, LabFinding?)]) -> [LabAnswer] {
        found.enumerated().map { place, pair in
            var answer = pair.0
            let family = found.indices.filter { other in
                other == place || distance(found[other].0, answer) <= LabLimits.familyDays
            }
            answer.family = family.count
            guard let finding = pair.1 else { return answer }
            (answer.with, answer.without, answer.alike) = (finding.with, finding.without, finding.alike)
            (answer.effect, answer.low, answer.high, answer.p) = (finding.effect, finding.low, finding.high, finding.p)
            let adjusted = LabFinding.holm(family.map { found[$0].1?.p })
            if finding.p != nil, let own = family.firstIndex(of: place) { answer.adjusted = adjusted[own] }
            (answer.verdict, answer.reasons) = finding.verdict(adjusted: answer.adjusted, margin: answer.margin)
            return answer
        }
    }

    private static func distance(_ one: LabAnswer, _ other: LabAnswer) -> Int {
        guard let a = one.from, let b = other.from else { return .max }
        return abs(a.civil.daysSinceEpoch - b.civil.daysSinceEpoch)
    }
}
