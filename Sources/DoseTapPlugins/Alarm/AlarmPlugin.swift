package import DoseTapDomain
package import DoseTapEngine
internal import SDBus

/// Makes an alarm heard that nobody answers: a tone that gets louder, a voice, programs of the person's own, and at last
/// somebody else.
///
/// What is to be done follows from the night and its facts, and is worked out anew whenever something happens; so it ends
/// with whatever answers the alarm, goes on after an undo, and after a restart too. Nobody waits for a program.
package actor AlarmPlugin: RosterPlugin {
    /// As shown by `dosetap plugins`.
    package static nonisolated let manifest = PluginManifest(
        id: "alarm", summary: sent("rings, speaks and calls for help when an alarm is not answered"),
        capabilities: [.reads, .notifies, .deadlines], channels: EscalationStep.allCases.map(\.rawValue),
        settings: AlarmPreferences.rows)

    /// How far up the ladder one alarm got. It goes by the time since boot: setting the clock neither silences nor hastens
    /// it.
    struct Escalation: Sendable {
        let session: SessionID
        /// When the alarm was due, by which one alarm is known from another.
        let alarm: Instant
        /// When that was as this escalation counts.
        let dueAt: Instant
        /// Both clocks as it began.
        let origin: (wall: Instant, counterMicroseconds: Int64)
        /// The reminder that stands.
        var due: DueReminder
        var taken: Set<EscalationStep> = []
        var failed: Set<EscalationStep> = []
        /// From when rungs are spaced, because some were missed.
        var since: Instant?
        var rings = 0
        var nextRing: Instant = .min
        /// The reminder that was spoken last.
        var spoken: ReminderPlan.Item?
        /// When what did not work is tried again, and how often it was tried.
        var again: [EscalationStep: Instant] = [:]
        var attempts: [EscalationStep: Int] = [:]

        /// The moment as this escalation counts it.
        func now(_ counterMicroseconds: Int64) -> Instant {
            origin.wall + .microseconds(counterMicroseconds - origin.counterMicroseconds)
        }
    }

    /// From the start of one ring to the next.
    static let ringEvery: Duration = .seconds(8)
    /// How long the tone waits for a voice that was never heard.
    static let unprovenVoice: Duration = .seconds(4)
    /// How long what does not work is left alone; but for the tone twice as long each time, up to eight times.
    static let tryAgain: Duration = .seconds(60)

    package nonisolated let environment: PluginEnvironment
    let hooks: HookRunner
    let voices: AlarmVoices
    var escalation: Escalation?
    /// The tone and the voice, while they can be heard.
    var voice: [EscalationStep: ProgramRun] = [:]
    /// The program of each that could be heard last: others would fail first, each time anew.
    var heard: [EscalationStep: String] = [:]
    /// What does not work, said once.
    var complained: Set<EscalationStep> = []
    /// Why the tone was not heard the last time, a test included; nil when it was.
    var soundFailure: String?
    private var notified: DueReminder?
    /// Whether this service serves a desktop or a machine, and not a single caller.
    private var isOn = false
    private var isStale = false
    private var isSettling = false
    private var isStopping = false

    package init(environment: PluginEnvironment) {
        self.environment = environment
        // Not that of other hooks: an event's that hang must not hold up the alarm's.
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

    /// What is wanted of the ladder now.
    var preferences: AlarmPreferences { AlarmPreferences(settings.values) }

    /// Whether an alarm runs programs of the person's own.
    var callsPrograms: Bool {
        get async {
            let rungs = [(EscalationStep.hook, "alarm"), (.partner, "partner")].filter {
                AlarmPreferences.wants($0.0, settings)
            }
            return await hooks.hasAny(rungs.map(\.1))
        }
    }

    // MARK: From the host

    /// Something happened: the ladder follows.
    package func receive(_ event: StoredEvent) async throws {
        if await engine.isLastAtHand(event) { await settle() }
    }

    package func reminderDue(_ due: DueReminder) async throws {
        isOn = true
        if due.item.due >= notified?.item.due ?? .min || due.session != notified?.session { notified = due }
        // Told once more, after it was told before its time, it is spoken once more.
        if escalation?.session == due.session, escalation?.spoken == due.item { escalation?.spoken = nil }
        await settle()
    }

    /// A clock that was set may close the window, and open it again.
    package func phaseChanged() async { await settle() }

    /// The next ring or rung.
    package func woken() async throws { await settle() }

    /// It was switched on or off; off, it is silent.
    package func switched(on: Bool) async { await settle() }

    /// An alarm nobody can end would be worse than none.
    package func stop() async {
        isStopping = true
        escalation = nil
        await silence()
        await hooks.stop()
    }

    // MARK: The ladder

    /// Brings the ladder to what the night is now.
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
                // What stands is due: no clock makes it wait.
                dueAt: view.status.at - max(.zero, view.alarmAge ?? view.status.at - alarm),
                origin: (view.status.at, view.counterMicroseconds), due: due)
            if isAnother { await hooks.end() }
            await silence()
        }
        escalation?.due = due
        // What is on record was taken before, perhaps by a service that is no more.
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

    /// When there is something to do next. A tone that can be heard rings again once it has ended, not before.
    private func nextStep(_ ladder: AlarmLadder, _ next: Instant?) -> Instant? {
        guard let escalation else { return nil }
        let rings = ladder.delays[.sound] != nil && escalation.nextRing != .min && voice[.sound] == nil
        let again = escalation.again.filter { ladder.delays[$0.key] != nil }.values.min()
        return [next, rings ? escalation.nextRing : nil, again].compactMap(\.self).min()
    }

    /// Ends what can be heard, at once.
    private func silence() async {
        let runs = voice.values
        voice = [:]
        for run in runs { await run.stop() }
    }
}
