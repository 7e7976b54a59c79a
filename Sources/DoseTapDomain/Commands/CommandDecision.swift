/// The decision about one command, in progress.
struct CommandDecision {
    let options: CommandOptions
    let diary: Diary
    let circumstances: Circumstances
    private var maker: EventMaker
    /// When the entry counts.
    private let at: Instant

    var ids: IdentifierGenerator { maker.ids }

    init(options: CommandOptions, diary: Diary, circumstances: Circumstances, ids: IdentifierGenerator) {
        self.options = options
        self.diary = diary
        self.circumstances = circumstances
        maker = EventMaker(circumstances: circumstances, newest: diary.newest, ids: ids)
        maker.surface = options.surface
        maker.origin = options.origin
        at = options.at ?? maker.occurredAt
    }

    mutating func decide(_ command: Command) throws(CommandFailure) -> Rulebook.Recording {
        switch command {
        case .logDose(let kind): return try logDose(kind)
        case .snooze: return try snooze()
        case .skipDose2: return try skip()
        case .logFinalWake: return try finalWake()
        case .undo: return try undo()
        case .amend(let id): return try amend(id)
        case .delete(let id): return try delete(id)
        }
    }

    // MARK: Recording

    private mutating func logDose(_ asked: DoseKind) throws(CommandFailure) -> Rulebook.Recording {
        try checkTime()
        let session = diary.session(for: at)
        let (kind, verdict) = judge(dose: asked, amount: options.amountMilligrams, at: at, in: session, apart: nil)
        try answer(verdict, wouldRecord: kind.rawValue)
        let payload = EventPayload.doseRecorded(
            DoseRecorded(
                kind: kind, amountMilligrams: options.amountMilligrams, note: options.note, request: request))
        return record(payload, .dose, in: session)
    }

    private mutating func snooze() throws(CommandFailure) -> Rulebook.Recording {
        try checkTime()
        let session = diary.session(for: at)
        let window = window(of: session, asOf: judgedAt)
        try answer(RegistrationPolicy.judgeSnooze(session, at: at, window: window), wouldRecord: "snooze")
        let minutes = session?.rules.snoozeStepMinutes ?? circumstances.rules.snoozeStepMinutes
        let payload = SnoozeRecorded(stepMinutes: minutes, note: options.note, request: request)
        return record(.snoozeRecorded(payload), .snooze, in: session)
    }

    private mutating func skip() throws(CommandFailure) -> Rulebook.Recording {
        try checkTime()
        let session = diary.session(for: at)
        let window = window(of: session, asOf: judgedAt)
        try answer(RegistrationPolicy.judgeSkip(session, window: window), wouldRecord: "dose2_skipped")
        if let first = session?.dose1, at < first.at {
            throw .refused(.order, Refusal(phase: window.phase, standing: first.id, standingAt: first.at))
        }
        let payload = DoseSkipped(
            reason: options.reason, note: options.note, sleptThroughFrom: nil, request: request, cause: nil)
        return record(.doseSkipped(payload), .skip, in: session)
    }

    private mutating func finalWake() throws(CommandFailure) -> Rulebook.Recording {
        try checkTime()
        let session = diary.session(for: at)
        if let wake = session?.wakes.last {
            throw .refused(
                .phase,
                Refusal(phase: window(of: session, asOf: judgedAt).phase, standing: wake.id, standingAt: wake.at))
        }
        let unresolved = session?.isOpen == true && session?.hasUnresolvedWindow == true
        let verdict: RegistrationPolicy.Verdict =
            unresolved ? .requiresConfirmation([.windowUnresolved], .init()) : .allowed
        try answer(verdict, wouldRecord: "wake_final")
        return record(.finalWakeRecorded(FinalWakeRecorded(note: options.note, request: request)), .wake, in: session)
    }

    // MARK: Correcting

    private mutating func undo() throws(CommandFailure) -> Rulebook.Recording {
        guard let action = diary.recentActions.last else { throw .nothingToDo("nothing was recorded just now") }
        let session = action.sessionID.flatMap { diary.session($0) }
        let window = session?.rules.undoWindowSeconds ?? circumstances.rules.undoWindowSeconds
        guard maker.occurredAt - action.occurredAt <= .seconds(window) else {
            throw .nothingToDo("the newest action is older than \(window) seconds; amend or delete it instead")
        }
        let consequences = session?.events.filter { $0.payload.cause == action.id }.map(\.id) ?? []
        let payload = ActionUndone(action: action.id, events: [action.id] + consequences, request: request)
        let event = maker.event(
            .actionUndone(payload), action.entityType, about: action.entityID, action.sessionID,
            at: maker.occurredAt, key: options.key)
        return finish([event], primary: event, session: action.sessionID)
    }

    private mutating func amend(_ id: EventID) throws(CommandFailure) -> Rulebook.Recording {
        let (session, entry) = try standing(id)
        guard options.at != nil || options.amountMilligrams != nil || options.note != nil else {
            throw .invalidInput("an amendment names a new time, amount or note")
        }
        guard options.amountMilligrams == nil || entry.entityType == .dose else {
            throw .invalidInput("only a dose has an amount")
        }
        if options.at != nil {
            try checkTime()
            try checkPlace(of: entry, in: session)
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

    private mutating func delete(_ id: EventID) throws(CommandFailure) -> Rulebook.Recording {
        let (session, entry) = try standing(id)
        if let first = session.dose1, first.id == id, let later = session.doses.first(where: { $0.kind != .dose1 }) {
            throw .refused(.order, Refusal(standing: later.id, standingAt: later.at))
        }
        let payload = EntryDeleted(target: id, reason: options.reason ?? options.note, request: request)
        let event = maker.event(
            .entryDeleted(payload), entry.entityType, about: id.text, session.id, at: maker.occurredAt,
            key: options.key)
        return finish([event], primary: event, session: session.id)
    }

    private func standing(_ id: EventID) throws(CommandFailure) -> (Session, Event) {
        for session in diary.sessions {
            if let entry = session.entry(id) { return (session, entry) }
        }
        throw .notFound(id.text)
    }

    // MARK: Judging

    private var request: Request {
        let given = Confirmation.allCases.filter(options.confirmations.contains)
        return Request(at: options.at, confirmations: given)
    }

    /// The moment the rules look at: what is said to lie ahead is judged as of now.
    private var judgedAt: Instant { options.at == nil ? at : min(at, max(circumstances.now, maker.occurredAt)) }

    private func checkTime() throws(CommandFailure) {
        guard at <= maker.occurredAt + Bounds.future else { throw .refused(.future, Refusal()) }
    }

    private func window(of session: Session?, asOf instant: Instant) -> WindowState {
        session?.window(asOf: instant, now: circumstances.clock) ?? DoseWindow.state(.init(now: instant))
    }

    private func judge(
        dose kind: DoseKind, amount: Int?, at: Instant, in session: Session?, apart: EventID?
    ) -> (kind: DoseKind, verdict: RegistrationPolicy.Verdict) {
        let doses = diary.sessions.flatMap { session in
            session.doses.filter { $0.id != apart }.map { (dose: $0, date: session.date) }
        }
        let rules = session?.rules ?? circumstances.rules
        let date =
            session?.date ?? .key(of: at, in: circumstances.zone, rolloverHour: rules.rolloverHour)
        return RegistrationPolicy.judge(
            .init(
                kind: kind, at: options.at == nil ? at : judgedAt, amountMilligrams: amount, session: session,
                date: date, window: session.map { window(of: $0, asOf: judgedAt) }, onceNightly: rules.onceNightly,
                doses: doses, skew: session?.skew(now: circumstances.clock) ?? .none))
    }

    /// An amended dose is asked only what its new time or amount raises anew: too near another dose, or too much.
    private func judgeAmended(_ dose: Dose, in session: Session) -> RegistrationPolicy.Verdict {
        let others = diary.sessions.flatMap { session in
            session.doses.filter { $0.id != dose.id }.map { (dose: $0, date: session.date) }
        }
        return RegistrationPolicy.judgeAmendment(
            .init(
                kind: dose.kind, at: options.at ?? dose.at,
                amountMilligrams: options.amountMilligrams, session: session, date: session.date, window: nil,
                onceNightly: session.rules.onceNightly, doses: others, skew: .none),
            timeChanged: options.at != nil)
    }

    /// An amended time stays in its night and in its order.
    private func checkPlace(of entry: Event, in session: Session) throws(CommandFailure) {
        let earliest = session.isOpen ? session.start - Diary.joinsBefore : session.start
        guard at >= earliest, session.end.map({ at <= $0 }) ?? true else {
            throw .invalidInput("that time belongs to another night: delete the entry and log it again")
        }
        let standing = session.doses.first { $0.id == entry.id }
        switch standing?.kind {
        case .dose1:
            if let next = session.doses.first(where: { $0.kind != .dose1 }), at > next.at {
                throw .refused(.order, Refusal(standing: next.id, standingAt: next.at))
            }
        case .dose2, .extra:
            if let first = session.dose1, at < first.at {
                throw .refused(.order, Refusal(standing: first.id, standingAt: first.at))
            }
        case nil: break
        }
    }

    /// Turns a verdict into the questions that are still open, or into a refusal.
    private func answer(_ verdict: RegistrationPolicy.Verdict, wouldRecord: String) throws(CommandFailure) {
        var asked: [Confirmation] = []
        var facts = RegistrationPolicy.Facts()
        switch verdict {
        case .allowed: break
        case .requiresConfirmation(let kinds, let told): (asked, facts) = (kinds, told)
        case .blocked(let reason, let refusal): throw .refused(reason, refusal)
        }
        if let named = options.at, named < maker.occurredAt - Bounds.longAgo { asked.append(.longAgo) }
        if maker.isClockSuspect { asked.append(.clockSuspect) }
        let open = Confirmation.allCases.filter { asked.contains($0) && !options.confirmations.contains($0) }
        guard open.isEmpty else {
            throw .needsConfirmation(
                Question(
                    confirmations: open, minutesToOpen: open.contains(.early) ? facts.minutesToOpen : nil,
                    limitMilligrams: open.contains(.overLimit) ? facts.limitMilligrams : nil,
                    sumMilligrams: open.contains(.overLimit) ? facts.sumMilligrams : nil, wouldRecord: wouldRecord,
                    at: at))
        }
    }

    // MARK: Events

    private mutating func record(
        _ payload: EventPayload, _ entity: EntityType, in session: Session?
    ) -> Rulebook.Recording {
        let id = EventID(maker.newID())
        if let session {
            let event = maker.event(payload, entity, id: id, session.id, at: at, key: options.key)
            return finish([event], primary: event, session: session.id)
        }
        let live = opening(payload, entity, id: id, backfilled: false)
        let closesAtOnce = diary.appending(live.events).session(live.session).map { session in
            var probe = maker
            let left = Rulebook.boundaries(session, &probe, cause: id)
            return session.appending(left)?.isOpen == false
        }
        if closesAtOnce != true && diary.open == nil {
            return finish(live.events, primary: live.primary, session: live.session)
        }
        let over = opening(payload, entity, id: id, backfilled: true)
        return finish(over.events, primary: over.primary, session: over.session)
    }

    private mutating func opening(
        _ payload: EventPayload, _ entity: EntityType, id: EventID, backfilled: Bool
    ) -> (events: [Event], primary: Event, session: SessionID) {
        let session = SessionID(maker.newID())
        let rules = circumstances.rules
        let date = SessionDate.key(of: at, in: circumstances.zone, rolloverHour: rules.rolloverHour)
        let opened = maker.event(
            .sessionOpened(SessionOpened(date: date, backfilled: backfilled, rules: rules, cause: id)), .session,
            about: session.text, session, at: at)
        let primary = maker.event(payload, entity, id: id, session, at: at, key: options.key)
        return ([opened, primary], primary, session)
    }

    /// Adds what follows at once: boundaries that have passed, and a note of a suspect clock.
    private mutating func finish(_ events: [Event], primary: Event, session: SessionID?) -> Rulebook.Recording {
        var events = events
        if maker.isClockSuspect {
            let behind = (circumstances.now - maker.occurredAt).wholeMilliseconds
            events.append(
                maker.event(
                    .clockStepped(ClockStepped(byMilliseconds: behind, suspect: true)), .clock, session,
                    at: maker.occurredAt))
        }
        let after = diary.appending(events)
        if let session, let night = after.session(session), night.isOpen {
            events += Rulebook.boundaries(night, &maker, cause: primary.id)
            if night.isBackfilled, let clipped = clip(night, events) { events.append(clipped) }
        }
        return Rulebook.Recording(events: events, primary: primary)
    }

    /// A night entered beside an open one is over, whatever its own boundaries say.
    private mutating func clip(_ night: Session, _ events: [Event]) -> Event? {
        let settled = night.appending(events.filter { $0.sessionID == night.id && !night.events.contains($0) })
        guard let settled, settled.isOpen, let open = diary.open else { return nil }
        let last = ([night.start] + settled.doses.map(\.at) + settled.skips.map(\.at)).max() ?? night.start
        let boundary = Boundaries.Boundary(
            at: max(open.start, last), wallDue: circumstances.now, kind: .closed(.backfilled))
        return maker.event(boundary, night, cause: events.first { $0.payload.request != nil }?.id)
    }
}
