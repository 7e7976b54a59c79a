/// A night began.
public struct SessionOpened: Hashable, Sendable {
    /// Grouping key, fixed for good.
    public var date: SessionDate
    /// True for a night that was over when its first entry was recorded.
    public var backfilled: Bool
    /// The rules in force for this night.
    public var rules: NightRules
    /// The action that opened it.
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
    /// The rule that closed it.
    public var state: TerminalState
    /// The action it was closed by or with; nil when only time passed.
    public var cause: EventID?

    public init(state: TerminalState, cause: EventID?) {
        self.state = state
        self.cause = cause
    }
}

/// An entry was corrected; only what is not nil changes.
public struct EntryAmended: Hashable, Sendable {
    public var target: EventID
    /// The new effective instant.
    public var at: Instant?
    /// The session date that follows from the new time, for an entry that belongs to no session.
    public var date: SessionDate?
    /// The new amount in mg.
    public var amountMilligrams: Int?
    /// The new words; empty removes them.
    public var note: String?
    /// What the surface said.
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

/// An entry was taken out of the night; the log keeps it.
public struct EntryDeleted: Hashable, Sendable {
    public var target: EventID
    /// The person's reason.
    public var reason: String?
    /// What the surface said.
    public var request: Request

    public init(target: EventID, reason: String?, request: Request) {
        self.target = target
        self.reason = reason
        self.request = request
    }
}

/// An action was taken back: its events count as never recorded.
public struct ActionUndone: Hashable, Sendable {
    /// The action's own event.
    public var action: EventID
    /// All events that go with it, the action's own included.
    public var events: [EventID]
    /// What the surface said.
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
    /// The change of a regimen it follows from; nil for the settings.
    public var cause: EventID?

    public init(rules: NightRules, cause: EventID? = nil) {
        self.rules = rules
        self.cause = cause
    }
}

/// A reminder was told.
public struct ReminderFired: Hashable, Sendable {
    public var reminder: ReminderID
    /// Its nominal instant: part of its identity.
    public var due: Instant

    public init(reminder: ReminderID, due: Instant) {
        self.reminder = reminder
        self.due = due
    }
}

/// A reminder that was due was not told, and why.
public struct ReminderDropped: Hashable, Sendable {
    public var reminder: ReminderID
    /// Its nominal instant: part of its identity.
    public var due: Instant
    public var reason: ReminderDrop
    /// The action that made it needless: it is due again when that does not stand.
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
    /// Its nominal instant: part of its identity.
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

/// A reminder was answered, and those told before it with it.
public struct ReminderAcknowledged: Hashable, Sendable {
    public var reminder: ReminderID
    /// Its nominal instant: part of its identity.
    public var due: Instant
    /// By what.
    public var by: ReminderAnswer
    /// The action that answers it: the answer holds as long as that stands. Nil where nothing was recorded but that the
    /// reminder was seen.
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
    /// How much further the wall clock went than the counter since that was told last, in milliseconds; negative: it was
    /// set back. Zero where only how sure the clocks are has changed.
    public var byMilliseconds: Int64
    /// Something was recorded although the wall clock stood before the newest event.
    public var suspect: Bool
    /// The least time since dose 1, in milliseconds; nil is not told.
    public var elapsedMilliseconds: Int64?
    /// The most that it may be, where the clocks leave doubt.
    public var mostMilliseconds: Int64?
    /// What the wall clock makes of it, where the clocks leave doubt.
    public var byWallMilliseconds: Int64?

    public init(byMilliseconds: Int64, suspect: Bool, elapsed: ElapsedTime? = nil) {
        self.byMilliseconds = byMilliseconds
        self.suspect = suspect
        elapsedMilliseconds = elapsed?.shorter.wholeMilliseconds
        guard let elapsed, !elapsed.isCertain else { return }
        mostMilliseconds = elapsed.longer.wholeMilliseconds
        byWallMilliseconds = elapsed.byWall.wholeMilliseconds
    }

    /// Time since dose 1 as it was then; nil is not told.
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

/// The store was found older than what was known of it, or was rebuilt beside a damaged one.
public struct StoreRestored: Hashable, Sendable {
    /// The last sequence number known to have been written.
    public var expectedSequence: Int64
    /// The last sequence number found.
    public var foundSequence: Int64
    /// In plain words, what was noticed.
    public var finding: String
    /// A person put a backup in its place (R24.11).
    public var isByPerson: Bool

    public init(expectedSequence: Int64, foundSequence: Int64, finding: String, isByPerson: Bool = false) {
        self.expectedSequence = expectedSequence
        self.foundSequence = foundSequence
        self.finding = finding
        self.isByPerson = isByPerson
    }
}
