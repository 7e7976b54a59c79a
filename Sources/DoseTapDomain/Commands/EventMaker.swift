/// Fills in what all events of one decision share.
struct EventMaker {
    let context: DecisionContext
    /// When the events are recorded: now, but never before the newest event (R2).
    let occurredAt: Instant
    /// The wall clock stands well before the newest event.
    let isClockSuspect: Bool
    var surface: Surface = .service
    var origin: Origin?
    var ids: IdentifierGenerator

    /// - Parameter isVouchedFor: the counter says that now is after everything on record, whatever the wall clock says.
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

    /// One event; its entity is the entry it creates unless another is named.
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

    /// The event a boundary leaves.
    mutating func event(_ boundary: Boundaries.Boundary, _ session: Session, cause: EventID?) -> Event {
        let asked = (surface, origin)
        (surface, origin) = (.service, nil)
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
