internal import DoseTapDomain
public import Logging

/// Runs the plugins, each with a task, a cursor and a time budget, so that none can miss an event, delay a dose or stop
/// another.
///
/// No wait for a plugin is unbounded: a call that takes longer than its budget is cancelled, given up and tried again
/// later.
public actor PluginHost {
    private let executor: any SerialExecutor
    var runners: [PluginRunner] = []
    var calls: [UInt64: PluginCall] = [:]
    var lastCall: UInt64 = 0
    /// Number of pending questions whether a reminder is still true.
    var asking = 0
    /// Number of requests of plugins so far: a simulation waits until no more come.
    package internal(set) var requests: UInt64 = 0
    var isActive: @Sendable (DueReminder) async -> Bool = { _ in false }
    var active: @Sendable () async -> [DueReminder] = { [] }
    let logger: Logger
    /// True once the host stops: failures of plugins are no longer logged.
    private var isStopping = false
    /// True once all plugins have stopped or were given up: nothing arms the timer again.
    private var isStopped = false
    /// The reason why the timer could not be armed: a plugin that fails or hangs is not called again until it can be.
    var timerFault: String?
    private let timer: any DeadlineTimer
    /// The counter for which the timer is armed; nil if that is not known.
    private var armed: Int64?
    private var isArming = false
    let systemEnvironment: any SystemEnvironment
    /// `MESSAGE_ID` of messages about a failing plugin.
    private let failureID: String?

    /// The executor the host and its runners run on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - executor: the event loop.
    ///   - timer: for retries, budgets and requested wake-ups; its handler calls ``timeCame()``.
    ///   - failureID: the `MESSAGE_ID` of messages about a failing plugin.
    public init(
        on executor: any SerialExecutor, timer: any DeadlineTimer, systemEnvironment: any SystemEnvironment,
        logger: Logger,
        failureID: String? = nil
    ) {
        self.executor = executor
        self.failureID = failureID
        self.logger = logger
        self.timer = timer
        self.systemEnvironment = systemEnvironment
    }

    /// Adds the plugins, before the engine is started.
    public func take(_ plugins: [(plugin: any Plugin, enabled: Bool)]) {
        runners += plugins.map { PluginRunner($0.plugin, enabled: $0.enabled) }
    }

    /// - Parameters:
    ///   - isActive: returns true if a reminder is still true.
    ///   - active: returns the delivered reminders that are still true.
    func start(
        cursors: [String: Int64], from first: Int64 = 0, store: any EventStore,
        isActive: @escaping @Sendable (DueReminder) async -> Bool,
        active: @escaping @Sendable () async -> [DueReminder]
    ) async {
        self.isActive = isActive
        self.active = active
        for index in runners.indices {
            runners[index].cursor = cursors[runners[index].manifest.id] ?? first
            runners[index].store = store
        }
        for index in runners.indices { read(index) }
    }

    /// The ids of all plugins.
    var identifiers: [String] { runners.map(\.manifest.id) }

    func stop() async -> [String: Int64] {
        isStopping = true
        let stops = runners.indices.filter { runners[$0].isEnabled }.map { index in
            Task { try? await call(index, .stop, within: .seconds(1)) { plugin in await plugin.stop() } }
        }
        await armTimer()
        for stop in stops { await stop.value }
        isStopped = true
        for call in calls.values {
            call.task.cancel()
            if !call.isOverdue { call.done(self, .failure(CancellationError())) }
        }
        calls = [:]
        await timer.disarm()
        return Dictionary(uniqueKeysWithValues: runners.map { ($0.manifest.id, $0.settled) })
    }

    // MARK: From the engine

    /// Announces new events in the log: plugins that are up to date get them at once, the others read on.
    func deliver(_ stored: [StoredEvent]) {
        guard let last = stored.last else { return }
        for index in runners.indices {
            runners[index].announce(stored, last: last.sequence)
            read(index)
        }
    }

    /// The cursors that moved since the last call, for the next commit.
    func takeCursors() -> [String: Int64] {
        var cursors: [String: Int64] = [:]
        for index in runners.indices where runners[index].cursorMoved {
            cursors[runners[index].manifest.id] = runners[index].settled
            runners[index].cursorMoved = false
        }
        return cursors
    }

    /// Moves the plugins that have read up to `first` on to `last`: the events in between are for no plugin.
    func passOver(from first: Int64, to last: Int64) {
        for index in runners.indices where runners[index].cursor == first && !runners[index].isReading {
            runners[index].read(last)
        }
    }

    /// Begins to read another log after this event; the events up to it count as read.
    package func begin(at sequence: Int64) {
        for index in runners.indices { runners[index].begin(at: sequence) }
    }

    /// Returns cursors that a commit did not take, for the next one.
    func giveBack(_ cursors: [String: Int64]) {
        for index in runners.indices where cursors[runners[index].manifest.id] != nil {
            runners[index].cursorMoved = true
        }
    }

    /// Tells the plugins that the night's phase changed.
    ///
    /// - Parameter byEvent: true if an event says so: plugins that read the log learn of the change there.
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

    /// Sets or, with nil, withdraws a plugin's request to be woken.
    func wake(_ id: String, after wait: Duration?) async {
        requests += 1
        guard let index = runners.firstIndex(where: { $0.manifest.id == id }) else { return }
        runners[index].wakeAt = wait.map {
            systemEnvironment.clock().counterMicroseconds + max(.zero, $0).wholeMilliseconds * 1_000
        }
        await armTimer()
    }

    /// Sets the oldest event that a plugin has not finished; nil for none.
    func hold(_ id: String, from sequence: Int64?) {
        guard let index = runners.firstIndex(where: { $0.manifest.id == id }) else { return }
        runners[index].heldFrom = sequence
        runners[index].cursorMoved = true
    }

    /// Sets or, with nil, clears a fault that a plugin reports.
    func note(_ id: String, _ complaint: String?) {
        requests += 1
        guard let index = runners.firstIndex(where: { $0.manifest.id == id }) else { return }
        runners[index].complaint = complaint.map { String($0.prefix(500)) } ?? ""
    }

    // MARK: Time

    /// Ends waits that are over: calls, retries and wake-ups. Called by the timer, and after the clock was set.
    public func timeCame() async {
        let now = systemEnvironment.clock()
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
            redeliver(index, now)
        }
        await armTimer()
    }

    /// Arms the one timer for the next wait. Waits count by the time since boot: setting the clock does not change
    /// them.
    func armTimer() async {
        guard !isStopped else { return }
        let now = systemEnvironment.clock()
        var next: Int64?
        func consider(_ boot: Int64?) { if let boot { next = min(next ?? boot, boot) } }
        for runner in runners {
            consider(runner.retryAt)
            consider(runner.wakeAt)
            for failed in runner.failedDeliveries { consider(failed.retryAt) }
        }
        for call in calls.values where !call.isOverdue { consider(call.expires) }
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

    /// Arms the timer when the calls that come back at once have come back: most calls need no timer.
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

    /// Schedules a wake-up, unless an earlier one is scheduled.
    private func wakeLater(_ index: Int) {
        let again = systemEnvironment.clock().counterMicroseconds + PluginRunner.wakeAgain.wholeMilliseconds * 1_000
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

/// The host's state of one plugin: its cursor, failures and retries. The type is a class, for the host looks at all
/// runners at each timer and would copy each.
final class PluginRunner {
    /// A reminder that the plugin failed to deliver.
    struct FailedDelivery {
        let due: DueReminder
        let failures: Int
        /// In microseconds since boot.
        let retryAt: Int64
    }

    static let pageSize = 64
    static let budget: Duration = .seconds(20)
    /// Wait after a failed ``Plugin/woken()``.
    static let wakeAgain: Duration = .seconds(60)
    /// Waits after the first failure; doubled each time, up to the bound.
    private static let firstWait: Duration = .seconds(1)
    private static let longestWait: Duration = .seconds(300)
    /// The bound for reminders.
    private static let longestWaitToDeliver: Duration = .seconds(60)

    let plugin: any Plugin
    let manifest: PluginManifest
    var store: (any EventStore)?
    var isEnabled: Bool
    var isReading = false
    var cursor: Int64 = 0
    var cursorMoved = false
    /// The oldest event that the plugin has not finished.
    var heldFrom: Int64?
    /// Newest event known to be in the log; more than any log holds until the store was read.
    var newest: Int64 = .max
    var failures = 0
    var lastError = ""
    /// A fault that the plugin itself reports.
    var complaint = ""
    /// In microseconds since boot.
    var retryAt: Int64?
    /// In microseconds since boot.
    var wakeAt: Int64?
    var failedDeliveries: [FailedDelivery] = []
    private var ready: [StoredEvent] = []
    /// The number of logs that have replaced the first one.
    private(set) var log = 0
    /// The last event that was handed out to be read.
    var taken: Int64 = 0

    init(_ plugin: any Plugin, enabled: Bool) {
        self.plugin = plugin
        manifest = type(of: plugin).manifest
        isEnabled = enabled
    }

    /// The last event that the plugin has finished: the cursor to store.
    var settled: Int64 { min(cursor, (heldFrom ?? .max) - 1) }
    var lag: Int64 { manifest.capabilities.contains(.reads) ? max(0, newest - cursor) : 0 }
    var canRead: Bool { isEnabled && !isReading && retryAt == nil && lag > 0 }
    var deliversReminders: Bool { isEnabled && manifest.capabilities.contains(.reminders) }

    private var isRetrying: Bool { retryAt != nil || !failedDeliveries.isEmpty }

    func isRetryDue(_ now: ClockReading) -> Bool { retryAt.map { $0 <= now.counterMicroseconds } ?? false }

    /// Keeps just committed events when they follow the cursor, so that no read is needed.
    func announce(_ stored: [StoredEvent], last: Int64) {
        newest = last
        let expected = (ready.last?.sequence ?? max(cursor, taken)) + 1
        if stored.first?.sequence == expected, ready.count < Self.pageSize { ready += stored }
    }

    func takeReady() -> [StoredEvent]? {
        defer { ready = [] }
        guard ready.first?.sequence == cursor + 1 else {
            taken = 0
            return nil
        }
        taken = ready.last?.sequence ?? 0
        return ready
    }

    func read(_ sequence: Int64) {
        cursor = sequence
        cursorMoved = true
        failures = 0
        lastError = ""
    }

    func begin(at sequence: Int64) {
        log += 1
        ready = []
        taken = 0
        cursor = sequence
        newest = sequence
        cursorMoved = true
    }

    func delivered() { if failures == 0, failedDeliveries.isEmpty { lastError = "" } }

    func fail(_ error: any Error, now: ClockReading) {
        failures += 1
        lastError = "\(error)"
        retryAt = Self.again(after: failures, atMost: Self.longestWait, now)
    }

    func fail(toDeliver due: DueReminder, failures: Int, _ error: any Error, now: ClockReading) {
        lastError = "\(error)"
        let retryAt = Self.again(after: failures, atMost: Self.longestWaitToDeliver, now)
        failedDeliveries.removeAll { $0.due == due }
        failedDeliveries.append(FailedDelivery(due: due, failures: failures, retryAt: retryAt))
    }

    /// Removes and returns the reminders to retry now.
    func takeFailedDeliveries(_ now: ClockReading) -> [FailedDelivery] {
        let due = failedDeliveries.filter { $0.retryAt <= now.counterMicroseconds }
        failedDeliveries.removeAll { $0.retryAt <= now.counterMicroseconds }
        return due
    }

    /// Clears failures, after the plugin was switched on or off.
    func forgetFailures() {
        failures = 0
        lastError = ""
        complaint = ""
        retryAt = nil
        wakeAt = nil
        failedDeliveries = []
    }

    private static func again(after failures: Int, atMost longest: Duration, _ now: ClockReading) -> Int64 {
        let wait = min(firstWait * (1 << min(max(0, failures - 1), 10)), longest)
        return now.counterMicroseconds + wait.wholeMilliseconds * 1_000
    }

    func report(isHanging: Bool) -> PluginReport {
        let state: PluginReport.State =
            if !isEnabled { .disabled } else if isHanging { .hanging } else {
                isRetrying ? .retrying : .running
            }
        return PluginReport(
            manifest: manifest, state: state, cursor: cursor, lag: newest == .max ? 0 : lag, failures: failures,
            lastError: lastError.isEmpty ? complaint : lastError)
    }
}
