/// Why a command recorded nothing. Small inside; sentences and exit codes are made at the edge.
public enum CommandFailure: Error, Hashable, Sendable {
    /// Questions the person has to answer first.
    case needsConfirmation(Question)
    /// The rules refuse it.
    case refused(BlockReason, Refusal)
    /// The input itself is wrong; the text says what.
    case invalidInput(String)
    /// A word that means nothing here.
    case unknown(UnknownWord)
    /// No such entry.
    case notFound(String)
    /// There is nothing to do; the text says why. The night is the one to look at instead.
    case nothingToDo(String, night: SessionDate? = nil)
}

/// The questions of a command, all of those that apply, and what to tell the person.
public struct Question: Hashable, Sendable {
    /// The questions not yet answered, in the order of the wire words.
    public var confirmations: [Confirmation]
    /// Whole minutes until the window opens, rounded up, at least 1 (with `early`).
    public var minutesToOpen: Int?
    /// The limit that would be passed, in mg (with `over_limit`).
    public var limitMilligrams: Int?
    /// The sum that would pass it, in mg (with `over_limit`).
    public var sumMilligrams: Int?
    /// The entry it looks like (with `duplicate`).
    public var existing: EventID?
    /// The short name by which the person finds that entry.
    public var handle: String?
    /// When that entry happened.
    public var existingAt: Instant?
    /// Which dose it is (with `early`).
    public var existingKind: DoseKind?
    /// A time was named: it is not now.
    public var isNamed: Bool
    /// The night of the same date that is over (with `extra` for a dose 1).
    public var endedNight: RegistrationPolicy.EndedNight?
    /// Time since dose 1, where the clocks leave doubt (with `clock_suspect`, or with `early` after dose 1).
    public var elapsed: ElapsedTime?
    /// Time from that entry to this one, as counted; negative where this one lies before it (with `early`).
    public var sinceExisting: ElapsedTime?
    /// When the window closed, where time alone has recorded the skip (with `late`).
    public var windowClosed: Instant?
    /// It would be one dose more than prescribed, whether or not that is still asked.
    public var isOneTooMany: Bool
    public var wouldRecord: String
    /// When it would count.
    public var at: Instant

    public init(
        confirmations: [Confirmation], minutesToOpen: Int?, limitMilligrams: Int?, sumMilligrams: Int?,
        existing: EventID? = nil, existingAt: Instant? = nil,
        existingKind: DoseKind? = nil, isNamed: Bool = false, endedNight: RegistrationPolicy.EndedNight? = nil,
        elapsed: ElapsedTime? = nil, sinceExisting: ElapsedTime? = nil, windowClosed: Instant? = nil,
        isOneTooMany: Bool = false, wouldRecord: String, at: Instant
    ) {
        self.confirmations = confirmations
        self.minutesToOpen = minutesToOpen
        self.limitMilligrams = limitMilligrams
        self.sumMilligrams = sumMilligrams
        self.existing = existing
        self.existingAt = existingAt
        self.existingKind = existingKind
        self.isNamed = isNamed
        self.endedNight = endedNight
        self.sinceExisting = sinceExisting
        self.windowClosed = windowClosed
        self.isOneTooMany = isOneTooMany
        self.elapsed = elapsed ?? (existingKind == .dose1 ? sinceExisting.flatMap { $0.isCertain ? nil : $0 } : nil)
        self.wouldRecord = wouldRecord
        self.at = at
    }
}

extension Question {
    /// Whether the time of that entry, shown as it was, and the present clock tell the same as the counter.
    public var isActiveByPresentClock: Bool {
        guard let existingAt, let sinceExisting else { return true }
        return sinceExisting.isCertain && (at - existingAt - sinceExisting.counted).magnitude < ElapsedTime.tolerance
    }
}

/// A word that means nothing where it stands, and what may have been meant.
public struct UnknownWord: Hashable, Sendable {
    /// What it should have been, e.g. "sleep event".
    public var what: String
    /// The word as it came in.
    public var word: String
    /// The known words nearest to it, if any is near.
    public var nearest: [String]

    public init(what: String, word: String, nearest: [String]) {
        self.what = what
        self.word = word
        self.nearest = nearest
    }
}

/// What to tell with a refusal.
public struct Refusal: Hashable, Sendable {
    /// The phase the command met.
    public var phase: Phase?
    /// The entry that stands in the way.
    public var existing: EventID?
    /// The short name by which the person finds that entry.
    public var handle: String?
    /// When that entry happened.
    public var existingAt: Instant?
    /// Whole seconds until it is allowed, rounded up (with `cooldown`).
    public var secondsLeft: Int64?
    /// When the alarm rings that could not be put off; nil when it has rung.
    public var alarm: Instant?
    /// The night of the same date that is over (with `dose1_required`).
    public var endedNight: RegistrationPolicy.EndedNight?
    /// What comes next is dose 2, no extra dose yet (with `order`), or can only be dose 2 (with `dose1_already_taken`).
    public var awaitsDose2: Bool
    /// What stands in the way is what time alone has recorded (with `already_skipped`, `dose2_taken_or_skipped`).
    public var isAutomatic: Bool
    /// When it may be tried again (with `window_open`).
    public var again: Instant?
    /// Both doses are on record: it can only be an extra dose (with `dose1_already_taken`).
    public var isExtra = false
    /// The nap that stands in the way has not ended yet (with `nap_open`).
    public var isNapOpen = false

    public init(
        phase: Phase? = nil, existing: EventID? = nil, existingAt: Instant? = nil, secondsLeft: Int64? = nil,
        alarm: Instant? = nil, endedNight: RegistrationPolicy.EndedNight? = nil, isAutomatic: Bool = false,
        awaitsDose2: Bool = false
    ) {
        self.alarm = alarm
        self.endedNight = endedNight
        self.isAutomatic = isAutomatic
        self.awaitsDose2 = awaitsDose2
        self.phase = phase
        self.existing = existing
        self.existingAt = existingAt
        self.secondsLeft = secondsLeft
    }
}
