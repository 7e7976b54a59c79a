internal import DoseTapDomain

/// A reminder may stay untold only for a reason that holds: whoever believes every reason finds nothing missing.
extension NightJudge {
    /// Whether the reason given for not telling a reminder holds when it is given. That something more urgent was told in
    /// its place is looked at once everything is told.
    func isTrue(_ reason: ReminderDrop, of told: Told, _ entry: Timeline.Entry) -> Bool {
        let night = night.flatMap { $0.id == told.session ? $0 : nil }
        let isUnresolved = night.map { $0.isOpen && $0.hasUnresolvedWindow } ?? false
        let wasDue = reached(told.item, entry.clock, entry.at)
        guard told.item.id.isOfWindow else {
            return reason == .tooLate && night?.awaitsCheckIn != true || reason == .resolved && night?.checkIn != nil
        }
        switch reason {
        case .superseded: return isUnresolved && wasDue
        case .windowOver:
            guard let elapsed = elapsed(entry.clock, entry.at), isUnresolved else { return true }
            return wasDue && elapsed.leastAtMost >= DoseWindow.closes
        case .resolved: return !isUnresolved
        case .tooLate:
            // What announces the closing goes by the longer figure; by the shorter the window may not even be open. That it
            // has closed stays true.
            return told.item.id != .windowClosed && wasDue
                && elapsed(entry.clock, entry.at).map { $0.least < DoseWindow.opens } ?? false
        case .disabled: return false
        }
    }

    /// What ends the reminders of a window unasked: a night given up as slept through, or closed.
    mutating func judgeSilencing(_ event: Event, _ before: Session?, _ entry: Timeline.Entry) {
        guard let before, before.isOpen, before.hasUnresolvedWindow, event.payload.request == nil,
            let night, night.id == before.id, let elapsed = elapsed(entry.clock, entry.at)
        else { return }
        switch event.payload {
        case .doseSkipped:
            guard elapsed.leastAtMost < DoseWindow.sleptThrough else { return }
            verdict.complain(.missed, "given up as slept through \(when(entry))")
        case .sessionClosed:
            guard !night.isOpen, elapsed.leastAtMost < DoseWindow.closes else { return }
            verdict.complain(.missed, "closed with its window open \(when(entry))")
        default: break
        }
    }
}
