internal import DoseTapDomain

/// The alarm of a simulated night: how long it may be silent while a reminder stands that rings.
struct JudgedAlarm {
    /// From one ring to the next, with a second to spare.
    private static let pause: Duration = .seconds(9)
    /// How long it may stay silent after it could not be heard. The service tries again once a minute.
    private static let patience: Duration = .seconds(61)

    /// How long a voice that could not be heard is left alone at the most.
    private static let rest: Duration = .seconds(481)

    private let ladder: AlarmLadder
    private var isDead = false
    private var aliveSince = Instant.min
    /// Since when an alarm stands that can ring, and the service follows the night.
    private var since: Instant?
    private var lastRing: Instant?
    /// Since when an alarm stands, whatever happened meanwhile.
    private var standsSince: Instant?
    /// When the last reminder that rings was told, and whether it was heard.
    private var toldAt = Instant.min
    private var isHeard = false
    private var isToldSilent = false

    init(_ ladder: AlarmLadder) { self.ladder = ladder }

    mutating func note(isDead: Bool, at: Instant) {
        self.isDead = isDead
        aliveSince = at
    }

    /// The service was away, or something happened: what was owed before is owed from now on.
    mutating func begin() { (since, lastRing) = (nil, nil) }

    /// No clock counted for a while, which nothing shows.
    mutating func pause(_ length: Duration) {
        begin()
        standsSince = standsSince.map { $0 + length }
    }

    /// The alarm is for another time than before: its steps count from then.
    mutating func plan() {
        begin()
        standsSince = nil
    }

    /// A reminder that rings was told.
    mutating func tell(at: Instant) { (toldAt, isHeard) = (at, false) }

    /// It rang, or was spoken, and could be heard.
    mutating func ring(at: Instant) { (lastRing, isHeard) = (at, true) }

    private func delay(_ rung: AlarmRung) -> Duration? { ladder.delays[rung] }

    /// - Parameters:
    ///   - stands: whether an alarm must stand now.
    ///   - isAnswered: whether none may: what was heard before is not heard of the next.
    /// - Returns: whether it has been silent for too long; once for each alarm.
    mutating func isTooSilent(stands: Bool, isAnswered: Bool, at: Instant) -> Bool {
        if isAnswered { isHeard = false }
        guard stands, let first = [delay(.sound), delay(.speech)].compactMap(\.self).min() else {
            begin()
            (standsSince, isToldSilent) = (nil, false)
            return false
        }
        let since = since ?? at
        self.since = since
        let standsSince = standsSince ?? at
        self.standsSince = standsSince
        guard !isToldSilent, !isDead, aliveSince + Self.patience < at else { return false }
        // Until the tone is due it is the voice alone, once for each reminder.
        let rings = delay(.sound).map { max(standsSince + $0, since) + Self.pause < at } ?? false
        let isSilent =
            rings
            ? at - max(lastRing ?? since, since, aliveSince) > Self.pause
            : !isHeard && at - max(toldAt, since) > first + Self.pause && aliveSince + Self.rest < at
        isToldSilent = isSilent
        return isSilent
    }
}

extension NightJudge {
    /// Does an alarm that nobody answered ring, and nothing else?
    mutating func judgeAlarm(_ clock: ClockReading, _ at: Instant) {
        if isBehind { fold() }
        for (purpose, worked, entry) in voices {
            judgeVoice(purpose, entry)
            guard purpose != Self.calling else { continue }
            judgeSilence(entry.clock, entry.at)
            // Spoken or played: it was heard.
            if worked { alarm.ring(at: entry.at) }
        }
        judgeSilence(clock, at)
    }

    /// Programs of the person's own that a step of the ladder ran.
    static let calling = "calling"

    private mutating func judgeVoice(_ purpose: String, _ entry: Timeline.Entry) {
        guard let elapsed = elapsed(entry.clock, entry.at), let night, night.isOpen, night.hasUnresolvedWindow else {
            return verdict.complain(.afterResolved, "\(purpose) \(when(entry))")
        }
        if elapsed.least >= DoseWindow.closes { return verdict.complain(.afterClose, "\(purpose) \(when(entry))") }
        if elapsed.most < DoseWindow.opens || !mayStand(entry.clock, entry.at, { $0.urgency == .critical }) {
            verdict.complain(.early, "\(purpose) \(when(entry))")
        }
    }

    private mutating func judgeSilence(_ clock: ClockReading, _ at: Instant) {
        let isAnswered = night?.hasUnresolvedWindow != true
        guard alarm.isTooSilent(stands: mustStand(clock, at) == .critical, isAnswered: isAnswered, at: at) else {
            return
        }
        verdict.complain(.missed, "the alarm is silent at \(at.iso8601)")
    }
}
