/// A night began.
public struct SessionOpened: Hashable, Sendable {
    /// The grouping key of the night; never changes.
    public var date: SessionDate
    /// True for a night that was over when its first entry was recorded.
    public var backfilled: Bool
    /// The rules in force for this night.
    public var rules: NightRules
    /// The action that opened the night.
    public var cause: EventID?

    public init(date: SessionDate, backfilled: Bool, rules: NightRules, cause: EventID?) {
        self.date = date
        self.backfilled = backfilled
        self.rules = rules
        self.cause = cause
    }
}

/// A night ended, at the event's effective instant.
public struct SessionClosed: Hashable, Sendable {
    /// The rule that closed the night.
    public var state: TerminalState
    /// The action that closed the night; nil if only time passed.
    public var cause: EventID?

    public init(state: TerminalState, cause: EventID?) {
        self.state = state
        self.cause = cause
    }
}

/// An entry was corrected. Nil values change nothing.
public struct EntryAmended: Hashable, Sendable {
    public var target: EventID
    /// The new effective instant.
    public var at: Instant?
    /// The session date that follows from the new time, for an entry that belongs to no session.
    public var date: SessionDate?
    /// The new amount in mg.
    public var amountMilligrams: Int?
    /// The new note; empty removes the note.
    public var note: String?
    /// The person's input.
    public var request: Request

    public init(
        target: EventID, at: Instant?, date: SessionDate? = nil, amountMilligrams: Int?, note: String?, request: Request
    ) {
        self.target = target
        self.at = at
        self.date = date
        self.amountMilligrams = amountMilligrams
        self.note = note
        self.request = request
    }
}

/// An entry was deleted from the night; the log keeps the event of the entry.
public struct EntryDeleted: Hashable, Sendable {
    public var target: EventID
    /// The person's reason.
    public var reason: String?
    /// The person's input.
    public var request: Request

    public init(target: EventID, reason: String?, request: Request) {
        self.target = target
        self.reason = reason
        self.request = request
    }
}

/// An action was undone: its events count as never recorded.
public struct ActionUndone: Hashable, Sendable {
    /// The action's own event.
    public var action: EventID
    /// All events that go with the action, its own included.
    public var events: [EventID]
    /// The person's input.
    public var request: Request

    public init(action: EventID, events: [EventID], request: Request) {
        self.action = action
        self.events = events
        self.request = request
    }
}

/// The rules of the open night changed.
public struct SettingChanged: Hashable, Sendable {
    /// The rules from now on.
    public var rules: NightRules
    /// The change of a regimen that caused this change; nil for a change of the settings.
    public var cause: EventID?

    public init(rules: NightRules, cause: EventID? = nil) {
        self.rules = rules
        self.cause = cause
    }
}

/// A reminder was told.
public struct ReminderFired: Hashable, Sendable {
    public var reminder: ReminderID
    /// The nominal instant, a part of the identity.
    public var due: Instant

    public init(reminder: ReminderID, due: Instant) {
        self.reminder = reminder
        self.due = due
    }
}

/// A reminder was due and not told; with the reason.
public struct ReminderDropped: Hashable, Sendable {
    public var reminder: ReminderID
    /// The nominal instant, a part of the identity.
    public var due: Instant
    public var reason: ReminderDrop
    /// The action that made the reminder needless. The reminder is due again once the action is undone or deleted.
    public var cause: EventID?

    public init(reminder: ReminderID, due: Instant, reason: ReminderDrop, cause: EventID? = nil) {
        self.reminder = reminder
        self.due = due
        self.reason = reason
        self.cause = cause
    }
}

/// A reminder reached a channel.
public struct ReminderDelivered: Hashable, Sendable {
    public var reminder: ReminderID
    /// The nominal instant, a part of the identity.
    public var due: Instant
    public var channel: ReminderChannel
    /// Milliseconds from the nominal instant to the delivery.
    public var lateMilliseconds: Int64

    public init(reminder: ReminderID, due: Instant, channel: ReminderChannel, lateMilliseconds: Int64) {
        self.reminder = reminder
        self.due = due
        self.channel = channel
        self.lateMilliseconds = lateMilliseconds
    }
}

/// A reminder was answered, together with those told before it.
public struct ReminderAcknowledged: Hashable, Sendable {
    public var reminder: ReminderID
    /// The nominal instant, a part of the identity.
    public var due: Instant
    /// The kind of answer.
    public var by: ReminderAnswer
    /// The action that answers the reminder. The answer holds as long as the action stands. Nil if the person only marked the
    /// reminder as seen.
    public var action: EventID?

    public init(reminder: ReminderID, due: Instant, by: ReminderAnswer, action: EventID?) {
        self.reminder = reminder
        self.due = due
        self.by = by
        self.action = action
    }
}

/// The wall clock and the time since boot came apart during a night.
public struct ClockStepped: Hashable, Sendable {
    /// The milliseconds that the wall clock gained on the counter since the last such event; negative if it was set back. Zero if
    /// there was no step, for example if only the certainty of the clocks changed. For a suspect event, now less the newest event.
    public var byMilliseconds: Int64
    /// True if an entry was recorded although the wall clock stood before the newest event.
    public var suspect: Bool
    /// The least time since dose 1, in milliseconds; nil if not recorded.
    public var elapsedMilliseconds: Int64?
    /// The longest time since dose 1, if the clocks leave doubt.
    public var mostMilliseconds: Int64?
    /// The time since dose 1 by the wall clock, if the clocks leave doubt.
    public var byWallMilliseconds: Int64?

    public init(byMilliseconds: Int64, suspect: Bool, elapsed: ElapsedTime? = nil) {
        self.byMilliseconds = byMilliseconds
        self.suspect = suspect
        elapsedMilliseconds = elapsed?.shorter.wholeMilliseconds
        guard let elapsed, !elapsed.isCertain else { return }
        mostMilliseconds = elapsed.longer.wholeMilliseconds
        byWallMilliseconds = elapsed.byWall.wholeMilliseconds
    }

    /// The time since dose 1 at that moment; nil if not recorded.
    public var elapsed: ElapsedTime? {
        guard let shorter = elapsedMilliseconds.map({ Duration.milliseconds($0) }) else { return nil }
        guard let longer = mostMilliseconds.map({ Duration.milliseconds($0) }) else {
            return ElapsedTime(certain: shorter)
        }
        let byWall = byWallMilliseconds.map { Duration.milliseconds($0) } ?? longer
        return ElapsedTime(
            counted: byWall == shorter ? longer : shorter, byWall: byWall, further: [shorter, longer])
    }
}

/// A finding about the store itself: the store was older than known, damaged, repaired or restored, or its tables differed.
public struct StoreRestored: Hashable, Sendable {
    /// The last sequence number known to have been written.
    public var expectedSequence: Int64
    /// The last sequence number found.
    public var foundSequence: Int64
    /// The finding in plain words.
    public var finding: String
    /// True if a person put a backup in the place of the record (R24.11).
    public var isByPerson: Bool

    public init(expectedSequence: Int64, foundSequence: Int64, finding: String, isByPerson: Bool = false) {
        self.expectedSequence = expectedSequence
        self.foundSequence = foundSequence
        self.finding = finding
        self.isByPerson = isByPerson
    }
}
