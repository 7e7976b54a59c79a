extension Session {
    /// The reminder that was told last, unless it was answered since.
    ///
    /// Each reminder is shown in place of the one before it, so one stands at a time.
    public var standingReminder: ReminderFact? {
        guard let last = reminderFacts.last(where: { $0.dropped == nil }), answer(to: last) == nil else { return nil }
        return last
    }

    /// What answered a reminder that was told: an answer holds for all that were told before it.
    public func answer(to fact: ReminderFact) -> ReminderAcknowledgement? {
        guard let told = reminderFacts.firstIndex(of: fact) else { return nil }
        return reminderAcknowledgements.first { answer in
            guard answer.by != .seen else { return false }
            return reminderFacts.lastIndex { $0.item == answer.item }.map { $0 >= told } ?? false
        }
    }

    /// Whether a person said to have seen a reminder.
    public func isSeen(_ fact: ReminderFact) -> Bool {
        reminderAcknowledgements.contains { $0.by == .seen && $0.item == fact.item }
    }
}

extension EventMaker {
    /// The event that says what an action answered; nil when no reminder stands.
    mutating func answer(_ action: Event, to night: Session) -> Event? {
        guard let by = action.payload.answersReminders, let fact = night.standingReminder else { return nil }
        let asked = (surface, origin)
        (surface, origin) = (.service, nil)
        defer { (surface, origin) = asked }
        let answer = ReminderAcknowledged(reminder: fact.item.id, due: fact.item.due, by: by, action: action.id)
        return event(.reminderAcknowledged(answer), .reminder, night.id, at: occurredAt)
    }
}

extension EventPayload {
    /// How an action answers the reminders of a window; nil when it does not.
    fileprivate var answersReminders: ReminderAnswer? {
        switch self {
        case .doseRecorded(let dose): dose.kind == .dose2 ? .dose2 : nil
        case .doseSkipped(let skip): skip.isAutomatic ? nil : .skip
        case .snoozeRecorded: .snooze
        case .sessionOpened, .sessionClosed, .finalWakeRecorded, .sleepEventRecorded, .checkinRecorded,
            .preSleepRecorded, .medicationRecorded, .regimenSet, .inventoryRecorded, .entryAmended, .entryDeleted,
            .actionUndone,
            .settingChanged, .reminderFired, .reminderDropped, .reminderDelivered, .reminderAcknowledged, .clockStepped,
            .storeRestored:
            nil
        }
    }
}
