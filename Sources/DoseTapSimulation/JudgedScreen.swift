internal import DoseTapDomain

/// The screen of a simulated night: what stands on it, and for how long it may show nothing though it should.
struct JudgedScreen {
    /// How long a screen that can be seen again may go without what was told meanwhile. The service tries again at least
    /// once a minute.
    private static let patience: Duration = .seconds(61)

    /// What stands on it now.
    private(set) var standing: Set<NightJudge.Told> = []
    /// When each was shown last.
    private var shown: [NightJudge.Told: Instant] = [:]
    private var isDead = false
    private var aliveSince = Instant.min
    /// Since when it shows nothing though it should, and the service follows the night.
    private var blankSince: Instant?
    private var isToldBlank = false

    mutating func note(isDead: Bool, at: Instant) {
        self.isDead = isDead
        aliveSince = at
    }

    /// - Parameter disturbed: when something last happened that no plan foresaw: whatever was shown before may come again.
    /// - Returns: whether it was there already, or had gone for no reason.
    mutating func show(_ told: NightJudge.Told, at: Instant, disturbed: Instant) -> Bool {
        let before = shown.updateValue(at, forKey: told)
        return !standing.insert(told).inserted || before.map { $0 > disturbed } ?? false
    }

    mutating func withdraw(_ told: NightJudge.Told) { standing.remove(told) }

    /// The machine was started anew.
    mutating func clear() { standing = [] }

    /// The service was away, or something happened: what was owed before is owed from now on.
    mutating func begin() { blankSince = nil }

    func wasShown(_ told: NightJudge.Told) -> Bool { shown[told] != nil }

    /// - Parameter owed: how urgent a reminder of the window should stand there; nil: none.
    /// - Returns: whether none that urgent has stood there for too long; once for each time.
    mutating func isBlank(owed: ReminderID.Urgency?, at: Instant) -> Bool {
        guard let owed,
            !standing.contains(where: { $0.item.id.isOfWindow && $0.item.id.urgency >= owed })
        else {
            (blankSince, isToldBlank) = (nil, false)
            return false
        }
        let since = blankSince ?? at
        blankSince = since
        guard !isToldBlank, !isDead, since + .seconds(1) < at, aliveSince + Self.patience < at else { return false }
        isToldBlank = true
        return true
    }
}

extension NightJudge {
    /// Is what stands on the screen true, one reminder of the window at most, and one as long as one is owed?
    mutating func judgeScreen(_ clock: ClockReading, _ at: Instant) {
        if isBehind { fold() }
        for told in screen.standing {
            guard let fault = untruth(of: told, clock, at) else { continue }
            complain(fault, told, "still stands on the screen at \(at.iso8601)")
        }
        let reminders = screen.standing.filter(\.item.id.isOfWindow)
        if reminders.count > 1, let one = reminders.first {
            complain(.twice, one, "stands beside another one at \(at.iso8601)")
        }
        judgeBlank(clock, at)
    }

    /// Does a screen that can be seen show a reminder as long as one was told that nobody answered and that is true?
    mutating func judgeBlank(_ clock: ClockReading, _ at: Instant) {
        if isBehind { fold() }
        guard screen.isBlank(owed: mustStand(clock, at), at: at) else { return }
        verdict.complain(.missed, "what should does not stand on the screen at \(at.iso8601)")
    }

    /// What would be wrong with a reminder that still stands.
    private func untruth(of told: Told, _ clock: ClockReading, _ at: Instant) -> NightVerdict.Fault? {
        let night = night.flatMap { $0.id == told.session ? $0 : nil }
        guard told.item.id.isOfWindow else { return night?.awaitsCheckIn == true ? nil : .afterResolved }
        guard let night, night.isOpen, night.hasUnresolvedWindow, let elapsed = elapsed(clock, at) else {
            return .afterResolved
        }
        if told.item.id == .windowClosed { return elapsed.most < DoseWindow.closes ? .early : nil }
        if elapsed.least >= DoseWindow.closes { return .afterClose }
        return elapsed.most < DoseWindow.opens ? .early : nil
    }

    /// How urgent a reminder must stand now: of those told that are in the plan as it is now, true whatever the service has
    /// noticed of its clocks, and answered by no dose, skip or snooze since. What the service takes to stand is not asked.
    func mustStand(_ clock: ClockReading, _ at: Instant) -> ReminderID.Urgency? {
        guard let night, night.isOpen, night.hasUnresolvedWindow, let elapsed = elapsed(clock, at) else { return nil }
        if isAlarmOwed(clock, at) { return .critical }
        let standing = unanswered(night).filter { item in
            guard let dose1 = night.dose1 else { return false }
            if item.id == .windowClosed { return elapsed.mostAtLeast >= DoseWindow.closes }
            return elapsed.mostAtLeast >= max(item.due - dose1.at, DoseWindow.opens)
                && elapsed.leastAtMost < DoseWindow.closes
        }
        return standing.map(\.id.urgency).max()
    }

    /// Whether a reminder may stand: told, in the plan, and true by what the service can have noticed of its clocks.
    func mayStand(_ clock: ClockReading, _ at: Instant, _ isMeant: (ReminderID) -> Bool) -> Bool {
        guard let night, night.isOpen, night.hasUnresolvedWindow, let elapsed = elapsed(clock, at) else { return false }
        return unanswered(night).contains { item in
            let isTrue =
                item.id == .windowClosed
                ? elapsed.most >= DoseWindow.closes
                : elapsed.most >= DoseWindow.opens && elapsed.least < DoseWindow.closes
            return isTrue && isMeant(item.id)
        }
    }
}
