/// Why a reminder that was due was not told.
public enum ReminderDrop: String, Hashable, Sendable, CaseIterable {
    /// A more urgent one of the same gap was told instead.
    case superseded
    /// Dose 2 was taken or skipped in the meantime, or the check-in saved.
    case resolved
    /// It says "take", and the window is over.
    case windowOver = "window_over"
    /// It is no longer true.
    case tooLate = "too_late"
    /// The person switched it off.
    case disabled
}
