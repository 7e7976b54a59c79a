extension LogState {
    /// An entry up to this long before the start of the open session still belongs to it.
    static let joinsBefore: Duration = .hours(12)

    /// The session an entry with this effective time belongs to (R2); nil when it opens one.
    ///
    /// What lies in a night that is over stays there, though a nap since has opened a session within reach.
    ///
    /// - Parameter moment: the same on the scale of the open night; nil is the instant itself.
    func session(for instant: Instant, onScale moment: Instant? = nil) -> Session? {
        let open = open
        if let open, moment ?? instant >= open.start { return open }
        let over = sessions.last { session in
            guard let end = session.end else { return false }
            return session.start <= instant && instant <= end
        }
        return over ?? open.flatMap { $0.isInReach(of: moment ?? instant) ? $0 : nil }
    }

    /// The session a dose belongs to: a dose 1 whose window is not slept through by now joins the open session, if that
    /// has none, also where a session that is over contains it; beside the open one it would be without reminders.
    func session(
        forDose kind: DoseKind, at instant: Instant, onScale moment: Instant? = nil, now: Instant
    ) -> Session? {
        guard kind == .dose1, now < instant + DoseWindow.sleptThrough, let open, open.dose1 == nil,
            open.isInReach(of: moment ?? instant)
        else { return session(for: instant, onScale: moment) }
        return open
    }
}

extension LogState {
    /// The night of the same date that is over, where a sleep event of now begins a session beside it; nil elsewhere.
    ///
    /// - Parameter events: what an action recorded.
    public func nightOver(beside events: [Event]) -> JSONObject? {
        guard let first = events.first, case .sessionOpened(let opened) = first.payload, !opened.backfilled,
            events.contains(where: { $0.entityType == .sleepEvent }),
            let over = sessions.last(where: { $0.date == opened.date && $0.hasSigns && !$0.isOpen }), let end = over.end
        else { return nil }
        return [
            "session_date": .string(over.date.text), "end_utc": .instant(end),
            "checked_in": .bool(over.checkIn != nil),
        ]
    }
}

extension Session {
    /// Not too long before the start to join the session while it is open.
    func isInReach(of instant: Instant) -> Bool { instant >= start - LogState.joinsBefore }

    /// What would be without ground if an entry were deleted: dose 2 and a person's skip need dose 1, an extra dose
    /// needs dose 2.
    func leaning(on id: EventID) -> (id: EventID, at: Instant)? {
        switch doses.first(where: { $0.id == id })?.kind {
        case .dose1:
            doses.first { $0.kind != .dose1 }.map { ($0.id, $0.wall) }
                ?? skips.first { !$0.isAutomatic }.map { ($0.id, $0.wall) }
        case .dose2: doses.first { $0.kind == .extra }.map { ($0.id, $0.wall) }
        case .extra, nil: nil
        }
    }

    /// The events that recorded the active entries, kind by kind.
    public var entries: [Event] { timedEntries.map(\.event) }

    /// The events that recorded the active entries, kind by kind, and when each counts.
    var timedEntries: [(event: Event, at: Instant)] {
        let taken = doses.map { ($0.event, $0.wall) } + skips.map { ($0.event, $0.wall) }
        let told = snoozes.map { ($0.event, $0.wall) } + wakes.map { ($0.event, $0.wall) }
        return taken + told + sleepEvents.map { ($0.event, $0.wall) } + (checkIn.map { [($0.event, $0.wall)] } ?? [])
    }

    /// The event that recorded a active entry.
    public func entry(_ id: EventID) -> Event? { entries.first { $0.id == id } }
}
