extension Session {
    /// Returns the facts for the dose window as of an instant: later facts do not count.
    ///
    /// - Parameters:
    ///   - instant: the moment in question, by the present wall clock. Nil is now, when everything on record counts, also an entry
    ///     that a caller's fast clock places after now.
    ///   - now: the clocks now.
    public func windowInput(asOf instant: Instant?, now: ClockReading) -> DoseWindow.Input {
        let latest = instant.map { nightMoment(of: $0, now: now) } ?? .end
        var input = DoseWindow.Input(now: instant ?? now.wall)
        input.dose1 = dose1.flatMap { latest.isReached($0.at, $0.wall) ? $0.at : nil }
        input.dose2 = dose2.flatMap { latest.isReached($0.at, $0.wall) ? $0.at : nil }
        input.skipped = skips.contains { latest.isReached($0.at, $0.wall) }
        input.snoozes = countedSnoozes.count { latest.isReached($0.at, $0.wall) }
        input.finalWake = (input.dose1 == nil ? wakes : finalWakes).contains { latest.isReached($0.at, $0.wall) }
        // The end of a session is a time of the wall clock.
        input.checkedIn =
            end.map { $0 <= instant ?? .max } ?? false
            || checkIn.map { latest.isReached($0.at, $0.wall) } ?? false
        input.maximumSnoozes = rules.maximumSnoozes
        input.onceNightly = rules.onceNightly
        let ago = instant.map { now.wall - $0 } ?? .zero
        input.elapsed = elapsed(now: now, isNamed: ago != .zero)?.moved(by: .zero - ago)
        return input
    }

    /// Returns the dose window as of an instant; nil is now.
    public func window(asOf instant: Instant?, now: ClockReading) -> WindowState {
        DoseWindow.state(windowInput(asOf: instant, now: now))
    }

    /// Returns the times of opening, alarm and closing: the present wall clock plus the remaining time (R2.16). Nil without dose 1.
    /// In doubt the window may close before it opens for certain; the time of opening is unknown then.
    public func windowTimes(now: ClockReading) -> (opens: Instant?, alarm: Instant, closes: Instant)? {
        guard let elapsed = elapsed(now: now) else { return nil }
        let opens = shown(DoseWindow.opens, after: elapsed.shorter, now: now)
        let closes = shown(DoseWindow.closes, after: elapsed.longer, now: now)
        return (opens < closes ? opens : nil, shown(alarm, after: elapsed.longer, now: now), closes)
    }

    /// Returns the instant of the present wall clock at which a time since dose 1 is reached. An instant within a second of that
    /// planned at dose 1 gives way to the planned one: two clocks are never read at once, and a shown time must not jump.
    private func shown(_ offset: Duration, after elapsed: Duration, now: ClockReading) -> Instant {
        let at = now.wall + offset - elapsed
        guard let planned = dose1.map({ $0.wall + offset }), (at - planned).magnitude < .seconds(1) else { return at }
        return planned
    }

    /// Returns all reminders neither told nor dropped yet, with their due times by the present wall clock.
    func shownReminders(now: ClockReading, in zone: Zone) -> [ReminderPlan.Item] {
        let elapsed = elapsed(now: now)
        let window = pendingReminders(now: now).map {
            ReminderPlan.Item(id: $0.id, due: shownDue($0, elapsed, now: now))
        }
        return pendingCheckIn(in: zone).map { ReminderPlan.items(window, with: $0) } ?? window
    }

    /// Returns the due time of a reminder of the window, by the present wall clock.
    public func shownDue(_ item: ReminderPlan.Item, now: ClockReading) -> Instant {
        shownDue(item, elapsed(now: now), now: now)
    }

    /// - Parameter elapsed: the time since dose 1, the same for all reminders.
    public func shownDue(_ item: ReminderPlan.Item, _ elapsed: ElapsedTime?, now: ClockReading) -> Instant {
        guard item.id.isOfWindow, let dose1, let elapsed else { return item.due }
        return shown(item.due - dose1.at, after: elapsed.longer, now: now)
    }

    /// The planned time of the alarm, with all snoozes; nil without dose 1.
    public var plannedAlarm: Instant? { dose1.map { $0.at + alarm } }

    /// The reminders of this night's window; none once the window is resolved or the session closed.
    public var reminders: [ReminderPlan.Item] { reminders(in: nil) }

    /// The same reminders; if the clocks leave doubt, the alarm is repeated until the window is over for certain.
    public func reminders(now: ClockReading) -> [ReminderPlan.Item] {
        reminders(in: elapsed(now: now).flatMap { $0.isCertain ? nil : $0 })
    }

    /// Returns the reminders of the dose window neither told nor dropped yet, in order of time.
    public func pendingReminders(now: ClockReading) -> [ReminderPlan.Item] {
        guard isOpen, hasUnresolvedWindow, let elapsed = elapsed(now: now) else { return pendingReminders }
        var since = SinceFact(self, now)
        let ahead = reminderFacts.filter { isAhead($0, of: elapsed, &since) }
        // A reminder that was dropped for one of these is pending again.
        let takenBack = Set(ahead.filter { $0.dropped == nil }.map(\.clock))
        // The same holds for one that was dropped for the end of a window that is not over by present knowledge.
        let isOver = elapsed.shorter >= DoseWindow.closes
        let done = Set(
            reminderFacts.filter { fact in
                !ahead.contains(fact) && !(fact.dropped == .superseded && takenBack.contains(fact.clock))
                    && !(fact.dropped == .windowOver && !isOver)
            }.map(\.item))
        return reminders(now: now).filter { !done.contains($0) }
    }

    /// Returns true if a reminder was told or dropped in doubt, before its time by present knowledge: it comes at its time. If the
    /// alarm took the place of the closing, the closing, too, is told once both figures have reached it.
    private func isAhead(_ fact: ReminderFact, of elapsed: ElapsedTime, _ since: inout SinceFact) -> Bool {
        guard fact.item.id.isOfWindow, let dose1 else { return false }
        if let counted = counted(to: fact.clock), counted >= fact.item.due - dose1.at - .seconds(1) { return false }
        let isOneFigure = elapsed.longer == elapsed.shorter
        let isKeptBack =
            fact.item.id == .windowClosed && fact.dropped != nil && elapsed.shorter >= DoseWindow.closes
        // An earlier doubt may have been larger. Both ends are taken by the same clock. A slewed clock moves the longer figure
        // by up to a tenth of the time since.
        let isLongerByWall = elapsed.byWall > elapsed.counted
        let counted: SinceFact.Figure = isLeast(elapsed, since.now) ? .least : .counted
        let isByWall = isLongerByWall != isKeptBack
        var told = since.duration(fact, by: isByWall ? .wall : counted)
        // The fact may rest on a wall clock that is the same still, or on one that had been right before it was set.
        if isByWall, !isKeptBack, let kept = since.durationByFirstSynchronised(fact) { told = min(told, kept) }
        let slack = isOneFigure || isKeptBack ? .seconds(1) : max(ElapsedTime.tolerance, told / 10)
        return (isKeptBack ? elapsed.shorter : elapsed.longer) - told < fact.item.due - dose1.at - slack
    }

    /// Returns the time from dose 1 to a reading of the same boot, which no later setting of the wall clock changes. Nil in another
    /// boot, and if dose 1 was named by a clock that was set right since.
    private func counted(to clock: ClockReading) -> Duration? {
        guard let dose1Said, dose1Said.moment.clock.bootID == clock.bootID, !clock.bootID.isEmpty else { return nil }
        let said = dose1Said.moment
        let isDoubted =
            said.isNamedByClock && !said.clock.isSynchronised
            && dose1Said.later.contains { $0.bootID == clock.bootID && $0.isSynchronised }
        return isDoubted ? nil : said.ago + clock.counter(since: said.clock.counterMicroseconds)
    }

    /// Returns true if the counted time leaves out the time for which the machine was off.
    private func isLeast(_ elapsed: ElapsedTime, _ now: ClockReading) -> Bool {
        guard !elapsed.isCertain, let said = dose1Said else { return false }
        return elapsed.counted == said.moment.ago + ElapsedTime.passed(said.moment.clock, said.later, now)
    }

    /// Returns the time since the alarm as planned now was first told, by the longest figure; nil if it was not told, or was
    /// answered. Times that count from the alarm go on over a restart, however long it took.
    public func sinceAlarm(now: ClockReading) -> Duration? {
        guard let alarm = plannedAlarm, let elapsed = elapsed(now: now) else { return nil }
        var since = SinceFact(self, now)
        let told = reminderFacts.first { fact in
            fact.dropped == nil && fact.item.id.urgency == .critical && fact.item.due >= alarm
                && answer(to: fact) == nil && !isAhead(fact, of: elapsed, &since)
        }
        return told.map { fact in [.counted, .wall, .least].map { since.duration(fact, by: $0) }.max() ?? .zero }
    }

    /// The time since a fact about a reminder, by present knowledge.
    private struct SinceFact {
        enum Figure { case counted, wall, least }

        private let events: [Event]
        let now: ClockReading
        /// A fact of each boot after the last setting of its wall clock; the counter gives the distance to the others.
        private var known: [String: (clock: ClockReading, elapsed: ElapsedTime, least: Duration)] = [:]
        /// The reading by boot; nil for a boot without a synchronised one.
        private var firstSynchronised: [String: (clock: ClockReading, byWall: Duration)?] = [:]

        init(_ session: Session, _ now: ClockReading) {
            events = session.events
            self.now = now
        }

        mutating func duration(_ fact: ReminderFact, by figure: Figure) -> Duration {
            let clock = fact.clock
            if clock.bootID == now.bootID, !now.bootID.isEmpty { return now.counter(since: clock.counterMicroseconds) }
            if known[clock.bootID].map({ clock.gain(since: $0.clock).magnitude > .seconds(1) }) ?? true {
                let later = events.drop { $0.clock != clock }.dropFirst().map(\.clock)
                let said = SaidMoment(clock: clock, ago: .zero, isNamedByClock: false)
                known[clock.bootID] = (
                    clock, ElapsedTime(since: said, then: later, now: now), ElapsedTime.passed(clock, later, now)
                )
            }
            guard let known = known[clock.bootID] else { return .zero }
            let since =
                switch figure {
                case .counted: known.elapsed.counted
                case .wall: known.elapsed.byWall
                case .least: known.least
                }
            return since - clock.counter(since: known.clock.counterMicroseconds)
        }

        /// Returns the time by the wall clock of the first synchronised reading of the fact's boot; nil unless that clock was set
        /// after the reading and was not kept right when the fact was recorded.
        mutating func durationByFirstSynchronised(_ fact: ReminderFact) -> Duration? {
            let clock = fact.clock
            guard clock.bootID != now.bootID, !clock.isSynchronised, let first = firstSynchronised(of: clock.bootID),
                clock.counterMicroseconds >= first.clock.counterMicroseconds,
                clock.gain(since: first.clock).magnitude > .seconds(1)
            else { return nil }
            return first.byWall - clock.counter(since: first.clock.counterMicroseconds)
        }

        /// Returns the first synchronised reading of a boot, and the time since then by the wall clock.
        private mutating func firstSynchronised(of boot: String) -> (clock: ClockReading, byWall: Duration)? {
            if let known = firstSynchronised[boot] { return known }
            var found: (clock: ClockReading, byWall: Duration)?
            if let first = events.firstIndex(where: { $0.clock.bootID == boot && $0.clock.isSynchronised }) {
                let said = SaidMoment(clock: events[first].clock, ago: .zero, isNamedByClock: false)
                let since = ElapsedTime(since: said, then: events[first...].dropFirst().map(\.clock), now: now)
                found = (said.clock, since.byWall)
            }
            firstSynchronised[boot] = .some(found)
            return found
        }
    }

    private func reminders(in doubt: ElapsedTime?) -> [ReminderPlan.Item] {
        guard isOpen, hasUnresolvedWindow, let dose1 else { return [] }
        let items = ReminderPlan.items(dose1: dose1.at, alarm: alarm, in: doubt)
        // After a short snooze the new pre-alarm may lie before the snooze itself, and has nothing left to announce.
        guard let snoozed = countedSnoozes.map(\.at).max() else { return items }
        return items.filter { $0.id != .preAlarm || $0.due > snoozed }
    }
}

extension Session {
    /// Returns the time at which the window closed, for a night that time alone has settled.
    ///
    /// - Parameter instant: the time of the automatic skip, which is a grace after the window.
    public static func windowClosed(sleptThrough instant: Instant) -> Instant {
        instant - DoseWindow.sleptThrough + DoseWindow.closes
    }
}
