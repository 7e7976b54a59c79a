/// What happened, one typed struct per event type. Switches over it are exhaustive on purpose: a new type must
/// say at every place what it means there.
public enum EventPayload: Hashable, Sendable {
    case sessionOpened(SessionOpened)
    case sessionClosed(SessionClosed)
    case doseRecorded(DoseRecorded)
    case doseSkipped(DoseSkipped)
    case snoozeRecorded(SnoozeRecorded)
    case finalWakeRecorded(FinalWakeRecorded)
    case sleepEventRecorded(SleepEventRecorded)
    case checkinRecorded(CheckInRecorded)
    /// An entry that is no part of a session's fold; its own payload says what that means everywhere.
    case entry(EntryPayload)
    case entryAmended(EntryAmended)
    case entryDeleted(EntryDeleted)
    case actionUndone(ActionUndone)
    case settingChanged(SettingChanged)
    case reminderFired(ReminderFired)
    case reminderDropped(ReminderDropped)
    case reminderDelivered(ReminderDelivered)
    case reminderAcknowledged(ReminderAcknowledged)
    case clockStepped(ClockStepped)
    case storeRestored(StoreRestored)

    /// The wire word.
    public var type: EventType {
        switch self {
        case .sessionOpened: .sessionOpened
        case .sessionClosed: .sessionClosed
        case .doseRecorded: .doseRecorded
        case .doseSkipped: .doseSkipped
        case .snoozeRecorded: .snoozeRecorded
        case .finalWakeRecorded: .finalWakeRecorded
        case .sleepEventRecorded: .sleepEventRecorded
        case .checkinRecorded: .checkinRecorded
        case .entry(let payload): payload.type
        case .entryAmended: .entryAmended
        case .entryDeleted: .entryDeleted
        case .actionUndone: .actionUndone
        case .settingChanged: .settingChanged
        case .reminderFired: .reminderFired
        case .reminderDropped: .reminderDropped
        case .reminderDelivered: .reminderDelivered
        case .reminderAcknowledged: .reminderAcknowledged
        case .clockStepped: .clockStepped
        case .storeRestored: .storeRestored
        }
    }

    /// The reminder it is about, by identity; nil for anything else.
    public var reminder: ReminderPlan.Item? {
        switch self {
        case .reminderFired(let payload): ReminderPlan.Item(id: payload.reminder, due: payload.due)
        case .reminderDropped(let payload): ReminderPlan.Item(id: payload.reminder, due: payload.due)
        case .reminderDelivered(let payload): ReminderPlan.Item(id: payload.reminder, due: payload.due)
        case .reminderAcknowledged(let payload): ReminderPlan.Item(id: payload.reminder, due: payload.due)
        default: nil
        }
    }

    /// What the surface said with a person's action; nil for what follows from time.
    public var request: Request? {
        switch self {
        case .doseRecorded(let payload): payload.request
        case .doseSkipped(let payload): payload.request
        case .snoozeRecorded(let payload): payload.request
        case .finalWakeRecorded(let payload): payload.request
        case .sleepEventRecorded(let payload): payload.request
        case .checkinRecorded(let payload): payload.request
        case .entry(let payload): payload.value.request
        case .entryAmended(let payload): payload.request
        case .entryDeleted(let payload): payload.request
        case .actionUndone(let payload): payload.request
        default: nil
        }
    }

    /// True for what time alone does to a night.
    var followsFromTime: Bool {
        switch self {
        case .sessionClosed: true
        case .doseSkipped(let payload): payload.isAutomatic
        default: false
        }
    }

    /// The action this event follows from, when it was recorded in one breath with it.
    public var cause: EventID? {
        switch self {
        case .sessionOpened(let payload): payload.cause
        case .sessionClosed(let payload): payload.cause
        case .doseSkipped(let payload): payload.cause
        case .settingChanged(let payload): payload.cause
        case .reminderDropped(let payload): payload.cause
        default: nil
        }
    }
}
