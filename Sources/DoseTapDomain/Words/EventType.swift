/// The types of the log's events this version writes and reads; the raw value is the `type` column (DOMAIN 15).
public enum EventType: String, Hashable, Sendable, CaseIterable {
    case sessionOpened = "session_opened"
    case sessionClosed = "session_closed"
    case doseRecorded = "dose_recorded"
    case doseSkipped = "dose_skipped"
    case snoozeRecorded = "snooze_recorded"
    case finalWakeRecorded = "final_wake_recorded"
    case sleepEventRecorded = "sleep_event_recorded"
    case entryAmended = "entry_amended"
    case entryDeleted = "entry_deleted"
    case actionUndone = "action_undone"
    case settingChanged = "setting_changed"
    case reminderFired = "reminder_fired"
    case reminderDropped = "reminder_dropped"
    case clockStepped = "clock_stepped"
    case storeRestored = "store_restored"
}
