/// Where the night stands at one moment: the answer of `status` on every surface.
public struct NightStatus: Hashable, Sendable {
    /// The moment.
    public var at: Instant
    /// The dose window.
    public var window: WindowState
    /// The session the moment belongs to.
    public var sessionID: SessionID?
    /// Its grouping key.
    public var sessionDate: SessionDate?
    /// Zone of the session, or the zone in force.
    public var timeZone: String
    /// The zone in force, in which local times are read.
    public var zoneInForce: String
    /// The local hour at which a night's date begins.
    public var rolloverHour: Int
    /// Instant of dose 1.
    public var dose1: Instant?
    /// Instant of dose 2.
    public var dose2: Instant?
    /// What recorded dose 1: the wire word of its surface; nil is unknown.
    public var dose1Surface: String?
    /// What recorded dose 2.
    public var dose2Surface: String?
    /// False while nobody knows what the log holds: what is not on record may have been recorded all the same.
    public var isCertain: Bool
    /// The person skipped dose 2.
    public var dose2Skipped: Bool
    /// What became of the doses so far; nil without a session.
    public var outcome: NightOutcome?
    /// The pre-sleep log that is part of the night.
    public var preSleep: PreSleep?
    /// Extra doses taken.
    public var extraDoses: Int
    /// Snoozes so far.
    public var snoozeCount: Int
    /// How many snoozes the night allows.
    public var snoozeLimit: Int
    /// When the window opens.
    public var windowOpens: Instant?
    /// When it closes.
    public var windowCloses: Instant?
    /// When the alarm rings.
    public var alarm: Instant?
    /// Whole minutes between the doses, truncated.
    public var intervalMinutes: Int64?
    /// When the nap began that has no end yet.
    public var napOpenSince: Instant?
    /// How the session ended or what it waits for.
    public var terminalState: TerminalState?
    /// A morning check-in is due, for this night or the one before it.
    public var checkInPending: Bool
    /// The next reminder.
    public var nextReminder: ReminderPlan.Item?
    /// What is prescribed for the night, by the keys of `Regimen`; not part of the status as it is sent.
    public var regimen: JSONObject?
    /// The session date the moment belongs to.
    public var date: SessionDate
    /// That of the present.
    public var presentDate: SessionDate
    /// What can safely be done next; nil for another moment than now.
    public var next: NextStep.Told?
    /// The night before, when none is open.
    public var previous: NightSummary?
    /// What was logged and the time that has to pass after it, with its source.
    public var clearance: [Clearance]
    /// What the person has to read: a silent night, a stepped clock, a store at fault.
    public var warnings: [Warning]

    /// Dose 2 is expected and neither taken nor skipped, whatever else is on record.
    public var isDose2Open: Bool { outcome == .pending }

    /// Whether reminders are to come, or will be once dose 1 is recorded.
    public var awaitsReminders: Bool { nextReminder != nil || window.phase == .noDose1 || isDose2Open }

    /// A pre-sleep log in a line.
    public struct PreSleep: Hashable, Sendable {
        /// When it counts.
        public var at: Instant
        /// How far it is filled in.
        public var completion: PreSleepCompletion
    }

    /// Judges a moment.
    ///
    /// - Parameters:
    ///   - instant: nil is now; in the past only what had happened counts, ahead what will be if nothing more is
    ///     recorded.
    public init(_ diary: Diary, at instant: Instant?, _ circumstances: Circumstances, warnings: [Warning] = []) {
        let moment = instant ?? circumstances.now
        // Ahead all clocks go on alike.
        let now = circumstances.clock.moved(to: max(moment, circumstances.now))
        let night = instant.map { Self.session(diary, at: $0, circumstances) } ?? diary.open
        let session = instant.flatMap { at in night?.asOf(night?.nightMoment(of: at, now: now) ?? .end) } ?? night
        at = moment
        window = night?.window(asOf: instant, now: now) ?? DoseWindow.state(.init(now: moment))
        sessionID = session?.id
        sessionDate = session?.date
        zoneInForce = circumstances.zone.identifier
        rolloverHour = circumstances.rules.rolloverHour
        timeZone = session?.timeZone ?? zoneInForce
        dose1 = session?.dose1?.wall
        dose2 = session?.dose2?.wall
        dose1Surface = session?.dose1?.event.surface.rawValue
        dose2Surface = session?.dose2?.event.surface.rawValue
        isCertain = true
        extraDoses = session?.doses.count { $0.kind == .extra } ?? 0
        dose2Skipped = session?.isSkippedByPerson ?? false
        outcome = session.map(NightOutcome.init)
        snoozeCount = session?.countedSnoozes.count ?? 0
        snoozeLimit = (session?.rules ?? circumstances.rules).maximumSnoozes
        if let session, !session.rules.onceNightly, let times = session.windowTimes(now: now) {
            (windowOpens, alarm, windowCloses) = (times.opens, times.alarm, times.closes)
        }
        intervalMinutes = session?.interval?.wholeMinutes
        napOpenSince = session?.naps.open.last?.start
        terminalState = session?.terminalState
        nextReminder = session.flatMap { session in
            session.shownReminders(now: now, in: circumstances.zone(of: session)).first { $0.due > moment }
        }
        checkInPending = session?.isCheckInPending ?? false
        // Who has only a nap on record since is told of the night before it, too.
        let others = diary.sessions.filter { $0.id != session?.id && $0.start <= moment }
        if session?.doses.isEmpty ?? true, let before = others.last {
            let night = moment > circumstances.now ? Self.ahead(before, to: moment, circumstances) : before
            previous = NightSummary(night, preSleep: diary.preSleepLogs(of: night))
            let isInReach = night.end.map { moment <= $0 + CommandDecision.checkInReach } ?? true
            if session?.hasSigns != true { checkInPending = night.isCheckInPending && isInReach }
        }
        date =
            session?.date
            ?? .key(of: moment, in: circumstances.zone, rolloverHour: circumstances.rules.rolloverHour)
        presentDate = diary.presentDate(circumstances)
        preSleep = diary.preSleepLog(of: session, on: date, until: moment, circumstances).map {
            PreSleep(at: $0.at, completion: $0.completion)
        }
        next = instant == nil ? NextStep.Told(NextStep(diary, circumstances)) : nil
        regimen = diary.regimen(on: date)?.json(on: date)
        clearance = Clearance.facts(
            doses: diary.sessions.flatMap { night in
                night.doses.map { moment - (night.moment(of: moment, now: now) - $0.at) }
            }, preSleep: diary.preSleepLogs,
            stimulants: diary.medications.filter {
                $0.isStanding && circumstances.medications[$0.recorded.medicationID]?.category == .stimulant
            }, at: moment,
            cups: diary.cups(at: moment).ready(at: moment),
            in: session.flatMap { circumstances.zoneNamed($0.timeZone) } ?? circumstances.zone)
        // Nobody knows yet which dose is the last one: the time is the least, not the end of it.
        let isUnsettled =
            dose2 == nil && (outcome == .pending || outcome == .notRecorded)
            || dose1 == nil && previous?.outcome == .notRecorded
        if isUnsettled {
            for place in clearance.indices where clearance[place].kind == .earliestDrive {
                clearance[place].detail = Clearance.atLeast
            }
        }
        var told = warnings
        if instant == nil, let said = session?.clockSentence(now: now, Moments(zone: circumstances.zone)) {
            told.append(Warning(.clock, said))
        }
        self.warnings = told
    }

    /// The session a moment lies in, with the boundaries that time alone will bring until then.
    private static func session(_ diary: Diary, at moment: Instant, _ circumstances: Circumstances) -> Session? {
        let around = diary.sessions.filter { $0.first <= moment }.map { session in
            session.isOpen && moment > circumstances.now ? ahead(session, to: moment, circumstances) : session
        }
        return around.last { session in session.end.map { moment < $0 } ?? true }
    }

    private static func ahead(_ session: Session, to moment: Instant, _ circumstances: Circumstances) -> Session {
        var ahead = circumstances
        ahead.clock = circumstances.clock.moved(to: moment)
        var maker = EventMaker(circumstances: ahead, newest: nil, ids: IdentifierGenerator())
        return session.appending(Rulebook.boundaries(session, &maker, cause: nil)) ?? session
    }
}

/// One night in a line.
public struct NightSummary: Hashable, Sendable {
    /// Identity.
    public var sessionID: SessionID
    /// Grouping key.
    public var sessionDate: SessionDate
    /// When it began.
    public var start: Instant
    /// When it ended; nil while open.
    public var end: Instant?
    /// Instant of dose 1.
    public var dose1: Instant?
    /// Instant of dose 2.
    public var dose2: Instant?
    /// The person skipped dose 2.
    public var dose2Skipped: Bool
    /// Extra doses.
    public var extraDoses: Int
    /// Snoozes.
    public var snoozeCount: Int
    /// Between the doses, counted (R5); negative is an anomaly that is shown.
    public var interval: Duration?
    /// How the session ended or what it waits for.
    public var terminalState: TerminalState?
    /// Zone of the session.
    public var timeZone: String
    /// How the morning felt, 0 to 100; nil without a check-in.
    public var wellnessScore: Int?
    /// How far the pre-sleep log that belongs to it is filled in; nil without one.
    public var preSleep: PreSleepCompletion?
    /// What became of the doses; nil is unknown.
    public var outcome: NightOutcome?
    /// How complete the night was, 0 to 100; nil while it is open.
    public var nightScore: Int?

    /// Memberwise.
    public init(
        sessionID: SessionID, sessionDate: SessionDate, start: Instant, end: Instant?, dose1: Instant?,
        dose2: Instant?, dose2Skipped: Bool, extraDoses: Int, snoozeCount: Int, interval: Duration?,
        terminalState: TerminalState?, timeZone: String, wellnessScore: Int? = nil,
        preSleep: PreSleepCompletion? = nil, outcome: NightOutcome? = nil, nightScore: Int? = nil
    ) {
        self.sessionID = sessionID
        self.sessionDate = sessionDate
        self.start = start
        self.end = end
        self.dose1 = dose1
        self.dose2 = dose2
        self.dose2Skipped = dose2Skipped
        self.extraDoses = extraDoses
        self.snoozeCount = snoozeCount
        self.interval = interval
        self.terminalState = terminalState
        self.timeZone = timeZone
        self.wellnessScore = wellnessScore
        self.preSleep = preSleep
        self.outcome = outcome
        self.nightScore = nightScore
    }

    /// Sums up a session, its pre-sleep log apart.
    public init(_ session: Session) { self.init(session, preSleep: []) }

    /// Sums up a session.
    ///
    /// - Parameter preSleep: the standing pre-sleep logs that belong to it.
    public init(_ session: Session, preSleep: [PreSleepLog]) {
        self.init(
            sessionID: session.id, sessionDate: session.date, start: session.start, end: session.end,
            dose1: session.dose1?.wall, dose2: session.dose2?.wall, dose2Skipped: session.isSkippedByPerson,
            extraDoses: session.doses.count { $0.kind == .extra }, snoozeCount: session.snoozes.count,
            interval: session.interval, terminalState: session.terminalState,
            timeZone: session.timeZone, wellnessScore: session.checkIn?.wellness,
            preSleep: preSleep.map(\.completion).max(), outcome: NightOutcome(session), nightScore: session.nightScore)
    }
}
