public import DoseTapDomain
public import DoseTapEngine

/// A second plugin beside a ``ScriptedPlugin``: it only reads, and shows whether the other one held it up.
public actor BystanderPlugin: Plugin {
    /// As in the roster of the tests.
    public static nonisolated let manifest = PluginManifest(
        id: "bystander", summary: "only reads", capabilities: [.reads])

    private let executor: any SerialExecutor

    /// Events received.
    public nonisolated let received = Recorder<StoredEvent>()

    /// Runs where the host runs.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Reads from now on.
    public init(on executor: any SerialExecutor) { self.executor = executor }

    /// Remembers an event.
    public func receive(_ event: StoredEvent) async throws { received.append(event) }
}
