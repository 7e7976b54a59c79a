internal import DoseTapDomain

/// The screen of a simulated night: what stands on it, since when it reaches somebody, and the reminder told last.
struct JudgedScreen {
    /// How long a screen that can be seen again may go without what was told meanwhile. The service tries again at least
    /// once a minute.
    private static let patience: Duration = .seconds(61)

    /// What stands on it now.
    private(set) var standing: Set<NightJudge.Told> = []
    /// When each was shown last.
    private var shown: [NightJudge.Told: Instant] = [:]
    private var aliveSince = Instant.min
    private var isDead = false
    private var last: (told: NightJudge.Told, at: Instant)?

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

    /// What was being tried is asked for no more: it was answered, or a life of the service or a sleep ended.
    mutating func forget() { last = nil }

    mutating func note(_ told: NightJudge.Told, at: Instant) { last = (told, at) }

    func wasShown(_ told: NightJudge.Told) -> Bool { shown[told] != nil }

    /// The reminder told last, if the screen could long have shown it.
    func owed(at: Instant) -> NightJudge.Told? {
        guard let last, !isDead, max(last.at, aliveSince) + Self.patience <= at else { return nil }
        return last.told
    }
}

extension NightJudge {
    /// Is what stands on the screen true, one reminder of the window at most, and what was told last, as long as that is
    /// true and nobody answered it?
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
        judgeOwed(clock, at) { $0.standing.contains($1) }
    }

    /// Does a screen that can be seen show what was told last?
    mutating func judgeOwed(_ clock: ClockReading, _ at: Instant, _ isThere: (JudgedScreen, Told) -> Bool) {
        guard let owed = screen.owed(at: at), !isThere(screen, owed) else { return }
        if isBehind { fold() }
        guard let night, night.id == owed.session, night.isOpen, night.hasUnresolvedWindow,
            night.standingReminder?.item == owed.item, night.reminders.contains(owed.item),
            owed.item.id != .windowClosed,
            let elapsed = elapsed(clock, at), elapsed.least >= DoseWindow.opens, elapsed.most < DoseWindow.closes,
            missed.insert(owed).inserted
        else { return }
        verdict.complain(.missed, "\(owed.item.id.rawValue) not on the screen at \(at.iso8601)")
    }

    /// What would be wrong with a reminder that still stands.
    private func untruth(of told: Told, _ clock: ClockReading, _ at: Instant) -> NightVerdict.Fault? {
        let night = night.flatMap { $0.id == told.session ? $0 : nil }
        guard told.item.id.isOfWindow else { return night?.awaitsCheckIn == true ? nil : .afterResolved }
        guard let night, night.isOpen, night.hasUnresolvedWindow else { return .afterResolved }
        guard told.item.id != .windowClosed, let elapsed = elapsed(clock, at) else { return nil }
        return elapsed.most >= DoseWindow.closes ? .afterClose : nil
    }
}
