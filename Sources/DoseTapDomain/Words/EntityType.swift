/// What an event is about; with the entity's id it leads to the history of one entry.
public enum EntityType: String, Hashable, Sendable, CaseIterable {
    case session
    case dose
    case skip
    case snooze
    case wake
    case sleepEvent = "sleep_event"
    case checkin
    case preSleep = "pre_sleep"
    case medication
    case regimen
    case inventory
    case reminder
    case setting
    case clock
    case store
}
