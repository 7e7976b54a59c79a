internal import DoseTapDomain

/// Checks of due reminders at one moment.
extension NightJudge {
    /// Checks that every due reminder was delivered, once everything that follows from this moment has happened.
    ///
    /// - Parameter isNoticed: true if the service read its clocks.
    mutating func settle(
        clock: ClockReading, at: Instant, dead: Set<SimulatedChannel>, isNoticed: Bool = true
    ) {
        defer { clear() }
        if isBehind { fold() }
        look(clock, at, isNoticed: isNoticed)
        for notified in fresh where !dead.contains(.notifications) && !screen.wasShown(notified) {
            // The screen has one place: of reminders due at the same moment the last is shown.
            if fresh.contains(where: { $0.follows(notified) && screen.wasShown($0) }) { continue }
            // A more urgent reminder stays there.
            if screen.active.contains(where: { $0.item.id.urgency > notified.item.id.urgency }) { continue }
            verdict.complain(.missed, "\(notified.item.id.rawValue) did not reach the screen at \(at.iso8601)")
        }
        let isRinging = mayStand(clock, at) { $0.urgency == .critical }
        let active =
            isRinging
            ? night.map { night in unanswered(night).map { Notified(session: night.id, item: $0) } } ?? [] : []
        for notified in outranked where !(fresh + active).contains(where: { $0.outranks(notified) }) {
            verdict.complain(.missed, "\(notified.item.id.rawValue) dropped for nothing at \(at.iso8601)")
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
        // Past the closing by the longer figure only repeats are left. The next one comes within five minutes.
        if let elapsed = elapsed(clock, at), elapsed.mostAtLeast >= DoseWindow.closes, at - disturbed < .minutes(5) {
            return
        }
        let alarm = ReminderPlan.Item(id: .alarm, due: dose1.at + night.alarm)
        let rang = facts.contains { fact in
            fact.dropped == nil && fact.item.id.urgency == .critical && fact.item.due >= alarm.due
        }
        if !rang { miss(alarm, of: night, "though the window is open, at \(at.iso8601)") }
    }

    /// Returns true if an alarm must ring now: from its moment by the longer figure, until the window has closed by the
    /// shorter.
    func isAlarmOwed(_ clock: ClockReading, _ at: Instant) -> Bool {
        guard let night, night.isOpen, night.hasUnresolvedWindow, let elapsed = elapsed(clock, at) else { return false }
        return elapsed.mostAtLeast >= max(night.alarm, DoseWindow.opens) && elapsed.leastAtMost < DoseWindow.closes
    }

    private mutating func miss(_ item: ReminderPlan.Item, of night: Session, _ when: String) {
        guard missed.insert(Notified(session: night.id, item: item)).inserted else { return }
        verdict.complain(.missed, "\(item.id.rawValue) \(when)")
    }
}

extension NightJudge.Notified {
    /// Returns true if the reminder replaces another one of the same moment.
    fileprivate func follows(_ other: Self) -> Bool {
        self != other && session == other.session && item.id.isOfWindow && other.item.id.isOfWindow
            && item.due >= other.item.due && item.id.urgency >= other.item.id.urgency
    }

    /// Returns true if the reminder is delivered instead of another one of the same window.
    fileprivate func outranks(_ other: Self) -> Bool {
        session == other.session && item.id.isOfWindow && item.due != other.item.due
            && (item.id.urgency, item.due) > (other.item.id.urgency, other.item.due)
    }
}

/// Checks of reasons: a reminder may be dropped only for a true reason.
extension NightJudge {
    /// Returns true if the reason for dropping a reminder is true when it is given. A later check, after all deliveries
    /// of the moment, finds out if a more urgent one was delivered in its place.
    func isTrue(_ reason: ReminderDrop, of notified: Notified, _ entry: Timeline.Entry) -> Bool {
        let night = night.flatMap { $0.id == notified.session ? $0 : nil }
        let isUnresolved = night.map { $0.isOpen && $0.hasUnresolvedWindow } ?? false
        let wasDue = reached(notified.item, entry.clock, entry.at)
        guard notified.item.id.isOfWindow else {
            let isCheckedIn = night?.checkIn != nil || isCheckedIn(beside: notified.session)
            return reason == .tooLate && night?.awaitsCheckIn != true || reason == .resolved && isCheckedIn
        }
        switch reason {
        case .superseded: return isUnresolved && wasDue
        case .windowOver:
            guard let elapsed = elapsed(entry.clock, entry.at), isUnresolved else { return true }
            return wasDue && elapsed.leastAtMost >= DoseWindow.closes
        case .resolved: return !isUnresolved
        case .tooLate:
            // Announcements of the closing use the longer figure. By the shorter figure the window may not be open. The
            // announcement that the window has closed stays true.
            return notified.item.id != .windowClosed && wasDue
                && elapsed(entry.clock, entry.at).map { $0.least < DoseWindow.opens } ?? false
        case .disabled: return false
        }
    }

    /// Checks automatic ends of a window's reminders: a night recorded as slept through, or closed.
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

/// Checks of doses: a dose too near another, or one too many, is recorded only after a question and its answer.
extension NightJudge {
    /// - Parameter before: the night before the event.
    mutating func judgeDose(_ event: Event, _ before: Session, _ entry: Timeline.Entry) {
        guard case .doseRecorded(let dose) = event.payload, dose.kind != .dose1, dose.request.at == nil else { return }
        let answered = Set(dose.request.confirmations)
        let isNear = before.doses.contains { active in
            guard let elapsed = elapsed(since: active, of: before, entry) else { return false }
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

    /// Questions about the time of dose 2, at most one of which is asked.
    private static let aboutTime: Set<Confirmation> = [.early, .late, .clockSuspect]

    private static func question(_ figures: JudgedTime.Figures, onceNightly: Bool) -> Confirmation? {
        // A night with one dose has no window. Only the other dose can be too near.
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

    /// Checks that a question about the time has a reason.
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
            // A clock before the newest entry is asked about with any entry (R2.19).
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
