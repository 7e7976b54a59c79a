/// The doses that can be taken; the raw value is the `event_type` of `dose_events` (R5).
public enum DoseKind: String, Hashable, Sendable, CaseIterable {
    case dose1
    case dose2
    case extra = "extra_dose"
}

/// The state of a night with respect to its second dose; the raw value is the wire word (R3).
public enum Phase: String, Hashable, Sendable, CaseIterable {
    /// The final wake is recorded, the check-in is not.
    case finalizing
    /// Nothing more is expected: checked in, or dose 2 taken or skipped, or a once-nightly dose taken.
    case completed
    /// No dose 1 stands.
    case noDose1 = "no_dose1"
    /// Less than 150 minutes since dose 1.
    case beforeWindow = "before_window"
    /// 240 minutes or more since dose 1.
    case closed
    /// Fifteen minutes or less are left.
    case nearClose = "near_close"
    /// The window is open and more than fifteen minutes are left.
    case active
}

/// The way in which a session ended, or what the session is waiting for; the `terminal_state` column.
public enum TerminalState: String, Hashable, Sendable, CaseIterable {
    case checkinCompleted = "checkin_completed"
    case incompleteMissedCheckin = "incomplete_missed_checkin"
    case incompletePrepRollover = "incomplete_prep_rollover"
    case incompleteSleptThrough = "incomplete_slept_through"
    case finalizingWake = "finalizing_wake"
    case backfilled
}

/// The reason why a command is refused; no confirmation lifts a refusal.
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
    /// The dose window is open, or opens in some minutes.
    case windowOpen = "window_open"
}

/// A typed question the person has to answer before an entry is recorded; each answer lifts only its own question (R4).
public enum Confirmation: String, Hashable, Sendable, CaseIterable {
    case early
    case late
    case afterSkip = "after_skip"
    case afterWake = "after_wake"
    case extra
    case extraUnderstood = "extra_understood"
    case overLimit = "over_limit"
    case onceNightly = "once_nightly"
    case longAgo = "long_ago"
    case duplicate
    case windowUnresolved = "window_unresolved"
    case clockSuspect = "clock_suspect"
    case nightBegun = "night_begun"
    case undoDose = "undo_dose"
    /// A backup takes the place of the record.
    case restore
    /// The backup is of another record than the present one.
    case otherRecord = "other_record"
    /// Nothing of the record stays.
    case wipe
}

/// The surface that asked for an entry (R4): anything that can send a command.
public enum Surface: String, Hashable, Sendable, CaseIterable {
    case cli
    case dbus
    case notification
    case hook
    case plugin
    case importer
    /// The service itself, for events that follow from the passage of time.
    case service
}

/// The answer to a reminder; the raw value is the wire word. Only the first four stop reminders (R7).
public enum ReminderAnswer: String, Hashable, Sendable, CaseIterable {
    /// Dose 2 was recorded.
    case dose2
    /// Dose 2 was skipped.
    case skip
    /// The alarm was put off.
    case snooze
    /// The morning check-in was recorded.
    case checkin
    /// A person has noticed the reminder: the reminders go on.
    case seen
}

/// A way by which a reminder reaches a person, as a short word: `notification`, `journal`, `sound`.
public struct ReminderChannel: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    /// - Returns: nil for anything but 1 to 32 lowercase letters, digits and underscores.
    public init?(_ text: String) {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard
            (1...32).contains(text.utf8.count),
            text.utf8.allSatisfy({ letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "_") })
        else { return nil }
        self.text = text
    }

    public var description: String { text }
}

/// The reason why a due reminder was not told.
public enum ReminderDrop: String, Hashable, Sendable, CaseIterable {
    /// A more urgent reminder of the same gap was told instead.
    case superseded
    /// Dose 2 was taken or skipped in the meantime, or the check-in saved.
    case resolved
    /// The reminder says "take", and the window is over.
    case windowOver = "window_over"
    /// The reminder is no longer true.
    case tooLate = "too_late"
    /// The person switched the reminder off.
    case disabled
}
