internal import DoseTapDomain

/// A call to a plugin that has not returned yet.
struct PluginCall {
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

    let plugin: Int
    let purpose: Purpose
    let task: Task<Void, Never>
    /// The end of the call's budget, in microseconds since boot.
    let expires: Int64
    let done: Done
    /// True if the call was given up and has not returned.
    var isOverdue = false
}

extension PluginHost {
    /// The most overdue calls of one plugin. A plugin with that many is only called to stop.
    private static let mostOverdue = 4

    /// Starts a call; `done` is called once, when it returns or when its budget ends.
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
        let expires = systemEnvironment.clock().counterMicroseconds + budget.wholeMilliseconds * 1_000
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

    /// Number of calls to a plugin that were given up and have not returned.
    func overdue(_ index: Int) -> Int { calls.values.count { $0.plugin == index && $0.isOverdue } }
}

/// Delivers the log to each plugin in order, from its own cursor.
extension PluginHost {
    /// Reads on, unless the plugin is up to date, switched off, waiting for a retry, or has not returned from an
    /// earlier event.
    func read(_ index: Int) {
        guard runners[index].canRead, !isStuck(index) else { return }
        runners[index].isReading = true
        Task { await readAll(index) }
    }

    /// Returns true if the plugin has not returned from an event that was given up.
    private func isStuck(_ index: Int) -> Bool {
        calls.values.contains { $0.plugin == index && $0.isOverdue && $0.purpose == .event }
    }

    /// Reads until the plugin is up to date or fails; a failure is tried again later, from the same event.
    private func readAll(_ index: Int) async {
        while runners[index].isEnabled, runners[index].lag > 0 {
            do {
                let log = runners[index].log
                for event in try await next(index) {
                    guard runners[index].isEnabled, runners[index].log == log else { break }
                    if !event.event.isOfFile {
                        try await call(index, .event) { plugin in try await plugin.receive(event) }
                    }
                    // The place belongs to the log that was read: another one may have replaced it meanwhile.
                    guard runners[index].log == log else { break }
                    runners[index].read(event.sequence)
                }
            } catch {
                runners[index].fail(error, now: systemEnvironment.clock())
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
        let (cursor, newest, log) = (runners[index].cursor, runners[index].newest, runners[index].log)
        let events = try await store.events(after: cursor, limit: PluginRunner.pageSize)
        guard runners[index].log == log else { return [] }
        // Events announced during the read may be newer than its result.
        if events.isEmpty, runners[index].newest == newest { runners[index].newest = cursor }
        runners[index].taken = events.last?.sequence ?? 0
        return events
    }

    /// Returns true if no event at hand comes after this one.
    func isLastAtHand(_ id: String, _ sequence: Int64) -> Bool {
        runners.contains { $0.manifest.id == id && $0.taken <= sequence }
    }
}

/// Delivers reminders to every plugin with the capability.
extension PluginHost {
    /// Hands a due reminder to every plugin with the capability, each in its own task. A plugin that fails gets it
    /// again as long as the reminder is true.
    func deliver(reminder due: DueReminder) {
        for index in runners.indices where runners[index].deliversReminders {
            // A new reminder replaces a failed one, unless that is due at the same instant or of another kind.
            runners[index].failedDeliveries.removeAll {
                $0.due.item.due != due.item.due && $0.due.item.id.isOfWindow == due.item.id.isOfWindow
            }
            deliver(reminder: due, index, failures: 0)
        }
    }

    /// Gives a plugin that is switched on during a night the delivered reminders that are still true.
    private func notifyActive(_ index: Int) {
        guard runners[index].deliversReminders else { return }
        Task {
            for due in await active() where runners[index].deliversReminders {
                deliver(reminder: due, index, failures: 0)
            }
        }
    }

    private func deliver(reminder due: DueReminder, _ index: Int, failures: Int) {
        start(index, .deadline) { plugin in
            try await plugin.reminderDue(due)
        } done: { host, result in
            switch result {
            case .success: host.runners[index].delivered()
            case .failure(let error): host.failed(due, index, failures + 1, error)
            }
        }
    }

    private func failed(_ due: DueReminder, _ index: Int, _ failures: Int, _ error: any Error) {
        complain("a plugin did not deliver a reminder", index, error)
        guard runners[index].deliversReminders else { return }
        runners[index].fail(toDeliver: due, failures: failures, error, now: systemEnvironment.clock())
        Task { await armTimer() }
    }

    /// Retries failed reminders whose wait is over.
    func redeliver(_ index: Int, _ now: ClockReading) {
        for failed in runners[index].takeFailedDeliveries(now) {
            asking += 1
            Task {
                // The engine decides whether the reminder is still true, not the plugin.
                let isTrue = await isActive(failed.due)
                asking -= 1
                guard isTrue, runners[index].deliversReminders else { return }
                deliver(reminder: failed.due, index, failures: failed.failures)
            }
        }
    }
}

/// Administration: state, switches and tests of plugins.
extension PluginHost {
    public func reports() -> [PluginReport] {
        runners.indices.map { index in runners[index].report(isHanging: overdue(index) > 0) }
    }

    /// The ids of the plugins that are off.
    public var disabled: [String] { runners.compactMap { $0.isEnabled ? nil : $0.manifest.id } }

    /// True if any active plugin delivers reminders.
    var deliversReminders: Bool { runners.contains(where: \.deliversReminders) }

    /// Returns true if a plugin is on; asked with each view of the night.
    func isEnabled(_ id: String) -> Bool {
        requests += 1
        return runners.contains { $0.manifest.id == id && $0.isEnabled }
    }

    /// Switches a plugin on or off. A plugin that comes on continues from its cursor and gets the active reminders.
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
        notifyActive(index)
        return true
    }

    /// The channels of active plugins.
    public var channels: [String] { runners.filter(\.isEnabled).flatMap(\.manifest.channels).sorted() }

    /// The plugin that has a channel and is switched off; nil when there is none.
    public func disabledPlugin(with channel: String) -> String? {
        runners.first { !$0.isEnabled && $0.manifest.channels.contains(channel) }?.manifest.id
    }

    /// Sends a real test, marked as such, to a channel.
    ///
    /// - Returns: false when no active plugin has the channel.
    /// - Throws: the plugin's error; ``PluginFailure/hanging``; ``PluginFailure/beingTested``, as a plugin tests one
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
