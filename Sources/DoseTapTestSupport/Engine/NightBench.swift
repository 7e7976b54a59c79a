public import DoseTapDomain
public import DoseTapEngine
public import DoseTapSimulation
import DoseTapStore
import Logging
public import SDBus

/// An engine with everything around it: a real store in a scratch folder, clocks and timers moved by hand, two plugins
/// and an observer that remember.
public final class NightBench: Sendable {
    /// How a bench is set up.
    public struct Setup: Sendable {
        /// What the wall clock shows at first.
        public var start = NightBench.evening
        /// The zone in force.
        public var zone: Zone = .utc
        /// The rules of nights opened.
        public var rules: NightRules = .standard
        /// Whether the scripted plugin is enabled.
        public var pluginEnabled = true
        /// What the scripted plugin does with an event.
        public var onEvent: @Sendable (StoredEvent) async throws -> Void = { _ in }
        /// Whether the engine is started.
        public var starts = true
        /// Sentences found when the store was opened.
        public var findings: [String] = []
        /// What was found about the store's past.
        public var restored: StoreRestored?

        /// Further plugins, made on the bench's loop.
        public var plugins: @Sendable (NightBench) -> [any Plugin] = { _ in [] }

        /// A winter evening in UTC.
        public init() {}

        /// Everything as usual, but no reminders are told.
        public static var silent: Setup {
            var setup = Setup()
            setup.tellsReminders = false
            return setup
        }

        /// Whether reminders are told.
        public var tellsReminders = true
    }

    /// The engine re-armed its timer for an instant that had passed.
    public struct BusyLoop: Error {
        /// The instant.
        public let armed: Instant
        /// What the clock showed.
        public let now: Instant
    }

    /// 14 January 2026, 22:30 UTC: a window from 01:00 to 02:30.
    public static let evening = Instant(seconds: 1_768_429_800)

    /// Where the store lies; shared by the benches of one test.
    public let folder: ScratchFolder
    /// The event loop of everything here.
    public let loop: EventLoop
    /// The clocks.
    public let clock: VirtualClock
    /// The engine's timer.
    public let timer = ManualTimer()
    /// The plugin host's timer.
    public let retry = ManualTimer()
    /// The store.
    public let store: FaultyStore
    /// Who is told.
    public let observer = RecordingObserver()
    /// The plugin a test scripts.
    public let plugin: ScriptedPlugin
    /// The other plugin.
    public let bystander: BystanderPlugin
    /// The host of both.
    public let host: PluginHost
    /// What the scripted plugin may ask.
    public var context: PluginContext { context(for: ScriptedPlugin.manifest) }
    /// The engine.
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
        host = PluginHost(on: loop, timer: retry, surroundings: clock, logger: logger)
        engine = Engine(
            on: loop,
            Engine.Parts(
                store: store, surroundings: clock, timer: timer, observer: observer, host: host, rules: setup.rules,
                tellsReminders: setup.tellsReminders, logger: logger))
    }

    /// What a plugin may ask.
    public func context(for manifest: PluginManifest) -> PluginContext {
        PluginContext(manifest, engine: engine, host: host)
    }

    /// Stops the engine as at a clean end of the service.
    public func stop() async {
        await engine.stop()
        loop.stop()
    }

    /// Lets go of the store without a word to the engine, as a killed process does.
    public func crash() async throws {
        try await store.close(cursors: [:])
        loop.stop()
    }

    /// Time passes; the timer fires at each instant it is armed for.
    ///
    /// - Throws: ``BusyLoop`` when the engine armed the timer for now or before.
    public func advance(to target: Instant) async throws {
        while let due = timer.armed, due <= target {
            clock.advance(to: max(due, clock.now))
            await deadline()
            if let next = timer.armed, next <= clock.now { throw BusyLoop(armed: next, now: clock.now) }
        }
        // Time that has passed does not come again.
        clock.advance(to: max(target, clock.now))
    }

    /// The timer fires now; returns when everything that follows is told and the timer armed again.
    public func deadline() async {
        await engine.deadlineReached()
        await engine.told()
    }

    /// As ``advance(to:)``.
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
            await engine.told()
            return receipt
        } catch {
            await engine.told()
            throw error
        }
    }

    /// Everything in the log, in order.
    public func log() async throws -> [StoredEvent] { try await store.events(after: 0, limit: 10_000) }

    /// The types in the log, in order.
    public func types() async throws -> [EventType] { try await log().map(\.event.type) }

    /// The phase now.
    public func phase() async -> Phase { await engine.status(at: nil).window.phase }
}
