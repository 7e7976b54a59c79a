public import DoseTapDomain
public import DoseTapEngine
public import DoseTapSimulation
import DoseTapStore
import Logging
public import SDBus
import Synchronization

/// An engine with its surroundings: a real store in a scratch folder, manual clocks and timers, two plugins and an
/// observer that record.
public final class NightBench: Sendable {
    public struct Setup: Sendable {
        /// The wall clock at first.
        public var start = NightBench.evening
        public var zone: Zone = .utc
        public var rules: NightRules = .standard
        /// True if the scripted plugin is enabled.
        public var pluginEnabled = true
        /// The script of the plugin for an event.
        public var onEvent: @Sendable (StoredEvent) async throws -> Void = { _ in }
        public var starts = true
        /// Findings of opening the store.
        public var findings: [String] = []
        public var restored: StoreRestored?

        /// Further plugins, made on the bench's loop.
        public var plugins: @Sendable (NightBench) -> [any Plugin] = { _ in [] }

        /// A winter evening in UTC.
        public init() {}

        /// The default, but without reminders.
        public static var silent: Setup {
            var setup = Setup()
            setup.deliversReminders = false
            return setup
        }

        public var deliversReminders = true
    }

    /// The engine re-armed its timer for an instant that had passed.
    public struct BusyLoop: Error {
        public let armed: Instant
        public let now: Instant
    }

    /// 14 January 2026, 22:30 UTC: a window from 01:00 to 02:30.
    public static let evening = Instant(seconds: 1_768_429_800)

    /// The store's folder, shared by the benches of one test.
    public let folder: ScratchFolder
    public let loop: EventLoop
    public let clock: VirtualClock
    public let timer = ManualTimer()
    public let retry = ManualTimer()
    public let store: FaultyStore
    public let observer = RecordingObserver()
    public let plugin: ScriptedPlugin
    public let bystander: BystanderPlugin
    public let host: PluginHost
    public var context: PluginContext { context(for: ScriptedPlugin.manifest) }
    public let engine: Engine

    /// Opens the store and starts the engine.
    ///
    /// - Parameters:
    ///   - folder: nil: a new one, and so a new store.
    ///   - clock: nil: a new one.
    public static func open(
        _ setup: Setup = Setup(), in folder: ScratchFolder? = nil, clock: VirtualClock? = nil
    ) async throws -> NightBench {
        let bench = try NightBench(setup, in: folder ?? ScratchFolder(), clock: clock)
        await bench.host.take(
            [(bench.plugin, setup.pluginEnabled), (bench.bystander, true)] + setup.plugins(bench).map { ($0, true) })
        if setup.starts { try await bench.engine.start(findings: setup.findings, restored: setup.restored) }
        return bench
    }

    private init(_ setup: Setup, in folder: ScratchFolder, clock: VirtualClock?) throws {
        self.folder = folder
        let clock = clock ?? VirtualClock(setup.start, zone: setup.zone)
        self.clock = clock
        loop = try EventLoop.spawn(name: "bench")
        store = FaultyStore(
            try Store.open(StoreConfiguration(path: folder.path("dosetap.db"), surface: "test", now: clock.now)))
        plugin = ScriptedPlugin(on: loop, onEvent: setup.onEvent)
        bystander = BystanderPlugin(on: loop)
        let logger = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
        host = PluginHost(on: loop, timer: retry, systemEnvironment: clock, logger: logger)
        engine = Engine(
            on: loop,
            Engine.Parts(
                store: store, systemEnvironment: clock, timer: timer, observer: observer, host: host,
                rules: setup.rules,
                deliversReminders: setup.deliversReminders, logger: logger))
    }

    public func context(for manifest: PluginManifest) -> PluginContext {
        PluginContext(manifest, engine: engine, host: host)
    }

    /// Stops the engine like a clean end of the service.
    public func stop() async {
        await engine.stop()
        loop.stop()
    }

    /// Closes the store without a call to the engine, like a killed process.
    public func crash() async throws {
        try await store.close(cursors: [:])
        loop.stop()
    }

    /// Moves the clock; the timer fires at each instant it is armed for.
    ///
    /// - Throws: ``BusyLoop`` when the engine armed the timer for now or before.
    public func advance(to target: Instant) async throws {
        while let due = timer.armed, due <= target {
            clock.advance(to: max(due, clock.now))
            await deadline()
            if let next = timer.armed, next <= clock.now { throw BusyLoop(armed: next, now: clock.now) }
        }
        // The clock does not go backwards.
        clock.advance(to: max(target, clock.now))
    }

    /// Fires the timer now. Returns when all notices are sent and the timer is armed again.
    public func deadline() async {
        await engine.deadlineReached()
        await engine.published()
    }

    /// Moves the clock by a duration, as ``advance(to:)`` does.
    public func advance(by duration: Duration) async throws { try await advance(to: clock.now + duration) }

    /// Submits a command of a person at the CLI.
    @discardableResult
    public func submit(
        _ command: NightCommand, _ change: (inout CommandOptions) -> Void = { _ in }
    ) async throws -> Receipt {
        var options = CommandOptions(surface: .cli)
        change(&options)
        do {
            let receipt = try await engine.submit(command, options)
            await engine.published()
            return receipt
        } catch {
            await engine.published()
            throw error
        }
    }

    public func log() async throws -> [StoredEvent] { try await store.events(after: 0, limit: 10_000) }

    /// The types in the log, in order.
    public func types() async throws -> [EventType] { try await log().map(\.event.type) }

    public func phase() async -> Phase { await engine.status(at: nil).window.phase }
}

/// A ``DoseTapSimulation/VirtualTimer`` that keeps a record of each arming.
public final class ManualTimer: DeadlineTimer {
    private let timer: VirtualTimer
    private let fails = Mutex(false)

    /// The error of ``fail(_:)``.
    public struct CannotBeArmed: Error {}

    /// Makes each arming fail from now on, or no longer.
    public func fail(_ fails: Bool) { self.fails.withLock { $0 = fails } }

    /// Every instant that the timer was armed for, in order.
    public let armings: Recorder<Instant>

    public init() {
        let armings = Recorder<Instant>()
        self.armings = armings
        timer = VirtualTimer(onArming: armings.append)
    }

    public var armed: Instant? { timer.armed }

    /// Every instant that the timer was armed for. The same one in a row counts once.
    public var instants: [Instant] {
        armings.elements.reduce(into: []) { found, instant in
            if found.last != instant { found.append(instant) }
        }
    }

    /// Arms by the wall clock alone.
    public func arm(_ next: NextDue, _ clock: ClockReading) async throws {
        guard let instant = next.at(clock.wall) else { return await disarm() }
        if fails.withLock(\.self) { throw CannotBeArmed() }
        await timer.arm(NextDue(wall: instant), clock)
    }

    public func disarm() async { await timer.disarm() }
}
