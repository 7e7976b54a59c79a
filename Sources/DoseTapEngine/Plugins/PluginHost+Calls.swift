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
        if calls.values.count(where: { !$0.isOverdue }) == 1 { Task { await armTimer() } }
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
        if calls.isEmpty { Task { await armTimer() } }
    }

    func giveUp(_ id: UInt64, _ call: PluginCall) {
        calls[id]?.isOverdue = true
        call.task.cancel()
        call.done(self, .failure(PluginFailure.hanging))
    }

    /// How many calls to a plugin were given up and have not come back.
    func overdue(_ index: Int) -> Int { calls.values.count { $0.plugin == index && $0.isOverdue } }
}
