public import DoseTapDomain
public import DoseTapEngine

/// Common of the plugins tests script: what it received, and what it does about it.
public actor ScriptedPlugin: Plugin {
    /// As in the roster of the tests.
    public static nonisolated let manifest = PluginManifest(
        id: "scripted", summary: "does what a test says", capabilities: [.reads, .notifies, .deadlines, .proposes],
        channels: ["lamp"])

    private let executor: any SerialExecutor
    private var onEvent: @Sendable (StoredEvent) async throws -> Void

    private var onDeadline: @Sendable (Deadline) async throws -> Void = { _ in }
    private var onTest: @Sendable (String) async throws -> Void = { channel in throw PluginFailure.noChannel(channel) }
    private var onStop: @Sendable () async -> Void = {}

    /// Events received, failed ones included.
    public nonisolated let received = Recorder<StoredEvent>()
    /// Reminders told.
    public nonisolated let told = Recorder<Deadline>()
    /// How often it was woken.
    public nonisolated let wakings = Recorder<Bool>()
    /// How often it was stopped.
    public nonisolated let stops = Recorder<Bool>()

    /// Runs where the host runs.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter onEvent: what it does with an event; may fail or take its time.
    public init(
        on executor: any SerialExecutor, onEvent: @escaping @Sendable (StoredEvent) async throws -> Void = { _ in }
    ) {
        self.executor = executor
        self.onEvent = onEvent
    }

    /// Does something else about reminders from now on.
    public func scriptReminders(_ onDeadline: @escaping @Sendable (Deadline) async throws -> Void) {
        self.onDeadline = onDeadline
    }

    /// Does something else about tests of its channel from now on; at first it has none.
    public func scriptTests(_ onTest: @escaping @Sendable (String) async throws -> Void) { self.onTest = onTest }

    /// Does something else about the end from now on.
    public func scriptStop(_ onStop: @escaping @Sendable () async -> Void) { self.onStop = onStop }

    /// Does something else from now on.
    public func script(_ onEvent: @escaping @Sendable (StoredEvent) async throws -> Void) { self.onEvent = onEvent }

    /// Remembers an event, then does what the script says.
    public func receive(_ event: StoredEvent) async throws {
        received.append(event)
        try await onEvent(event)
    }

    /// Remembers a reminder.
    public func deadline(_ due: Deadline) async throws {
        told.append(due)
        try await onDeadline(due)
    }

    /// Does what the script says.
    public func test(_ channel: String) async throws { try await onTest(channel) }

    /// Remembers that it was woken.
    public func woken() async throws { wakings.append(true) }

    /// Remembers that it was stopped.
    public func stop() async {
        stops.append(true)
        await onStop()
    }
}
