extension EventLoop {
    /// Runs a closure on the loop and gives its result: at once when already there.
    ///
    /// As with an actor of the loop, who asks a loop that has stopped waits for ever.
    public func perform<R: Sendable>(
        _ body: @escaping @Sendable () throws(BusError) -> R
    ) async throws(BusError) -> R {
        if isCurrent { return try body() }
        return try await Visit(loop: self).run(body)
    }

    /// Runs a task on the loop at once, until it first waits for something; on the loop's thread only.
    func start(_ operation: @escaping @Sendable @concurrent () async -> Void) {
        Task.immediate(executorPreference: self) { await operation() }
    }

    /// Brings a task to the loop and back.
    ///
    /// An actor and not a continuation that the loop resumes: one that is resumed before it is awaited is ordered by an
    /// atomic inside the runtime, which ThreadSanitizer does not see; the switch of an executor it does.
    private actor Visit {
        nonisolated let loop: EventLoop
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        init(loop: EventLoop) { self.loop = loop }

        func run<R: Sendable>(_ body: @Sendable () throws(BusError) -> R) throws(BusError) -> R { try body() }
    }
}
