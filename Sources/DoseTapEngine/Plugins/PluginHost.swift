internal import DoseTapDomain
public import Logging

/// Runs the plugins: a task, a cursor and a time budget for each, so that none can miss an event, slow a dose down or stop
/// another.
///
/// Nothing here waits for a plugin without an end: a call that takes longer than its budget is cancelled and given up, and
/// tried again later.
public actor PluginHost {
    private let executor: any SerialExecutor
    var runners: [PluginRunner] = []
    var calls: [UInt64: PluginCall] = [:]
    var lastCall: UInt64 = 0
    /// Reminders of which it is being asked whether they still stand.
    var asking = 0
    var isStanding: @Sendable (Deadline) async -> Bool = { _ in false }
    var standing: @Sendable () async -> [Deadline] = { [] }
    let logger: Logger
    /// What was begun is given up, and nothing is tried again.
    private var isStopping = false
    /// Why the timer could not be armed: a plugin that fails or hangs is not called again until it can.
    var timerFault: String?
    private let timer: any DeadlineTimer
    /// For when the timer is armed, by the counter; nil where that is not known.
    private var armed: Int64?
    private var isArming = false
    let surroundings: any Surroundings
    /// What is told of a plugin that fails is known by.
    private let failureID: String?

    /// The executor the host and its runners run on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - executor: the event loop.
    ///   - timer: the one timer for retries, budgets and wishes to be woken; its handler calls ``timeCame()``.
    ///   - failureID: the `MESSAGE_ID` of what is told of a plugin that fails.
    public init(
        on executor: any SerialExecutor, timer: any DeadlineTimer, surroundings: any Surroundings, logger: Logger,
        failureID: String? = nil
    ) {
        self.executor = executor
        self.failureID = failureID
        self.logger = logger
        self.timer = timer
        self.surroundings = surroundings
    }

    /// Takes over plugins, each with whether it is enabled; before the engine is started.
    public func take(_ plugins: [(plugin: any Plugin, enabled: Bool)]) {
        runners += plugins.map { PluginRunner($0.plugin, enabled: $0.enabled) }
    }

    /// - Parameters:
    ///   - isStanding: whether telling a reminder would still be true.
    ///   - standing: the reminders that were told and still hold.
    func start(
        cursors: [String: Int64], from first: Int64 = 0, store: any EventStore,
        isStanding: @escaping @Sendable (Deadline) async -> Bool,
        standing: @escaping @Sendable () async -> [Deadline]
    ) async {
        self.isStanding = isStanding
        self.standing = standing
        for index in runners.indices {
            runners[index].cursor = cursors[runners[index].manifest.id] ?? first
            runners[index].store = store
        }
        for index in runners.indices { read(index) }
    }

    /// Stops every plugin, each within a second.
    func stop() async -> [String: Int64] {
        isStopping = true
        let stops = runners.indices.filter { runners[$0].isEnabled }.map { index in
            Task { try? await call(index, .stop, within: .seconds(1)) { plugin in await plugin.stop() } }
        }
        await armTimer()
        for stop in stops { await stop.value }
        for call in calls.values {
            call.task.cancel()
            if !call.isOverdue { call.done(self, .failure(CancellationError())) }
        }
        calls = [:]
        await timer.disarm()
        return Dictionary(uniqueKeysWithValues: runners.map { ($0.manifest.id, $0.settled) })
    }

    // MARK: From the engine

    /// New events stand in the log: plugins that are up to date get them at once, the others read on.
    func deliver(_ stored: [StoredEvent]) {
        guard let last = stored.last else { return }
        for index in runners.indices {
            runners[index].announce(stored, last: last.sequence)
            read(index)
        }
    }

    /// The cursors that moved since they were last taken, for the next commit.
    func takeCursors() -> [String: Int64] {
        var cursors: [String: Int64] = [:]
        for index in runners.indices where runners[index].cursorMoved {
            cursors[runners[index].manifest.id] = runners[index].settled
            runners[index].cursorMoved = false
        }
        return cursors
    }

    /// Another log takes the place of the one that was read: what it begins with was read there.
    func begin(at sequence: Int64) {
        for index in runners.indices { runners[index].begin(at: sequence) }
    }

    /// A commit did not take cursors: the next one tries again.
    func giveBack(_ cursors: [String: Int64]) {
        for index in runners.indices where cursors[runners[index].manifest.id] != nil {
            runners[index].cursorMoved = true
        }
    }

    /// The phase of the night changed.
    ///
    /// - Parameter byEvent: an event says so: plugins that read the log learn it there.
    func phaseChanged(byEvent: Bool = false) {
        for index in runners.indices
        where runners[index].isEnabled && !(byEvent && runners[index].manifest.capabilities.contains(.reads)) {
            start(index, .phase) { plugin in
                await plugin.phaseChanged()
            } done: { host, result in
                guard case .failure(let error) = result else { return }
                host.complain("a plugin did not follow the night and will be woken for it", index, error)
                host.wakeLater(index)
            }
        }
    }

    // MARK: From plugins

    /// A plugin asks to be woken after a while; nil takes the wish back.
    func wake(_ id: String, after wait: Duration?) async {
        guard let index = runners.firstIndex(where: { $0.manifest.id == id }) else { return }
        runners[index].wakeAt = wait.map {
            surroundings.clock().counterMicroseconds + max(.zero, $0).wholeMilliseconds * 1_000
        }
        await armTimer()
    }

    /// A plugin took events up to which it is not done with: nil, it is done with all.
    func hold(_ id: String, from sequence: Int64?) {
        guard let index = runners.firstIndex(where: { $0.manifest.id == id }) else { return }
        runners[index].heldFrom = sequence
        runners[index].cursorMoved = true
    }

    /// A plugin says what does not work; nil: it works again.
    func note(_ id: String, _ complaint: String?) {
        guard let index = runners.firstIndex(where: { $0.manifest.id == id }) else { return }
        runners[index].complaint = complaint.map { String($0.prefix(500)) } ?? ""
    }

    // MARK: Time

    /// What the timer calls; also after the clock was set.
    public func timeCame() async {
        let now = surroundings.clock()
        armed = nil
        for (id, call) in calls where !call.isOverdue && call.expires <= now.counterMicroseconds { giveUp(id, call) }
        for index in runners.indices {
            if runners[index].isRetryDue(now) {
                runners[index].retryAt = nil
                read(index)
            }
            if let at = runners[index].wakeAt, at <= now.counterMicroseconds {
                runners[index].wakeAt = nil
                wake(index)
            }
            retell(index, now)
        }
        await armTimer()
    }

    /// One timer for what comes next. Waits are counted by the time since boot: setting the clock makes none longer.
    func armTimer() async {
        let now = surroundings.clock()
        let boots =
            runners.flatMap(\.retries) + runners.compactMap(\.wakeAt)
            + calls.values.filter { !$0.isOverdue }.map(\.expires)
        let next = boots.min()
        guard next == nil || next != armed else { return }
        let wait = next.map { Duration.microseconds($0 - now.counterMicroseconds) }
        armed = nil
        do {
            if let wait { try await timer.arm(NextDue(counted: wait), now) } else { await timer.disarm() }
            armed = next
            timerFault = nil
        } catch {
            if timerFault == nil {
                logger.critical("the timer of the plugins cannot be armed", metadata: ["error": "\(error)"])
            }
            timerFault = "\(error)"
        }
    }

    /// Arms the timer when the calls that come back at once have come back: most need none.
    func armSoon() {
        guard !isArming else { return }
        isArming = true
        Task {
            await Task.yield()
            isArming = false
            await armTimer()
        }
    }

    private func wake(_ index: Int) {
        guard runners[index].isEnabled else { return }
        start(index, .wake) { plugin in
            try await plugin.woken()
        } done: { host, result in
            guard case .failure(let error) = result else { return }
            host.runners[index].lastError = "\(error)"
            host.complain("a plugin that was woken failed and will be woken again", index, error)
            host.wakeLater(index)
        }
    }

    /// It is woken in a while, unless it is going to be sooner.
    private func wakeLater(_ index: Int) {
        let again = surroundings.clock().counterMicroseconds + PluginRunner.wakeAgain.wholeMilliseconds * 1_000
        runners[index].wakeAt = runners[index].wakeAt ?? again
        Task { await armTimer() }
    }

    func complain(_ what: String, _ index: Int, _ error: any Error) {
        guard !isStopping else { return }
        var metadata: Logger.Metadata = [
            "DOSETAP_PLUGIN": "\(runners[index].manifest.id)", "DOSETAP_REASON": "\(error)",
        ]
        if let failureID { metadata["message_id"] = "\(failureID)" }
        logger.warning("\(what)", metadata: metadata)
    }
}
