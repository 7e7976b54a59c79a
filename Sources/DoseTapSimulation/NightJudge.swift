internal import DoseTapDomain
internal import DoseTapEngine

/// Checks the reminders of a simulated night.
///
/// The judge uses the plan and the night's events, not the engine's decisions.
struct NightJudge {
    struct Notified: Hashable {
        let session: SessionID
        let item: ReminderPlan.Item
    }

    var verdict = NightVerdict()
    private var events: [SessionID: [Event]] = [:]
    private var times: [SessionID: JudgedTime] = [:]
    private var clocks = JudgedClocks()
    /// The zone in which a night began, used for its morning.
    private(set) var zones: [SessionID: Zone] = [:]
    private var current: SessionID?
    /// The night of the newest event, as of the last check and without the newest facts of reminders.
    private(set) var night: Session?
    /// The planned reminders of that night.
    private(set) var plan: [ReminderPlan.Item] = []
    /// True if facts of reminders came since the night was folded.
    private(set) var isBehind = false
    /// The reminders delivered since the last check; they are on the screen if that works.
    var fresh: [Notified] = []
    /// The reminders dropped since the last check because a more urgent one was delivered.
    var outranked: [Notified] = []
    var missed: Set<Notified> = []
    var screen = JudgedScreen()
    var alarm: JudgedAlarm
    /// Sounds and speech since the last check, and if they could be heard.
    private(set) var voices: [(purpose: String, worked: Bool, entry: Timeline.Entry)] = []
    /// The delivered reminders, by the number of the entry. A later delivery only has to be true: it may be early by
    /// then, if the clock was set back in between.
    private var notifiedOnce: [Notified: Int] = [:]
    /// The reminders delivered in doubt, before the shorter figure reached them.
    private var notifiedAhead: Set<Notified> = []
    /// Time of the last delivery of each, in true time.
    private var notifiedAt: [Notified: Instant] = [:]
    /// Snoozes, by the number of the entry.
    private var snoozes: [EventID: Int] = [:]
    /// Number of entries so far: the order if the clock does not show it.
    private var count = 0
    private var complained: Set<Notified> = []
    /// Time of the last unplanned event. A reminder due before it must have been delivered before it: see
    /// ``settle(clock:at:dead:isNoticed:)``, which is called before and after.
    private(set) var disturbed = Instant.min
    /// The time of the last recorded event.
    private var recordedAt: Instant?
    /// The time for which no clock counted over a restart of the machine, if the clocks do not show it afterwards.
    private var uncounted: Duration?
    private var isDoubtful = false
    /// Text on the screen.
    private var shownWords: String?
    /// The texts that are reported already.
    private var wrongWords: Set<String> = []

    /// - Parameter ladder: times of the alarm's steps.
    init(ladder: AlarmLadder = .standard) { alarm = JudgedAlarm(ladder) }

    mutating func see(_ entry: Timeline.Entry) {
        count += 1
        clocks.note(entry.clock, at: entry.at, isNoticed: entry.what.isOfService)
        switch entry.what {
        case .recorded(let event): see(event, entry)
        case .shown(let item, let session):
            let notified = Notified(session: session, item: item)
            if item.id.isOfWindow { judgeBlank(entry.clock, entry.at) }
            if screen.show(notified, at: entry.at, disturbed: disturbed) {
                verdict.complain(.twice, "\(item.id.rawValue) on the screen \(when(entry))")
            }
            judge(notified, entry)
        case .withdrawn(let item, let session):
            screen.withdraw(Notified(session: session, item: item))
            if item.id.isOfWindow { shownWords = nil }
        case .ran(let purpose, let path, let worked):
            if let purpose = Self.step(purpose, path) { voices.append((purpose, worked, entry)) }
        case .phase(_, let new):
            guard new.isOpenWindow, let elapsed = elapsed(entry.clock, entry.at) else { return }
            guard !elapsed.mayBeOpen else { return }
            let isEarly = elapsed.leastAtMost < DoseWindow.opens
            verdict.complain(isEarly ? .early : .afterClose, "phase \(new.rawValue) \(when(entry))")
        case .befell(let act):
            disturbed = entry.at
            begin()
            switch act {
            case .channel(.notifications, let isDead): screen.note(isDead: isDead, at: entry.at)
            case .channel(.audio, let isDead): alarm.note(isDead: isDead, at: entry.at)
            case .reboot(let length, _):
                screen.clear()
                shownWords = nil
                uncounted = length + (entry.at - (recordedAt ?? entry.at))
            case .pause(let length):
                alarm.pause(length)
                screen.pause(length)
            case .asks, .suspend, .crash, .clock, .rtc, .slew, .travel, .rules: break
            }
        case .resumed:
            disturbed = entry.at
            clocks.resume(at: entry.at)
            begin()
            if let uncounted = uncounted.take(), let elapsed = elapsed(entry.clock, entry.at), !elapsed.isCertain {
                alarm.pause(uncounted)
                // By the longer figure as it is known now the alarm may have been due later than it was required.
                if let night { alarm.begin(notBefore: entry.at - max(.zero, elapsed.mostAtLeast - night.alarm)) }
            }
        case .said(let words, let stays):
            if stays { shownWords = words }
            judgeWords(words, entry.clock, entry.at)
        case .declined(let command, .needsConfirmation(let question)): judgeQuestion(command, question, entry)
        case .unshown, .journaled, .declined, .failed, .repeated: break
        }
    }

    private mutating func see(_ event: Event, _ entry: Timeline.Entry) {
        guard let session = event.sessionID else { return }
        if case .reminderFired(let payload) = event.payload {
            see(Notified(session: session, item: .init(id: payload.reminder, due: payload.due)), entry)
        }
        let before = night.flatMap { $0.id == session ? $0 : nil }
        if let before { judgeDose(event, before, entry) }
        recordedAt = entry.at
        if events[session] == nil { zones[session] = entry.zone }
        events[session, default: []].append(event)
        times[session, default: JudgedTime()].note(event, entry, clocks)
        current = session
        switch event.payload {
        case .reminderDropped(let payload):
            verdict.dropped += 1
            isBehind = true
            let notified = Notified(session: session, item: .init(id: payload.reminder, due: payload.due))
            if payload.reason == .superseded { outranked.append(notified) }
            if !isTrue(payload.reason, of: notified, entry) {
                verdict.complain(
                    .missed, "\(notified.item.id.rawValue) dropped as \(payload.reason.rawValue) \(when(entry))")
            }
        case .reminderFired, .reminderDelivered, .reminderAcknowledged: isBehind = true
        default:
            disturbed = entry.at
            if case .snoozeRecorded = event.payload { snoozes[event.id] = count }
            if event.payload.endsNotifying { begin() }
            fold()
            if let before, night?.id == before.id, night?.alarm != before.alarm { alarm.plan() }
            judgeSilencing(event, before, entry)
        }
    }

    /// Restarts all waits: the service was away, or something unplanned happened.
    private mutating func begin() {
        screen.begin()
        alarm.begin()
    }

    /// Returns the step of the alarm's ladder; nil for a program that ran for something else.
    private static func step(_ purpose: String, _ path: String) -> String? {
        guard purpose == "hook" else { return purpose }
        return path.contains("/alarm/") || path.contains("/partner/") ? calling : nil
    }

    /// Returns true if a reminder was delivered, and not snoozed since.
    func isUnanswered(_ notified: Notified, in night: Session) -> Bool {
        guard let notified = notifiedOnce[notified] else { return false }
        return !night.snoozes.contains { snoozes[$0.event.id].map { $0 > notified } ?? false }
    }

    private mutating func see(_ notified: Notified, _ entry: Timeline.Entry) {
        verdict.notified += 1
        if notified.item.id.urgency == .critical { alarm.notify(at: entry.at) }
        fresh.append(notified)
        judge(notified, entry)
        notifiedOnce[notified] = count
        if let before = notifiedAt.updateValue(entry.at, forKey: notified) {
            // A reminder delivered by the longer figure may have to be delivered again by the figure that turned out
            // right. It may also come again in another doubt, if by present knowledge it was not due at its first
            // delivery.
            let isDue = lateness(notified.item, entry.clock, entry.at, \.leastAtMost) >= .seconds(-1)
            let then = lateness(notified.item, entry.clock, entry.at, \.mostAtLeast) - (entry.at - before)
            if !(notifiedAhead.contains(notified) && isDue), then >= .seconds(-60) {
                verdict.complain(.twice, "\(notified.item.id.rawValue) on record \(when(entry))")
            }
        }
        if lateness(notified.item, entry.clock, entry.at) < .zero {
            notifiedAhead.insert(notified)
        } else {
            notifiedAhead.remove(notified)
        }
        if notified.item.id.isOfWindow, let night, night.id == notified.session, !isPlanned(notified.item, in: night) {
            verdict.complain(.early, "\(notified.item.id.rawValue) that is not planned \(when(entry))")
        }
        if notified.item.id.saysTake, let elapsed = elapsed(entry.clock, entry.at), !elapsed.isDoubtful,
            !DoseWindow.isOnTime(elapsed.passed)
        {
            verdict.misled += 1
        }
        guard lateness(notified.item, entry.clock, entry.at) > .seconds(1), entry.at - disturbed > .seconds(1) else {
            return
        }
        verdict.complain(.late, "\(notified.item.id.rawValue) \(when(entry))")
    }

    /// Returns true if a reminder is in the plan of a night. In doubt the alarm is repeated until the window has closed
    /// by the shorter figure.
    private func isPlanned(_ item: ReminderPlan.Item, in night: Session) -> Bool {
        guard item.id == .alarmRepeat, let dose1 = night.dose1, item.due - dose1.at >= DoseWindow.closes else {
            return plan.contains(item)
        }
        let since = item.due - dose1.at - night.alarm - .minutes(6)
        return !plan.isEmpty && since > .zero && since.wholeMilliseconds % 300_000 == 0
    }

    /// Delivered reminders in the present plan of the night that are not answered.
    func unanswered(_ night: Session) -> [ReminderPlan.Item] {
        notifiedOnce.keys.filter { notified in
            notified.session == night.id && notified.item.id.isOfWindow && isUnanswered(notified, in: night)
                && isPlanned(notified.item, in: night)
        }.map(\.item)
    }

    /// Returns true if another night, with doses, has a check-in.
    func isCheckedIn(beside session: SessionID) -> Bool {
        events.contains { id, events in
            id != session && Session(events: events).map { !$0.doses.isEmpty && $0.checkIn != nil } ?? false
        }
    }

    mutating func fold() {
        night = current.flatMap { Session(events: events[$0] ?? []) }
        plan = night?.reminders ?? []
        isBehind = false
    }

    /// Records a fault of a reminder once.
    mutating func complain(_ fault: NightVerdict.Fault, _ notified: Notified, _ sentence: String) {
        guard complained.insert(notified).inserted else { return }
        verdict.complain(fault, "\(notified.item.id.rawValue) \(sentence)")
    }

    /// Clears the entries of this check.
    mutating func clear() { (fresh, outranked, voices) = ([], [], []) }

    /// Checks that a reminder is true at its delivery.
    private mutating func judge(_ notified: Notified, _ entry: Timeline.Entry) {
        guard !complained.contains(notified) else { return }
        let fault: NightVerdict.Fault?
        let isAhead = notifiedOnce[notified] == nil && !reached(notified.item, entry.clock, entry.at)
        let night = night.flatMap { $0.id == notified.session ? $0 : nil }
        if !notified.item.id.isOfWindow {
            // A reminder outside the window depends on the wall clock, and on whether the night still awaits a
            // check-in.
            fault = night?.awaitsCheckIn != true ? .afterResolved : isAhead ? .early : nil
        } else if let night, night.isOpen, night.hasUnresolvedWindow, let elapsed = elapsed(entry.clock, entry.at) {
            if notified.item.id == .windowClosed {
                fault = elapsed.most < DoseWindow.closes ? .early : nil
            } else if elapsed.least >= DoseWindow.closes {
                fault = .afterClose
            } else {
                fault = elapsed.most < DoseWindow.opens || isAhead ? .early : nil
            }
        } else {
            fault = .afterResolved
        }
        if let fault { complain(fault, notified, when(entry)) }
    }

    // MARK: Time

    func elapsed(since dose: Dose, of night: Session, _ entry: Timeline.Entry) -> JudgedTime.Elapsed? {
        times[night.id]?.elapsed(
            since: dose, entry.clock, at: entry.at, clocks, recordsClocks: night.hasUnresolvedWindow)
    }

    /// Returns true if the wall clock after a start is before the newest entry, and not synchronised.
    func isBehindRecord(_ clock: ClockReading) -> Bool {
        guard !clock.isSynchronised, let night else { return false }
        return events[night.id]?.contains { $0.clock.bootID != clock.bootID && $0.clock.wall > clock.wall } ?? false
    }

    /// Time since dose 1 of the night.
    func elapsed(_ clock: ClockReading, _ at: Instant) -> JudgedTime.Elapsed? {
        guard let night, let dose1 = night.dose1 else { return nil }
        return times[night.id]?.elapsed(
            since: dose1, clock, at: at, clocks, recordsClocks: night.hasUnresolvedWindow)
    }

    /// Returns the time since a reminder had to be delivered: in doubt by the shorter figure, though it may come by the
    /// longer.
    ///
    /// - Parameter passed: the figure that counts.
    func lateness(
        _ item: ReminderPlan.Item, _ clock: ClockReading, _ at: Instant,
        _ passed: KeyPath<JudgedTime.Elapsed, Duration> = \.least
    ) -> Duration {
        guard item.id.isOfWindow else { return clock.wall - item.due }
        guard let dose1 = night?.dose1, let elapsed = elapsed(clock, at) else { return .zero }
        return elapsed[keyPath: passed] - (item.due - dose1.at)
    }

    /// Returns true if a reminder may be delivered.
    func reached(_ item: ReminderPlan.Item, _ clock: ClockReading, _ at: Instant) -> Bool {
        guard item.id.isOfWindow else { return clock.wall >= item.due }
        guard let dose1 = night?.dose1, let elapsed = elapsed(clock, at) else { return true }
        return elapsed.most >= item.due - dose1.at
    }

    /// Notes a reading of the clocks, read by the service or not.
    mutating func look(_ clock: ClockReading, _ at: Instant, isNoticed: Bool) {
        clocks.note(clock, at: at, isNoticed: isNoticed)
        if let shownWords { judgeWords(shownWords, clock, at) }
        guard !isDoubtful, let night, night.isOpen, night.hasUnresolvedWindow,
            let figures = elapsed(clock, at)?.figures, figures.contains(where: { !$0.isCertain })
        else { return }
        isDoubtful = true
        verdict.doubtful += 1
    }

    /// Checks texts about the window: never "take" in doubt or after the close, and in doubt a word about the clock.
    private mutating func judgeWords(_ words: String, _ clock: ClockReading, _ at: Instant) {
        guard let night, night.isOpen, night.hasUnresolvedWindow, let elapsed = elapsed(clock, at) else { return }
        let said = words.lowercased().replacing("before you take anything", with: "")
        let saysTake = said.split { !$0.isLetter }.contains("take")
        guard !wrongWords.contains(words) else { return }
        if saysTake, elapsed.isDoubtful || elapsed.least >= DoseWindow.closes {
            wrongWords.insert(words)
            verdict.complain(.saysTake, "\"\(words)\" \(when(clock, at))")
        } else if elapsed.isDoubtful, elapsed.leastAtMost < DoseWindow.closes, !said.contains("clock"),
            said.contains("dose")
        {
            wrongWords.insert(words)
            verdict.complain(.saysTake, "nothing of the doubt in \"\(words)\" \(when(clock, at))")
        }
    }

    func when(_ entry: Timeline.Entry) -> String { when(entry.clock, entry.at) }

    private func when(_ clock: ClockReading, _ at: Instant) -> String {
        guard let elapsed = elapsed(clock, at) else { return "at \(at.iso8601)" }
        let figures = Set([elapsed.least, elapsed.most]).sorted().map(LocalTimeFormat.interval).joined(
            separator: " or ")
        return "\(figures) after dose 1, at \(at.iso8601)"
    }
}

extension EventPayload {
    /// True if the event answers a reminder, or withdraws an answer: retries end then.
    var endsNotifying: Bool {
        switch self {
        case .doseRecorded, .doseSkipped, .snoozeRecorded, .actionUndone, .entryDeleted: true
        default: false
        }
    }
}

extension Phase {
    fileprivate var isOpenWindow: Bool { self == .active || self == .nearClose }
}

extension ReminderID {
    /// True if the text of the reminder says that dose 2 can be taken.
    fileprivate var saysTake: Bool { isOfWindow && self != .windowClosed }
}
