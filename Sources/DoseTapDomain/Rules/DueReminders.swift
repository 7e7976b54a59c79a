/// The decision about the reminders that are due by now: told or dropped (R7).
public struct DueReminders: Hashable, Sendable {
    /// Reminders to be told now, in order of time.
    public let fire: [ReminderPlan.Item]
    /// Reminders that are not told, each with its reason.
    public let drop: [Dropped]

    public struct Dropped: Hashable, Sendable {
        public let item: ReminderPlan.Item
        public let reason: ReminderDrop
    }

    public var isEmpty: Bool { fire.isEmpty && drop.isEmpty }

    /// Decides for a night. After a gap the most urgent reminder of the window that is still true is told, and no other. A
    /// reminder that is no longer true is never told. The check-in's is told in addition, after the other, unless the check-in
    /// of the night behind the session is on record (R8.11).
    public init(session: Session, in logState: LogState, _ context: DecisionContext) {
        let now = context.clock
        let due = session.dueReminders(now: now)
        let elapsed = session.elapsed(now: now) ?? ElapsedTime(certain: .zero)
        var drop: [Dropped] = []
        var active: [ReminderPlan.Item] = []
        for item in due {
            if session.hasUnresolvedWindow, item.id.row.isTrue(after: elapsed) {
                active.append(item)
            } else {
                // In doubt the alarm goes on in place of the reminder.
                let isOver = elapsed.shorter >= DoseWindow.closes
                let isInDoubt = !isOver && elapsed.longer >= DoseWindow.closes
                drop.append(Dropped(item: item, reason: isOver ? .windowOver : isInDoubt ? .superseded : .tooLate))
            }
        }
        let chosen = active.max { ($0.id.urgency, $0.due) < ($1.id.urgency, $1.due) }
        let checkIn = session.pendingCheckIn(in: context.zone(of: session)).flatMap {
            $0.due <= now.wall ? $0 : nil
        }
        let isCheckedIn = checkIn != nil && logState.night(behind: session)?.checkIn != nil
        fire = active.filter { $0.due == chosen?.due } + (isCheckedIn ? [] : [checkIn].compactMap(\.self))
        drop += active.filter { $0.due != chosen?.due }.map { Dropped(item: $0, reason: .superseded) }
        if isCheckedIn, let checkIn { drop.append(Dropped(item: checkIn, reason: .resolved)) }
        self.drop = drop
    }
}

extension DueReminders {
    /// Collects the reminders that came due while the service was off, for a night that time alone has resolved or closed since.
    /// The reminders are too late to be told, but are recorded (R7).
    ///
    /// - Parameters:
    ///   - before: the night as it was last known.
    ///   - after: the same night after its boundaries were settled; nil if it is gone.
    public init(missedBy before: Session, after: Session?, _ context: DecisionContext) {
        let now = context.clock
        fire = []
        var drop: [Dropped] = []
        if before.hasUnresolvedWindow, after?.hasUnresolvedWindow != true || after?.isOpen != true {
            drop = before.dueReminders(now: now).map { Dropped(item: $0, reason: .windowOver) }
        }
        if after?.awaitsCheckIn != true, let item = before.pendingCheckIn(in: context.zone(of: before)),
            item.due <= now.wall
        {
            drop.append(Dropped(item: item, reason: .tooLate))
        }
        self.drop = drop
    }
}

extension Session {
    /// Returns the reminders of the dose window that are due and neither told nor dropped.
    func dueReminders(now: ClockReading) -> [ReminderPlan.Item] {
        guard let dose1, let elapsed = elapsed(now: now) else { return [] }
        return pendingReminders(now: now).filter { $0.due - dose1.at <= elapsed.longer }
    }

    /// Returns true if a reminder that is due, or was told, is true now. The reminder is the last one told, or not told yet, and
    /// nobody answered it.
    ///
    /// - Parameter zone: the session's.
    public func isActive(_ item: ReminderPlan.Item, now: ClockReading, in zone: Zone) -> Bool {
        guard item.id.isOfWindow else { return isActiveCheckIn(item, in: zone) }
        guard isOpen, hasUnresolvedWindow, let elapsed = elapsed(now: now),
            item.id.row.isTrue(after: elapsed)
        else { return false }
        let isTold = reminderFacts.contains { $0.item == item }
        return isTold
            ? activeReminder(now: now).map { $0.item == item || $0.item.due == item.due } ?? false
            : pendingReminders(now: now).contains(item)
    }

    /// Returns the reminder of the dose window that stands at a moment: the last of the most urgent among those that were told,
    /// have no answer since, are true then and are in the present plan. If clocks disagree, a less urgent reminder may come later,
    /// or one that is untrue once the clocks are set right. Neither hides a reminder that was told before.
    public func activeReminder(now: ClockReading) -> ReminderFact? {
        guard isOpen, hasUnresolvedWindow, let dose1, let elapsed = elapsed(now: now) else { return nil }
        let plan = reminders(now: now)
        let told = reminderFacts.filter { fact in
            fact.dropped == nil && fact.item.id.isOfWindow && fact.item.id.row.isTrue(after: elapsed)
                && fact.item.due - dose1.at <= elapsed.longer && plan.contains(fact.item) && answer(to: fact) == nil
        }
        let urgency = told.map(\.item.id.urgency).max()
        return told.last { $0.item.id.urgency == urgency }
    }

    /// Returns the events that record the fate of due reminders.
    public func recording(
        _ reminders: DueReminders, _ context: DecisionContext, newest: Instant?, ids: inout IdentifierGenerator
    ) -> [Event] {
        var maker = EventMaker(context: context, newest: newest, ids: ids)
        defer { ids = maker.ids }
        var events: [Event] = []
        for item in reminders.fire {
            let payload = ReminderFired(reminder: item.id, due: item.due)
            events.append(maker.event(.reminderFired(payload), .reminder, id, at: maker.occurredAt))
        }
        for dropped in reminders.drop {
            let payload = ReminderDropped(reminder: dropped.item.id, due: dropped.item.due, reason: dropped.reason)
            events.append(maker.event(.reminderDropped(payload), .reminder, id, at: maker.occurredAt))
        }
        return events
    }
}
