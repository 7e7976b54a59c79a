/// The fate of a reminder: told or dropped.
public struct ReminderFact: Hashable, Sendable {
    /// The reminder, by identity.
    public let item: ReminderPlan.Item
    /// The reason; nil for a told reminder.
    public let dropped: ReminderDrop?
    /// The time at which the reminder was told or dropped.
    public let at: Instant
    /// The same time on the night's own scale.
    let moment: Instant
    /// The clocks at that time.
    let clock: ClockReading
}

/// A reminder reached a channel.
public struct ReminderDelivery: Hashable, Sendable {
    /// The reminder, by identity.
    public let item: ReminderPlan.Item
    public let channel: ReminderChannel
    public let at: Instant
    /// The number of facts about reminders that were on record before the delivery.
    let factsBefore: Int
}

/// A reminder was answered, together with those told before it.
public struct ReminderAcknowledgement: Hashable, Sendable {
    /// The reminder, by identity.
    public let item: ReminderPlan.Item
    /// The kind of answer.
    public let by: ReminderAnswer
    public let at: Instant
    /// The number of facts about reminders that were on record by then.
    let facts: Int
}

extension Session {
    /// The reminder of the dose window that was told last, unless it was answered since.
    ///
    /// Each reminder is shown in place of the one before it, so one stands at a time.
    public var activeReminder: ReminderFact? { active { $0.isOfWindow } }

    /// The reminder of the check-in, if it was told and not answered since. This reminder stands beside that of the window.
    public var activeCheckIn: ReminderFact? { active { !$0.isOfWindow } }

    private func active(_ isMeant: (ReminderID) -> Bool) -> ReminderFact? {
        let last = reminderFacts.last { $0.dropped == nil && isMeant($0.item.id) }
        return last.flatMap { answer(to: $0) == nil ? $0 : nil }
    }

    /// Returns the answer to a reminder that was told. An answer holds for all reminders of its kind told before it.
    public func answer(to fact: ReminderFact) -> ReminderAcknowledgement? {
        guard let told = reminderFacts.firstIndex(of: fact) else { return nil }
        return reminderAcknowledgements.first { answer in
            answer.by != .seen && answer.item.id.isOfWindow == fact.item.id.isOfWindow && answer.facts > told
        }
    }

    /// Returns true if a person marked a reminder as seen.
    public func isSeen(_ fact: ReminderFact) -> Bool {
        reminderAcknowledgements.contains { $0.by == .seen && $0.item == fact.item }
    }
}

extension EventMaker {
    /// Returns the event that says what an action answered; nil if no reminder stands. A check-in before its reminder drops the
    /// reminder.
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
    /// The kind of answer that an action gives to reminders; nil for an action that gives none.
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
