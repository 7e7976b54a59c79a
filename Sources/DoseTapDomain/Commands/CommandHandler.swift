/// Decides commands: (log state, command, context) → events, or a typed failure. No I/O, no clock, no randomness
/// but what is handed in.
public enum CommandHandler {
    /// The events of one command.
    public struct Recording: Hashable, Sendable {
        /// New events in the order of the log; empty for a repeat.
        public let events: [Event]
        /// The action's own event; for a repeat the first one.
        public let primary: Event
        /// True if the action was recorded before: nothing is new.
        public var isDuplicate: Bool { events.isEmpty }
        /// The night of the action after all events, if it was folded on the way.
        public var night: Session?
    }

    /// Decides one command. Boundaries up to now must have been settled first (``settle(_:_:ids:)``).
    ///
    /// - Parameter keyed: the event already recorded under the caller's key, if any.
    public static func decide(
        _ command: Command, _ options: CommandOptions, logState: LogState, keyed: Event? = nil,
        _ context: DecisionContext, ids: inout IdentifierGenerator
    ) throws(CommandFailure) -> Recording {
        let amounts = amounts(for: command, logState)
        try Bounds.check(options, amounts: amounts)
        try Bounds.check(command)
        let command = try command.inWireWords(context).taking(note: options.note)
        let options = try weighing(options, of: command, logState, context)
        try Bounds.check(options, amounts: amounts)
        if let keyed {
            guard isRepeat(keyed, of: command, options, logState, context) else {
                throw .invalidInput(sent("the key was used before with other arguments"))
            }
            return Recording(events: [], primary: keyed)
        }
        if let first = sameTap(command, options, logState, context) {
            return Recording(events: [], primary: first)
        }
        var decision = CommandDecision(options: options, logState: logState, context: context, ids: ids)
        defer { ids = decision.ids }
        do throws(CommandFailure) { return try decision.decide(command) } catch {
            throw error.told(in: decision.zone(of: error))
        }
    }

    /// Returns the amounts that a command may say, in mg. A whole bottle may have more than any dose.
    private static func amounts(for command: Command, _ logState: LogState) -> ClosedRange<Int> {
        guard case .amend(let id) = command, let entry = logState.standalone.active(id) else {
            return Bounds.amountMilligrams
        }
        return entry.value.amounts
    }

    /// Returns the events that time alone has left to record up to now: slept-through nights, closings, clock steps.
    public static func settle(
        _ logState: LogState, _ context: DecisionContext, ids: inout IdentifierGenerator
    ) -> [Event] {
        var maker = EventMaker(context: context, newest: logState.newest, ids: ids)
        defer { ids = maker.ids }
        var events: [Event] = []
        for var session in logState.unsettled {
            if session.isOpen, let step = clockStep(session, &maker) {
                events.append(step)
                session = session.appending([step]) ?? session
            }
            events += boundaries(session, &maker, cause: nil)
        }
        return events
    }

    /// Makes an event that nobody asked for: a fact about the service, its settings or its store.
    ///
    /// - Parameter instant: the time of the fact; nil is the time of recording.
    public static func fact(
        _ payload: EventPayload, _ entity: EntityType, session: SessionID?, at instant: Instant? = nil,
        newest: Instant?, _ context: DecisionContext, ids: inout IdentifierGenerator
    ) -> Event {
        var maker = EventMaker(context: context, newest: newest, ids: ids)
        defer { ids = maker.ids }
        return maker.event(payload, entity, session, at: instant ?? maker.occurredAt)
    }

    /// Returns the time at which something has to be settled or told next.
    ///
    /// - Parameter deliversReminders: false for a service that delivers none.
    public static func nextDue(
        _ logState: LogState, _ context: DecisionContext, deliversReminders: Bool = true
    ) -> NextDue {
        logState.unsettled.reduce(NextDue()) { $0.earlier(nextDue($1, context, deliversReminders)) }
    }

    private static func nextDue(
        _ session: Session, _ context: DecisionContext, _ deliversReminders: Bool
    ) -> NextDue {
        let (now, zone) = (context.clock, context.zone(of: session))
        var next = Boundaries.next(of: session, zone: zone, now: now)?.due ?? NextDue()
        if deliversReminders, let checkIn = session.pendingCheckIn(in: zone) {
            next = next.earlier(NextDue(wall: checkIn.due))
        }
        guard session.isOpen, session.hasUnresolvedWindow, let dose1 = session.dose1,
            let elapsed = session.elapsed(now: now)
        else { return next }
        if deliversReminders, let first = session.pendingReminders(now: now).first {
            next = next.earlier(NextDue(counted: first.due - dose1.at - elapsed.longer))
        }
        // No signal tells that the wall clock is synchronised now, which ends the doubt: look again in a minute.
        if !elapsed.isCertain { next = next.earlier(NextDue(counted: .minutes(1))) }
        let changes = [
            DoseWindow.opens - elapsed.shorter, DoseWindow.nearsClose - elapsed.longer,
            DoseWindow.closes - elapsed.longer, DoseWindow.closes - elapsed.shorter,
        ]
        return changes.filter { $0 > .zero }.reduce(next) { $0.earlier(NextDue(counted: $1)) }
    }

    static func boundaries(_ session: Session, _ maker: inout EventMaker, cause: EventID?) -> [Event] {
        var session = session
        var events: [Event] = []
        let zone = maker.context.zone(of: session)
        while true {
            guard let boundary = Boundaries.next(of: session, zone: zone, now: maker.context.clock),
                boundary.due.isDue(maker.context.now)
            else { return events }
            let event = maker.event(boundary, session, cause: cause)
            events.append(event)
            guard let next = session.appending([event]) else { return events }
            session = next
        }
    }

    /// Returns the event about the clocks to record while a window is unresolved: for a step, for the first synchronised
    /// reading of a boot, for the first reading of a further boot, and if the time passed became certain or doubtful.
    private static func clockStep(_ session: Session, _ maker: inout EventMaker) -> Event? {
        let now = maker.context.clock
        guard session.hasUnresolvedWindow, let said = session.dose1Said, let elapsed = session.elapsed(now: now) else {
            return nil
        }
        let running = ([said.moment.clock] + said.later).filter { $0.bootID == now.bootID && !now.bootID.isEmpty }
        let told = said.step
        let last = told.flatMap { $0.clock.bootID == now.bootID ? $0.clock : nil } ?? running.first
        let step = last.map { now.gain(since: $0) } ?? .zero
        let isStepped = step.magnitude > ElapsedTime.tolerance
        var wasCertain = true
        if case .clockStepped(let payload)? = told?.payload { wasCertain = payload.elapsed?.isCertain ?? true }
        let isFirstSynchronised = now.isSynchronised && !running.contains(where: \.isSynchronised)
        guard isStepped || isFirstSynchronised || running.isEmpty || wasCertain != elapsed.isCertain else { return nil }
        let payload = ClockStepped(
            byMilliseconds: isStepped ? step.wholeMilliseconds : 0, suspect: false, elapsed: elapsed)
        return maker.event(.clockStepped(payload), .clock, session.id, at: maker.occurredAt)
    }

    /// Returns the first event of a repeated tap: the same action within 10 s, by whatever surface, without a named time.
    /// Once another action of the window is on record, the ordinary rules answer: the first receipt would tell of a night
    /// that is no more. So it is with an entry whose place a later one took. Two keys tell two entries apart, but not two doses,
    /// skips, snoozes or wakes within 10 s.
    private static func sameTap(
        _ command: Command, _ options: CommandOptions, _ logState: LogState, _ context: DecisionContext
    ) -> Event? {
        guard options.at == nil else { return nil }
        func isSameEntry(_ event: Event) -> Bool {
            guard case .record(let type, let said) = command else { return false }
            let asked = EntryRequest(said: said, options: options, logState: logState, context: context)
            return type.kind?.isSameTap(event, asked) == true
        }
        let actions = logState.recentActions
        let first = actions.lastIndex { event in
            context.clock.vouches(that: event, isWithin: Bounds.sameTap)
                && event.payload.request?.at == nil
                && (options.key == nil || event.isOfWindow)
                && (isSameAction(event.payload, command) && addsNothing(event.payload, options)
                    || isSameSave(event, command) && logState.isNewestAction(event)
                    || isSameEntry(event))
                && logState.entry(of: event) != nil
        }
        guard let first else { return nil }
        return actions[(first + 1)...].contains { isOvertaken(actions[first], by: $0) } ? nil : actions[first]
    }

    /// Returns true if a later action changed what the first one said: the same said once more is then no second tap.
    private static func isOvertaken(_ first: Event, by later: Event) -> Bool {
        switch (first.payload, later.payload) {
        case (.sleepEventRecorded(let mark), .sleepEventRecorded(let other)):
            let marks: Set = [SleepEventWord.napStart, SleepEventWord.napEnd]
            return mark.type != other.type && marks.isSuperset(of: [mark.type, other.type])
        case (.entry(let entry), _): return entry.isOvertaken(by: later)
        default: return first.isOfWindow && later.isOfWindow
        }
    }

    private static func isSameAction(_ payload: EventPayload, _ command: Command) -> Bool {
        switch (command, payload) {
        case (.logDose(let kind), .doseRecorded(let dose)):
            kind == dose.kind || (kind == .dose2 && dose.kind == .extra)
        case (.logSleepEvent(let word), .sleepEventRecorded(let event)): word == event.type
        case (.snooze, .snoozeRecorded), (.skipDose2, .doseSkipped), (.logFinalWake, .finalWakeRecorded): true
        default: false
        }
    }

    /// Returns true if a time is the first one, or as long before its call as the first was: `--ago` counts from each call.
    private static func isSameTime(_ first: Event, _ at: Instant?, _ context: DecisionContext) -> Bool {
        let named = first.payload.request?.at
        guard named != at, let named, let at else { return named == at }
        let apart = (at - named) - context.clock.elapsed(since: first)
        return apart <= Bounds.sameAgo && apart >= .zero - Bounds.sameAgo
    }

    /// Returns true if a call adds nothing to the first one. A forgotten amount or note that comes at once is no
    /// repeat.
    private static func addsNothing(_ first: EventPayload, _ options: CommandOptions) -> Bool {
        let note: String?
        switch first {
        case .doseRecorded(let dose):
            guard (options.amountMilligrams ?? dose.statedMilligrams) == dose.statedMilligrams else { return false }
            note = dose.note
        case .doseSkipped(let skip):
            guard (options.reason ?? skip.reason) == skip.reason else { return false }
            note = skip.note
        case .snoozeRecorded(let snooze): note = snooze.note
        case .finalWakeRecorded(let wake): note = wake.note
        case .sleepEventRecorded(let event): note = event.note
        default: return true
        }
        return (options.note ?? note) == note
    }

    private static func isRepeat(
        _ first: Event, of command: Command, _ options: CommandOptions, _ logState: LogState, _ context: DecisionContext
    ) -> Bool {
        guard isSameTime(first, options.at, context) else { return false }
        switch (command, first.payload) {
        case (.logDose, .doseRecorded(let dose)):
            return isSameAction(first.payload, command) && dose.statedMilligrams == options.amountMilligrams
                && dose.note == options.note
        case (.snooze, .snoozeRecorded(let payload)): return payload.note == options.note
        case (.skipDose2, .doseSkipped(let payload)):
            return payload.note == options.note && payload.reason == options.reason
        case (.logFinalWake, .finalWakeRecorded(let payload)): return payload.note == options.note
        case (.logSleepEvent, .sleepEventRecorded(let payload)):
            return isSameAction(first.payload, command) && payload.note == options.note
        case (.record(let type, let said), _):
            let asked = EntryRequest(said: said, options: options, logState: logState, context: context)
            return type.kind?.isRepeat(first, asked) == true
        case (.amend(let id), .entryAmended(let payload)):
            return payload.target == id && payload.amountMilligrams == options.amountMilligrams
                && payload.note == options.note
        case (.delete(let id), .entryDeleted(let payload)):
            return payload.target == id && payload.reason == options.reason ?? options.note
        case (.saveCheckIn, .checkinRecorded): return isSameSave(first, command)
        case (.undo, .actionUndone): return true
        default: return false
        }
    }
}
