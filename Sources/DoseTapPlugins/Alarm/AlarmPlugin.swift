package import DoseTapDomain
package import DoseTapEngine
internal import SDBus

/// Makes an unanswered alarm heard: by a tone that gets louder, a voice, programs of the person's own, and at last
/// another person.
///
/// The steps follow from the night and its facts, and are worked out anew after every event. The ladder therefore ends
/// with any answer to the alarm, and goes on after an undo and after a restart. Nobody waits for a program.
package actor AlarmPlugin: RosterPlugin {
    /// As shown by `dosetap plugins`.
    package static nonisolated let manifest = PluginManifest(
        id: "alarm", summary: sent("rings, speaks and calls for help when an alarm is not answered"),
        capabilities: [.reads, .notifies, .reminders], channels: EscalationStep.allCases.map(\.rawValue),
        settings: AlarmPreferences.rows)

    /// The progress of one alarm up the ladder. It goes by the time since boot: setting the clock neither silences nor
    /// hastens the alarm.
    struct Escalation: Sendable {
        let session: SessionID
        /// The due time of the alarm, which tells one alarm from another.
        let alarm: Instant
        /// The due time as this escalation counts it.
        let dueAt: Instant
        /// Both clocks at the beginning of the escalation.
        let origin: (wall: Instant, counterMicroseconds: Int64)
        /// The reminder that is active now.
        var due: DueReminder
        var taken: Set<EscalationStep> = []
        var failed: Set<EscalationStep> = []
        /// The instant from which rungs are spaced, because some were missed.
        var since: Instant?
        var rings = 0
        var nextRing: Instant = .min
        /// The reminder that was spoken last.
        var spoken: ReminderPlan.Item?
        /// The instants when failed rungs are tried again, and the numbers of their failures.
        var again: [EscalationStep: Instant] = [:]
        var attempts: [EscalationStep: Int] = [:]

        /// Returns the moment as this escalation counts it.
        func now(_ counterMicroseconds: Int64) -> Instant {
            origin.wall + .microseconds(counterMicroseconds - origin.counterMicroseconds)
        }
    }

    /// The time from the start of one ring to the start of the next.
    static let ringEvery: Duration = .seconds(8)
    /// The time that the tone waits for a voice that was never heard.
    static let unprovenVoice: Duration = .seconds(4)
    /// The pause before a failed rung is tried again. It doubles with each failure, up to eight times; the tone's stays the
    /// same.
    static let tryAgain: Duration = .seconds(60)

    package nonisolated let environment: PluginEnvironment
    let hooks: HookRunner
    let voices: AlarmVoices
    var escalation: Escalation?
    /// The running programs of the tone and the voice.
    var playing: [EscalationStep: ProgramRun] = [:]
    /// The program of each rung that could be heard last. It is tried first, for others would fail first each time.
    var heard: [EscalationStep: String] = [:]
    /// The rungs that do not work; each is reported once.
    var complained: Set<EscalationStep> = []
    /// The reason why the tone was not heard the last time, a test included; nil if it was heard.
    var soundFailure: String?
    private var notified: DueReminder?
    /// True once a session was reached or a reminder was due: this service then serves more than a single caller.
    private var isOn = false
    private var isStale = false
    private var isSettling = false
    private var isStopping = false

    package init(environment: PluginEnvironment) {
        self.environment = environment
        // The alarm has its own runner: hanging hooks of an event must not hold up the alarm's hooks.
        hooks = HookRunner(environment)
        voices = AlarmVoices(environment.programs)
        environment.desktop.follow { [weak self] session in
            guard session != nil else { return }
            self?.assumeIsolated { $0.reached() }
        }
    }

    private func reached() {
        isOn = true
        Task { await self.settle() }
    }

    /// The preferences by the settings in force.
    var preferences: AlarmPreferences { AlarmPreferences(settings.values) }

    /// True if a wanted rung has hooks that an alarm would run now.
    var callsPrograms: Bool {
        get async {
            let rungs = [(EscalationStep.hook, "alarm"), (.partner, "partner")].filter {
                AlarmPreferences.wants($0.0, settings)
            }
            return await hooks.hasAny(rungs.map(\.1))
        }
    }

    // MARK: From the host

    /// Brings the ladder up to date after an event.
    package func receive(_ event: StoredEvent) async throws {
        if await engine.isLastAtHand(event) { await settle() }
    }

    package func reminderDue(_ due: DueReminder) async throws {
        isOn = true
        if due.item.due >= notified?.item.due ?? .min || due.session != notified?.session { notified = due }
        // A reminder that is told again, after it was told before its time, is spoken once more.
        if escalation?.session == due.session, escalation?.spoken == due.item { escalation?.spoken = nil }
        await settle()
    }

    /// A clock that was set may close the window, and open it again.
    package func phaseChanged() async { await settle() }

    /// Takes the next ring or rung.
    package func woken() async throws { await settle() }

    /// The alarm was switched on or off. An alarm that is off is silent.
    package func switched(on: Bool) async { await settle() }

    /// Ends the alarm: an alarm that nobody can end would be worse than none.
    package func stop() async {
        isStopping = true
        escalation = nil
        await silence()
        await hooks.stop()
    }

    // MARK: The ladder

    /// Brings the ladder to the present state of the night.
    func settle() async {
        isStale = true
        guard isOn, !isSettling else { return }
        isSettling = true
        while isStale, !isStopping {
            isStale = false
            guard let view = await engine.view(notified: notified) else { break }
            guard view.isEnabled, let due = view.active, due.item.id.urgency == .critical else {
                if escalation != nil {
                    escalation = nil
                    await engine.wake(after: nil)
                    await hooks.end()
                }
                await silence()
                continue
            }
            await advance(due, view)
        }
        isSettling = false
    }

    private func advance(_ due: DueReminder, _ view: NightView) async {
        let alarm = min(view.plannedAlarm ?? due.item.due, due.item.due)
        if escalation?.session != due.session || escalation?.alarm != alarm {
            let isAnother = escalation != nil
            escalation = Escalation(
                session: due.session, alarm: alarm,
                // An active reminder is due: no clock makes it wait.
                dueAt: view.status.at - max(.zero, view.alarmAge ?? view.status.at - alarm),
                origin: (view.status.at, view.counterMicroseconds), due: due)
            if isAnother { await hooks.end() }
            await silence()
        }
        escalation?.due = due
        // A rung on record was taken before, perhaps by an earlier process.
        let onRecord = Set(view.alarmChannels.compactMap { EscalationStep(rawValue: $0.text) })
        let worked = onRecord.subtracting(escalation?.failed ?? [])
        escalation?.taken.formUnion(worked)
        let ladder = preferences.ladder
        guard let escalation else { return }
        let now = escalation.now(view.counterMicroseconds)
        let step = ladder.step(
            alarm: escalation.dueAt, taken: escalation.taken, failed: escalation.failed, since: escalation.since,
            closes: now + (due.windowCloses - view.status.at), now: now)
        self.escalation?.since = step.since
        for rung in step.take { take(rung) }
        for (rung, at) in escalation.again where at <= now && ladder.delays[rung] != nil { retry(rung) }
        repeatVoices(ladder, now)
        await engine.wake(after: nextStep(ladder, step.next).map { $0 - now })
    }

    /// Returns the instant of the next step. A tone that can be heard rings again once it has ended, not before.
    private func nextStep(_ ladder: AlarmLadder, _ next: Instant?) -> Instant? {
        guard let escalation else { return nil }
        let rings = ladder.delays[.sound] != nil && escalation.nextRing != .min && playing[.sound] == nil
        let again = escalation.again.filter { ladder.delays[$0.key] != nil }.values.min()
        return [next, rings ? escalation.nextRing : nil, again].compactMap(\.self).min()
    }

    /// Ends the tone and the voice at once.
    private func silence() async {
        let runs = playing.values
        playing = [:]
        for run in runs { await run.stop() }
    }
}
