public import DoseTapDomain
internal import Logging

/// Boundaries, reminders, and the one timer for the next of them.
extension Engine {
    /// Handles what is due. Called by the timer, after a resume and after a step of the clock.
    ///
    /// A reminder waits for the store for ``timeout`` at most; then it goes out from the plan in memory, and is
    /// recorded as soon as the store answers.
    ///
    /// - Parameter clock: the clocks as the timer fired; read anew after waiting in the queue.
    public func deadlineReached(at clock: ClockReading? = nil) async {
        guard !isStopping else { return }
        if let waitsSince { return await remindMeanwhile(waitsSince) }
        let isAtOnce = !commandQueue.isTaken && !mustReopen
        if !isAtOnce {
            waitsSince = parts.systemEnvironment.clock().counterMicroseconds
            await rearm()
        }
        await waitForTurn()
        defer { leave() }
        guard !isStopping else { return waitsSince = nil }
        if mustReopen { await reload() }
        waitsSince = nil
        if fault == Self.silence, unsafeEvents.isEmpty {
            fault = nil
            notify(.change(.recovered(0)))
        }
        let context = context(isAtOnce ? clock : nil)
        var events = CommandHandler.settle(logState, context, ids: &ids)
        let settled = logState.appending(events)
        if let before = logState.open, parts.deliversReminders {
            let missed = DueReminders(missedBy: before, after: settled.session(before.id), context)
            events += before.recording(missed, context, newest: settled.newest, ids: &ids)
        }
        let (due, facts) = due(settled, context)
        events += facts
        // The events are applied, and the timer is armed for the next ones, before the store is asked: a flush that
        // hangs delays no reminder.
        hold(events)
        // A reminder is delivered first and recorded second: a crash in between repeats the delivery, but never loses it.
        for item in due { await parts.host.deliver(reminder: item) }
        noteOverdue(handled: context)
        await rearm()
        if !due.isEmpty { await Task.yield() }
        try? await commit(events, ownFacts: true)
        notify(.phase)
    }

    /// The time that a due reminder waits for the store.
    static let timeout: Duration = .milliseconds(250)
    /// The fault after the timeout.
    private static let silence = StoreError(
        code: .unavailable, context: "the disk does not answer, and reminders go on from memory")

    /// Delivers a due reminder from memory if it has waited too long for the store. The waiting call records the
    /// reminder.
    private func remindMeanwhile(_ since: Int64) async {
        // An answer of the store that has arrived comes first: no reminder goes out after the commit that resolved it.
        await Task.yield()
        let context = context()
        guard waitsSince == since, context.clock.counterMicroseconds >= since + Self.timeoutMicroseconds else {
            return await rearm()
        }
        // Changes made by time are recorded in their turn; here they only decide what is due.
        let settled = logState.appending(CommandHandler.settle(logState, context, ids: &ids))
        let (due, facts) = due(settled, context)
        hold(facts)
        deliverAtOnce(due)
        noteSilence(facts)
        noteOverdue(handled: context)
        notify(.phase)
    }

    /// Notes that the store has not answered; reminders delivered meanwhile are in memory only.
    func noteSilence(_ told: [Event]) {
        if fault == nil { parts.logger.error("the store does not answer", metadata: ["error": "\(Self.silence)"]) }
        let error = fault ?? Self.silence
        if fault == nil || !told.isEmpty { notify(unsafe: told, error) }
        fault = error
    }

    private static var timeoutMicroseconds: Int64 { timeout.wholeMilliseconds * 1_000 }

    /// Returns the reminders to deliver now, and the events about everything that is due.
    private func due(_ logState: LogState, _ context: DecisionContext) -> (tell: [DueReminder], facts: [Event]) {
        guard let session = logState.open, parts.deliversReminders else { return ([], []) }
        let due = DueReminders(session: session, in: logState, context)
        let tell = due.fire.map {
            DueReminder($0, of: session, fired: context.now, now: context.clock)
        }
        let newest = [logState.newest, newestInFlight].compactMap(\.self).max()
        return (tell, session.recording(due, context, newest: newest, ids: &ids))
    }

    /// Delivers without suspension, so that no dose is committed in between. The host is on the engine's own executor.
    private func deliverAtOnce(_ due: [DueReminder]) {
        parts.host.assumeIsolated { host in for item in due { host.deliver(reminder: item) } }
    }

    /// Notes a deadline that is still due after it was handled, a fault of the engine: it is tried again after a second,
    /// not at once. A deadline that was not handled yet stays due now, however often the timer is armed in between.
    private func noteOverdue(handled: DecisionContext) {
        let next = CommandHandler.nextDue(logState, handled, deliversReminders: parts.deliversReminders)
        guard next.isDue(handled.now) else { return overdue = nil }
        overdue = parts.systemEnvironment.clock().counterMicroseconds + 1_000_000
    }

    /// Changes the rules; for the open night an event records it.
    public func update(rules: NightRules) async {
        await waitForTurn()
        defer { leave() }
        guard rules != self.rules, !isStopping else { return }
        self.rules = rules
        // A regimen, if there is one, decides whether a night has one dose. A night with dose 1 keeps its number of
        // doses.
        if let open = logState.open, case let rules = logState.rules(rules, for: open), open.rules != rules {
            let event = CommandHandler.fact(
                .settingChanged(SettingChanged(rules: rules)), .setting, session: open.id, newest: logState.newest,
                context(), ids: &ids)
            await record([event])
        }
        notify(.phase)
    }

    /// Changes the types of sleep events: a preference, no event; recorded entries keep their word.
    public func update(sleepEvents: SleepEventCatalogue) { self.sleepEvents = sleepEvents }

    /// Changes which sources of recorded sleep are preferred: a preference, no event.
    public func update(sleepOrder: [String]) { self.sleepOrder = sleepOrder }

    /// Takes note of the stage of sleep that a program reports. It is recorded nowhere and moves no reminder.
    public func report(_ stage: IntervalRecommendation.Stage) -> LiveStage.Report {
        let now = parts.systemEnvironment.clock()
        let live = LiveStage(stage, now)
        liveStage = live
        return live.report(at: now)
    }

    /// Changes the person's own medicines; recorded entries keep their id.
    public func update(medications: MedicationCatalogue) { medicationCatalogue = medications }

    /// Returns true if an event was in the log when the service started.
    func isOld(_ sequence: Int64) -> Bool { sequence <= firstSequence }

    /// Returns the time since an event was recorded, whatever changed the wall clock since.
    func age(of event: Event) -> Duration { parts.systemEnvironment.clock().elapsed(since: event) }

    func rearm() async {
        guard !isStopping else { return }
        let context = context()
        let clock = context.clock
        var next = CommandHandler.nextDue(logState, context, deliversReminders: parts.deliversReminders)
        if let overdue, next.isDue(clock.wall) {
            let left = Duration.microseconds(overdue - clock.counterMicroseconds)
            if left > .zero { next = NextDue(counted: left) }
        }
        if fault != nil || mustReopen { next = next.earlier(NextDue(counted: Self.retryAfter)) }
        if let waitsSince {
            // A due reminder waits in the queue: the timer fires when the wait has taken too long, not before.
            let left = Duration.microseconds(waitsSince + Self.timeoutMicroseconds - clock.counterMicroseconds)
            if left > .zero {
                next = NextDue(
                    counted: next.counted.map { max($0, left) }, wall: next.wall.map { max($0, clock.wall + left) })
            }
        }
        do {
            if next.isEmpty { await parts.timer.disarm() } else { try await parts.timer.arm(next, clock) }
            if timerFault != nil { notify(.change(.timer(nil))) }
            timerFault = nil
        } catch {
            if timerFault == nil { notify(.change(.timer("\(error)"))) }
            timerFault = "\(error)"
        }
    }
}

/// Records what happens to reminders. These are facts about the service, not a person's actions.
extension Engine {
    /// A reminder that reached a channel, until a commit takes it along.
    struct Delivery {
        let due: DueReminder
        let channel: ReminderChannel
        let at: Instant
        /// By the counter.
        let lateness: Duration
    }

    /// Most deliveries that wait for a commit; further ones are not recorded.
    private static let deliveryBound = 64

    /// Takes note that a reminder reached a channel. The delivery is recorded with the next commit, or on its own, after
    /// the replies to all callers that wait.
    func delivered(_ due: DueReminder, by channel: ReminderChannel) {
        guard deliveries.count < Self.deliveryBound, !isStopping else { return }
        let now = parts.systemEnvironment.clock()
        let arrived = logState.session(due.session).map { DueReminder(due.item, of: $0, fired: now.wall, now: now) }
        deliveries.append(
            Delivery(due: due, channel: channel, at: now.wall, lateness: (arrived ?? due).lateness))
        guard !isRecordingDeliveries else { return }
        isRecordingDeliveries = true
        Task {
            await waitForTurn()
            isRecordingDeliveries = false
            try? await commit([])
            leave()
        }
    }

    /// Returns the events of deliveries that are not recorded yet, to follow others.
    func deliveryEvents(after events: [Event]) -> [Event] {
        guard !deliveries.isEmpty else { return [] }
        let context = context()
        let known = logState.appending(events)
        var newest = known.newest
        var seen: Set<ReminderDelivered> = []
        return deliveries.compactMap { delivery in
            let item = delivery.due.item
            guard let session = known.session(delivery.due.session),
                session.reminderFacts.contains(where: { $0.item == item && $0.dropped == nil }),
                !session.isDelivered(item, by: delivery.channel),
                seen.insert(.init(reminder: item.id, due: item.due, channel: delivery.channel, lateMilliseconds: 0))
                    .inserted
            else { return nil }
            let payload = ReminderDelivered(
                reminder: item.id, due: item.due, channel: delivery.channel,
                lateMilliseconds: delivery.lateness.wholeMilliseconds)
            let event = CommandHandler.fact(
                .reminderDelivered(payload), .reminder, session: session.id, at: delivery.at, newest: newest,
                context, ids: &ids)
            newest = event.occurredAt
            return event
        }
    }

    /// Returns true if a reminder is still true now.
    func isActive(_ due: DueReminder) -> Bool {
        guard let session = logState.session(due.session) else { return false }
        let context = context()
        return session.isActive(due.item, now: context.clock, in: context.zone(of: session))
    }

    /// The answer to `Acknowledge`.
    public struct Acknowledged: Sendable {
        public let reminder: ReminderRecord
        /// True if dose 2 is still open: the reminders go on.
        public let goesOn: Bool
    }

    /// Returns the reminders of the open night, or else of the last one, in order of time.
    public func reminders() -> [ReminderRecord] {
        guard let night = logState.open ?? logState.latest else { return [] }
        return records(night).filter { parts.deliversReminders || $0.state != .planned }
    }

    private func records(_ night: Session) -> [ReminderRecord] {
        let context = context()
        return night.reminderRecords(now: context.clock, in: context.zone(of: night))
    }

    /// Records that a person has seen the last reminder with an id, and ends no reminder. A logged dose, a skip or a
    /// snooze ends the reminders of a window, the check-in ends its own.
    ///
    /// - Throws: ``EngineFailure``; `notFound` when none with that id was delivered in the open night, `nothingToDo`
    ///   when it was answered.
    public func acknowledge(_ word: String) async throws(EngineFailure) -> Acknowledged {
        guard let id = ReminderID(rawValue: word) else {
            let near = Suggestions.to(String(word.prefix(64)), in: ReminderID.allCases.map(\.rawValue))
            throw .command(.unknown(UnknownWord(what: sent("reminder"), word: String(word.prefix(64)), nearest: near)))
        }
        try await enter()
        defer { leave() }
        let told = logState.open?.reminderFacts.last { $0.item.id == id && $0.dropped == nil }
        guard let night = logState.open, let told else { throw .command(.notFound(id.rawValue)) }
        if let answer = night.answer(to: told) {
            throw .command(.nothingToDo(sent("that reminder was answered: \(answer.by.rawValue)")))
        }
        if !night.isSeen(told) {
            let seen = ReminderAcknowledged(reminder: id, due: told.item.due, by: .seen, action: nil)
            let event = CommandHandler.fact(
                .reminderAcknowledged(seen), .reminder, session: night.id, newest: logState.newest, context(),
                ids: &ids)
            try await commit([event])
        }
        let records = logState.session(night.id).map(records) ?? []
        guard let record = records.last(where: { $0.id == id && $0.firedAt == told.at }) else {
            throw .command(.notFound(id.rawValue))
        }
        return Acknowledged(reminder: record, goesOn: night.hasUnresolvedWindow)
    }
}
