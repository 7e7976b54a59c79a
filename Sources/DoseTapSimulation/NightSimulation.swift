public import DoseTapDomain
public import DoseTapEngine
public import Logging

/// Runs scripts through the real engine, the real plugin host and a store, on a virtual clock: whole nights in
/// milliseconds. Nights of one simulation follow each other in one log.
public actor NightSimulation {
    /// The parts of a simulation.
    public struct Parts: Sendable {
        public var executor: any SerialExecutor
        /// The machine. Only the simulation moves its clocks.
        public var machine: SimulatedMachine
        /// The store: open, and not used elsewhere.
        public var store: any EventStore
        /// The plugins, made anew for each run of the service.
        public var plugins: @Sendable (Engine, PluginHost) -> SimulatedPlugins
        /// The logger of engine and host.
        public var logger: Logger

        public init(
            executor: any SerialExecutor, machine: SimulatedMachine, store: any EventStore,
            plugins: @escaping @Sendable (Engine, PluginHost) -> SimulatedPlugins, logger: Logger
        ) {
            self.executor = executor
            self.machine = machine
            self.store = store
            self.plugins = plugins
            self.logger = logger
        }
    }

    /// The result of a night.
    public struct Outcome: Sendable {
        /// The entries of the night, in order.
        public let timeline: [Timeline.Entry]
        public let verdict: NightVerdict
        /// Status at the end.
        public let status: NightStatus
        /// The nights of the script that are still in memory.
        public let night: Session?
    }

    /// The service armed its timer for the present again and again.
    public struct Spinning: Error {
        /// The present by the wall clock.
        public let now: Instant
    }

    /// The most times in a row that the service may arm its timer for the present. More is a fault.
    private static let mostAtOnce = 50

    private let parts: Parts
    private let clock: VirtualClock
    private let timeline: Timeline
    private var rules = NightRules.standard
    private var life: SimulatedLife?
    /// Error of the hardware clock at the next start.
    private var clockOff: Duration = .zero
    /// End of the slewing, in true time.
    private var slewEnd: Instant?
    private var judge = NightJudge()
    private var seen: [Timeline.Entry] = []

    public nonisolated var unownedExecutor: UnownedSerialExecutor { parts.executor.asUnownedSerialExecutor() }

    public init(_ parts: Parts) {
        self.parts = parts
        clock = parts.machine.clock
        timeline = parts.machine.timeline
    }

    /// Runs a night to its end. The clocks stand at or before its start.
    ///
    /// - Throws: ``Spinning``, and what the store throws.
    public func run(_ script: NightScript) async throws -> Outcome {
        rules = script.rules
        parts.machine.revive()
        if life == nil {
            clock.travel(to: script.zone)
            if clock.unset < script.start { clock.advance(by: script.start - clock.unset) }
            try await start()
        } else {
            try await pass(to: script.start)
            (clockOff, slewEnd) = (.zero, nil)
            clock.slew(0)
            clock.step(by: .zero - clock.stepped, synchronised: true)
            clock.travel(to: script.zone)
            await life?.engine.update(rules: rules)
            await life?.clockWasSet()
        }
        await look()
        (seen, judge) = ([], NightJudge(ladder: script.ladder))
        for step in script.steps {
            try await pass(to: step.at)
            // Earlier reminders must be delivered before: an act that wakes the service must not hide that the service
            // slept.
            await look()
            try await perform(step.act)
        }
        try await pass(to: script.end)
        await look()
        guard let life else { throw EngineFailure.stopping }
        return Outcome(
            timeline: seen, verdict: judge.verdict, status: await life.engine.status(at: nil), night: judge.night)
    }

    /// Ends the service and closes the store.
    public func stop() async {
        await life?.engine.stop()
        life = nil
    }

    // MARK: Time

    /// Moves time; timers fire at their instants. Each act waits until everything before has happened.
    private func pass(to target: Instant) async throws {
        if let end = slewEnd, end <= target {
            try await passEvenly(to: end)
            endSlew()
        }
        try await passEvenly(to: target)
    }

    private func passEvenly(to target: Instant) async throws {
        guard let life else { return }
        var atOnce = 0
        while let next = life.next, next <= target {
            atOnce = next <= clock.unset ? atOnce + 1 : 0
            guard atOnce < Self.mostAtOnce else { throw Spinning(now: clock.now) }
            if next > clock.unset { clock.advance(by: next - clock.unset) }
            await look(isNoticed: await life.fireInQuiet(at: clock.now))
        }
        if target > clock.unset { clock.advance(by: target - clock.unset) }
    }

    /// Moves time without timers.
    private func elapse(_ length: Duration) {
        let target = clock.unset + length
        if let end = slewEnd, end <= target {
            clock.advance(by: end - clock.unset)
            endSlew()
        }
        clock.advance(by: target - clock.unset)
    }

    private func endSlew() {
        slewEnd = nil
        clock.slew(0)
    }

    /// Checks the entries since the last check.
    ///
    /// - Parameter isNoticed: true if the service read its clocks.
    private func look(isNoticed: Bool = false) async {
        let new = timeline.take()
        seen += new
        for entry in new { judge.see(entry) }
        guard life != nil else { return }
        judge.settle(clock: clock.clock(), at: clock.unset, dead: parts.machine.dead, isNoticed: isNoticed)
    }

    // MARK: Acts

    private func perform(_ act: NightScript.Act) async throws {
        if case .asks(let command, let options, let ago) = act { return await ask(command, options, ago) }
        timeline.append(.befell(act))
        switch act {
        case .asks: break
        case .suspend(let length):
            await look()
            elapse(length)
            timeline.append(.resumed)
            await life?.fire(at: clock.now)
        case .crash(let length):
            try await crash()
            elapse(length)
            try await startAnew()
        case .reboot(let length, let synchronised):
            try await crash()
            endSlew()
            clock.advance(by: length)
            let isRight = synchronised && clockOff == .zero && clock.clock().isSynchronised
            clock.reboot(clockOff: clockOff, synchronised: isRight)
            clockOff = .zero
            try await startAnew()
        case .pause(let length):
            await look()
            clock.pause(for: length, isCorrected: false)
            if let end = slewEnd { slewEnd = end + length }
            timeline.append(.resumed)
        case .clock(let step, let synchronised):
            clock.step(by: step, synchronised: synchronised)
            clock.setSynchronised(synchronised)
            // The kernel announces that a clock was set, not that it is synchronised.
            guard step != .zero else { break }
            await life?.clockWasSet()
            await look(isNoticed: true)
        case .rtc(let error): clockOff += error
        case .slew(let shift):
            let isForward = shift > .zero
            clock.setSynchronised(true)
            clock.slew(isForward ? NightScript.slewRate : -NightScript.slewRate)
            let milliseconds = (isForward ? shift : .zero - shift).wholeMilliseconds
            slewEnd = clock.unset + .milliseconds(milliseconds * 1_000_000 / NightScript.slewRate)
        case .travel(let zone): clock.travel(to: zone)
        case .channel(let channel, let isDead):
            parts.machine.set(channel, isDead: isDead)
        case .rules(let rules):
            self.rules = rules
            await life?.engine.update(rules: rules)
            await life?.fire(at: clock.now)
        }
        await look()
    }

    private func ask(_ command: Command, _ options: CommandOptions, _ ago: Duration?) async {
        guard let life else { return }
        var options = options
        if let ago { options.at = clock.now - ago }
        do {
            let receipt = try await life.engine.submit(command, options)
            if receipt.duplicate { timeline.append(.repeated(command)) }
        } catch let failure as EngineFailure {
            if case .command = failure {} else { timeline.append(.failed(command, failure)) }
        } catch {
            timeline.append(.failed(command, .stopping))
        }
        await life.fire(at: clock.now)
        await look()
    }

    // MARK: Lives

    /// Kills the service without a clean end, and closes the store.
    private func crash() async throws {
        await look()
        life = nil
        try await parts.store.close(cursors: [:])
    }

    private func start() async throws {
        let life = await SimulatedLife(parts, rules: rules)
        self.life = life
        timeline.append(.resumed)
        try await life.engine.start()
        life.begin()
        await life.fire(at: clock.now)
        await look(isNoticed: true)
    }

    private func startAnew() async throws {
        try await parts.store.reopen()
        try await start()
    }
}

/// One run of the service in a simulation, from its start to its end or its crash.
private struct SimulatedLife {
    let engine: Engine
    let host: PluginHost
    let timer: VirtualTimer
    let hostTimer: VirtualTimer
    /// Called when the desktop is there.
    let begin: @Sendable () -> Void
    private let store: any EventStore

    init(_ parts: NightSimulation.Parts, rules: NightRules) async {
        store = parts.store
        timer = VirtualTimer(clock: parts.machine.clock)
        hostTimer = VirtualTimer(clock: parts.machine.clock)
        host = PluginHost(
            on: parts.executor, timer: hostTimer, systemEnvironment: parts.machine.clock, logger: parts.logger)
        engine = Engine(
            on: parts.executor,
            Engine.Parts(
                store: parts.store, systemEnvironment: parts.machine.clock, timer: timer,
                observer: parts.machine.timeline,
                host: host, rules: rules, logger: parts.logger))
        let roster = parts.plugins(engine, host)
        begin = roster.begin
        await host.take(roster.plugins.map { ($0, true) })
    }

    /// Turns of the loop after which a new task is visible as running.
    private static let turns = 8

    /// Returns when everything that follows from this moment has happened. A plugin also works in tasks of its own;
    /// only their requests are seen.
    func quiet() async {
        var (calm, seen) = (0, await host.requests)
        while calm < 2 {
            await engine.untilIdle()
            for _ in 0..<Self.turns { await Task.yield() }
            let (hostIsBusy, engineIsBusy, requests) = (await host.isBusy, await engine.isBusy, await host.requests)
            let isBusy = hostIsBusy || engineIsBusy
            calm = isBusy || requests != seen ? 0 : calm + 1
            seen = requests
            // Most often the store works, on a thread of its own. A wait in its queue is better than polling.
            if isBusy { try? await store.ping() }
        }
    }

    /// Next instant of a timer, in true time.
    var next: Instant? { [timer.comes, hostTimer.comes].compactMap(\.self).min() }

    /// Fires due timers, once everything before has happened.
    func fire(at now: Instant) async {
        await quiet()
        await fireInQuiet(at: now)
    }

    /// Fires due timers without the wait, which is most of the cost of a night. Everything before has happened already.
    ///
    /// - Returns: true if the engine read its clocks.
    @discardableResult
    func fireInQuiet(at now: Instant) async -> Bool {
        let isDue = timer.fires(at: now)
        if isDue { await engine.deadlineReached() }
        if hostTimer.fires(at: now) { await host.timeCame() }
        await quiet()
        return isDue
    }

    /// Does what the service does when the wall clock was set.
    func clockWasSet() async {
        await engine.deadlineReached()
        await host.timeCame()
        await quiet()
    }
}
