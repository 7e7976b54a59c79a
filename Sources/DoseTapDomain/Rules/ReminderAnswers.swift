/// What became of a reminder.
public struct ReminderFact: Hashable, Sendable {
    /// Which reminder, by identity.
    public let item: ReminderPlan.Item
    /// Nil when it was told.
    public let dropped: ReminderDrop?
    /// When it was told or dropped.
    public let at: Instant
    /// The same on the night's own scale.
    let moment: Instant
    /// What the clocks showed then.
    let clock: ClockReading
}

/// A reminder reached a channel.
public struct ReminderDelivery: Hashable, Sendable {
    /// Which reminder, by identity.
    public let item: ReminderPlan.Item
    public let channel: ReminderChannel
    public let at: Instant
    /// How many facts about reminders were on record before it.
    let factsBefore: Int
}

/// A reminder was answered, and those told before it with it.
public struct ReminderAcknowledgement: Hashable, Sendable {
    /// Which reminder, by identity.
    public let item: ReminderPlan.Item
    /// By what.
    public let by: ReminderAnswer
    public let at: Instant
    /// How many facts of reminders were on record by then.
    let facts: Int
}

extension Session {
    /// The reminder of the dose window that was told last, unless it was answered since.
    ///
    /// Each reminder is shown in place of the one before it, so one stands at a time.
    public var activeReminder: ReminderFact? { active { $0.isOfWindow } }

    /// The reminder of the check-in, if it was told and not answered since; it stands beside the other.
    public var activeCheckIn: ReminderFact? { active { !$0.isOfWindow } }

    private func active(_ isMeant: (ReminderID) -> Bool) -> ReminderFact? {
        let last = reminderFacts.last { $0.dropped == nil && isMeant($0.item.id) }
        return last.flatMap { answer(to: $0) == nil ? $0 : nil }
    }

    /// What answered a reminder that was told: an answer holds for all of its kind that were told before it.
    public func answer(to fact: ReminderFact) -> ReminderAcknowledgement? {
        guard let told = reminderFacts.firstIndex(of: fact) else { return nil }
        return reminderAcknowledgements.first { answer in
            answer.by != .seen && answer.item.id.isOfWindow == fact.item.id.isOfWindow && answer.facts > told
        }
    }

    /// Whether a person said to have seen a reminder.
    public func isSeen(_ fact: ReminderFact) -> Bool {
        reminderAcknowledgements.contains { $0.by == .seen && $0.item == fact.item }
    }
}

extension EventMaker {
    /// The event that says what an action answered; nil when no reminder stands. A check-in that comes before its reminder
    /// leaves nothing to be told.
    mutating func answer(_ action: Event, to night: Session) -> Event? {
        guard let by = action.payload.answersReminders else { return nil }
        let payload: EventPayload
        if let fact = by == .checkin ? night.activeCheckIn : night.activeReminder {
            payload = .reminderAcknowledged(
                ReminderAcknowledged(reminder: fact.item.id, due: fact.item.due, by: by, action: action.id))
        } else if by == .checkin, let item = night.pendingCheckIn(in: context.zone(of: night)) {
            payload = .reminderDropped(
                ReminderDropped(reminder: item.id, due: item.due, reason: .resolved, cause: action.id))
        } else {
            return nil
        }
        let asked = (surface, origin)
        (surface, origin) = (.service, nil)
        defer { (surface, origin) = asked }
        return event(payload, .reminder, night.id, at: occurredAt)
    }
}

extension EventPayload {
    /// How an action answers reminders; nil when it does not.
    fileprivate var answersReminders: ReminderAnswer? {
        switch self {
        case .doseRecorded(let dose): dose.kind == .dose2 ? .dose2 : nil
        case .doseSkipped(let skip): skip.isAutomatic ? nil : .skip
        case .snoozeRecorded: .snooze
        case .checkinRecorded: .checkin
        default: nil
        }
    }
}
