public import DoseTapDomain

/// What time brings: boundaries, reminders, and the one timer for the next of them.
extension Engine {
    /// What the timer calls; also after a resume and a step of the clock.
    ///
    /// - Parameter clock: the clocks as the timer fired; read anew where others have to be waited for.
    public func deadlineReached(at clock: ClockReading? = nil) async {
        guard !isStopping else { return }
        let isAtOnce = !turnstile.isTaken && !mustReopen
        await waitForTurn()
        defer { leave() }
        if mustReopen { await reload() }
        let circumstances = circumstances(isAtOnce ? clock : nil)
        var events = Rulebook.settle(diary, circumstances, ids: &ids)
        let settled = diary.appending(events)
        if let before = diary.open, parts.tellsReminders {
            let missed = DueReminders(missedBy: before, after: settled.session(before.id), circumstances)
            events += before.recording(missed, circumstances, newest: settled.newest, ids: &ids)
        }
        if let session = settled.open, parts.tellsReminders {
            let due = DueReminders(session: session, circumstances)
            for item in due.fire {
                await parts.host.tell(
                    Deadline(item, of: session, fired: circumstances.now, now: circumstances.clock))
            }
            // Told first, recorded second: after a crash in between it is told again, never not at all.
            if !due.fire.isEmpty { await Task.yield() }
            events += session.recording(due, circumstances, newest: settled.newest, ids: &ids)
        }
        try? await commit(events, ownFacts: true)
        noteOverdue(handled: circumstances)
        tell(.phase)
    }

    /// What stays due after it was handled is a fault of ours: it may cost a second, never the whole machine. What
    /// was not handled yet is no fault: it stays due now, however often the timer is armed in between.
    private func noteOverdue(handled: Circumstances) {
        let next = Rulebook.nextDeadline(diary, handled, tellsReminders: parts.tellsReminders)
        guard let next, next <= handled.now else { return overdue = nil }
        overdue = (next, parts.surroundings.clock().wall + .seconds(1))
    }

    /// The rules changed: for the open night that is an event of its own.
    public func update(rules: NightRules) async {
        await waitForTurn()
        defer { leave() }
        guard rules != self.rules, !isStopping else { return }
        self.rules = rules
        // Whether a night has one dose is the regimen's to say, where there is one.
        if let open = diary.open, case let rules = diary.rules(rules, on: open.date), open.rules != rules {
            let event = Rulebook.fact(
                .settingChanged(SettingChanged(rules: rules)), .setting, session: open.id, newest: diary.newest,
                circumstances(), ids: &ids)
            try? await commit([event], ownFacts: true)
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
        var next = Rulebook.nextDeadline(diary, circumstances, tellsReminders: parts.tellsReminders)
        if let overdue, next == overdue.due { next = overdue.again }
        if !unsafeEvents.isEmpty || mustReopen {
            let retry = parts.surroundings.clock().wall + Self.retryAfter
            next = min(next ?? retry, retry)
        }
        if let next { await parts.timer.arm(at: next) } else { await parts.timer.disarm() }
    }
}
