public import DoseTapDomain
internal import Logging

/// What time brings: boundaries, reminders, and the one timer for the next of them.
extension Engine {
    /// What the timer calls; also after a resume and a step of the clock.
    ///
    /// A reminder waits for the store for ``patience`` at most; then it is told by what is in memory, and recorded as soon
    /// as the store answers.
    ///
    /// - Parameter clock: the clocks as the timer fired; read anew where others have to be waited for.
    public func deadlineReached(at clock: ClockReading? = nil) async {
        guard !isStopping else { return }
        if let waitsSince { return await remindMeanwhile(waitsSince) }
        let isAtOnce = !turnstile.isTaken && !mustReopen
        if !isAtOnce {
            waitsSince = parts.surroundings.clock().counterMicroseconds
            await rearm()
        }
        await waitForTurn()
        defer { leave() }
        if mustReopen { await reload() }
        waitsSince = nil
        if fault == Self.silence, unsafeEvents.isEmpty {
            fault = nil
            tell(.change(.recovered(0)))
        }
        let circumstances = circumstances(isAtOnce ? clock : nil)
        var events = Rulebook.settle(diary, circumstances, ids: &ids)
        let settled = diary.appending(events)
        if let before = diary.open, parts.tellsReminders {
            let missed = DueReminders(missedBy: before, after: settled.session(before.id), circumstances)
            events += before.recording(missed, circumstances, newest: settled.newest, ids: &ids)
        }
        let (due, facts) = due(settled, circumstances)
        events += facts
        // It holds, and the timer waits for the next one, before the store is asked: a flush that hangs keeps none back.
        hold(events)
        // Told first, recorded second: after a crash in between it is told again, never not at all.
        for item in due { await parts.host.tell(item) }
        noteOverdue(handled: circumstances)
        await rearm()
        if !due.isEmpty { await Task.yield() }
        try? await commit(events, ownFacts: true)
        tell(.phase)
    }

    /// How long a reminder that is due waits for the store.
    static let patience: Duration = .milliseconds(250)
    /// What is at fault when that was not enough.
    private static let silence = StoreError(
        code: .unavailable, context: "the disk does not answer, and reminders go on from memory")

    /// What is due waits for the store already: when that takes too long it is told by what is in memory. Who waits records
    /// it.
    private func remindMeanwhile(_ since: Int64) async {
        // What the store has answered by now comes first: nothing is told after the commit that resolved it.
        await Task.yield()
        let circumstances = circumstances()
        guard waitsSince == since, circumstances.clock.counterMicroseconds >= since + Self.patienceMicroseconds else {
            return await rearm()
        }
        // What time has settled is recorded in its turn; here it only says what holds.
        let settled = diary.appending(Rulebook.settle(diary, circumstances, ids: &ids))
        let (due, facts) = due(settled, circumstances)
        hold(facts)
        tellAtOnce(due)
        noteSilence(facts)
        noteOverdue(handled: circumstances)
        tell(.phase)
    }

    /// The store has not answered; what is told meanwhile is in memory only.
    func noteSilence(_ told: [Event]) {
        if fault == nil { parts.logger.error("the store does not answer", metadata: ["error": "\(Self.silence)"]) }
        let error = fault ?? Self.silence
        if fault == nil || !told.isEmpty { tell(unsafe: told, error) }
        fault = error
    }

    private static var patienceMicroseconds: Int64 { patience.wholeMilliseconds * 1_000 }

    /// What is to be told now, and the events that say what became of everything that is due.
    private func due(_ diary: Diary, _ circumstances: Circumstances) -> (tell: [Deadline], facts: [Event]) {
        guard let session = diary.open, parts.tellsReminders else { return ([], []) }
        let due = DueReminders(session: session, circumstances)
        let tell = due.fire.map {
            Deadline($0, of: session, fired: circumstances.now, now: circumstances.clock)
        }
        let newest = [diary.newest, newestInFlight].compactMap(\.self).max()
        return (tell, session.recording(due, circumstances, newest: newest, ids: &ids))
    }

    /// Without a pause in which a dose may be committed. The host is on the engine's own executor.
    private func tellAtOnce(_ due: [Deadline]) {
        parts.host.assumeIsolated { host in for item in due { host.tell(item) } }
    }

    /// What stays due after it was handled is a fault of ours: it may cost a second, never the whole machine. What
    /// was not handled yet is no fault: it stays due now, however often the timer is armed in between.
    private func noteOverdue(handled: Circumstances) {
        let next = Rulebook.nextDue(diary, handled, tellsReminders: parts.tellsReminders)
        guard next.isDue(handled.now) else { return overdue = nil }
        overdue = parts.surroundings.clock().counterMicroseconds + 1_000_000
    }

    /// The rules changed: for the open night that is an event of its own.
    public func update(rules: NightRules) async {
        await waitForTurn()
        defer { leave() }
        guard rules != self.rules, !isStopping else { return }
        self.rules = rules
        // Whether a night has one dose is the regimen's to say, where there is one.
        // One that was begun with dose 1 keeps its number of doses.
        if let open = diary.open, case let rules = diary.rules(rules, for: open), open.rules != rules {
            let event = Rulebook.fact(
                .settingChanged(SettingChanged(rules: rules)), .setting, session: open.id, newest: diary.newest,
                circumstances(), ids: &ids)
            await record([event])
        }
        tell(.phase)
    }

    /// The types of sleep events changed: a preference, no event; what is recorded keeps its word.
    public func update(sleepEvents: SleepEventCatalogue) { self.sleepEvents = sleepEvents }

    /// The medicines of the person's own changed; what is recorded keeps its id.
    public func update(medications: MedicationCatalogue) { medicationCatalogue = medications }

    func rearm() async {
        guard !isStopping else { return }
        let circumstances = circumstances()
        let clock = circumstances.clock
        var next = Rulebook.nextDue(diary, circumstances, tellsReminders: parts.tellsReminders)
        if let overdue, next.isDue(clock.wall) {
            let left = Duration.microseconds(overdue - clock.counterMicroseconds)
            if left > .zero { next = NextDue(counted: left) }
        }
        if fault != nil || mustReopen { next = next.earlier(NextDue(counted: Self.retryAfter)) }
        if let waitsSince {
            // What is due is in line: looked at again when that has taken too long, not before.
            let left = Duration.microseconds(waitsSince + Self.patienceMicroseconds - clock.counterMicroseconds)
            if left > .zero {
                next = NextDue(
                    counted: next.counted.map { max($0, left) }, wall: next.wall.map { max($0, clock.wall + left) })
            }
        }
        do {
            if next.isEmpty { await parts.timer.disarm() } else { try await parts.timer.arm(next, clock) }
            if timerFault != nil { tell(.change(.timer(nil))) }
            timerFault = nil
        } catch {
            if timerFault == nil { tell(.change(.timer("\(error)"))) }
            timerFault = "\(error)"
        }
    }
}
