extension Session {
    /// What the dose window is judged by as of an instant: only what had happened by then counts.
    ///
    /// - Parameters:
    ///   - instant: the moment in question, by the present wall clock; nil is now, when all that is recorded counts, also
    ///     what a caller's clock that is ahead places after now.
    ///   - now: the clocks now.
    public func windowInput(asOf instant: Instant?, now: ClockReading) -> DoseWindow.Input {
        let latest = instant.map { nightMoment(of: $0, now: now) } ?? .end
        var input = DoseWindow.Input(now: instant ?? now.wall)
        input.dose1 = dose1.flatMap { latest.isReached($0.at, $0.wall) ? $0.at : nil }
        input.dose2 = dose2.flatMap { latest.isReached($0.at, $0.wall) ? $0.at : nil }
        input.skipped = skips.contains { latest.isReached($0.at, $0.wall) }
        input.snoozes = countedSnoozes.count { latest.isReached($0.at, $0.wall) }
        input.finalWake = wakes.contains { latest.isReached($0.at, $0.wall) }
        // An end is one of the wall clock.
        input.checkedIn =
            end.map { $0 <= instant ?? .max } ?? false
            || checkIn.map { latest.isReached($0.at, $0.wall) } ?? false
        input.maximumSnoozes = rules.maximumSnoozes
        input.onceNightly = rules.onceNightly
        let ago = instant.map { now.wall - $0 } ?? .zero
        input.elapsed = elapsed(now: now, isNamed: ago != .zero)?.moved(by: .zero - ago)
        return input
    }

    /// The dose window as of an instant; nil is now.
    public func window(asOf instant: Instant?, now: ClockReading) -> WindowState {
        DoseWindow.state(windowInput(asOf: instant, now: now))
    }

    /// When the window opens, the alarm rings and the window closes: the present wall clock and what remains (R2.16). Nil
    /// without dose 1. In doubt the window may close before it opens for certain: then nobody knows when it opens.
    public func windowTimes(now: ClockReading) -> (opens: Instant?, alarm: Instant, closes: Instant)? {
        guard let elapsed = elapsed(now: now) else { return nil }
        let opens = shown(DoseWindow.opens, after: elapsed.shorter, now: now)
        let closes = shown(DoseWindow.closes, after: elapsed.longer, now: now)
        return (opens < closes ? opens : nil, shown(alarm, after: elapsed.longer, now: now), closes)
    }

    /// When so much will have passed since dose 1, by the present wall clock. Where that is what it was as dose 1 was said, to
    /// a second, it stays: two clocks are never read at once, and what is told does not jump from one minute to the next.
    private func shown(_ offset: Duration, after elapsed: Duration, now: ClockReading) -> Instant {
        let at = now.wall + offset - elapsed
        guard let planned = dose1.map({ $0.wall + offset }), (at - planned).magnitude < .seconds(1) else { return at }
        return planned
    }

    /// All reminders neither told nor dropped yet, each with the instant of the present wall clock at which it is due.
    func shownReminders(now: ClockReading, in zone: Zone) -> [ReminderPlan.Item] {
        let elapsed = elapsed(now: now)
        let window = pendingReminders(now: now).map {
            ReminderPlan.Item(id: $0.id, due: shownDue($0, elapsed, now: now))
        }
        return pendingCheckIn(in: zone).map { ReminderPlan.items(window, with: $0) } ?? window
    }

    /// When a reminder of the window is due, by the present wall clock.
    public func shownDue(_ item: ReminderPlan.Item, now: ClockReading) -> Instant {
        shownDue(item, elapsed(now: now), now: now)
    }

    /// - Parameter elapsed: the time since dose 1, which is the same for all of them.
    public func shownDue(_ item: ReminderPlan.Item, _ elapsed: ElapsedTime?, now: ClockReading) -> Instant {
        guard item.id.isOfWindow, let dose1, let elapsed else { return item.due }
        return shown(item.due - dose1.at, after: elapsed.longer, now: now)
    }

    /// When the alarm is due by the plan, the snoozes in it; nil without dose 1.
    public var plannedAlarm: Instant? { dose1.map { $0.at + alarm } }

    /// The reminders of this night's window; none once its window is resolved or the session closed.
    public var reminders: [ReminderPlan.Item] { reminders(in: nil) }

    /// The same where the clocks leave doubt: the alarm is repeated until the window is over for certain.
    public func reminders(now: ClockReading) -> [ReminderPlan.Item] {
        reminders(in: elapsed(now: now).flatMap { $0.isCertain ? nil : $0 })
    }

    /// The reminders of the dose window neither told nor dropped yet, in order of time.
    public func pendingReminders(now: ClockReading) -> [ReminderPlan.Item] {
        guard isOpen, hasUnresolvedWindow, let elapsed = elapsed(now: now) else { return pendingReminders }
        var since = SinceFact(self, now)
        let ahead = reminderFacts.filter { isAhead($0, of: elapsed, &since) }
        // What was dropped for one of these stood in nobody's place.
        let takenBack = Set(ahead.filter { $0.dropped == nil }.map(\.clock))
        // So did what was dropped for a window that is not over by what is known since.
        let isOver = elapsed.shorter >= DoseWindow.closes
        let done = Set(
            reminderFacts.filter { fact in
                !ahead.contains(fact) && !(fact.dropped == .superseded && takenBack.contains(fact.clock))
                    && !(fact.dropped == .windowOver && !isOver)
            }.map(\.item))
        return reminders(now: now).filter { !done.contains($0) }
    }

    /// Whether a reminder was told or dropped in doubt, before its time by what is known now: it comes at its time. Where
    /// the alarm took the place of the closing, that is told in doubt, too, once both figures say so.
    private func isAhead(_ fact: ReminderFact, of elapsed: ElapsedTime, _ since: inout SinceFact) -> Bool {
        guard fact.item.id.isOfWindow, let dose1 else { return false }
        if let counted = counted(to: fact.clock), counted >= fact.item.due - dose1.at - .seconds(1) { return false }
        let isOneFigure = elapsed.longer == elapsed.shorter
        let isKeptBack =
            fact.item.id == .windowClosed && fact.dropped != nil && elapsed.shorter >= DoseWindow.closes
        // An earlier doubt may have been a larger one. Both ends by the same clock; one that is slewed moves the longer figure
        // by up to a tenth of the time since.
        let isLongerByWall = elapsed.byWall > elapsed.counted
        let counted: SinceFact.Figure = isLeast(elapsed, since.now) ? .least : .counted
        let isByWall = isLongerByWall != isKeptBack
        var told = since.duration(fact, by: isByWall ? .wall : counted)
        // It may have been told by a wall clock that is the same still, or by one that had been right before it was set.
        if isByWall, !isKeptBack, let kept = since.durationByFirstSynchronised(fact) { told = min(told, kept) }
        let slack = isOneFigure || isKeptBack ? .seconds(1) : max(ElapsedTime.tolerance, told / 10)
        return (isKeptBack ? elapsed.shorter : elapsed.longer) - told < fact.item.due - dose1.at - slack
    }

    /// The time from dose 1 to a reading of the same boot, which no later setting of the wall clock changes; nil in another
    /// boot, and where dose 1 was named by a clock that was set right since.
    private func counted(to clock: ClockReading) -> Duration? {
        guard let dose1Said, dose1Said.moment.clock.bootID == clock.bootID, !clock.bootID.isEmpty else { return nil }
        let said = dose1Said.moment
        let isDoubted =
            said.isNamedByClock && !said.clock.isSynchronised
            && dose1Said.later.contains { $0.bootID == clock.bootID && $0.isSynchronised }
        return isDoubted ? nil : said.ago + clock.counter(since: said.clock.counterMicroseconds)
    }

    /// Whether what was counted leaves out how long the machine was off.
    private func isLeast(_ elapsed: ElapsedTime, _ now: ClockReading) -> Bool {
        guard !elapsed.isCertain, let said = dose1Said else { return false }
        return elapsed.counted == said.moment.ago + ElapsedTime.passed(said.moment.clock, said.later, now)
    }

    /// How long ago the alarm, as it is planned now, began to be told, by the figure that says most; nil when it was not, or
    /// when it was answered. What counts from the alarm goes on over a restart, however long that took.
    public func sinceAlarm(now: ClockReading) -> Duration? {
        guard let alarm = plannedAlarm, let elapsed = elapsed(now: now) else { return nil }
        var since = SinceFact(self, now)
        let told = reminderFacts.first { fact in
            fact.dropped == nil && fact.item.id.urgency == .critical && fact.item.due >= alarm
                && answer(to: fact) == nil && !isAhead(fact, of: elapsed, &since)
        }
        return told.map { fact in [.counted, .wall, .least].map { since.duration(fact, by: $0) }.max() ?? .zero }
    }

    /// How long ago a reminder was told, by what is known now.
    private struct SinceFact {
        enum Figure { case counted, wall, least }

        private let events: [Event]
        let now: ClockReading
        /// By a fact of each boot before which its wall clock was set last: from there the counter says the rest.
        private var known: [String: (clock: ClockReading, elapsed: ElapsedTime, least: Duration)] = [:]
        /// By boot; nil for one without a synchronised reading.
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

        /// By the wall clock as it was at the first synchronised reading of the fact's boot, where it was set after that and
        /// nothing kept it right as the fact was recorded.
        mutating func durationByFirstSynchronised(_ fact: ReminderFact) -> Duration? {
            let clock = fact.clock
            guard clock.bootID != now.bootID, !clock.isSynchronised, let first = firstSynchronised(of: clock.bootID),
                clock.counterMicroseconds >= first.clock.counterMicroseconds,
                clock.gain(since: first.clock).magnitude > .seconds(1)
            else { return nil }
            return first.byWall - clock.counter(since: first.clock.counterMicroseconds)
        }

        /// The first synchronised reading of a boot, and the time since then by the wall clock.
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
        // A short snooze may put the new pre-alarm before the snooze itself: it has nothing left to announce.
        guard let snoozed = countedSnoozes.map(\.at).max() else { return items }
        return items.filter { $0.id != .preAlarm || $0.due > snoozed }
    }
}

extension Session {
    /// When the window of a night closed that time alone has settled.
    ///
    /// - Parameter instant: when the automatic skip counts, which is a grace after the window.
    public static func windowClosed(sleptThrough instant: Instant) -> Instant {
        instant - DoseWindow.sleptThrough + DoseWindow.closes
    }
}
