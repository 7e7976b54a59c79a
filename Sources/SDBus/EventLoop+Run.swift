internal import CSystemd
internal import Glibc

extension EventLoop {
    /// Runs a new loop on the calling thread until `body` is done.
    ///
    /// The body is a task that prefers this loop, so nothing of it needs the default executor. What other tasks have
    /// queued by the end of the body still runs; what they would queue later does not.
    /// - Returns: What the body returned.
    /// - Throws: What the body threw, or a ``BusError`` when the loop cannot be made.
    public static func run<R: Sendable>(_ body: @escaping @Sendable (EventLoop) async throws -> R) throws -> R {
        let loop = try EventLoop()
        let outcome = Outcome<R>()
        Task(executorPreference: loop) {
            do {
                let value = try await body(loop)
                outcome.result.withLock { $0 = .success(value) }
            } catch {
                outcome.result.withLock { $0 = .failure(error) }
            }
            loop.requestStop()
        }
        var failure: BusError?
        loop.turnUntilStopped { failure = $0 }
        if let failure { throw failure }
        guard let result = outcome.result.withLock({ $0 }) else {
            throw BusError(name: BusError.Name.failed, message: "the event loop ended before its body")
        }
        return try result.get()
    }

    /// Where the body leaves its result for the thread that runs the loop.
    private final class Outcome<R: Sendable>: Sendable {
        let result = Locked<Result<R, any Error>?>(nil)
    }

    /// Starts a loop on a thread of its own.
    /// - Parameter name: The thread's name, cut to 15 bytes.
    /// - Throws: ``BusError`` with the errno when the loop or the thread cannot be made.
    public static func spawn(name: String) throws -> EventLoop {
        let loop = try EventLoop()
        let start = ThreadStart(loop: loop, name: name)
        var thread = pthread_t()
        let result = pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument else { return nil }
                let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
                csd_name_thread(start.name)
                start.loop.turnUntilStopped { start.announce($0) }
                return nil
            },
            Unmanaged.passRetained(start).toOpaque()
        )
        if result != 0 {
            Unmanaged.passUnretained(start).release()
            throw BusError(errno: result, doing: "pthread_create")
        }
        if let failure = start.awaitAnnouncement() {
            pthread_join(thread, nil)
            throw failure
        }
        loop.thread.withLock { $0 = thread }
        return loop
    }

    /// Ends a spawned loop after the work it has, and joins its thread. Close connections first.
    ///
    /// Must not be called on the loop itself. A second call does nothing.
    public func stop() {
        precondition(!isCurrent, "a loop cannot join itself")
        guard let thread = thread.withLock({ $0.take() }) else { return }
        requestStop()
        pthread_join(thread, nil)
    }
}
