/// The state of the night at one moment: the answer of `status` on every surface.
public struct NightStatus: Hashable, Sendable {
    /// The moment that the status describes.
    public var at: Instant = .min
    public var window: WindowState = .blank
    /// The session of the moment.
    public var sessionID: SessionID?
    /// The session's grouping key.
    public var sessionDate: SessionDate?
    /// The zone of the session, or the zone in force.
    public var timeZone: String = ""
    /// The zone in force, in which local times are read.
    public var zoneInForce: String = ""
    /// The local hour at which a night's date begins.
    public var rolloverHour: Int = 0
    public var dose1: Instant?
    public var dose2: Instant?
    /// The wire word of the surface that recorded dose 1; nil without a dose 1, or if unknown.
    public var dose1Surface: String?
    /// The wire word of the surface that recorded dose 2.
    public var dose2Surface: String?
    /// False while nobody knows what the log holds. An entry that is not shown may have been recorded all the same.
    public var isCertain: Bool = true
    /// True if the person skipped dose 2.
    public var dose2Skipped: Bool = false
    /// The outcome of the doses so far; nil without a session.
    public var outcome: NightOutcome?
    /// The pre-sleep log that is part of the night.
    public var preSleep: PreSleep?
    public var extraDoses: Int = 0
    /// The doses that were taken off the record, the last one first; none of whose kind a dose stands.
    public var removedDoses: [RemovedDose] = []
    /// The dose that was taken off the record last; nil if a dose of its kind stands.
    public var removedDose: RemovedDose? { removedDoses.first }
    /// Snoozes so far.
    public var snoozeCount: Int = 0
    /// The number of snoozes that the night allows.
    public var snoozeLimit: Int = 0
    public var windowOpens: Instant?
    public var windowCloses: Instant?
    public var alarm: Instant?
    /// Whole minutes between the doses, truncated.
    public var intervalMinutes: Int64?
    /// The start of the nap that has no end yet.
    public var napOpenSince: Instant?
    /// The way in which the session ended, or what the session waits for.
    public var terminalState: TerminalState?
    /// True if a morning check-in is due, for this night or the night before it.
    public var checkInPending: Bool = false
    public var nextReminder: ReminderPlan.Item?
    /// The prescription for the night, by the keys of `Regimen`; not a part of the status as it is sent.
    public var regimen: JSONObject?
    /// The session date of the moment.
    public var date: SessionDate = SessionDate(CivilDate(daysSinceEpoch: 0))
    /// The session date of the present.
    public var presentDate: SessionDate = SessionDate(CivilDate(daysSinceEpoch: 0))
    /// The next step that is safe; nil for another moment than now.
    public var next: NextStep.Record?
    /// The night before; nil if a dose of this night is on record.
    public var previous: NightSummary?
    /// Facts about logged entries: the time that has to pass after each, with its source.
    public var clearance: [Clearance] = []
    /// The stage of sleep that was reported last, as far as the report can be believed; kept in memory, not in the log.
    public var liveStage: LiveStage.Report = .unknown
    /// Warnings for the person: a silent night, a stepped clock, a store at fault.
    public var warnings: [Warning] = []

    /// True if dose 2 is expected and neither taken nor skipped, whatever else is on record.
    public var isDose2Open: Bool { outcome == .pending }

    /// True if reminders are to come, or will be once dose 1 is recorded.
    public var awaitsReminders: Bool { nextReminder != nil || window.phase == .noDose1 || isDose2Open }

    /// A pre-sleep log in a line.
    public struct PreSleep: Hashable, Sendable {
        /// The time at which the log counts.
        public var at: Instant
        public var completion: PreSleepCompletion
    }

    /// A dose that was undone or deleted.
    public struct RemovedDose: Hashable, Sendable {
        public var kind: DoseKind
        /// The time at which the dose counted.
        public var at: Instant
        public var removedAt: Instant

        /// Returns those of a night of whose kind no dose stands, the one removed last first (R20.22).
        ///
        /// - Parameter moment: the moment by which dose and removal had happened; nil for all.
        static func all(_ session: Session, until moment: Instant?) -> [RemovedDose] {
            var found: [RemovedDose] = []
            var seen: [EventID] = []
            for (place, event) in session.events.enumerated().reversed() {
                let target: EventID
                switch event.payload {
                case .entryDeleted(let payload): target = payload.target
                case .actionUndone(let payload): target = payload.action
                default: continue
                }
                // The dose as it stood before: it may have been amended.
                let before = Session(events: Array(session.events[..<place]))
                guard let dose = before?.doses.first(where: { $0.id == target }) else { continue }
                // An earlier removal may be of the other kind.
                guard !session.doses.contains(where: { $0.kind == dose.kind }) else { continue }
                if let moment, max(dose.wall, event.occurredAt) > moment { continue }
                // A dose whose deletion was undone may have been removed again.
                guard !seen.contains(target) else { continue }
                seen.append(target)
                found.append(RemovedDose(kind: dose.kind, at: dose.wall, removedAt: event.occurredAt))
            }
            return found
        }

        fileprivate static var blank: RemovedDose { RemovedDose(kind: .dose1, at: .min, removedAt: .min) }
    }

    /// The time for which doses of another night are told beside those of tonight (R20.21).
    private static let otherDosesReach: Duration = .hours(12)

    /// Returns the night before a moment: the last one with a dose of the last day, else the last one with the signs of a night.
    /// A nap after it, or a final wake on the next date, does not hide the doses (R20.23).
    private static func nightBefore(_ moment: Instant, of nights: [Session]) -> Session? {
        let lastDay = Duration.zero..<Duration.hours(24)
        return nights.last { $0.doses.contains { lastDay.contains(moment - $0.wall) } }
            ?? nights.last(where: \.hasSigns) ?? nights.last
    }

    /// Returns a warning about recent doses of other nights, for example after two records became one. A look at tonight
    /// alone would count too few doses.
    private static func otherDoses(_ nights: [Session], now: ClockReading, _ context: DecisionContext) -> [Warning] {
        let recent = nights.flatMap { night in
            night.doses.filter { (.zero..<otherDosesReach).contains(night.moment(of: now.wall, now: now) - $0.at) }
                .map { context.moments(of: night).clock($0.wall) }
        }
        guard !recent.isEmpty else { return [] }
        let times = recent.joined(separator: ", ")
        return [
            Warning(
                .otherDoses,
                sent(
                    "Another night's doses are on record as well: \(times). Too many can stop breathing. Check what was taken."
                ))
        ]
    }

    /// Judges a moment.
    ///
    /// - Parameters:
    ///   - instant: nil is now. For a past moment only what had happened counts; a future moment is judged as if nothing
    ///     more were recorded.
    public init(_ logState: LogState, at instant: Instant?, _ context: DecisionContext, warnings: [Warning] = []) {
        let moment = instant ?? context.now
        // All clocks advance alike to a moment in the future.
        let now = context.clock.moved(to: max(moment, context.now))
        let night = instant.map { Self.session(logState, at: $0, context) } ?? logState.open
        let session = instant.flatMap { at in night?.asOf(night?.nightMoment(of: at, now: now) ?? .end) } ?? night
        at = moment
        window = night?.window(asOf: instant, now: now) ?? DoseWindow.state(.init(now: moment))
        sessionID = session?.id
        sessionDate = session?.date
        zoneInForce = context.zone.identifier
        rolloverHour = context.rules.rolloverHour
        timeZone = session?.timeZone ?? zoneInForce
        dose1 = session?.dose1?.wall
        dose2 = session?.dose2?.wall
        dose1Surface = session?.dose1?.event.surface.rawValue
        dose2Surface = session?.dose2?.event.surface.rawValue
        isCertain = true
        extraDoses = session?.doses.count { $0.kind == .extra } ?? 0
        let ended = logState.sessions.last { night in
            night.start <= moment && night.end.map { moment - $0 < .hours(12) } ?? false
        }
        removedDoses = (session ?? ended).map { RemovedDose.all($0, until: instant) } ?? []
        dose2Skipped = session?.isSkippedByPerson ?? false
        outcome = session.map(NightOutcome.init)
        snoozeCount = session?.countedSnoozes.count ?? 0
        snoozeLimit = (session?.rules ?? context.rules).maximumSnoozes
        if let session, !session.rules.onceNightly, let times = session.windowTimes(now: now) {
            (windowOpens, alarm, windowCloses) = (times.opens, times.alarm, times.closes)
        }
        intervalMinutes = session?.interval?.wholeMinutes
        napOpenSince = session?.naps.open.last?.start
        terminalState = session?.terminalState
        nextReminder = session.flatMap { session in
            session.shownReminders(now: now, in: context.zone(of: session)).first { $0.due > moment }
        }
        checkInPending = session?.isCheckInPending ?? false
        // A night without a dose, such as one with only a nap, also tells of the night before it.
        let others = logState.sessions.filter { $0.id != session?.id && $0.start <= moment }
        if session?.doses.isEmpty ?? true, let before = Self.nightBefore(moment, of: others) {
            let night = moment > context.now ? Self.ahead(before, to: moment, context) : before
            previous = NightSummary(night, preSleep: logState.preSleepLogs(of: night))
            let isInReach = night.end.map { moment <= $0 + CommandDecision.checkInReach } ?? true
            let isOfNight = session.map { !$0.hasSigns || logState.night(behind: $0)?.id == night.id } ?? true
            if isOfNight { checkInPending = night.isCheckInPending && isInReach }
        }
        date =
            session?.date
            ?? .key(of: moment, in: context.zone, rolloverHour: context.rules.rolloverHour)
        presentDate = logState.presentDate(context)
        preSleep = logState.preSleepLog(of: session, on: date, until: moment, context).map {
            PreSleep(at: $0.at, completion: $0.completion)
        }
        next = instant == nil ? NextStep.Record(NextStep(logState, context)) : nil
        regimen = logState.regimen(on: date)?.json(on: date)
        let dosed = logState.sessions.last { !$0.doses.isEmpty && $0.start <= moment }
        clearance = Clearance.facts(
            doses: logState.sessions.flatMap { night in
                night.doses.map { moment - (night.moment(of: moment, now: now) - $0.at) }
            }, preSleep: logState.preSleepLogs,
            stimulants: logState.medications.filter {
                $0.isActive && context.medications[$0.recorded.medicationID]?.category == .stimulant
            }, at: moment,
            cups: logState.cups(at: moment).ready(at: moment),
            in: session.flatMap { context.zoneNamed($0.timeZone) } ?? context.zone,
            labels: (
                taken: dosed.flatMap { logState.oxybate(of: $0, on: $0.date) },
                night: logState.oxybate(of: session, on: date)
            ))
        // The last dose is not known yet: the time told is the least, not the end.
        let isUnsettled =
            dose2 == nil && (outcome == .pending || outcome == .notRecorded)
            || dose1 == nil && previous?.outcome == .notRecorded
        if isUnsettled {
            for place in clearance.indices where clearance[place].kind == .earliestDrive {
                clearance[place].detail = Clearance.atLeast
                // Six hours after dose 1 nobody knows more than that a dose 2 may have been taken until the window closed.
                let closes = windowCloses ?? (dose1 ?? previous?.dose1).map { $0 + DoseWindow.closes }
                if !clearance[place].isRunning(at: moment), let closes {
                    clearance[place].until = closes + Clearance.drive
                }
            }
        }
        var told = warnings
        if instant == nil, let session, let said = session.clockSentence(now: now, context.moments(of: session)) {
            told.append(Warning(.clock, said))
        }
        if instant == nil, isDose2Open { told += Self.otherDoses(others, now: now, context) }
        self.warnings = told
    }

    /// Returns the session in which a moment lies, with the boundaries that time alone will bring until then.
    private static func session(_ logState: LogState, at moment: Instant, _ context: DecisionContext) -> Session? {
        let around = logState.sessions.filter { $0.first <= moment }.map { session in
            session.isOpen && moment > context.now ? ahead(session, to: moment, context) : session
        }
        return around.last { session in session.end.map { moment < $0 } ?? true }
    }

    private static func ahead(_ session: Session, to moment: Instant, _ context: DecisionContext) -> Session {
        var ahead = context
        ahead.clock = context.clock.moved(to: moment)
        var maker = EventMaker(context: ahead, newest: nil, ids: IdentifierGenerator())
        return session.appending(CommandHandler.boundaries(session, &maker, cause: nil)) ?? session
    }
}

// MARK: Keys

/// The object of `status --json`, and the answer of D-Bus `Status`.
extension NightStatus {
    public static let description = RecordDescription(
        "status", "status --json, and dosetap --json alone", NightStatus()
    ) { it in
        it.part(WindowState.description, get: { $0.window })
        it.instant("at", "the moment it tells of", get: { $0.at }, set: { $0.at = $1 })
        it.textOrNull("session_id", get: { $0.sessionID?.text }, set: { $0.sessionID = $1.map(SessionID.init) })
        it.dateOrNull("session_date", get: { $0.sessionDate }, set: { $0.sessionDate = $1 })
        it.text("time_zone", "that of the session", get: { $0.timeZone }, set: { $0.timeZone = $1 })
        it.text(
            "zone_in_force", "zone in which local times are read", get: { $0.zoneInForce },
            set: { $0.zoneInForce = $1 })
        it.integer(
            "rollover_hour", "local hour at which a night's date begins", get: { $0.rolloverHour },
            set: { $0.rolloverHour = $1 })
        it.instantOrNull("dose1_time", get: { $0.dose1 }, set: { $0.dose1 = $1 })
        it.instantOrNull("dose2_time", get: { $0.dose2 }, set: { $0.dose2 = $1 })
        it.textOrNull("dose1_surface", "what recorded it", get: { $0.dose1Surface }, set: { $0.dose1Surface = $1 })
        it.textOrNull("dose2_surface", get: { $0.dose2Surface }, set: { $0.dose2Surface = $1 })
        // The window holds the doubt about the clocks; the flag itself is about the log.
        it.bool(
            "certain", "false where the clocks, or what is on record, are in doubt",
            get: { $0.isCertain && $0.window.isCertain }, set: { $0.isCertain = $1 })
        it.value(
            "elapsed_most_s", .integer(.seconds), "where the clocks leave doubt the most", null: .null,
            get: { WindowState.seconds($0.window.doubt?.longer) })
        it.value(
            "elapsed_by_clock_s", .integer(.seconds), "where the clocks leave doubt what the computer's clock says",
            null: .null, get: { WindowState.seconds($0.window.doubt?.byWall) })
        it.bool("dose2_skipped", "by the person", get: { $0.dose2Skipped }, set: { $0.dose2Skipped = $1 })
        it.wordOrNull("outcome", get: { $0.outcome }, set: { $0.outcome = $1 })
        it.recordOrNull("pre_sleep", PreSleep.description, get: { $0.preSleep }, set: { $0.preSleep = $1 })
        it.integer("extra_doses", as: .count, get: { $0.extraDoses }, set: { $0.extraDoses = $1 })
        it.recordOrNull(
            "removed_dose", RemovedDose.description,
            "the dose that was undone or deleted last, if none of its kind stands",
            null: .absent, get: { $0.removedDose }, set: { $0.removedDoses = $1.map { [$0] } ?? [] })
        it.records(
            "removed_doses", RemovedDose.description, "all such doses, the last one first, if there are several",
            null: .absent, get: { $0.removedDoses.count > 1 ? $0.removedDoses : [] },
            set: { if !$1.isEmpty { $0.removedDoses = $1 } })
        it.integer("snooze_count", as: .count, get: { $0.snoozeCount }, set: { $0.snoozeCount = $1 })
        it.integer("snooze_limit", as: .count, get: { $0.snoozeLimit }, set: { $0.snoozeLimit = $1 })
        it.instantOrNull("window_opens", get: { $0.windowOpens }, set: { $0.windowOpens = $1 })
        it.instantOrNull("window_closes", get: { $0.windowCloses }, set: { $0.windowCloses = $1 })
        it.instantOrNull("alarm_time", get: { $0.alarm }, set: { $0.alarm = $1 })
        it.integerOrNull(
            "interval_min", in: .minutes, get: { $0.intervalMinutes.map { Int($0) } },
            set: { $0.intervalMinutes = $1.map { Int64($0) } })
        it.instantOrNull("nap_open_since", get: { $0.napOpenSince }, set: { $0.napOpenSince = $1 })
        it.wordOrNull("terminal_state", get: { $0.terminalState }, set: { $0.terminalState = $1 })
        it.bool(
            "checkin_pending", "for this night or the one before it", get: { $0.checkInPending },
            set: { $0.checkInPending = $1 })
        it.recordOrNull(
            "next_reminder", ReminderPlan.Item.description, get: { $0.nextReminder }, set: { $0.nextReminder = $1 })
        it.date("date", "the session date of the moment", get: { $0.date }, set: { $0.date = $1 })
        it.date("present_date", "that of the present", get: { $0.presentDate }, set: { $0.presentDate = $1 })
        it.recordOrNull(
            "next", NextStep.Record.description, "what can safely be done next; null for another moment than now",
            get: { $0.next }, set: { $0.next = $1 })
        it.recordOrNull(
            "previous", NightSummary.description, "the night before, when none is open", get: { $0.previous },
            set: { $0.previous = $1 })
        it.records("clearance", Clearance.description, get: { $0.clearance }, set: { $0.clearance = $1 })
        it.recordOrNull(
            "live_stage", LiveStage.Report.description, "the stage of sleep that a program reported last",
            null: .absent, get: { $0.liveStage == .unknown ? nil : $0.liveStage },
            set: { $0.liveStage = $1 ?? .unknown })
        it.records("warnings", Warning.description, get: { $0.warnings }, set: { $0.warnings = $1 })
    }

    private init() {}

    /// The keys of ``description``.
    public var json: JSONObject { Self.description.json(self) }

    /// Reads the object back, as a client does.
    public init(json: JSONObject) throws(PayloadError) {
        let reader = PayloadReader("status", json)
        self = try Self.description.read(reader)
        window = try WindowState(reader)
        isCertain = isCertain || !window.isCertain
    }
}

extension NightStatus.PreSleep {
    static let description = RecordDescription(
        NightStatus.PreSleep(at: .min, completion: .skipped)
    ) { it in
        it.instant("at", get: { $0.at }, set: { $0.at = $1 })
        it.word("completion_state", get: { $0.completion }, set: { $0.completion = $1 })
    }
}

extension NightStatus.RemovedDose {
    static let description = RecordDescription(
        NightStatus.RemovedDose.blank
    ) { it in
        it.word("type", get: { $0.kind }, set: { $0.kind = $1 })
        it.instant("timestamp", "when it counted", get: { $0.at }, set: { $0.at = $1 })
        it.instant("removed_at", get: { $0.removedAt }, set: { $0.removedAt = $1 })
    }
}

extension ReminderPlan.Item {
    /// One reminder; the plan adds the place after dose 1.
    static let description = RecordDescription(
        ReminderPlan.Item(id: .windowOpen, due: .min)
    ) { it in
        it.word("id", get: { $0.id }, set: { $0 = ReminderPlan.Item(id: $1, due: $0.due) })
        it.instant("at", get: { $0.due }, set: { $0 = ReminderPlan.Item(id: $0.id, due: $1) })
        it.word("urgency", get: { $0.id.urgency })
    }
}
