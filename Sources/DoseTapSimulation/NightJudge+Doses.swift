internal import DoseTapDomain

/// Doses are no business of reminders, but of the person half asleep whom the nights are full of: none is recorded too
/// near another, or as one too many, unless that was asked about and answered.
extension NightJudge {
    /// - Parameter before: the night before the event.
    mutating func judgeDose(_ event: Event, _ before: Session, _ entry: Timeline.Entry) {
        guard case .doseRecorded(let dose) = event.payload, dose.kind != .dose1, dose.request.at == nil else { return }
        let answered = Set(dose.request.confirmations)
        let isNear = before.doses.contains { standing in
            guard let elapsed = elapsed(since: standing, of: before, entry) else { return false }
            return elapsed.figures.allSatisfy { figures in
                let question = figures.isCertain || figures.most < DoseWindow.opens ? Confirmation.early : .clockSuspect
                return figures.least < DoseWindow.opens && !answered.contains(question)
            }
        }
        if isNear { verdict.complain(.early, "\(dose.kind.rawValue) unasked \(when(entry))") }
        if dose.kind == .dose2 { judgeUnasked(answered, entry) }
        if before.dose2 != nil, !answered.isSuperset(of: [.extra, .extraUnderstood]) {
            verdict.complain(.twice, "\(dose.kind.rawValue) unasked \(when(entry))")
        }
    }

    /// What is asked about the time of a dose 2 that is taken now: at most one question.
    private static let aboutTime: Set<Confirmation> = [.early, .late, .clockSuspect]

    private static func question(_ figures: JudgedTime.Figures, onceNightly: Bool) -> Confirmation? {
        // Without a window only the other dose can be too near.
        if onceNightly { return figures.least < DoseWindow.opens ? .early : nil }
        if figures.most < DoseWindow.opens { return .early }
        if figures.least >= DoseWindow.closes { return .late }
        return figures.isCertain ? nil : .clockSuspect
    }

    private var isOnceNightly: Bool { night?.rules.onceNightly == true }

    private mutating func judgeUnasked(_ answered: Set<Confirmation>, _ entry: Timeline.Entry) {
        guard let elapsed = elapsed(entry.clock, entry.at), answered.isDisjoint(with: Self.aboutTime) else { return }
        if elapsed.passed < DoseWindow.opens { verdict.misled += 1 }
        guard !elapsed.figures.contains(where: { Self.question($0, onceNightly: isOnceNightly) == nil }) else { return }
        verdict.complain(.asked, "dose2 recorded without a question about the time \(when(entry))")
    }

    /// A command asks: is there a reason for what it asks about the time?
    mutating func judgeQuestion(_ command: Command, _ question: Question, _ entry: Timeline.Entry) {
        guard let night, night.isOpen, let elapsed = elapsed(entry.clock, entry.at) else { return }
        let asked = Self.aboutTime.intersection(question.confirmations)
        let isFair: Bool
        if command == .logDose(.dose2), night.dose2 == nil {
            isFair =
                asked.isEmpty
                || elapsed.figures.contains {
                    Self.question($0, onceNightly: isOnceNightly).map { asked == [$0] } ?? false
                } || asked == [.clockSuspect] && isBehindRecord(entry.clock)
        } else {
            // A clock before the record is asked about with whatever is recorded (R2.19).
            isFair = !asked.contains(.clockSuspect) || !elapsed.isCertain || isBehindRecord(entry.clock)
        }
        guard !isFair else { return }
        let words = asked.map(\.rawValue).sorted().joined(separator: ", ")
        verdict.complain(
            .asked,
            "\(NightScript.words(.asks(command, CommandOptions(surface: .cli), ago: nil))) asks \(words) \(when(entry))"
        )
    }
}
