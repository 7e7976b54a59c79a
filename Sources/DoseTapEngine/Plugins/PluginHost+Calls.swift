internal import DoseTapDomain

/// A call to a plugin that has not come back yet.
struct PluginCall {
    /// What it is for.
    enum Purpose {
        case event
        case deadline
        case wake
        case phase
        case settings
        case test
        case stop
    }

    typealias Done = @Sendable (isolated PluginHost, Result<Void, any Error>) -> Void

    /// Index of the runner.
    let plugin: Int
    let purpose: Purpose
    let task: Task<Void, Never>
    /// When its budget ends, in microseconds since boot.
    let expires: Int64
    let done: Done
    /// It was given up and has not come back.
    var isOverdue = false
}

extension PluginHost {
    /// Calls that were given up and never came back, of one plugin, until it is called no more.
    private static let mostOverdue = 4

    /// Starts a call; `done` is called once, when it comes back or when its budget ends.
    func start(
        _ index: Int, _ purpose: PluginCall.Purpose, within budget: Duration = PluginRunner.budget,
        _ work: @escaping @Sendable (any Plugin) async throws -> Void, done: @escaping PluginCall.Done
    ) {
        guard purpose == .stop || overdue(index) < Self.mostOverdue else {
            return done(self, .failure(PluginFailure.hanging))
        }
        lastCall += 1
        let (id, plugin) = (lastCall, runners[index].plugin)
        let task = Task {
            do {
                try await work(plugin)
                cameBack(id, .success(()))
            } catch { cameBack(id, .failure(error)) }
        }
        let expires = surroundings.clock().counterMicroseconds + budget.wholeMilliseconds * 1_000
        calls[id] = PluginCall(plugin: index, purpose: purpose, task: task, expires: expires, done: done)
        if calls.values.count(where: { !$0.isOverdue }) == 1 { armSoon() }
    }

    /// Calls a plugin and waits, no longer than its budget.
    func call(
        _ index: Int, _ purpose: PluginCall.Purpose, within budget: Duration = PluginRunner.budget,
        _ work: @escaping @Sendable (any Plugin) async throws -> Void
    ) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            start(index, purpose, within: budget, work) { _, result in continuation.resume(with: result) }
        }
    }

    private func cameBack(_ id: UInt64, _ result: Result<Void, any Error>) {
        guard let call = calls.removeValue(forKey: id) else { return }
        if call.isOverdue { read(call.plugin) } else { call.done(self, result) }
        if calls.isEmpty { armSoon() }
    }

    func giveUp(_ id: UInt64, _ call: PluginCall) {
        calls[id]?.isOverdue = true
        call.task.cancel()
        call.done(self, .failure(PluginFailure.hanging))
    }

    /// How many calls to a plugin were given up and have not come back.
    func overdue(_ index: Int) -> Int { calls.values.count { $0.plugin == index && $0.isOverdue } }
}

/// The log, to each plugin in order and from its own cursor.
extension PluginHost {
    /// Reads on, unless the plugin is up to date, switched off, waiting to be tried again, or has not come back from an
    /// event it was given before.
    func read(_ index: Int) {
        guard runners[index].canRead, !isStuck(index) else { return }
        runners[index].isReading = true
        Task { await readAll(index) }
    }

    /// An event was given up on and the plugin is still at it.
    private func isStuck(_ index: Int) -> Bool {
        calls.values.contains { $0.plugin == index && $0.isOverdue && $0.purpose == .event }
    }

    /// Reads until the plugin is up to date or fails; a failure is tried again later, from the same event.
    private func readAll(_ index: Int) async {
        while runners[index].isEnabled, runners[index].lag > 0 {
            do {
                for event in try await next(index) {
                    guard runners[index].isEnabled else { break }
                    try await call(index, .event) { plugin in try await plugin.receive(event) }
                    runners[index].read(event.sequence)
                }
            } catch {
                runners[index].fail(error, now: surroundings.clock())
                complain("a plugin failed and will be tried again", index, error)
                break
            }
        }
        runners[index].isReading = false
        armSoon()
    }

    private func next(_ index: Int) async throws -> [StoredEvent] {
        if let ready = runners[index].takeReady() { return ready }
        guard let store = runners[index].store else { return [] }
        let (cursor, newest) = (runners[index].cursor, runners[index].newest)
        let events = try await store.events(after: cursor, limit: PluginRunner.pageSize)
        // What was announced while the store was asked may be newer than its answer.
        if events.isEmpty, runners[index].newest == newest { runners[index].newest = cursor }
        runners[index].taken = events.last?.sequence ?? 0
        return events
    }

    /// Whether nothing that is at hand comes after an event.
    func isLastAtHand(_ id: String, _ sequence: Int64) -> Bool {
        runners.contains { $0.manifest.id == id && $0.taken <= sequence }
    }
}

/// Reminders, to every plugin that asked for them.
extension PluginHost {
    /// A reminder is due: every plugin that asked for deadlines is told, each in its own task. One that fails is told again
    /// as long as the reminder stands.
    func tell(_ due: Deadline) {
        for index in runners.indices where runners[index].tellsReminders {
            // What failed before is no longer what is to be told, unless it is due at the same instant or of another kind.
            runners[index].untold.removeAll {
                $0.due.item.due != due.item.due && $0.due.item.id.isOfWindow == due.item.id.isOfWindow
            }
            tell(due, index, failures: 0)
        }
    }

    /// A plugin is there again in the middle of a night: what was told and still holds is news to it.
    func tellStanding(_ index: Int) {
        guard runners[index].tellsReminders else { return }
        Task {
            for due in await standing() where runners[index].tellsReminders { tell(due, index, failures: 0) }
        }
    }

    private func tell(_ due: Deadline, _ index: Int, failures: Int) {
        start(index, .deadline) { plugin in
            try await plugin.deadline(due)
        } done: { host, result in
            switch result {
            case .success: host.runners[index].told()
            case .failure(let error): host.failed(due, index, failures + 1, error)
            }
        }
    }

    private func failed(_ due: Deadline, _ index: Int, _ failures: Int, _ error: any Error) {
        complain("a plugin did not tell a reminder", index, error)
        guard runners[index].tellsReminders else { return }
        runners[index].fail(toTell: due, failures: failures, error, now: surroundings.clock())
        Task { await armTimer() }
    }

    /// Tells again what failed and waited long enough.
    func retell(_ index: Int, _ now: ClockReading) {
        for untold in runners[index].takeUntold(now) {
            asking += 1
            Task {
                // Whether it is still true is for the night to say, not for the plugin.
                let isTrue = await isStanding(untold.due)
                asking -= 1
                guard isTrue, runners[index].tellsReminders else { return }
                tell(untold.due, index, failures: untold.failures)
            }
        }
    }
}

/// What people ask of the plugins.
extension PluginHost {
    /// How the plugins are doing.
    public func reports() -> [PluginReport] {
        runners.indices.map { index in runners[index].report(isHanging: overdue(index) > 0) }
    }

    /// Whether any plugin that is switched on tells reminders.
    var tellsReminders: Bool { runners.contains(where: \.tellsReminders) }

    /// Whether a plugin is switched on.
    func isEnabled(_ id: String) -> Bool { runners.contains { $0.manifest.id == id && $0.isEnabled } }

    /// Switches a plugin on or off; on, it goes on from where it stopped reading and is told the reminder that stands.
    ///
    /// - Returns: false when there is no such plugin.
    public func set(_ id: String, enabled: Bool) -> Bool {
        guard let index = runners.firstIndex(where: { $0.manifest.id == id }) else { return false }
        guard runners[index].isEnabled != enabled else { return true }
        runners[index].isEnabled = enabled
        runners[index].forgetFailures()
        start(index, .settings) { plugin in
            await plugin.switched(on: enabled)
        } done: { _, _ in
        }
        read(index)
        tellStanding(index)
        return true
    }

    /// The channels that can be tried, of plugins that are switched on.
    public var channels: [String] { runners.filter(\.isEnabled).flatMap(\.manifest.channels).sorted() }

    /// The plugin that has a channel and is switched off; nil when there is none.
    public func disabledPlugin(with channel: String) -> String? {
        runners.first { !$0.isEnabled && $0.manifest.channels.contains(channel) }?.manifest.id
    }

    /// Tries a channel for real, marked as a test.
    ///
    /// - Returns: false when no plugin that is switched on has the channel.
    /// - Throws: what the plugin throws; ``PluginFailure/hanging``; ``PluginFailure/beingTested``, for a plugin tries one
    ///   channel at a time.
    public func test(_ channel: String) async throws -> Bool {
        guard let index = runners.firstIndex(where: { $0.isEnabled && $0.manifest.channels.contains(channel) }) else {
            return false
        }
        guard !calls.values.contains(where: { $0.plugin == index && $0.purpose == .test && !$0.isOverdue }) else {
            throw PluginFailure.beingTested
        }
        try await call(index, .test) { plugin in try await plugin.test(channel) }
        return true
    }
}
