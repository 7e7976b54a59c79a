/// The part of the log that the rules look at: the sessions around the moment in question and the newest actions.
///
/// The state is a window onto the log. A decision about an older time needs the sessions around that time loaded first.
public struct LogState: Hashable, Sendable {
    /// Loaded sessions in order of their start.
    public private(set) var sessions: [Session] = []
    /// The newest actions of persons and programs, imports apart, oldest first; at least those of the longest undo window.
    public private(set) var recentActions: [Event] = []
    /// The newest undo; nil after a person's further action, or once it is older than ``actionMemory``.
    public private(set) var lastUndo: Event?
    /// The newest undo or deletion of an entry of a night's window; nil once a dose or a skip was recorded since, or once it is
    /// older than ``actionMemory``. Until then the person may still be correcting the night.
    private(set) var lastRemoval: Event?
    /// Loaded standalone entries, which are no part of a session's fold, in the order of their beginning; undone and deleted ones
    /// included.
    public private(set) var standalone: [StandaloneEntry] = []
    /// The time at which the newest event of the whole log was recorded.
    public private(set) var newest: Instant?

    /// The time for which actions are kept: the longest undo window.
    public static let actionMemory: Duration = .seconds(600)

    /// An empty log.
    public init() {}

    /// - Parameters:
    ///   - sessions: each session's events in the order of the log.
    ///   - recent: the newest events, back to ``actionMemory`` before the last, in the order of the log.
    ///   - newest: the time at which the newest event of the log was recorded.
    ///   - standalone: the events about each entry that is no part of a session's fold, likewise.
    public init(sessions: [[Event]], recent: [Event], newest: Instant?, standalone: [[Event]] = []) {
        self.sessions = sessions.compactMap(Session.init(events:))
        self.standalone.merge(standalone.compactMap(StandaloneEntry.init(events:)))
        sort()
        self.newest = newest
        for event in recent { remember(event) }
    }

    /// The open session, if any.
    public var open: Session? { sessions.last(where: \.isOpen) }

    /// Sessions that time alone can still change: the open one, and one closed beside it with an unresolved window.
    var unsettled: [Session] { sessions.filter { $0.isOpen || $0.hasUnresolvedWindow } }

    /// Returns true if now is after everything on record, whatever the wall clock says: by the counter, or because that clock is
    /// kept right. An event that the service put at an earlier event's time, for want of a better one, does not count: no
    /// person was asked.
    func isVouchedFor(_ now: ClockReading) -> Bool {
        if now.isSynchronised { return true }
        let last = sessions.compactMap { $0.events.last(where: \.saysWhen) } + recentActions.suffix(1)
        let clocks = last.filter { $0.occurredAt == newest }.map(\.clock)
        return !clocks.isEmpty && !now.bootID.isEmpty
            && clocks.allSatisfy {
                $0.bootID == now.bootID && now.counterMicroseconds >= $0.counterMicroseconds
            }
    }

    public func session(_ id: SessionID) -> Session? { sessions.last { $0.id == id } }

    /// The session that began last.
    public var latest: Session? { sessions.last }

    /// Returns true if the event is the newest action about its entity.
    func isNewestAction(_ event: Event) -> Bool {
        recentActions.last { $0.entityID == event.entityID }?.id == event.id
    }

    /// Returns the log state after more events, in the order of the log.
    ///
    /// - Parameter folded: nights that were folded with these events already.
    public func appending(_ events: [Event], folded: [Session] = []) -> LogState {
        var logState = self
        logState.append(events, folded: folded)
        return logState
    }

    /// Takes up more events, in the order of the log.
    ///
    /// - Parameter folded: nights that were folded with these events already.
    public mutating func append(_ events: [Event], folded: [Session] = []) {
        var bySession: [(SessionID, [Event])] = []
        for event in events {
            newest = max(newest ?? .min, event.occurredAt)
            remember(event)
            if event.entityType.isStandalone { standalone.takeUp(event) }
            guard let id = event.sessionID else { continue }
            if let place = bySession.firstIndex(where: { $0.0 == id }) {
                bySession[place].1.append(event)
            } else {
                bySession.append((id, [event]))
            }
        }
        for (id, added) in bySession {
            let known = folded.first { $0.id == id }
            if let place = sessions.firstIndex(where: { $0.id == id }) {
                let before = sessions[place].events
                if let session = known?.ifFolded(of: before, added) ?? sessions[place].appending(added) {
                    sessions[place] = session
                } else {
                    sessions.remove(at: place)
                }
            } else if let session = known?.ifFolded(of: [], added) ?? Session(events: added) {
                sessions.append(session)
                sort()
            }
        }
    }

    /// Adds sessions loaded from the log; those already here stay as they are.
    public mutating func merge(_ loaded: [Session]) {
        for session in loaded where self.session(session.id) == nil { sessions.append(session) }
        sort()
    }

    /// Adds entries loaded from the log; those already here stay as they are.
    public mutating func merge(_ loaded: [StandaloneEntry]) { standalone.merge(loaded) }

    /// Forgets closed sessions that ended before an instant, and old standalone entries, so that memory does not grow with history.
    ///
    /// - Parameter keepsNewest: true if the last ended session with doses stays. By a clock that was set days ahead it ended long
    ///   ago, and a dose is judged by the counter against its doses.
    public mutating func forget(before instant: Instant, keepsNewest: Bool = false) {
        let newest = keepsNewest ? sessions.last { $0.end != nil && !$0.doses.isEmpty }?.id : nil
        sessions.removeAll { session in session.id != newest && session.end.map { $0 < instant } ?? false }
        standalone.removeAll { $0.at < instant && !type(of: $0.value).isAlwaysLoaded }
    }

    /// Sessions of the same millisecond follow each other by their ids, which carry the order of recording.
    private mutating func sort() {
        sessions.sort { ($0.start, $0.openedAt, $0.id.text) < ($1.start, $1.openedAt, $1.id.text) }
    }

    private mutating func remember(_ event: Event) {
        // An imported event is no action of a moment ago.
        if event.isImported { return }
        if event.isRemoval { lastRemoval = event }
        if case .actionUndone(let payload) = event.payload {
            recentActions.removeAll { payload.events.contains($0.id) }
            lastUndo = event
        } else if event.payload.request != nil {
            // An action that was lost and is recorded again was done before the actions recorded since.
            if event.origin == .again { event.insert(into: &recentActions) } else { recentActions.append(event) }
            if !event.isOfDevice, recentActions.last?.id == event.id {
                lastUndo = nil
                if event.isDoseOrSkip { lastRemoval = nil }
            }
        }
        recentActions.removeAll { Self.isOver($0, at: event) }
        if let undo = lastUndo, Self.isOver(undo, at: event) { lastUndo = nil }
        if let removal = lastRemoval, Self.isOver(removal, at: event) { lastRemoval = nil }
    }

    /// Returns true if an event is older than ``actionMemory`` as of a later one. Within a boot a set clock makes no event older.
    public static func isOver(_ earlier: Event, at event: Event) -> Bool {
        let isCounted = earlier.clock.bootID == event.clock.bootID && !event.clock.bootID.isEmpty
        let since = isCounted ? event.clock.elapsed(since: earlier) : event.occurredAt - earlier.occurredAt
        return since > actionMemory
    }
}

extension LogState {
    /// The newest action of a person, which `undo` takes back.
    public var newestAction: Event? { recentActions.last { !$0.isOfDevice } }

    /// The longest time before the start of the open session at which an entry still belongs to that session.
    public static let joinsBefore: Duration = .hours(12)

    /// Returns the session of an entry with this effective time (R2); nil if the entry opens one.
    ///
    /// An entry in a night that is over stays there, even if a nap has opened a session within reach since. A dose that was
    /// remembered in the morning may lie before the entry that began the night.
    ///
    /// - Parameter moment: the instant on the scale of the open night; nil for the instant itself.
    func session(for instant: Instant, onScale moment: Instant? = nil) -> Session? {
        let open = open
        if let open, moment ?? instant >= open.start { return open }
        let over = sessions.last { $0.encloses(instant) }
        return over ?? open.flatMap { $0.isInReach(of: moment ?? instant) ? $0 : nil }
    }

    /// Returns the night that is over and began with an earlier sleep event than the entries on record say, as lights out that is
    /// logged after the check-in: the first one to begin after the event, on its date and at most twelve hours later, or on the next
    /// date and at most three (R2.3). Sessions whose entries were deleted do not count.
    func night(begunBy instant: Instant) -> Session? {
        let sessions = sessions.filter { $0.hasSigns || $0.checkIn != nil || !$0.sleepEvents.isEmpty }
        guard let next = sessions.first(where: { $0.start > instant }),
            next.isOver(onDateOf: instant, orWithin: .hours(3)),
            !sessions.contains(where: { $0.start <= instant && $0.isOpen || $0.encloses(instant) })
        else { return nil }
        return next
    }

    /// Returns the session of a dose. A dose 1 whose window is not slept through by now joins the open session, if that has none,
    /// even if an ended session contains it: beside the open session the dose would be without reminders. A dose 1 whose window is
    /// slept through joins a night that is over and has no dose. Of two sessions that are over and contain a dose 2, the one with
    /// dose 1 has it (R2.3).
    func session(
        forDose kind: DoseKind, at instant: Instant, onScale moment: Instant? = nil, now: Instant
    ) -> Session? {
        let reached = moment ?? instant
        let found = session(for: instant, onScale: moment)
        guard kind == .dose1 else {
            guard let found, !found.isOpen, found.dose1 == nil else { return found }
            return sessions.last { $0.dose1 != nil && $0.encloses(instant) } ?? found
        }
        if now < instant + DoseWindow.sleptThrough {
            if let open, open.dose1 == nil, open.isInReach(of: reached) { return open }
            // A session that was closed when it was entered reminds of nothing: the dose opens a live one.
            if let found, found.isBackfilled, !found.isOpen, found.dose1 == nil, found.checkIn == nil { return nil }
            return found
        }
        if let found, !found.isOpen || found.dose1 != nil || reached >= found.start { return found }
        return sessions.first { $0.lacksDose(at: instant) } ?? found
    }

    /// Returns the night with doses that is over and to which a session belongs; nil for none (R8.11). Such a session has neither a
    /// dose, lights out nor going to bed, as a second final wake, and began after the first dose of the night and less than twelve hours
    /// after the last one.
    public func night(behind session: Session) -> Session? {
        guard !session.hasBegun else { return nil }
        return sessions.last { night in
            let doses = night.doses.map(\.wall)
            guard night.id != session.id, !night.isOpen, let first = doses.min(), let last = doses.max() else {
                return false
            }
            return first <= session.start && session.start - last < Self.joinsBefore
        }
    }
}

extension Session {
    /// Returns true if an instant lies in a session that is over, from its start or an earlier dose on. A dose more than twelve hours
    /// before the start does not count: the clock was wrong.
    fileprivate func encloses(_ instant: Instant) -> Bool {
        guard let end, instant <= end else { return false }
        return instant >= start || doses.contains { isInReach(of: $0.wall) && $0.wall <= instant }
    }

    /// Returns true for a night that is over and has no dose, of the date of an instant at most twelve hours before its start.
    fileprivate func lacksDose(at instant: Instant) -> Bool { doses.isEmpty && isOver(onDateOf: instant) }

    /// Returns true for a night that is over, of the date of an instant at most twelve hours before its start. A check-in says that
    /// it was a night, too, though its doses were deleted.
    ///
    /// - Parameter near: the time before the start within which the date does not matter.
    fileprivate func isOver(onDateOf instant: Instant, orWithin near: Duration = .zero) -> Bool {
        guard !isOpen, hasSigns || checkIn != nil, instant < start, isInReach(of: instant), let first = events.first
        else { return false }
        let zone = Zone(fixedOffsetMinutes: first.localOffsetMinutes)
        return start - instant <= near
            || SessionDate.key(of: instant, in: zone, rolloverHour: rules.rolloverHour) == date
    }
}

extension LogState {
    /// Returns the ended night of the same date beside which a final wake, or a sleep event of now, opens a session; else nil.
    ///
    /// - Parameter events: the events of one action.
    public func nightOver(beside events: [Event]) -> JSONObject? {
        guard let first = events.first, case .sessionOpened(let opened) = first.payload,
            events.contains(where: { $0.entityType == .wake || $0.entityType == .sleepEvent && !opened.backfilled }),
            let over = sessions.last(where: { $0.date == opened.date && $0.hasSigns && !$0.isOpen }), let end = over.end
        else { return nil }
        return [
            "session_date": .string(over.date.text), "end_utc": .instant(end),
            "checked_in": .bool(over.checkIn != nil),
        ]
    }
}

extension Session {
    /// Returns true if an instant is not too long before the start to join the session while it is open.
    func isInReach(of instant: Instant) -> Bool { instant >= start - LogState.joinsBefore }

    /// Returns the first entry that would lose its ground if another were deleted: dose 2 and a person's skip need dose 1, an extra
    /// dose needs dose 2.
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

    /// The events that recorded the active entries, kind by kind, with the time at which each counts.
    var timedEntries: [(event: Event, at: Instant)] {
        let taken = doses.map { ($0.event, $0.wall) } + skips.map { ($0.event, $0.wall) }
        let told = snoozes.map { ($0.event, $0.wall) } + wakes.map { ($0.event, $0.wall) }
        return taken + told + sleepEvents.map { ($0.event, $0.wall) } + (checkIn.map { [($0.event, $0.wall)] } ?? [])
    }

    /// Returns the event that recorded an active entry.
    public func entry(_ id: EventID) -> Event? { entries.first { $0.id == id } }
}
