internal import DoseTapDomain

/// What must have been told by a moment.
extension NightJudge {
    /// Everything that follows from this moment has happened: is everything told that is due?
    ///
    /// - Parameter isNoticed: whether the service looked at its clocks.
    mutating func settle(
        clock: ClockReading, at: Instant, dead: Set<SimulatedChannel>, isNoticed: Bool = true
    ) {
        defer { clear() }
        if isBehind { fold() }
        look(clock, at, isNoticed: isNoticed)
        for told in fresh where !dead.contains(.notifications) && !screen.wasShown(told) {
            // There is one place on the screen: of what is due at the same moment the last is shown.
            if fresh.contains(where: { $0.follows(told) && screen.wasShown($0) }) { continue }
            // It takes nothing more urgent from there.
            if screen.standing.contains(where: { $0.item.id.urgency > told.item.id.urgency }) { continue }
            verdict.complain(.missed, "\(told.item.id.rawValue) did not reach the screen at \(at.iso8601)")
        }
        let isRinging = mayStand(clock, at) { $0.urgency == .critical }
        let standing =
            isRinging ? night.map { night in unanswered(night).map { Told(session: night.id, item: $0) } } ?? [] : []
        for told in outranked where !(fresh + standing).contains(where: { $0.outranks(told) }) {
            verdict.complain(.missed, "\(told.item.id.rawValue) dropped for nothing at \(at.iso8601)")
        }
        judgeScreen(clock, at)
        judgeAlarm(clock, at)
        guard let night, night.isOpen else { return }
        let facts = night.reminderFacts
        let checkIn = zones[night.id].map(night.pendingReminders(in:))?.filter { !$0.id.isOfWindow } ?? []
        for item in checkIn where item.due <= clock.wall { miss(item, of: night, "at \(at.iso8601)") }
        guard night.hasUnresolvedWindow, let dose1 = night.dose1 else { return }
        for item in plan
        where lateness(item, clock, at) >= .zero && !facts.contains(where: { $0.item == item }) {
            miss(item, of: night, "at \(at.iso8601)")
        }
        guard isAlarmOwed(clock, at) else { return }
        // Where the longer figure is past the closing only repeats are left, and the next comes within five minutes.
        if let elapsed = elapsed(clock, at), elapsed.mostAtLeast >= DoseWindow.closes, at - disturbed < .minutes(5) {
            return
        }
        let alarm = ReminderPlan.Item(id: .alarm, due: dose1.at + night.alarm)
        let rang = facts.contains { fact in
            fact.dropped == nil && fact.item.id.urgency == .critical && fact.item.due >= alarm.due
        }
        if !rang { miss(alarm, of: night, "though the window is open, at \(at.iso8601)") }
    }

    /// Whether an alarm must ring now: from its moment by the longer figure, until the window has closed by the shorter.
    func isAlarmOwed(_ clock: ClockReading, _ at: Instant) -> Bool {
        guard let night, night.isOpen, night.hasUnresolvedWindow, let elapsed = elapsed(clock, at) else { return false }
        return elapsed.mostAtLeast >= max(night.alarm, DoseWindow.opens) && elapsed.leastAtMost < DoseWindow.closes
    }

    private mutating func miss(_ item: ReminderPlan.Item, of night: Session, _ when: String) {
        guard missed.insert(Told(session: night.id, item: item)).inserted else { return }
        verdict.complain(.missed, "\(item.id.rawValue) \(when)")
    }
}

extension NightJudge.Told {
    /// Whether it takes the place of another one that was told in the same moment.
    fileprivate func follows(_ other: Self) -> Bool {
        self != other && session == other.session && item.id.isOfWindow && other.item.id.isOfWindow
            && item.due >= other.item.due && item.id.urgency >= other.item.id.urgency
    }

    /// Whether it is told in place of another one of the same window.
    fileprivate func outranks(_ other: Self) -> Bool {
        session == other.session && item.id.isOfWindow && item.due != other.item.due
            && (item.id.urgency, item.due) > (other.item.id.urgency, other.item.due)
    }
}
