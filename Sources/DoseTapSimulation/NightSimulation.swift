public import DoseTapDomain
public import DoseTapEngine
public import Logging

/// Runs scripts through the real engine, the real plugin host and a store, on a virtual clock: whole nights in
/// milliseconds. Nights of one simulation follow each other in one log.
public actor NightSimulation {
    /// What a simulation needs from outside.
    public struct Parts: Sendable {
        /// What everything runs on.
        public var executor: any SerialExecutor
        /// What it runs on; nobody else moves its clocks.
        public var machine: SimulatedMachine
        /// Holds the log; opened, and nobody else's.
        public var store: any EventStore
        /// The plugins, made anew for each life of the service.
        public var plugins: @Sendable (Engine, PluginHost) -> SimulatedPlugins
        /// Where engine and host say what a person should read.
        public var logger: Logger

        /// Memberwise.
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

    /// What a night came to.
    public struct Outcome: Sendable {
        /// What happened, in order.
        public let timeline: [Timeline.Entry]
        /// What was wrong with it.
        public let verdict: NightVerdict
        /// Where the night stands at its end.
        public let status: NightStatus
        /// The nights of the script that are still in memory.
        public let night: Session?
    }

    /// The service asked again and again to be called at once.
    public struct Spinning: Error {
        /// What the wall clock showed.
        public let now: Instant
    }

    /// How often the service may ask to be called at once before that counts as spinning.
    private static let mostAtOnce = 50

    private let parts: Parts
    private let clock: VirtualClock
    private let timeline: Timeline
    private var rules = NightRules.standard
    private var life: SimulatedLife?
    /// By how much the clock that runs while the machine is off will have gone wrong at the next start.
    private var clockOff: Duration = .zero
    /// When the wall clock is slewed no more, by a clock that nobody sets.
    private var slewEnd: Instant?
    private var judge = NightJudge()
    private var seen: [Timeline.Entry] = []

    /// Where everything runs.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { parts.executor.asUnownedSerialExecutor() }

    /// Nothing is started yet.
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
            // What was due before must be told before: an act that wakes the service may not hide that it slept.
            await look()
            try await perform(step.act)
        }
        try await pass(to: script.end)
        await look()
        guard let life else { throw EngineFailure.stopping }
        return Outcome(
            timeline: seen, verdict: judge.verdict, status: await life.engine.status(at: nil), night: judge.night)
    }

    /// Ends the service and lets go of the store.
    public func stop() async {
        await life?.engine.stop()
        life = nil
    }

    // MARK: Time

    /// Time passes; timers fire at their instants. Everything before has happened: each act waits for that.
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

    /// Time passes, and no timer fires.
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

    /// Judges what was noted since the last look.
    ///
    /// - Parameter isNoticed: whether the service looked at its clocks.
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
            // The kernel tells of a clock that was set, not of one that is right now.
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

    /// The service is killed: it says nothing to anybody, and lets go of the store.
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
