/// Why a command is refused; no confirmation lifts it.
public enum BlockReason: String, Hashable, Sendable, CaseIterable {
    case dose1Required = "dose1_required"
    case dose1AlreadyTaken = "dose1_already_taken"
    case dose2AlreadyTaken = "dose2_already_taken"
    case alreadySkipped = "already_skipped"
    case dose2TakenOrSkipped = "dose2_taken_or_skipped"
    case nearClose = "near_close"
    case snoozeLimit = "snooze_limit"
    case snoozeOff = "snooze_off"
    case phase
    case future
    case cooldown
    case napOpen = "nap_open"
    case order
    /// The cup, or the last bottle of its entry, was thrown away before.
    case alreadyDiscarded = "already_discarded"
    /// The cup was drunk.
    case alreadyUsed = "already_used"
}
