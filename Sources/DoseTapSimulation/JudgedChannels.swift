internal import DoseTapDomain

/// Checks the alarm of a simulated night: its silence while a ringing reminder is active.
struct JudgedAlarm {
    /// The longest time from one ring to the next, with a second to spare.
    private static let pause: Duration = .seconds(9)
    /// The longest silence after a failure. The service retries once a minute.
    private static let timeout: Duration = .seconds(61)

    /// The longest pause of a voice that failed.
    private static let rest: Duration = .seconds(481)

    private let ladder: AlarmLadder
    private var isDead = false
    private var aliveSince = Instant.min
    /// The instant from which an alarm that can ring is active while the service runs.
    private var since: Instant?
    private var lastRing: Instant?
    /// The instant from which an alarm is active, whatever happened meanwhile.
    private var requiredSince: Instant?
    /// The time of the last ringing reminder, and if it was heard.
    private var notifiedAt = Instant.min
    private var isHeard = false
    private var hasReportedSilence = false

    init(_ ladder: AlarmLadder) { self.ladder = ladder }

    mutating func note(isDead: Bool, at: Instant) {
        self.isDead = isDead
        aliveSince = at
    }

    /// Restarts the waits: the service was away, or something unplanned happened.
    mutating func begin() { (since, lastRing) = (nil, nil) }

    /// Adds a pause in which no clock counted, which no reading shows.
    mutating func pause(_ length: Duration) {
        begin()
        requiredSince = requiredSince.map { $0 + length }
        if aliveSince > .min { aliveSince = aliveSince + length }
    }

    /// Moves the start of the steps: by present knowledge the alarm was due no earlier.
    mutating func begin(notBefore instant: Instant) { requiredSince = requiredSince.map { max($0, instant) } }

    /// Starts the steps anew: the alarm has another time.
    mutating func plan() {
        begin()
        requiredSince = nil
    }

    /// Notes the delivery of a ringing reminder.
    mutating func notify(at: Instant) { (notifiedAt, isHeard) = (at, false) }

    /// Notes a ring or a text that could be heard.
    mutating func ring(at: Instant) { (lastRing, isHeard) = (at, true) }

    private func delay(_ rung: EscalationStep) -> Duration? { ladder.delays[rung] }

    /// - Parameters:
    ///   - isRequired: true if an alarm must be active now.
    ///   - isAnswered: true if no alarm may be active: earlier sound does not count for the next alarm.
    /// - Returns: true if the alarm has been silent for too long; once for each alarm.
    mutating func isTooSilent(isRequired: Bool, isAnswered: Bool, at: Instant) -> Bool {
        if isAnswered { isHeard = false }
        guard isRequired, let first = [delay(.sound), delay(.speech)].compactMap(\.self).min() else {
            begin()
            (requiredSince, hasReportedSilence) = (nil, false)
            return false
        }
        let since = since ?? at
        self.since = since
        let requiredSince = requiredSince ?? at
        self.requiredSince = requiredSince
        guard !hasReportedSilence, !isDead, aliveSince + Self.timeout < at else { return false }
        // Until the tone is due only the voice is used, once for each reminder.
        let rings = delay(.sound).map { max(requiredSince + $0, since) + Self.pause < at } ?? false
        let isSilent =
            rings
            ? at - max(lastRing ?? since, since, aliveSince) > Self.pause
            : !isHeard && at - max(notifiedAt, since) > first + Self.pause && aliveSince + Self.rest < at
        hasReportedSilence = isSilent
        return isSilent
    }
}

extension NightJudge {
    /// Checks that an unanswered alarm rings, and nothing else.
    mutating func judgeAlarm(_ clock: ClockReading, _ at: Instant) {
        if isBehind { fold() }
        for (purpose, worked, entry) in voices {
            judgeVoice(purpose, entry)
            guard purpose != Self.calling else { continue }
            judgeSilence(entry.clock, entry.at)
            // A text or a tone that worked was heard.
            if worked { alarm.ring(at: entry.at) }
        }
        judgeSilence(clock, at)
    }

    /// The purpose of the person's programs that a step of the ladder ran.
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
        guard alarm.isTooSilent(isRequired: mustBeActive(clock, at) == .critical, isAnswered: isAnswered, at: at) else {
            return
        }
        verdict.complain(.missed, "the alarm is silent at \(at.iso8601)")
    }
}

/// Checks the screen of a simulated night: its notifications, and the time for which it is empty against the plan.
struct JudgedScreen {
    /// The longest lack of earlier reminders on a screen that works again. The service retries at least once a minute.
    private static let timeout: Duration = .seconds(61)

    /// The present notifications.
    private(set) var active: Set<NightJudge.Notified> = []
    /// Time of the last display of each.
    private var shown: [NightJudge.Notified: Instant] = [:]
    private var isDead = false
    private var aliveSince = Instant.min
    /// The instant from which the screen is empty against the plan while the service runs.
    private var blankSince: Instant?
    private var hasReportedBlank = false

    mutating func note(isDead: Bool, at: Instant) {
        self.isDead = isDead
        aliveSince = at
    }

    /// - Parameter disturbed: time of the last unplanned event: a notification from before may come again.
    /// - Returns: true if the notification was there already, or was withdrawn without a reason.
    mutating func show(_ notified: NightJudge.Notified, at: Instant, disturbed: Instant) -> Bool {
        let before = shown.updateValue(at, forKey: notified)
        return !active.insert(notified).inserted || before.map { $0 > disturbed } ?? false
    }

    mutating func withdraw(_ notified: NightJudge.Notified) { active.remove(notified) }

    /// Adds a pause in which no clock counted, so that the service retries so much later.
    mutating func pause(_ length: Duration) {
        if aliveSince > .min { aliveSince = aliveSince + length }
    }

    /// Empties the screen: the machine was started anew.
    mutating func clear() { active = [] }

    /// Restarts the waits: the service was away, or something unplanned happened.
    mutating func begin() { blankSince = nil }

    func wasShown(_ notified: NightJudge.Notified) -> Bool { shown[notified] != nil }

    /// - Parameter owed: urgency of the reminder of the window that must be shown; nil: none.
    /// - Returns: true if none of that urgency was shown for too long; once for each time.
    mutating func isBlank(owed: ReminderID.Urgency?, at: Instant) -> Bool {
        guard let owed,
            !active.contains(where: { $0.item.id.isOfWindow && $0.item.id.urgency >= owed })
        else {
            (blankSince, hasReportedBlank) = (nil, false)
            return false
        }
        let since = blankSince ?? at
        blankSince = since
        guard !hasReportedBlank, !isDead, since + .seconds(1) < at, aliveSince + Self.timeout < at else {
            return false
        }
        hasReportedBlank = true
        return true
    }
}

extension NightJudge {
    /// Checks that the screen is true, shows at most one reminder of the window, and shows one as long as one is due.
    mutating func judgeScreen(_ clock: ClockReading, _ at: Instant) {
        if isBehind { fold() }
        for notified in screen.active {
            guard let fault = untruth(of: notified, clock, at) else { continue }
            complain(fault, notified, "still stands on the screen at \(at.iso8601)")
        }
        let reminders = screen.active.filter(\.item.id.isOfWindow)
        if reminders.count > 1, let one = reminders.first {
            complain(.twice, one, "stands beside another one at \(at.iso8601)")
        }
        judgeBlank(clock, at)
    }

    /// Checks that a working screen shows a reminder as long as a delivered, true one is unanswered.
    mutating func judgeBlank(_ clock: ClockReading, _ at: Instant) {
        if isBehind { fold() }
        guard screen.isBlank(owed: mustBeActive(clock, at), at: at) else { return }
        verdict.complain(.missed, "what should does not stand on the screen at \(at.iso8601)")
    }

    /// The fault of a reminder that is still shown.
    private func untruth(of notified: Notified, _ clock: ClockReading, _ at: Instant) -> NightVerdict.Fault? {
        let night = night.flatMap { $0.id == notified.session ? $0 : nil }
        guard notified.item.id.isOfWindow else { return night?.awaitsCheckIn == true ? nil : .afterResolved }
        guard let night, night.isOpen, night.hasUnresolvedWindow, let elapsed = elapsed(clock, at) else {
            return .afterResolved
        }
        if notified.item.id == .windowClosed { return elapsed.most < DoseWindow.closes ? .early : nil }
        if elapsed.least >= DoseWindow.closes { return .afterClose }
        return elapsed.most < DoseWindow.opens ? .early : nil
    }

    /// Returns the urgency of the reminder that must be shown. The delivered reminders of the present plan count that
    /// are true whatever the service has noticed of its clocks, and that no dose, skip or snooze has answered since.
    /// The service's own state is not used.
    private func mustBeActive(_ clock: ClockReading, _ at: Instant) -> ReminderID.Urgency? {
        guard let night, night.isOpen, night.hasUnresolvedWindow, let elapsed = elapsed(clock, at) else { return nil }
        if isAlarmOwed(clock, at) { return .critical }
        let active = unanswered(night).filter { item in
            guard let dose1 = night.dose1 else { return false }
            if item.id == .windowClosed { return elapsed.mostAtLeast >= DoseWindow.closes }
            return elapsed.mostAtLeast >= max(item.due - dose1.at, DoseWindow.opens)
                && elapsed.leastAtMost < DoseWindow.closes
        }
        return active.map(\.id.urgency).max()
    }

    /// Returns true if a reminder may be shown: delivered, planned, and true by what the service can have noticed of
    /// its clocks.
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
