internal import DoseTapDomain

/// What `status` says of the times that have to pass: facts that still matter, each with its source.
enum ClearanceText {
    static func rows(_ status: NightStatus, _ moments: Moments) -> [(String, String)] {
        status.clearance.filter { $0.isRunning(at: status.at) }.map { fact in
            (label(fact.kind), "\(text(fact, status, moments)) (\(fact.source))")
        }
    }

    private static func label(_ kind: Clearance.Kind) -> String {
        switch kind {
        case .earliestDrive: "Earliest drive"
        case .meal: "Meal"
        case .alcohol: "Alcohol"
        case .lateStimulant: "Stimulant"
        case .preparedCup: "Prepared cup"
        }
    }

    private static func text(_ fact: Clearance, _ status: NightStatus, _ moments: Moments) -> String {
        func clock(_ instant: Instant) -> String { moments.clock(instant, near: status.at) }
        let detail = fact.detail.map { SafeText.line(String($0.map { $0 == "_" ? " " : $0 })) } ?? ""
        let at = fact.at.map(clock) ?? "an unknown time"
        switch fact.kind {
        case .earliestDrive:
            let time = fact.until.map(clock) ?? "unknown"
            guard fact.detail == Clearance.atLeast else { return time }
            return "not before \(time); after a dose 2 later"
        case .meal: return "\(detail), over at \(at)" + (fact.until.map { ": 2 h until \(clock($0))" } ?? "")
        case .alcohol: return "drinks today: \(detail), the last at \(at)"
        case .lateStimulant: return "\(detail) at \(at)"
        case .preparedCup:
            let dose = fact.detail.map { "\(Words.entry($0)), " } ?? ""
            guard let poured = fact.at, let until = fact.until else { return "\(dose)poured at \(at)" }
            let span = LocalTimeFormat.interval(until - poured)
            return until > status.at
                ? "\(dose)poured at \(at): \(span) until \(clock(until))"
                : "\(dose)poured at \(at): the \(span) were over at \(clock(until))"
        }
    }
}
