internal import DoseTapDomain
internal import DoseTapEngine

/// One life of the service in a simulation, from its start to its end or its crash.
struct SimulatedLife {
    let engine: Engine
    let host: PluginHost
    /// The engine's timer.
    let timer: VirtualTimer
    /// The plugin host's timer.
    let hostTimer: VirtualTimer
    /// The person's desktop is there.
    let begin: @Sendable () -> Void
    private let store: any EventStore

    init(_ parts: NightSimulation.Parts, rules: NightRules) async {
        store = parts.store
        timer = VirtualTimer(clock: parts.machine.clock)
        hostTimer = VirtualTimer(clock: parts.machine.clock)
        host = PluginHost(
            on: parts.executor, timer: hostTimer, surroundings: parts.machine.clock, logger: parts.logger)
        engine = Engine(
            on: parts.executor,
            Engine.Parts(
                store: parts.store, surroundings: parts.machine.clock, timer: timer, observer: parts.machine.timeline,
                host: host, rules: rules, logger: parts.logger))
        let roster = parts.plugins(engine, host)
        begin = roster.begin
        await host.take(roster.plugins.map { ($0, true) })
    }

    /// What a task that was just made may take of turns before it shows as something that goes on.
    private static let turns = 8

    /// Returns when everything that follows from this moment has happened.
    func quiet() async {
        var calm = 0
        while calm < 2 {
            await engine.quiet()
            for _ in 0..<Self.turns { await Task.yield() }
            let (hostIsBusy, engineIsBusy) = (await host.isBusy, await engine.isBusy)
            calm = hostIsBusy || engineIsBusy ? 0 : calm + 1
            // Most often the store is at it, on a thread of its own: wait in its queue rather than ask again and again.
            if calm == 0 { try? await store.ping() }
        }
    }

    /// When something happens by itself next, by a clock that nobody sets.
    var next: Instant? { [timer.comes, hostTimer.comes].compactMap(\.self).min() }

    /// Fires the timers whose instant has come, once everything before has happened.
    func fire(at now: Instant) async {
        await quiet()
        await fireInQuiet(at: now)
    }

    /// The same, when everything before is known to have happened: waiting for quiet is most of what a night costs.
    ///
    /// - Returns: whether the engine looked at its clocks.
    @discardableResult
    func fireInQuiet(at now: Instant) async -> Bool {
        let isDue = timer.fires(at: now)
        if isDue { await engine.deadlineReached() }
        if hostTimer.fires(at: now) { await host.timeCame() }
        await quiet()
        return isDue
    }

    /// As the service does when the wall clock was set.
    func clockWasSet() async {
        await engine.deadlineReached()
        await host.timeCame()
        await quiet()
    }
}
