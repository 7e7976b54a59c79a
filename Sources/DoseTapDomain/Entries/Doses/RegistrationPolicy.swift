/// The rules that decide if an entry may be recorded (R4): pure functions, used by every surface.
public enum RegistrationPolicy {
    /// The label's limit for one dose, in mg.
    public static let doseLimitMilligrams = 4_500
    /// The label's limit for one night, in mg.
    public static let nightLimitMilligrams = 9_000

    /// The decision: allowed, or every question that applies, or a reason no answer lifts.
    public enum Verdict: Hashable, Sendable {
        case allowed
        case requiresConfirmation([Confirmation], Facts)
        case blocked(BlockReason, Refusal)

        /// Returns the verdict with the questions of another one, whose facts are left out beside its own.
        func joined(by other: Verdict) -> Verdict {
            switch (self, other) {
            case (.blocked, _), (_, .allowed): self
            case (.allowed, _), (_, .blocked): other
            case (.requiresConfirmation(let kinds, let facts), .requiresConfirmation(let others, _)):
                .requiresConfirmation(kinds + others, facts)
            }
        }
    }

    /// The facts that the person is told with the questions.
    public struct Facts: Hashable, Sendable {
        /// The whole minutes to the opening, rounded up, at least 1.
        public var minutesToOpen: Int?
        /// The limit passed.
        public var limitMilligrams: Int?
        /// The sum that passes the limit.
        public var sumMilligrams: Int?
        /// The entry that would be doubled, or the dose that is too near.
        public var existing: EventID?
        /// The time of ``existing``.
        public var existingAt: Instant?
        public var existingKind: DoseKind?
        /// The time from ``existing`` to the new dose; negative if the new dose lies before it (with `early`).
        public var sinceExisting: ElapsedTime?
        /// The night that is over (with `extra` for a dose 1).
        public var endedNight: EndedNight?
        /// The time since dose 1, if the clocks leave doubt.
        public var elapsed: ElapsedTime?
        /// The closing of the window, if time alone has recorded the skip (with `late`).
        public var windowClosed: Instant?
        /// True if the amount is that of the regimen, and nobody said it (with `over_limit`).
        public var isOfRegimen = false
    }

    /// A night that is over, after which a dose 1 would begin another one.
    public struct EndedNight: Hashable, Sendable {
        public var date: SessionDate
        public var end: Instant
        /// The number of active doses of that date, in any session.
        public var doses: Int
        /// The times of these doses, the first one first.
        public var times: [Instant]

        public init(date: SessionDate, end: Instant, doses: Int, times: [Instant] = []) {
            self.date = date
            self.end = end
            self.doses = doses
            self.times = times
        }
    }

    /// An active dose against which another one is judged.
    struct OtherDose {
        var dose: Dose
        /// The session date under which the dose counts.
        var date: SessionDate
        /// The time from the dose to the judged moment; negative if the dose comes after that moment.
        var since: ElapsedTime
    }

    /// The facts by which a dose is judged.
    struct DoseCase {
        /// The kind that was asked for.
        var kind: DoseKind
        /// The time at which the dose counts, on the scale of its night.
        var at: Instant
        /// The past moment whose state is judged, on that scale; nil is the present, whatever times the entries carry.
        var asOf: Instant?
        /// The time since dose 1 of the night at that moment.
        var elapsed: ElapsedTime?
        var amountMilligrams: Int?
        /// The session of the dose; nil if the dose opens one.
        var session: Session?
        /// The session date under which the dose counts.
        var date: SessionDate
        /// The window at that time.
        var window: WindowState?
        /// True if the night has one dose, by its rules or by the medicine of dose 1.
        var onceNightly: Bool
        /// The active doses of all sessions around.
        var doses: [OtherDose]
        /// The night after which a dose 1 would be one of another night: the last other one of the same date that has ended, else
        /// one whose doses are all of the last twelve hours; nil for none.
        var endedNight: EndedNight?

        /// Returns true if an instant is not after the judged moment.
        func counts(_ instant: Instant) -> Bool { asOf.map { instant <= $0 } ?? true }
    }

    /// Judges a dose. A dose 2 is an extra dose if a dose 2 is active already.
    static func judge(_ dose: DoseCase) -> (kind: DoseKind, verdict: Verdict) {
        let session = dose.session
        var kind = dose.kind
        var asked: [Confirmation] = []
        var facts = Facts()
        switch dose.kind {
        case .dose1:
            if let active = session?.dose1 {
                var refusal = Refusal(phase: dose.window?.phase, existing: active.id, existingAt: active.wall)
                if dose.at > active.at {
                    refusal.awaitsDose2 = session?.dose2 == nil
                    refusal.isExtra = session?.dose2 != nil
                    refusal.isOnceNightly = session?.rules.onceNightly ?? false
                    // After a wake or check-in the phase does not tell.
                    refusal.isWindowOpened = dose.elapsed.map { $0.shorter >= DoseWindow.opens } ?? false
                    refusal.isWindowOver = dose.elapsed.map { $0.shorter >= DoseWindow.closes } ?? false
                }
                return (kind, .blocked(.dose1AlreadyTaken, refusal))
            }
            askAnotherNight(dose, &asked, &facts)
        case .dose2, .extra:
            guard let first = session?.dose1, let session else {
                return (kind, .blocked(.dose1Required, Refusal(phase: dose.window?.phase)))
            }
            // A dose taken now comes after dose 1, unless dose 1 was said to lie a moment ahead (R4.18).
            let isAfter = dose.at >= first.at || dose.asOf == nil && first.at - dose.at > Bounds.future
            guard isAfter else { return (kind, blocked(.order, first, dose.window)) }
            if session.dose2 != nil {
                kind = .extra
                asked += [.extra, .extraUnderstood]
            } else if dose.kind == .extra {
                var refusal = Refusal(phase: dose.window?.phase, existing: first.id, existingAt: first.wall)
                refusal.awaitsDose2 = true
                refusal.isOnceNightly = session.rules.onceNightly
                return (kind, .blocked(.order, refusal))
            } else {
                if dose.onceNightly { asked.append(.onceNightly) }
                // Nobody decided a skip that time alone recorded: a dose 2 that was really taken raises no question about it.
                if session.skips.contains(where: { !$0.isAutomatic && dose.counts($0.at) }) {
                    asked.append(.afterSkip)
                }
            }
            if kind == .dose2, !dose.onceNightly, let elapsed = dose.elapsed {
                if elapsed.shorter >= DoseWindow.closes {
                    asked.append(.late)
                    facts.windowClosed = session.skips.first(where: \.isAutomatic).map {
                        Session.windowClosed(sleptThrough: $0.wall)
                    }
                }
                if elapsed.isDoubtful {
                    asked.append(.clockSuspect)
                    facts.elapsed = elapsed
                }
            }
            if session.finalWakes.contains(where: { dose.counts($0.at) })
                || session.checkIn.map({ dose.counts($0.at) }) == true
            {
                asked.append(.afterWake)
            }
        }
        askEarly(dose, asksOfClock: asked.contains(.clockSuspect), &asked, &facts)
        askLimit(dose, &asked, &facts)
        return (kind, asked.isEmpty ? .allowed : .requiresConfirmation(asked, facts))
    }

    /// Judges the new time or amount of an active dose. Only questions that the change raises are asked.
    static func judgeAmendment(_ dose: DoseCase, timeChanged: Bool) -> Verdict {
        var asked: [Confirmation] = []
        var facts = Facts()
        if timeChanged { askEarly(dose, asksOfClock: false, &asked, &facts) }
        askLimit(dose, &asked, &facts)
        return asked.isEmpty ? .allowed : .requiresConfirmation(asked, facts)
    }

    /// - Parameter asksOfClock: true if the time since dose 1 is asked about already.
    private static func askEarly(
        _ dose: DoseCase, asksOfClock: Bool, _ asked: inout [Confirmation], _ facts: inout Facts
    ) {
        guard let near = tooNear(dose, asksOfClock) else { return }
        asked.append(.early)
        facts.minutesToOpen = near.minutes
        facts.existing = near.other.dose.id
        facts.existingAt = near.other.dose.wall
        facts.existingKind = near.other.dose.kind
        facts.sinceExisting = near.other.since
    }

    private static func askLimit(_ dose: DoseCase, _ asked: inout [Confirmation], _ facts: inout Facts) {
        guard let (limit, sum) = passedLimit(dose) else { return }
        asked.append(.overLimit)
        facts.limitMilligrams = limit
        facts.sumMilligrams = sum
    }

    /// The time for which a night whose doses are all taken makes one more dose an extra dose, whatever its date. For a person
    /// who sleeps by day the rollover may lie between the doses.
    static let recent: Duration = .hours(12)

    /// Asks about a dose 1 that would begin another night after one that is over: once if the dose is one more, and twice if that
    /// night has all its doses.
    private static func askAnotherNight(_ dose: DoseCase, _ asked: inout [Confirmation], _ facts: inout Facts) {
        guard let night = dose.endedNight else { return }
        asked.append(.extra)
        if night.doses >= prescribed(dose.onceNightly) { asked.append(.extraUnderstood) }
        facts.endedNight = night
    }

    /// Returns the number of doses of a night.
    static func prescribed(_ onceNightly: Bool) -> Int { onceNightly ? 1 : 2 }

    /// Returns the nearest other active dose and the minutes until 150:00 after that dose; nil if no dose is nearer than 150:00.
    ///
    /// A named time before another dose is as near to that dose as a time after it. If the clocks leave doubt, the least
    /// distance decides.
    private static func tooNear(_ dose: DoseCase, _ asksOfClock: Bool) -> (minutes: Int, other: OtherDose)? {
        var nearest: (distance: Duration, other: OtherDose)?
        for other in dose.doses {
            if asksOfClock, dose.session?.dose1?.id == other.dose.id { continue }
            let (least, most) = (other.since.shorter, other.since.longer)
            let distance =
                dose.asOf == nil || least >= .zero ? least : most < .zero ? .zero - most : .zero
            guard distance < min(DoseWindow.opens, nearest?.distance ?? DoseWindow.opens) else { continue }
            nearest = (distance, other)
        }
        return nearest.map { nearest in
            let missing = DoseWindow.opens - nearest.distance
            return (max(1, Int((missing.wholeMilliseconds + 59_999) / 60_000)), nearest.other)
        }
    }

    private static func passedLimit(_ dose: DoseCase) -> (limit: Int, sum: Int)? {
        guard let amount = dose.amountMilligrams else { return nil }
        // The label of a medicine that is taken once a night has no other limit than the night's.
        let doseLimit = dose.onceNightly ? nightLimitMilligrams : doseLimitMilligrams
        if amount > doseLimit { return (doseLimit, amount) }
        let others = dose.doses.filter { $0.date == dose.date || $0.dose.id == dose.session?.dose1?.id }
        let sum = others.reduce(amount) { $0 + ($1.dose.amountMilligrams ?? 0) }
        return sum > nightLimitMilligrams ? (nightLimitMilligrams, sum) : nil
    }

    private static func blocked(_ reason: BlockReason, _ active: Dose, _ window: WindowState?) -> Verdict {
        .blocked(reason, Refusal(phase: window?.phase, existing: active.id, existingAt: active.wall))
    }

    /// Judges a snooze at an instant: in `active` only, below the limit of the whole night, and never beyond 225
    /// minutes.
    ///
    /// - Parameter elapsed: time since dose 1 at that instant.
    static func judgeSnooze(
        _ session: Session?, elapsed: ElapsedTime?, window: WindowState, now: ClockReading
    ) -> Verdict {
        var refusal = Refusal(phase: window.phase)
        guard let session, session.dose1 != nil, let elapsed else { return .blocked(.dose1Required, refusal) }
        refusal.isOnceNightly = session.rules.onceNightly
        if session.isOpen, session.hasUnresolvedWindow, window.phase != .beforeWindow,
            let alarm = session.windowTimes(now: now)?.alarm, alarm > now.wall
        {
            refusal.alarm = alarm
        }
        switch window.snooze {
        case .on: break
        case .off(.snoozeLimit): return .blocked(.snoozeLimit, refusal)
        case .off(.snoozeOff): return .blocked(.snoozeOff, refusal)
        case .off(.nearClose): return .blocked(.nearClose, refusal)
        case .off(.dose1Required): return .blocked(.dose1Required, refusal)
        case .off(.completed) where session.dose2 != nil || session.isDose2Skipped:
            refusal.isAutomatic = session.dose2 == nil && session.skips.allSatisfy(\.isAutomatic)
            return .blocked(.dose2TakenOrSkipped, refusal)
        case .off(.sessionEnding), .off(.completed), .off(.tooEarly), .off(.windowClosed):
            return .blocked(.phase, refusal)
        }
        guard session.countedSnoozes.count < session.rules.maximumSnoozes else {
            return .blocked(.snoozeLimit, refusal)
        }
        let later = Session.alarm(session.alarm, snoozedAt: elapsed.longer, by: session.rules.snoozeStepMinutes)
        return later > DoseWindow.nearsClose ? .blocked(.nearClose, refusal) : .allowed
    }

    /// Judges a skip: not without dose 1, not before dose 1, not after dose 2, not twice, and not if no dose 2 is expected.
    /// An automatic skip counts from its instant on: before that instant the night was not slept through yet.
    ///
    /// - Parameter at: the time on the scale of the night; nil is now, which comes after everything on record.
    static func judgeSkip(_ session: Session?, at: Instant?, window: WindowState?) -> Verdict {
        var refusal = Refusal(phase: window?.phase)
        guard let session, let dose1 = session.dose1 else { return .blocked(.dose1Required, refusal) }
        refusal.isOnceNightly = session.rules.onceNightly
        let at = at ?? .max
        if at < dose1.at { return blocked(.order, dose1, window) }
        if let dose2 = session.dose2 { return blocked(.dose2AlreadyTaken, dose2, window) }
        if let skip = session.skips.first(where: { !$0.isAutomatic || $0.at <= at }) {
            return .blocked(
                .alreadySkipped,
                Refusal(
                    phase: window?.phase, existing: skip.id, existingAt: skip.wall, isAutomatic: skip.isAutomatic))
        }
        if session.rules.onceNightly { return .blocked(.phase, refusal) }
        return .allowed
    }
}
