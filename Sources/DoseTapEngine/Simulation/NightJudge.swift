internal import DoseTapDomain

/// Watches a simulated night and says what was wrong with its reminders.
///
/// It knows the plan, and the night from its events; what the engine decided it does not ask.
struct NightJudge {
    private struct Told: Hashable {
        let session: SessionID
        let item: ReminderPlan.Item
    }

    private struct Reached: Hashable {
        let channel: SimulatedChannel
        let told: Told
    }

    private(set) var verdict = NightVerdict()
    private var events: [SessionID: [Event]] = [:]
    private var current: SessionID?
    /// The night the newest event is about, as of the last look and without the newest facts of reminders.
    private(set) var night: Session?
    /// Facts of reminders came since the night was folded.
    private var isBehind = false
    private var reached: Set<Reached> = []
    /// Told since the last look, to be found on every channel that lives.
    private var fresh: [Told] = []
    private var missed: Set<Told> = []
    /// Told before: one that gets through to another channel later only has to be true still.
    private var toldOnce: Set<Told> = []
    private var complained: Set<Told> = []
    /// When something last happened that no plan foresaw.
    private var disturbed = Instant.min

    mutating func see(_ entry: Timeline.Entry) {
        switch entry.what {
        case .recorded(let event): see(event, entry)
        case .reached(let channel, let item, let session):
            let told = Told(session: session, item: item)
            if !reached.insert(Reached(channel: channel, told: told)).inserted {
                verdict.complain(.twice, "\(item.id.rawValue) on \(channel.rawValue) \(when(entry))")
            }
            judge(told, entry)
        case .phase(_, let new):
            guard new == .active || new == .nearClose, let (least, most) = elapsed(entry.clock) else { return }
            if least < DoseWindow.opens { verdict.complain(.early, "phase \(new.rawValue) \(when(entry))") }
            if most >= DoseWindow.closes { verdict.complain(.afterClose, "phase \(new.rawValue) \(when(entry))") }
        case .befell, .resumed: disturbed = entry.at
        case .unreached, .declined, .failed, .repeated: break
        }
    }

    private mutating func see(_ event: Event, _ entry: Timeline.Entry) {
        guard let session = event.sessionID else { return }
        if case .reminderFired(let payload) = event.payload {
            let item = ReminderPlan.Item(id: payload.reminder, due: payload.due)
            verdict.told += 1
            fresh.append(Told(session: session, item: item))
            judge(Told(session: session, item: item), entry)
            toldOnce.insert(Told(session: session, item: item))
            judgeLateness(item, entry)
        }
        events[session, default: []].append(event)
        current = session
        switch event.payload {
        case .reminderDropped:
            verdict.dropped += 1
            isBehind = true
        case .reminderFired, .reminderDelivered, .reminderAcknowledged: isBehind = true
        default:
            disturbed = entry.at
            fold()
        }
    }

    private mutating func fold() {
        night = current.flatMap { Session(events: events[$0] ?? []) }
        isBehind = false
    }

    /// A reminder is being told: is it true?
    private mutating func judge(_ told: Told, _ entry: Timeline.Entry) {
        guard !complained.contains(told) else { return }
        let fault: NightVerdict.Fault?
        let isAhead = !toldOnce.contains(told) && lateness(told.item, entry.clock) < .zero
        let night = night.flatMap { $0.id == told.session ? $0 : nil }
        if !told.item.id.isOfWindow {
            // Not of the window: it goes by the wall clock, and by whether the night still awaits a check-in.
            fault = night?.awaitsCheckIn != true ? .afterResolved : entry.clock.wall < told.item.due ? .early : nil
        } else if let night, night.isOpen, night.hasUnresolvedWindow, let (least, most) = elapsed(entry.clock) {
            if told.item.id == .windowClosed {
                fault = most < DoseWindow.closes ? .early : nil
            } else if most >= DoseWindow.closes {
                fault = .afterClose
            } else {
                fault = least < DoseWindow.opens || isAhead ? .early : nil
            }
        } else {
            fault = .afterResolved
        }
        guard let fault else { return }
        complained.insert(told)
        verdict.complain(fault, "\(told.item.id.rawValue) \(when(entry))")
    }

    private mutating func judgeLateness(_ item: ReminderPlan.Item, _ entry: Timeline.Entry) {
        guard lateness(item, entry.clock) > .seconds(1), entry.at - disturbed > .seconds(1) else { return }
        verdict.complain(.late, "\(item.id.rawValue) \(when(entry))")
    }

    /// Everything that follows from this moment has happened: is everything told that is due?
    mutating func settle(clock: ClockReading, at: Instant, dead: Set<SimulatedChannel>) {
        defer { fresh = [] }
        if isBehind { fold() }
        for told in fresh {
            for channel in SimulatedChannel.allCases where !dead.contains(channel) {
                guard !reached.contains(Reached(channel: channel, told: told)) else { continue }
                verdict.complain(.missed, "\(told.item.id.rawValue) did not reach \(channel.rawValue) at \(at.iso8601)")
            }
        }
        guard let night, night.isOpen, night.hasUnresolvedWindow, let dose1 = night.dose1 else { return }
        let facts = night.reminderFacts
        for item in night.reminders where lateness(item, clock) >= .zero && !facts.contains(where: { $0.item == item })
        {
            guard missed.insert(Told(session: night.id, item: item)).inserted else { continue }
            verdict.complain(.missed, "\(item.id.rawValue) at \(at.iso8601)")
        }
        guard let (least, most) = elapsed(clock), least >= night.alarm, least >= DoseWindow.opens,
            most < DoseWindow.closes
        else { return }
        let alarm = ReminderPlan.Item(id: .alarm, due: dose1.at + night.alarm)
        // After the window closed a clock set back and a new boot may open it again by the wall clock: what was dropped
        // then stays dropped.
        let rang = facts.contains { fact in
            fact.dropped == nil && fact.item.id.urgency == .critical && fact.item.due >= alarm.due
                || fact.item == alarm && fact.dropped == .windowOver
        }
        if !rang, missed.insert(Told(session: night.id, item: alarm)).inserted {
            verdict.complain(.missed, "no alarm at \(at.iso8601)")
        }
    }

    /// Time since dose 1 by the clock that says less, and by the one that says more.
    private func elapsed(_ clock: ClockReading) -> (least: Duration, most: Duration)? {
        guard let dose1 = night?.dose1 else { return nil }
        let wall = clock.wall - dose1.at
        guard dose1.event.bootID == clock.bootID else { return (wall, wall) }
        let boot =
            .microseconds(clock.bootMicroseconds - dose1.event.bootMicroseconds) + (dose1.event.occurredAt - dose1.at)
        return (min(wall, boot), max(wall, boot))
    }

    /// How long ago a reminder came due: what says that the window is open waits for both clocks, what says that it
    /// closes goes by the first.
    private func lateness(_ item: ReminderPlan.Item, _ clock: ClockReading) -> Duration {
        guard let dose1 = night?.dose1, let (least, most) = elapsed(clock) else { return .zero }
        let offset = item.due - dose1.at
        return switch item.id {
        case .windowOpen, .preAlarm, .alarm, .followup1, .followup2, .followup3, .alarmRepeat: least - offset
        case .closing15, .closing5, .windowClosed: most - offset
        case .checkIn: clock.wall - item.due
        }
    }

    private func when(_ entry: Timeline.Entry) -> String {
        guard let (least, _) = elapsed(entry.clock) else { return "at \(entry.at.iso8601)" }
        return "\(LocalTimeFormat.interval(least)) after dose 1, at \(entry.at.iso8601)"
    }
}
