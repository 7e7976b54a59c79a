extension CommandDecision {
    /// Records an entry that is no part of a session's fold; it opens no session.
    ///
    /// - Parameters:
    ///   - session: the one it is recorded in.
    ///   - entry: the entry it goes on with.
    mutating func record(
        _ payload: some EntryKind, in session: SessionID? = nil, about entry: EventID? = nil
    ) -> CommandHandler.Recording {
        let payload = EntryPayload(payload)
        let event = maker.event(
            .entry(payload), payload.entity, about: entry?.text, session, at: at, key: options.key)
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

    /// Adds what follows at once: boundaries that have passed, and a note of a suspect clock.
    ///
    /// - Parameter folded: the night with these events, where it was folded already.
    mutating func finish(
        _ events: [Event], primary: Event, session: SessionID?, folded: Session? = nil
    ) -> CommandHandler.Recording {
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

    /// A night beside an open one that was begun later is over, whatever its own boundaries say.
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
