/// How a session ended, or what it is waiting for; the `terminal_state` column.
public enum TerminalState: String, Hashable, Sendable, CaseIterable {
    case checkinCompleted = "checkin_completed"
    case incompleteMissedCheckin = "incomplete_missed_checkin"
    case incompletePrepRollover = "incomplete_prep_rollover"
    case incompleteSleptThrough = "incomplete_slept_through"
    case finalizingWake = "finalizing_wake"
    case backfilled
}
