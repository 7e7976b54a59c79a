/// The reason why a command recorded nothing. The error is small; sentences and exit codes are made at the edge.
public enum CommandFailure: Error, Hashable, Sendable {
    /// Questions the person has to answer first.
    case needsConfirmation(Question)
    /// The rules refuse the command.
    case refused(BlockReason, Refusal)
    /// The input itself is wrong; the text names the fault.
    case invalidInput(String)
    /// A word that means nothing here.
    case unknown(UnknownWord)
    /// The entry does not exist.
    case notFound(String)
    /// The command has nothing to do; the text says why. The night is the one to look at instead.
    case nothingToDo(String, night: SessionDate? = nil)

    /// Returns the failure with the zone of its night, unless it has one.
    func told(in zone: Zone?) -> CommandFailure {
        switch self {
        case .needsConfirmation(var question):
            question.zone = question.zone ?? zone
            return .needsConfirmation(question)
        case .refused(let reason, var refusal):
            refusal.zone = refusal.zone ?? zone
            return .refused(reason, refusal)
        case .invalidInput, .unknown, .notFound, .nothingToDo: return self
        }
    }
}

/// All questions of a command that apply, and the facts to tell the person.
public struct Question: Hashable, Sendable {
    /// The questions not yet answered, in the order of the wire words.
    public var confirmations: [Confirmation]
    /// Whole minutes until the window opens, rounded up, at least 1 (with `early`).
    public var minutesToOpen: Int?
    /// The limit that would be passed, in mg (with `over_limit`).
    public var limitMilligrams: Int?
    /// The sum that would pass the limit, in mg (with `over_limit`).
    public var sumMilligrams: Int?
    /// The entry that the question is about (with `duplicate`, `early` or `undo_dose`).
    public var existing: EventID?
    /// The short name by which the person finds that entry.
    public var handle: String?
    /// The time at which that entry happened.
    public var existingAt: Instant?
    /// The kind of dose of that entry (with `early`).
    public var existingKind: DoseKind?
    /// True if a time before now was named.
    public var isNamed: Bool
    /// The night of the same date that is over (with `extra` for a dose 1).
    public var endedNight: RegistrationPolicy.EndedNight?
    /// Time since dose 1, if the clocks leave doubt (with `clock_suspect`, or with `early` after dose 1).
    public var elapsed: ElapsedTime?
    /// The counted time from that entry to the new one; negative if the new one lies before that entry (with `early`).
    public var sinceExisting: ElapsedTime?
    /// The close of the window, if time alone has recorded the skip (with `late`).
    public var windowClosed: Instant?
    /// True if the entry would be one dose more than prescribed, even if that question is answered.
    public var isOneTooMany: Bool
    /// The medicine of the night, whose label is cited; nil if none is known.
    public var medicine: String?
    /// True if the amount is that of the regimen, and nobody said it (with `over_limit`).
    public var isOfRegimen = false
    /// The date of the night that the entry would join, if that is not the open night: nothing can be said of tonight then.
    public var otherNight: SessionDate?
    /// The zone of the night in question, in which its times are told; nil if the question is about no night.
    public var zone: Zone?
    public var wouldRecord: String
    /// The time at which the entry would count.
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
    /// True if the time of that entry, as shown, and the present clock tell the same as the counter.
    public var isActiveByPresentClock: Bool {
        guard let existingAt, let sinceExisting else { return true }
        return sinceExisting.isCertain && (at - existingAt - sinceExisting.counted).magnitude < ElapsedTime.tolerance
    }
}

/// A word without a meaning in its place, and the words that may have been meant.
public struct UnknownWord: Hashable, Sendable {
    /// The kind of word expected, e.g. "sleep event".
    public var what: String
    /// The word as it came in.
    public var word: String
    /// The known words nearest to the word, if any is near.
    public var nearest: [String]

    public init(what: String, word: String, nearest: [String]) {
        self.what = what
        self.word = word
        self.nearest = nearest
    }
}

/// The facts to tell with a refusal.
public struct Refusal: Hashable, Sendable {
    /// The phase the command met.
    public var phase: Phase?
    /// The entry that stands in the way.
    public var existing: EventID?
    /// The short name by which the person finds that entry.
    public var handle: String?
    /// The time at which that entry happened.
    public var existingAt: Instant?
    /// Whole seconds until the command is allowed, rounded up (with `cooldown`).
    public var secondsLeft: Int64?
    /// The time of the alarm that could not be put off; nil if the alarm has rung.
    public var alarm: Instant?
    /// The night of the same date that is over (with `dose1_required`).
    public var endedNight: RegistrationPolicy.EndedNight?
    /// True if the next dose is dose 2, not an extra dose (with `order`), or can only be dose 2 (with
    /// `dose1_already_taken`).
    public var awaitsDose2: Bool
    /// True if time alone recorded the entry in the way (with `already_skipped`, `dose2_taken_or_skipped`).
    public var isAutomatic: Bool
    /// The time from which the command may be tried again (with `window_open`).
    public var again: Instant?
    /// True if both doses are on record, so a dose can only be an extra dose (with `dose1_already_taken`).
    public var isExtra = false
    /// True if the window of that dose 2 had opened at the time of the refused dose (with `dose1_already_taken`).
    public var isWindowOpened = false
    /// True if the window of that dose 2 had closed at that time.
    public var isWindowOver = false
    /// True if the nap in the way has not ended yet (with `nap_open`).
    public var isNapOpen = false
    /// True if the night has one dose, so there is no dose 2 to wait for, to skip or to put off.
    public var isOnceNightly = false
    /// The time that was named (with `future`).
    public var said: Instant?
    /// The zone of the night in the way, in which its times are told; nil if no night is.
    public var zone: Zone?

    init(said: Instant) {
        self.init()
        self.said = said
    }

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
