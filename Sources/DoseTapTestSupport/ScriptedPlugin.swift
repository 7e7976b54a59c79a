public import DoseTapDomain
public import DoseTapEngine

/// A plugin that records its calls and does what a test scripts.
public actor ScriptedPlugin: Plugin {
    public static nonisolated let manifest = PluginManifest(
        id: "scripted", summary: "does what a test says", capabilities: [.reads, .notifies, .reminders, .proposes],
        channels: ["lamp"])

    private let executor: any SerialExecutor
    private var onEvent: @Sendable (StoredEvent) async throws -> Void

    private var onReminderDue: @Sendable (DueReminder) async throws -> Void = { _ in }
    private var onTest: @Sendable (String) async throws -> Void = { channel in throw PluginFailure.noChannel(channel) }
    private var onStop: @Sendable () async -> Void = {}

    /// Events received, failed ones included.
    public nonisolated let received = Recorder<StoredEvent>()
    public nonisolated let told = Recorder<DueReminder>()
    /// One element for each time the plugin was woken.
    public nonisolated let wakings = Recorder<Bool>()
    /// One element for each stop of the plugin.
    public nonisolated let stops = Recorder<Bool>()

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter onEvent: the script for an event. The script may fail or take its time.
    public init(
        on executor: any SerialExecutor, onEvent: @escaping @Sendable (StoredEvent) async throws -> Void = { _ in }
    ) {
        self.executor = executor
        self.onEvent = onEvent
    }

    /// Replaces the script for reminders.
    public func scriptReminders(_ onReminderDue: @escaping @Sendable (DueReminder) async throws -> Void) {
        self.onReminderDue = onReminderDue
    }

    /// Replaces the script for tests of the plugin's channel. At first every test fails: there is no channel.
    public func scriptTests(_ onTest: @escaping @Sendable (String) async throws -> Void) { self.onTest = onTest }

    /// Replaces the script for the end.
    public func scriptStop(_ onStop: @escaping @Sendable () async -> Void) { self.onStop = onStop }

    /// Replaces the script for events.
    public func script(_ onEvent: @escaping @Sendable (StoredEvent) async throws -> Void) { self.onEvent = onEvent }

    /// Records an event, then runs the script.
    public func receive(_ event: StoredEvent) async throws {
        received.append(event)
        try await onEvent(event)
    }

    public func reminderDue(_ due: DueReminder) async throws {
        told.append(due)
        try await onReminderDue(due)
    }

    public func test(_ channel: String) async throws { try await onTest(channel) }

    public func woken() async throws { wakings.append(true) }

    public func stop() async {
        stops.append(true)
        await onStop()
    }
}

/// A second plugin beside a ``ScriptedPlugin``. It only reads, and shows if the other plugin delayed it.
public actor BystanderPlugin: Plugin {
    public static nonisolated let manifest = PluginManifest(
        id: "bystander", summary: "only reads", capabilities: [.reads])

    private let executor: any SerialExecutor

    public nonisolated let received = Recorder<StoredEvent>()

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    public init(on executor: any SerialExecutor) { self.executor = executor }

    public func receive(_ event: StoredEvent) async throws { received.append(event) }
}
