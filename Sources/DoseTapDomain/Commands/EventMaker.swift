/// Fills in what all events of one decision share.
struct EventMaker {
    let context: DecisionContext
    /// The time of recording: now, but never before the newest event (R2).
    let occurredAt: Instant
    /// True if the wall clock stands well before the newest event, and nothing vouches for the clock.
    let isClockSuspect: Bool
    var surface: Surface = .service
    var origin: Origin?
    var ids: IdentifierGenerator

    /// - Parameter isVouchedFor: true if the counter says that now is after everything on record.
    init(
        context: DecisionContext, newest: Instant?, isVouchedFor: Bool = false, ids: IdentifierGenerator
    ) {
        self.context = context
        self.ids = ids
        let newest = newest ?? .min
        occurredAt = max(newest, context.now)
        isClockSuspect = !isVouchedFor && newest > context.now + ElapsedTime.tolerance
    }

    mutating func newID() -> String { ids.next(at: occurredAt) }

    /// Makes one event. Its entity is the entry that the event creates, unless another is named.
    mutating func event(
        _ payload: EventPayload, _ entity: EntityType, id: EventID? = nil, about entityID: String? = nil,
        _ session: SessionID?, at effective: Instant, key: String? = nil
    ) -> Event {
        let id = id ?? EventID(newID())
        let zone = context.zone
        return Event(
            id: id, payload: payload, entityType: entity, entityID: entityID ?? id.text, sessionID: session,
            occurredAt: occurredAt, effectiveAt: effective, timeZone: zone.identifier,
            localOffsetMinutes: zone.offsetMinutes(at: effective),
            clock: context.clock, deviceID: context.deviceID, surface: surface, origin: origin,
            idempotencyKey: key)
    }

    /// Makes the event of a boundary.
    mutating func event(_ boundary: Boundaries.Boundary, _ session: Session, cause: EventID?) -> Event {
        let asked = (surface, origin)
        if origin != .file { (surface, origin) = (.service, nil) }
        defer { (surface, origin) = asked }
        switch boundary.kind {
        case .sleptThrough:
            let skip = DoseSkipped(
                reason: "slept_through", note: nil, sleptThroughFrom: boundary.at - DoseWindow.sleptThrough,
                request: nil, cause: cause)
            return event(.doseSkipped(skip), .skip, session.id, at: boundary.at)
        case .closed(let state):
            let isTime = session.isBackfilled && state != .checkinCompleted
            let closed = SessionClosed(state: isTime ? .backfilled : state, cause: cause)
            return event(.sessionClosed(closed), .session, about: session.id.text, session.id, at: boundary.at)
        }
    }
}

extension CommandDecision {
    /// Records an entry that is no part of a session's fold; it opens no session.
    ///
    /// - Parameters:
    ///   - session: the session in which the entry is recorded.
    ///   - entry: the entry that the new one continues.
    ///   - instant: the time at which the entry counts; nil is the time of the options.
    mutating func record(
        _ payload: some EntryKind, in session: SessionID? = nil, about entry: EventID? = nil, at instant: Instant? = nil
    ) -> CommandHandler.Recording {
        let payload = EntryPayload(payload)
        let event = maker.event(
            .entry(payload), payload.entity, about: entry?.text, session, at: instant ?? at, key: options.key)
        return finish([event], primary: event, session: session)
    }

    mutating func record(
        _ payload: EventPayload, _ entity: EntityType, in session: Session?
    ) -> CommandHandler.Recording {
        let id = EventID(maker.newID())
        if let session {
            let event = maker.event(payload, entity, id: id, session.id, at: at, key: options.key)
            return finish([event], primary: event, session: session.id)
        }
        if options.isImport {
            let over = opening(payload, entity, id: id, backfilled: true)
            return finish(over.events, primary: over.primary, session: over.session)
        }
        let live = opening(payload, entity, id: id, backfilled: false)
        let night = Session(events: live.events)
        let closesAtOnce = night.map { session in
            var probe = maker
            let left = CommandHandler.boundaries(session, &probe, cause: id)
            return !left.isEmpty && session.appending(left)?.isOpen == false
        }
        if closesAtOnce != true && logState.open == nil {
            return finish(live.events, primary: live.primary, session: live.session, folded: night)
        }
        let over = opening(payload, entity, id: id, backfilled: true)
        return finish(over.events, primary: over.primary, session: over.session)
    }

    private mutating func opening(
        _ payload: EventPayload, _ entity: EntityType, id: EventID, backfilled: Bool
    ) -> (events: [Event], primary: Event, session: SessionID) {
        let session = SessionID(maker.newID())
        let date = SessionDate.key(of: at, in: context.zone, rolloverHour: context.rules.rolloverHour)
        let rules = logState.rules(context.rules, on: date)
        let opened = maker.event(
            .sessionOpened(SessionOpened(date: date, backfilled: backfilled, rules: rules, cause: id)), .session,
            about: session.text, session, at: at)
        let primary = maker.event(payload, entity, id: id, session, at: at, key: options.key)
        return ([opened, primary], primary, session)
    }

    /// Adds the events that follow at once: a note of a suspect clock, boundaries that have passed, an answered reminder.
    ///
    /// - Parameter folded: the night with these events, if it was folded already.
    mutating func finish(
        _ events: [Event], primary: Event, session: SessionID?, folded: Session? = nil
    ) -> CommandHandler.Recording {
        if options.isImport {
            let night = session.flatMap { logState.appending(events).session($0) }
            return CommandHandler.Recording(events: events, primary: primary, night: night)
        }
        var events = events
        if maker.isClockSuspect {
            let behind = (context.now - maker.occurredAt).wholeMilliseconds
            events.append(
                maker.event(
                    .clockStepped(ClockStepped(byMilliseconds: behind, suspect: true)), .clock, session,
                    at: maker.occurredAt))
        }
        let after = session.flatMap { logState.appending(events, folded: folded.map { [$0] } ?? []).session($0) }
        let count = events.count
        if let night = after {
            events += CommandHandler.boundaries(night, &maker, cause: primary.id)
            if let clipped = clip(night, events) { events.append(clipped) }
        }
        if let session, let night = logState.session(session), let answer = maker.answer(primary, to: night) {
            events.append(answer)
        }
        return CommandHandler.Recording(events: events, primary: primary, night: events.count == count ? after : nil)
    }

    /// Returns the end of a night beside an open one that began later, whatever the night's own boundaries say.
    private mutating func clip(_ night: Session, _ events: [Event]) -> Event? {
        guard let open = logState.open, open.id != night.id else { return nil }
        let settled = night.appending(events.filter { $0.sessionID == night.id && !night.events.contains($0) })
        guard let settled, settled.isOpen else { return nil }
        let last = ([night.start] + settled.doses.map(\.wall) + settled.skips.map(\.wall)).max() ?? night.start
        let boundary = Boundaries.Boundary(
            at: max(open.start, last), due: NextDue(wall: context.now), kind: .closed(.backfilled))
        return maker.event(boundary, night, cause: events.first { $0.payload.request != nil }?.id)
    }
}
