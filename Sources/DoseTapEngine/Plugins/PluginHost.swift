internal import DoseTapDomain
public import Logging

/// Runs the plugins: a task and a cursor for each, so that none can miss an event, slow a dose down or stop another.
public actor PluginHost {
    private let executor: any SerialExecutor
    private var runners: [PluginRunner] = []
    private let logger: Logger
    private let retry: any DeadlineTimer
    private let surroundings: any Surroundings

    /// The executor the host and its runners run on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - executor: the event loop.
    ///   - plugins: the roster, each with whether it is enabled.
    ///   - retry: timer for trying a failed plugin again; its handler calls ``timeCame()``.
    public init(
        on executor: any SerialExecutor, plugins: [(plugin: any Plugin, enabled: Bool)], retry: any DeadlineTimer,
        surroundings: any Surroundings, logger: Logger
    ) {
        self.executor = executor
        self.logger = logger
        self.retry = retry
        self.surroundings = surroundings
        runners = plugins.map { PluginRunner($0.plugin, enabled: $0.enabled) }
    }

    func start(cursors: [String: Int64], store: any EventStore) async {
        for index in runners.indices {
            runners[index].cursor = cursors[runners[index].manifest.id] ?? 0
            runners[index].store = store
        }
        for index in runners.indices { wake(index) }
    }

    // MARK: From the engine

    /// New events stand in the log: plugins that are up to date get them at once, the others read on.
    func deliver(_ stored: [StoredEvent]) {
        guard let last = stored.last else { return }
        for index in runners.indices {
            runners[index].announce(stored, last: last.sequence)
            wake(index)
        }
    }

    /// A reminder is due: every plugin that asked for deadlines is told, each in its own task.
    func tell(_ due: Deadline) {
        for runner in runners where runner.isEnabled && runner.manifest.capabilities.contains(.deadlines) {
            let plugin = runner.plugin
            Task {
                do { try await plugin.deadline(due) } catch {
                    self.failedDeadline(runner.manifest.id, error)
                }
            }
        }
    }

    /// A plugin asks to be woken at an instant of the wall clock; nil takes the wish back.
    func wake(_ id: String, at instant: Instant?) async {
        guard let index = runners.firstIndex(where: { $0.manifest.id == id }) else { return }
        runners[index].wakeAt = instant
        await armRetry()
    }

    /// The cursors that moved since they were last taken, for the next commit.
    func takeCursors() -> [String: Int64] {
        var cursors: [String: Int64] = [:]
        for index in runners.indices where runners[index].cursorMoved {
            cursors[runners[index].manifest.id] = runners[index].cursor
            runners[index].cursorMoved = false
        }
        return cursors
    }

    func stop() async -> [String: Int64] {
        for runner in runners where runner.isEnabled { await runner.plugin.stop() }
        await retry.disarm()
        return Dictionary(uniqueKeysWithValues: runners.map { ($0.manifest.id, $0.cursor) })
    }

    // MARK: For people

    /// How the plugins are doing.
    public func reports() -> [PluginReport] { runners.map(\.report) }

    /// Whether any plugin that is switched on tells reminders.
    var tellsReminders: Bool {
        runners.contains { $0.isEnabled && $0.manifest.capabilities.contains(.deadlines) }
    }

    /// Whether a plugin is switched on.
    func isEnabled(_ id: String) -> Bool { runners.contains { $0.manifest.id == id && $0.isEnabled } }

    /// Switches a plugin on or off; on, it goes on from where it stopped reading.
    ///
    /// - Returns: false when there is no such plugin.
    public func set(_ id: String, enabled: Bool) -> Bool {
        guard let index = runners.firstIndex(where: { $0.manifest.id == id }) else { return false }
        runners[index].isEnabled = enabled
        runners[index].failures = 0
        wake(index)
        return true
    }

    /// What the timer calls.
    public func timeCame() async {
        let now = surroundings.clock().wall
        for index in runners.indices {
            guard let at = runners[index].retryAt, at <= now else { continue }
            runners[index].retryAt = nil
            wake(index)
        }
        for index in runners.indices where runners[index].wakeAt.map({ $0 <= now }) ?? false {
            runners[index].wakeAt = nil
            guard runners[index].isEnabled else { continue }
            Task { try? await runners[index].plugin.woken() }
        }
        await armRetry()
    }

    // MARK: Reading

    private func wake(_ index: Int) {
        guard runners[index].canRead else { return }
        runners[index].isReading = true
        Task { await read(index) }
    }

    /// Reads until the plugin is up to date or fails; a failure is tried again later, from the same event.
    private func read(_ index: Int) async {
        while runners[index].isEnabled, runners[index].lag > 0 {
            do {
                for event in try await next(index) {
                    guard runners[index].isEnabled else { break }
                    try await runners[index].plugin.receive(event)
                    runners[index].read(event.sequence)
                }
            } catch {
                runners[index].fail("\(error)", now: surroundings.clock().wall)
                logger.warning(
                    "a plugin failed and will be tried again",
                    metadata: ["DOSETAP_PLUGIN": "\(runners[index].manifest.id)", "error": "\(error)"])
                break
            }
        }
        runners[index].isReading = false
        await armRetry()
    }

    private func next(_ index: Int) async throws -> [StoredEvent] {
        if let ready = runners[index].takeReady() { return ready }
        guard let store = runners[index].store else { return [] }
        let (cursor, newest) = (runners[index].cursor, runners[index].newest)
        let events = try await store.events(after: cursor, limit: PluginRunner.pageSize)
        // What was announced while the store was asked may be newer than its answer.
        if events.isEmpty, runners[index].newest == newest { runners[index].newest = cursor }
        return events
    }

    private func failedDeadline(_ id: String, _ error: any Error) {
        logger.warning(
            "a plugin did not tell a reminder", metadata: ["DOSETAP_PLUGIN": "\(id)", "error": "\(error)"])
    }

    private func armRetry() async {
        guard let next = runners.flatMap({ [$0.retryAt, $0.wakeAt] }).compactMap(\.self).min() else { return }
        await retry.arm(at: next)
    }
}
