/// What answered a reminder; the raw value is the wire word. Only the first four stop reminders (R7).
public enum ReminderAnswer: String, Hashable, Sendable, CaseIterable {
    /// Dose 2 was recorded.
    case dose2
    /// Dose 2 was skipped.
    case skip
    /// The alarm was put off.
    case snooze
    /// The morning check-in was recorded.
    case checkin
    /// A person says to have noticed it: the reminders go on.
    case seen
}
