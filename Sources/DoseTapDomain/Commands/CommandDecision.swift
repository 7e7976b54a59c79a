/// The decision about one command, in progress.
struct CommandDecision {
    let options: CommandOptions
    let logState: LogState
    let context: DecisionContext
    var maker: EventMaker
    /// When the entry counts.
    let at: Instant

    var ids: IdentifierGenerator { maker.ids }

    init(options: CommandOptions, logState: LogState, context: DecisionContext, ids: IdentifierGenerator) {
        self.options = options
        self.logState = logState
        self.context = context
        let isVouchedFor = logState.isVouchedFor(context.clock)
        maker = EventMaker(
            context: context, newest: logState.newest, isVouchedFor: isVouchedFor, ids: ids)
        maker.surface = options.surface
        maker.origin = options.origin
        // The wall clock as it is now, also one that was set back: it is vouched for that it is later.
        at = options.at ?? (isVouchedFor ? context.now : maker.occurredAt)
    }

    mutating func decide(_ command: Command) throws(CommandFailure) -> CommandHandler.Recording {
        try Bounds.check(options, fit: command)
        switch command {
        case .logDose(let kind): return try logDose(kind)
        case .snooze: return try snooze()
        case .skipDose2: return try skip()
        case .logFinalWake: return try finalWake()
        case .logSleepEvent(let word): return try logSleepEvent(word)
        case .saveCheckIn(let answers, let night): return try saveCheckIn(answers, night: night)
        case .record(let type, let said):
            guard let kind = type.kind else { throw .invalidInput("nothing is recorded as \(type.rawValue)") }
            return try kind.record(said, &self)
        case .undo: return try undo()
        case .amend(let id): return try amend(id)
        case .delete(let id): return try delete(id)
        }
    }

    // MARK: Recording

    /// - Parameter isOnceNightly: it is of a medicine that is taken once a night.
    mutating func logDose(
        _ asked: DoseKind, medicationID: String? = nil, isOnceNightly: Bool = false
    ) throws(CommandFailure) -> CommandHandler.Recording {
        try checkTime()
        let session = night(forDose: asked)
        var usual = prescribed(asked, medicationID: medicationID)
        var amount = options.amountMilligrams ?? usual?.amount
        var (kind, verdict) = judge(dose: asked, isOnceNightly, amount: amount, at: at, in: session, apart: nil)
        if kind != asked, usual != nil {
            // One more than prescribed: nobody knows how much.
            (usual, amount) = (nil, nil)
            (kind, verdict) = judge(dose: asked, isOnceNightly, amount: nil, at: at, in: session, apart: nil)
        }
        try answer(verdict, wouldRecord: kind.rawValue)
        let payload = EventPayload.doseRecorded(
            DoseRecorded(
                kind: kind, amountMilligrams: amount, medicationID: medicationID, regimenID: usual?.regimen,
                note: options.note, request: request, sinceDose1Milliseconds: sinceDose1(kind, in: session),
                isOnceNightly: isOnceNightly && kind == .dose1))
        return record(payload, .dose, in: session)
    }

    private mutating func snooze() throws(CommandFailure) -> CommandHandler.Recording {
        try checkTime()
        let session = night
        let window = window(of: session)
        let elapsed = session.flatMap(elapsed(in:))
        let verdict = RegistrationPolicy.judgeSnooze(
            session, elapsed: elapsed, window: window, now: context.clock)
        try answer(verdict, wouldRecord: "snooze")
        let minutes = session?.rules.snoozeStepMinutes ?? context.rules.snoozeStepMinutes
        let doubt = elapsed.flatMap { $0.isCertain ? nil : $0.longer.wholeMilliseconds }
        let payload = SnoozeRecorded(
            stepMinutes: minutes, note: options.note, request: request, sinceDose1Milliseconds: doubt)
        return record(.snoozeRecorded(payload), .snooze, in: session)
    }

    private mutating func skip() throws(CommandFailure) -> CommandHandler.Recording {
        try checkTime()
        let session = night
        let window = window(of: session)
        try answer(
            RegistrationPolicy.judgeSkip(session, at: asOf.map { _ in moment(in: session) }, window: window),
            wouldRecord: "dose2_skipped"
        )
        let payload = DoseSkipped(
            reason: options.reason, note: options.note, sleptThroughFrom: nil, request: request, cause: nil)
        return record(.doseSkipped(payload), .skip, in: session)
    }

    private mutating func finalWake() throws(CommandFailure) -> CommandHandler.Recording {
        try checkTime()
        let session = night
        if let wake = session?.wakes.last {
            throw .refused(
                .phase,
                Refusal(phase: window(of: session).phase, existing: wake.id, existingAt: wake.wall))
        }
        try answer(openWindow, wouldRecord: "wake_final")
        return record(.finalWakeRecorded(FinalWakeRecorded(note: options.note, request: request)), .wake, in: session)
    }

    // MARK: Correcting

    private mutating func undo() throws(CommandFailure) -> CommandHandler.Recording {
        guard let action = logState.recentActions.last else { throw .nothingToDo("nothing was recorded just now") }
        // What changed the open night beside it lies in that night.
        let session =
            action.sessionID.flatMap { logState.session($0) }
            ?? logState.sessions.last { $0.events.contains { $0.payload.cause == action.id } }
        let window = session?.rules.undoWindowSeconds ?? context.rules.undoWindowSeconds
        guard context.clock.vouches(that: action, isWithin: .seconds(window)) else {
            // A regimen stands in no night.
            let date = session?.date ?? logState.date(of: action.effectiveAt, context)
            let isOlder = context.clock.elapsed(since: action) > .seconds(window)
            throw .nothingToDo(
                (isOlder
                    ? "the newest action is older than \(window) seconds"
                    : "the clocks do not show that the newest action is at most \(window) seconds old")
                    + "; amend or delete it instead",
                night: action.entityType == .regimen ? nil : date)
        }
        try askSecondUndo(of: action)
        let consequences = session.map { Self.consequences(of: action, in: $0) } ?? []
        let payload = ActionUndone(action: action.id, events: [action.id] + consequences, request: request)
        let event = maker.event(
            .actionUndone(payload), action.entityType, about: action.entityID, action.sessionID ?? session?.id,
            at: maker.occurredAt, key: options.key)
        return finish([event], primary: event, session: event.sessionID)
    }

    /// Who takes back once more than was meant must not lose a dose by it.
    private func askSecondUndo(of action: Event) throws(CommandFailure) {
        guard case .doseRecorded = action.payload, logState.lastUndo != nil,
            !options.confirmations.contains(.undoDose)
        else { return }
        throw .needsConfirmation(
            Question(
                confirmations: [.undoDose], minutesToOpen: nil, limitMilligrams: nil, sumMilligrams: nil,
                existing: action.id, existingAt: action.effectiveAt, wouldRecord: EventType.actionUndone.rawValue,
                at: maker.occurredAt))
    }

    /// What goes with an action: what was recorded in one breath with it, and what time alone did to the night since,
    /// which is derived anew without it.
    private static func consequences(of action: Event, in session: Session) -> [EventID] {
        var isLater = false
        var found: [EventID] = []
        for event in session.events {
            if event.payload.cause == action.id || isLater && event.payload.followsFromTime { found.append(event.id) }
            if event.id == action.id { isLater = true }
        }
        return found
    }

    private mutating func amend(_ id: EventID) throws(CommandFailure) -> CommandHandler.Recording {
        guard options.at != nil || options.amountMilligrams != nil || options.note != nil else {
            throw .invalidInput("an amendment names a new time, amount or note")
        }
        if let entry = logState.standalone.active(id) {
            var change = EntryAmended(
                target: id, at: options.at, amountMilligrams: options.amountMilligrams, note: options.note,
                request: request)
            try entry.value.judge(&change, of: entry, self)
            return correct(entry.event, .entryAmended(change))
        }
        let (session, entry) = try active(id)
        guard options.amountMilligrams == nil || entry.entityType == .dose else {
            throw .invalidInput("only a dose or a medicine has an amount")
        }
        if options.at != nil {
            try checkTime()
            if entry.entityType == .checkin {
                try checkPlace(ofCheckIn: at, in: session)
            } else {
                try checkPlace(of: entry, in: session)
                try checkNap(of: id, in: session)
            }
        }
        if entry.entityType == .dose, let dose = session.doses.first(where: { $0.id == id }) {
            let verdict = judgeAmended(dose, in: session)
            try answer(verdict, wouldRecord: "entry_amended")
        } else {
            try answer(.allowed, wouldRecord: "entry_amended")
        }
        let payload = EntryAmended(
            target: id, at: options.at, amountMilligrams: options.amountMilligrams, note: options.note,
            request: request)
        let event = maker.event(
            .entryAmended(payload), entry.entityType, about: id.text, session.id, at: maker.occurredAt,
            key: options.key)
        return finish([event], primary: event, session: session.id)
    }

    private mutating func delete(_ id: EventID) throws(CommandFailure) -> CommandHandler.Recording {
        let payload = EntryDeleted(target: id, reason: options.reason ?? options.note, request: request)
        if let entry = logState.standalone.active(id) {
            return try entry.value.delete(entry, .entryDeleted(payload), &self)
        }
        let (session, entry) = try active(id)
        if let leaning = session.leaning(on: id) {
            throw .refused(.order, Refusal(existing: leaning.id, existingAt: leaning.at))
        }
        let event = maker.event(
            .entryDeleted(payload), entry.entityType, about: id.text, session.id, at: maker.occurredAt,
            key: options.key)
        return finish([event], primary: event, session: session.id)
    }

    /// Records a correction of an entry that is no part of a session's fold.
    mutating func correct(_ entry: Event, _ payload: EventPayload) -> CommandHandler.Recording {
        let event = maker.event(
            payload, entry.entityType, about: entry.entityID, entry.sessionID, at: maker.occurredAt, key: options.key)
        return finish([event], primary: event, session: entry.sessionID)
    }

    private func active(_ id: EventID) throws(CommandFailure) -> (Session, Event) {
        for session in logState.sessions {
            if let entry = session.entry(id) { return (session, entry) }
        }
        throw .notFound(id.text)
    }

    // MARK: Judging

    /// What an open window asks of every final wake and check-in, whichever night they belong to.
    var openWindow: RegistrationPolicy.Verdict {
        logState.open?.hasUnresolvedWindow == true ? .requiresConfirmation([.windowUnresolved], .init()) : .allowed
    }

    var request: Request {
        let given = Confirmation.allCases.filter(options.confirmations.contains)
        return Request(at: options.at, isAgo: options.isAgo && options.at != nil, confirmations: given)
    }

    /// The past moment the rules look at; nil is now, as which also a time said to lie ahead is judged.
    var asOf: Instant? { options.at.flatMap { $0 < context.now ? $0 : nil } }

    func checkTime() throws(CommandFailure) {
        let now = logState.isVouchedFor(context.clock) ? context.now : maker.occurredAt
        guard options.at.map({ $0 <= now + Bounds.future }) ?? true else { throw .refused(.future, Refusal()) }
    }

    /// The night a command is about: of what happens now the open one, whatever the wall clock says.
    var night: Session? {
        guard options.at != nil else { return logState.open ?? logState.session(for: at) }
        return logState.session(for: at, onScale: openMoment)
    }

    /// The night a dose is about.
    private func night(forDose kind: DoseKind) -> Session? {
        guard options.at != nil else {
            // A dose 1 that is taken now is none of a night that is over, though a clock that was wrong made that end later.
            return logState.open ?? (kind == .dose1 ? nil : logState.session(for: at))
        }
        return logState.session(forDose: kind, at: at, onScale: openMoment, now: context.now)
    }

    private var openMoment: Instant? { logState.open?.moment(of: at, now: context.clock) }

    /// When the entry counts on the scale of a night.
    func moment(in session: Session?) -> Instant {
        session?.moment(of: options.at, now: context.clock) ?? at
    }

    /// How long before now the entry was.
    private var ago: Duration { asOf.map { context.now - $0 } ?? .zero }

    /// Time from dose 1 of a night to the entry.
    private func elapsed(in session: Session) -> ElapsedTime? {
        session.elapsed(now: context.clock, isNamed: asOf != nil)?.moved(by: .zero - ago)
    }

    /// Where the clocks leave doubt about a dose 2, the time since dose 1 that the answer makes of it; else nil.
    private func sinceDose1(_ kind: DoseKind, in session: Session?) -> Int64? {
        guard kind == .dose2, let elapsed = session.flatMap(elapsed(in:)), elapsed.isDoubtful else { return nil }
        return (options.isClockRight == true ? elapsed.byWall : elapsed.counted).wholeMilliseconds
    }

    /// The active doses of all nights around but one, and the time since each.
    private func doses(apart: EventID?, around session: Session?) -> [RegistrationPolicy.OtherDose] {
        let now = context.clock
        return logState.sessions.flatMap { other in
            other.doses.filter { $0.id != apart }.map { dose in
                let since = ElapsedTime(
                    since: dose.said, then: readings(since: dose, of: other, session), now: now, isNamed: asOf != nil)
                // Doses of tonight are as near as they may be. Of another night the wall clock is believed across boots:
                // who has none that is synchronised would be asked every evening.
                let isBelieved = other.id != session?.id && dose.said.clock.bootID != now.bootID
                let known = isBelieved ? ElapsedTime(certain: max(since.counted, since.byWall)) : since
                return .init(dose: dose, date: other.date, since: known.moved(by: .zero - ago))
            }
        }
    }

    /// The clocks at all that was recorded since it was said when a dose was, in its own night and another one, in the order
    /// of the log.
    private func readings(since dose: Dose, of night: Session, _ other: Session?) -> [ClockReading] {
        let own = night.events.drop { $0.id != dose.saidBy }
        guard let other, other.id != night.id, let said = own.first else { return own.dropFirst().map(\.clock) }
        let later = other.events.filter { ($0.occurredAt, $0.id.text) > (said.occurredAt, said.id.text) }
        return (own.dropFirst() + later).sorted { ($0.occurredAt, $0.id.text) < ($1.occurredAt, $1.id.text) }
            .map(\.clock)
    }

    private func window(of session: Session?) -> WindowState {
        session?.window(asOf: asOf, now: context.clock) ?? DoseWindow.state(.init(now: at))
    }

    private func judge(
        dose kind: DoseKind, _ isOnceNightly: Bool, amount: Int?, at: Instant, in session: Session?, apart: EventID?
    ) -> (kind: DoseKind, verdict: RegistrationPolicy.Verdict) {
        let doses = doses(apart: apart, around: session)
        let date =
            session?.date
            ?? .key(of: at, in: context.zone, rolloverHour: context.rules.rolloverHour)
        let rules = session?.rules ?? logState.rules(context.rules, on: date)
        let ended = logState.sessions.filter { $0.id != session?.id && $0.date == date && $0.hasSigns }.compactMap(
            \.end)
        return RegistrationPolicy.judge(
            .init(
                kind: kind, at: moment(in: session), asOf: asOf.map { _ in moment(in: session) },
                elapsed: session.flatMap(elapsed(in:)), amountMilligrams: amount, session: session, date: date,
                window: session.map { window(of: $0) },
                onceNightly: rules.onceNightly || isOnceNightly && kind == .dose1, doses: doses,
                endedAt: ended.max()))
    }

    /// An amended dose is asked only what its new time or amount raises anew: too near another dose, or too much.
    private func judgeAmended(_ dose: Dose, in session: Session) -> RegistrationPolicy.Verdict {
        let (at, wall) = (options.at == nil ? dose.at : moment(in: session), options.at ?? dose.wall)
        let others = logState.sessions.flatMap { other in
            other.doses.filter { $0.id != dose.id }.map { active in
                RegistrationPolicy.OtherDose(
                    dose: active, date: other.date,
                    since: ElapsedTime(certain: other.id == session.id ? at - active.at : wall - active.wall))
            }
        }
        return RegistrationPolicy.judgeAmendment(
            .init(
                kind: dose.kind, at: at, asOf: at, elapsed: nil, amountMilligrams: options.amountMilligrams,
                session: session, date: session.date, window: nil,
                onceNightly: session.rules.onceNightly, doses: others),
            timeChanged: options.at != nil)
    }

    /// An amended time stays in its night and in its order.
    func checkPlace(of entry: Event, in session: Session) throws(CommandFailure) {
        let first = session.doses.first { $0.id == entry.id && $0.kind == .dose1 }
        let other = first.map { night(forDose: $0.kind) } ?? night
        let moment = session.moment(of: at, now: context.clock)
        let isElsewhere = moment < session.start && other.map { $0.id != session.id } ?? false
        guard session.isInReach(of: moment), session.end.map({ at <= $0 }) ?? true, !isElsewhere else {
            throw .invalidInput("that time belongs to another night: delete the entry and log it again")
        }
        let active = session.doses.first { $0.id == entry.id }
        switch active?.kind {
        case .dose1:
            let next = session.doses.first { $0.kind != .dose1 }.map { ($0.id, $0.at, $0.wall) }
            let skip = session.skips.first { !$0.isAutomatic }.map { ($0.id, $0.at, $0.wall) }
            for (id, time, wall) in [next, skip].compactMap(\.self) where moment > time {
                throw .refused(.order, Refusal(existing: id, existingAt: wall))
            }
        case .dose2, .extra: try checkAfterDose1(session)
        case nil: if entry.entityType == .skip { try checkAfterDose1(session) }
        }
    }

    private func checkAfterDose1(_ session: Session) throws(CommandFailure) {
        guard let first = session.dose1, moment(in: session) < first.at else { return }
        throw .refused(.order, Refusal(existing: first.id, existingAt: first.wall))
    }

    /// Turns a verdict into the questions that are still open, or into a refusal.
    func answer(_ verdict: RegistrationPolicy.Verdict, wouldRecord: String) throws(CommandFailure) {
        var asked: [Confirmation] = []
        var facts = RegistrationPolicy.Facts()
        switch verdict {
        case .allowed: break
        case .requiresConfirmation(let kinds, let told): (asked, facts) = (kinds, told)
        case .blocked(let reason, let refusal): throw .refused(reason, refusal)
        }
        if let named = options.at, named < maker.occurredAt - Bounds.longAgo { asked.append(.longAgo) }
        // One question about time: too early or too late says already that somebody should look at a clock.
        if maker.isClockSuspect, !asked.contains(.early), !asked.contains(.late) { asked.append(.clockSuspect) }
        var given = options.confirmations
        if options.isClockRight != nil { given.insert(.clockSuspect) }
        let open = Confirmation.allCases.filter { asked.contains($0) && !given.contains($0) }
        guard open.isEmpty else {
            let isEarly = open.contains(.early)
            let names = isEarly || open.contains(.duplicate)
            let begins = open.contains(.extra) || open.contains(.extraUnderstood)
            throw .needsConfirmation(
                Question(
                    confirmations: open, minutesToOpen: isEarly ? facts.minutesToOpen : nil,
                    limitMilligrams: open.contains(.overLimit) ? facts.limitMilligrams : nil,
                    sumMilligrams: open.contains(.overLimit) ? facts.sumMilligrams : nil,
                    existing: names ? facts.existing : nil,
                    existingAt: names ? facts.existingAt : nil,
                    existingKind: isEarly ? facts.existingKind : nil, isNamed: asOf != nil,
                    endedNight: begins ? facts.endedNight : nil,
                    elapsed: open.contains(.clockSuspect) ? facts.elapsed : nil,
                    sinceExisting: isEarly ? facts.sinceExisting : nil, wouldRecord: wouldRecord, at: at))
        }
    }
}
