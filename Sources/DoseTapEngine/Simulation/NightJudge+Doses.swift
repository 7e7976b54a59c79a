internal import DoseTapDomain

/// Doses are no business of reminders, but of the person half asleep whom the nights are full of: none is recorded too
/// near another, or as one too many, unless that was asked about and answered.
extension NightJudge {
    /// - Parameter before: the night before the event.
    mutating func judgeDose(_ event: Event, _ before: Session, _ entry: Timeline.Entry) {
        guard case .doseRecorded(let dose) = event.payload, dose.kind != .dose1, dose.request.at == nil else { return }
        let answered = Set(dose.request.confirmations)
        let isNear = before.doses.contains { standing in
            elapsed(since: standing, of: before, entry).map { $0.least < DoseWindow.opens } ?? false
        }
        if isNear, !answered.contains(.early) {
            verdict.complain(.early, "\(dose.kind.rawValue) unasked \(when(entry))")
        }
        if before.dose2 != nil, !answered.isSuperset(of: [.extra, .extraUnderstood]) {
            verdict.complain(.twice, "\(dose.kind.rawValue) unasked \(when(entry))")
        }
    }
}
