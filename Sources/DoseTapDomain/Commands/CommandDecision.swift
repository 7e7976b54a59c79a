/// The decision about one command, in progress.
struct CommandDecision {
    let options: CommandOptions
    let logState: LogState
    let context: DecisionContext
    var maker: EventMaker
    /// The time at which the entry counts.
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
        // The present wall clock counts, even if it was set back: the counter vouches that now is later.
        at = options.at ?? (isVouchedFor ? context.now : maker.occurredAt)
    }

    mutating func decide(_ command: Command) throws(CommandFailure) -> CommandHandler.Recording {
        try Bounds.check(options, fit: command)
        switch command {
        case .logDose(let kind): return try logDose(kind, of: options.medicationID)
        case .snooze: return try snooze()
        case .skipDose2: return try skip()
        case .logFinalWake: return try finalWake()
        case .logSleepEvent(let word): return try logSleepEvent(word)
        case .saveCheckIn(let answers, let night): return try saveCheckIn(answers, night: night)
        case .record(let type, let said):
            guard let kind = type.kind else { throw .invalidInput(sent("nothing is recorded as \(type.rawValue)")) }
            return try kind.record(said, &self)
        case .undo: return try undo()
        case .amend(let id): return try amend(id)
        case .delete(let id): return try delete(id)
        }
    }

    // MARK: Correcting

    private mutating func undo() throws(CommandFailure) -> CommandHandler.Recording {
        let isAfterUndo = logState.lastUndo != nil
        guard let action = logState.newestAction else {
            throw .nothingToDo(
                isAfterUndo ? sent("the newest action was already undone") : sent("nothing was recorded just now"))
        }
        guard options.undoes == nil || options.undoes == action.id else {
            throw .nothingToDo(sent("something else was recorded since; amend or delete the entry instead"))
        }
        // An action beside the nights may have changed the open night, and is then undone in that night.
        let session =
            action.sessionID.flatMap { logState.session($0) }
            ?? logState.sessions.last { $0.events.contains { $0.payload.cause == action.id } }
        let window = session?.rules.undoWindowSeconds ?? context.rules.undoWindowSeconds
        guard context.clock.vouches(that: action, isWithin: .seconds(window)) else {
            // A regimen stands in no night.
            let date = session?.date ?? logState.date(of: action.effectiveAt, context)
            let isOlder = context.clock.elapsed(since: action) > .seconds(window)
            throw .nothingToDo(
                isOlder
                    ? isAfterUndo
                        ? sent(
                            "the newest action was already undone, and the one before it is older than \(window) seconds; amend or delete that one instead"
                        )
                        : sent("the newest action is older than \(window) seconds; amend or delete it instead")
                    : sent(
                        "the clocks do not show that the newest action is at most \(window) seconds old; amend or delete it instead"
                    ),
                night: action.entityType == .regimen ? nil : date)
        }
        try checkUndo(ofLab: action)
        try askUndo(of: action)
        let consequences = session.map { Self.consequences(of: action, in: $0) } ?? []
        let payload = ActionUndone(action: action.id, events: [action.id] + consequences, request: request)
        let event = maker.event(
            .actionUndone(payload), action.entityType, about: action.entityID, action.sessionID ?? session?.id,
            at: maker.occurredAt, key: options.key)
        return finish([event], primary: event, session: event.sessionID)
    }

    /// Refuses to undo an action of the lab right after a dose, which the person may mean (R34.11).
    private func checkUndo(ofLab action: Event) throws(CommandFailure) {
        guard action.isOfLab else { return }
        let other = logState.recentActions.last { other in
            let rules = other.sessionID.flatMap { logState.session($0) }?.rules ?? context.rules
            return other.isOfWindow && context.clock.vouches(that: other, isWithin: .seconds(rules.undoWindowSeconds))
        }
        guard let other else { return }
        throw .nothingToDo(
            sent(
                "nothing was undone: the newest action is about the lab (\(action.entityType.rawValue)), and \(other.windowWords) was recorded just before it; delete by name which of them is wrong: 'last \(action.entityType.rawValue)', '\(other.windowHandle)'"
            ))
    }

    /// Returns the events that go with an action: those recorded together with it, and those that time alone added to the
    /// night since. Without the action the latter are derived anew.
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
            throw .invalidInput(sent("an amendment names a new time, amount or note"))
        }
        try checkIsNews(about: id)
        if let entry = logState.standalone.active(id) {
            var change = EntryAmended(
                target: id, at: options.at, amountMilligrams: options.amountMilligrams, note: options.note,
                request: request)
            try entry.value.judge(&change, of: entry, self)
            return correct(entry.event, .entryAmended(change))
        }
        let (session, entry) = try active(id)
        guard options.amountMilligrams == nil || entry.entityType == .dose else {
            throw .invalidInput(sent("only a dose or a medicine has an amount"))
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
        var verdict = RegistrationPolicy.Verdict.allowed
        if entry.entityType == .dose, let dose = session.doses.first(where: { $0.id == id }) {
            verdict = judgeAmended(dose, in: session)
        }
        if makesFinal(id, in: session) { verdict = verdict.joined(by: openWindow) }
        try answer(verdict, wouldRecord: "entry_amended")
        let payload = EntryAmended(
            target: id, at: options.at, amountMilligrams: options.amountMilligrams, note: options.note,
            request: request)
        let event = maker.event(
            .entryAmended(payload), entry.entityType, about: id.text, session.id, at: maker.occurredAt,
            key: options.key)
        return finish([event], primary: event, session: session.id)
    }

    /// Returns true if the amended time of a wake or of dose 1 makes a wake that ended another sleep the final one (R2.14).
    private func makesFinal(_ id: EventID, in session: Session) -> Bool {
        guard options.at != nil, let dose1 = session.dose1 else { return false }
        let moment = moment(in: session)
        return session.wakes.contains { wake in
            wake.at < dose1.at && (wake.id == id && moment >= dose1.at || dose1.id == id && moment <= wake.at)
        }
    }

    /// Refuses an amendment to the time that the entry has already (R6.7). A time that is said anew is recorded where the clocks are
    /// in doubt, or a clock was set since: it may mean another moment.
    private func checkIsNews(about id: EventID) throws(CommandFailure) {
        guard let named = options.at, options.amountMilligrams == nil, options.note == nil,
            let entry = logState.activeEntry(id), !EntityType.fixedInTime.contains(entry.event.entityType)
        else { return }
        let session = entry.event.sessionID.flatMap { logState.session($0) }
        guard session?.elapsed(now: context.clock)?.isCertain != false else { return }
        let dose = session?.doses.first { $0.id == id }
        guard named == entry.at, dose.map({ $0.at == session?.moment(of: named, now: context.clock) }) ?? true else {
            return
        }
        let sentence =
            switch dose?.kind {
            case .dose1: sent("dose 1 is on record with that time already. Nothing was changed")
            case .dose2: sent("dose 2 is on record with that time already. Nothing was changed")
            case .extra: sent("the extra dose is on record with that time already. Nothing was changed")
            case nil: sent("the entry is on record with that time already. Nothing was changed")
            }
        throw .nothingToDo(sentence, night: session?.date)
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

    /// Returns the zone of the night that a failure tells of: that of the entry in the way, else that of the night that is over, else
    /// that of the command. Nil for a time ahead, which is told as it was said.
    func zone(of failure: CommandFailure) -> Zone? {
        let existing: EventID?
        let ended: RegistrationPolicy.EndedNight?
        switch failure {
        case .needsConfirmation(let question):
            existing = question.existing
            ended = question.endedNight
        case .refused(_, let refusal) where refusal.said == nil:
            existing = refusal.existing
            ended = refusal.endedNight
        case .refused, .invalidInput, .unknown, .notFound, .nothingToDo: return nil
        }
        let ofEntry = existing.flatMap { logState.activeEntry($0)?.event.sessionID }.flatMap { logState.session($0) }
        let over = ended.flatMap { ended in logState.sessions.last { $0.date == ended.date && $0.end == ended.end } }
        return (ofEntry ?? over ?? night).map { context.zone(of: $0) }
    }

    /// The question that an open window raises for every final wake and check-in, whichever night they belong to.
    var openWindow: RegistrationPolicy.Verdict {
        logState.open?.hasUnresolvedWindow == true ? .requiresConfirmation([.windowUnresolved], .init()) : .allowed
    }

    var request: Request {
        let given = Confirmation.allCases.filter(options.confirmations.contains)
        return Request(at: options.at, isAgo: options.isAgo && options.at != nil, confirmations: given)
    }

    /// The past moment that the rules look at; nil is now, and also stands for a time said to lie ahead.
    var asOf: Instant? { options.at.flatMap { $0 < context.now ? $0 : nil } }

    func checkTime() throws(CommandFailure) { try options.at.map { at throws(CommandFailure) in try checkTime(at) } }

    /// Refuses a time that lies ahead.
    func checkTime(_ said: Instant) throws(CommandFailure) {
        let now = logState.isVouchedFor(context.clock) ? context.now : maker.occurredAt
        guard said <= now + Bounds.future else { throw .refused(.future, Refusal(said: said)) }
    }

    /// The night that a command is about. An entry of now belongs to the open night, whatever the wall clock says.
    var night: Session? {
        guard options.at != nil else { return logState.open ?? logState.session(for: at) }
        return logState.session(for: at, onScale: openMoment)
    }

    var openMoment: Instant? { logState.open?.moment(of: at, now: context.clock) }

    /// Returns the time at which the entry counts on the scale of a night.
    func moment(in session: Session?) -> Instant {
        session?.moment(of: options.at, now: context.clock) ?? at
    }

    /// The time from the entry to now.
    var ago: Duration { asOf.map { context.now - $0 } ?? .zero }

    func window(of session: Session?) -> WindowState {
        session?.window(asOf: asOf, now: context.clock) ?? DoseWindow.state(.init(now: at))
    }

    /// Checks that an amended time stays in its night and in its order.
    func checkPlace(of entry: Event, in session: Session) throws(CommandFailure) {
        let first = session.doses.first { $0.id == entry.id && $0.kind == .dose1 }
        let begun = entry.entityType == .sleepEvent ? logState.night(begunBy: at) : nil
        let other = first.map { night(forDose: $0.kind) } ?? begun ?? night
        let moment = session.moment(of: at, now: context.clock)
        // A session that belongs to this night is not elsewhere.
        let isElsewhere =
            moment < session.start
            && other.map { $0.id != session.id && logState.night(behind: $0)?.id != session.id } ?? false
        guard session.isInReach(of: moment), session.end.map({ at <= $0 }) ?? true, !isElsewhere else {
            throw .invalidInput(sent("that time belongs to another night: delete the entry and log it again"))
        }
        try checkOrder(of: entry, in: session)
    }

    /// Turns a verdict into the questions that are still open, or into a refusal.
    ///
    /// - Parameter joined: the session of a dose; without one the night of the time is asked about.
    func answer(
        _ verdict: RegistrationPolicy.Verdict, wouldRecord: String, in joined: Session? = nil
    ) throws(CommandFailure) {
        var asked: [Confirmation] = []
        var facts = RegistrationPolicy.Facts()
        switch verdict {
        case .allowed: break
        case .requiresConfirmation(let kinds, let told): (asked, facts) = (kinds, told)
        case .blocked(let reason, let refusal): throw .refused(reason, refusal)
        }
        if let named = options.at, named < maker.occurredAt - Bounds.longAgo { asked.append(.longAgo) }
        // One question about time is enough: too early or too late already sends the person to a clock.
        if maker.isClockSuspect, !asked.contains(.early), !asked.contains(.late) { asked.append(.clockSuspect) }
        var given = options.confirmations
        if options.isClockRight != nil { given.insert(.clockSuspect) }
        let open = Confirmation.allCases.filter { asked.contains($0) && !given.contains($0) }
        guard open.isEmpty else {
            let isEarly = open.contains(.early)
            let names = isEarly || open.contains(.duplicate)
            let begins = open.contains(.extra) || open.contains(.extraUnderstood)
            var question = Question(
                confirmations: open, minutesToOpen: isEarly ? facts.minutesToOpen : nil,
                limitMilligrams: open.contains(.overLimit) ? facts.limitMilligrams : nil,
                sumMilligrams: open.contains(.overLimit) ? facts.sumMilligrams : nil,
                existing: names ? facts.existing : nil,
                existingAt: names ? facts.existingAt : nil,
                existingKind: isEarly ? facts.existingKind : nil, isNamed: asOf != nil,
                endedNight: begins ? facts.endedNight : nil,
                elapsed: open.contains(.clockSuspect) ? facts.elapsed : nil,
                sinceExisting: isEarly ? facts.sinceExisting : nil,
                windowClosed: open.contains(.late) ? facts.windowClosed : nil,
                isOneTooMany: asked.contains(.extra) || asked.contains(.onceNightly), wouldRecord: wouldRecord,
                at: at)
            question.isOfRegimen = open.contains(.overLimit) && facts.isOfRegimen
            let night = night
            if let other = joined ?? night, other.id != logState.open?.id { question.otherNight = other.date }
            question.medicine = logState.oxybate(of: night, on: night?.date ?? logState.date(of: at, context))
            throw .needsConfirmation(question)
        }
    }
}

extension Event {
    /// An action of the dose window in words.
    fileprivate var windowWords: String {
        switch payload {
        case .doseRecorded(let dose): dose.kind == .extra ? "an extra dose" : dose.kind == .dose1 ? "dose 1" : "dose 2"
        case .doseSkipped: "the skip of dose 2"
        case .snoozeRecorded: "a snooze"
        case .finalWakeRecorded: "the final wake"
        default: "a correction of the night"
        }
    }

    /// A name of the entry that the action is about.
    fileprivate var windowHandle: String {
        switch payload {
        case .doseRecorded(let dose): dose.kind == .extra ? "extra" : dose.kind.rawValue
        case .doseSkipped: "last skip"
        case .snoozeRecorded: "last snooze"
        case .finalWakeRecorded: "last wake"
        default: entityID
        }
    }
}
