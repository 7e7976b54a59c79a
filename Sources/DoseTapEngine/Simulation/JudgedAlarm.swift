internal import DoseTapDomain

/// The alarm of a simulated night: how long it may be silent while a reminder stands that rings.
struct JudgedAlarm {
    /// From one ring to the next, with a second to spare.
    private static let pause: Duration = .seconds(9)
    /// How long it may stay silent after it could not be heard. The service tries again once a minute.
    private static let patience: Duration = .seconds(61)

    private let delay: Duration?
    private var isDead = false
    private var aliveSince = Instant.min
    /// Since when an alarm stands that can ring.
    private var since: Instant?
    private var lastRing: Instant?

    /// - Parameter ladder: when the tone is due; nil in it: never.
    init(_ ladder: AlarmLadder) { delay = ladder.delays[.sound] }

    mutating func note(isDead: Bool, at: Instant) {
        self.isDead = isDead
        aliveSince = at
    }

    /// The service was away, or something was recorded: what was owed before is owed from now on.
    mutating func begin() { (since, lastRing) = (nil, nil) }

    /// It rang, or could have been heard.
    mutating func ring(at: Instant) { lastRing = at }

    /// - Parameter stands: whether an alarm stands now.
    /// - Returns: whether it has been silent for too long.
    mutating func isTooSilent(stands: Bool, at: Instant) -> Bool {
        guard stands, let delay else {
            begin()
            return false
        }
        let since = since ?? at
        self.since = since
        guard !isDead, aliveSince + Self.patience < at else { return false }
        if let lastRing, lastRing >= since { return at - lastRing > Self.pause }
        return at - max(since, aliveSince) > max(Self.pause, delay + .seconds(1))
    }
}

extension NightJudge {
    /// Does an alarm that nobody answered ring, and nothing else?
    mutating func judgeAlarm(_ clock: ClockReading, _ at: Instant) {
        if isBehind { fold() }
        for (purpose, worked, entry) in voices {
            judgeVoice(purpose, entry)
            judgeSilence(entry.clock, entry.at)
            // Spoken or played: it was heard.
            if worked { alarm.ring(at: entry.at) }
        }
        judgeSilence(clock, at)
    }

    private mutating func judgeVoice(_ purpose: String, _ entry: Timeline.Entry) {
        guard let elapsed = elapsed(entry.clock, entry.at), let night, night.isOpen, night.hasUnresolvedWindow else {
            return verdict.complain(.afterResolved, "\(purpose) \(when(entry))")
        }
        if elapsed.most >= DoseWindow.closes { return verdict.complain(.afterClose, "\(purpose) \(when(entry))") }
        if elapsed.least < DoseWindow.opens || !alarmStands(entry.clock, entry.at) {
            verdict.complain(.early, "\(purpose) \(when(entry))")
        }
    }

    private mutating func judgeSilence(_ clock: ClockReading, _ at: Instant) {
        guard alarm.isTooSilent(stands: alarmStands(clock, at), at: at) else { return }
        alarm.begin()
        verdict.complain(.missed, "the alarm is silent at \(at.iso8601)")
    }

    /// Whether an alarm was told that nobody answered and that is still true.
    private func alarmStands(_ clock: ClockReading, _ at: Instant) -> Bool {
        guard let night, night.isOpen, night.hasUnresolvedWindow, let standing = night.standingReminder?.item,
            standing.id.urgency == .critical, night.reminders.contains(standing), let elapsed = elapsed(clock, at)
        else { return false }
        return elapsed.least >= DoseWindow.opens && elapsed.most < DoseWindow.closes
    }
}
