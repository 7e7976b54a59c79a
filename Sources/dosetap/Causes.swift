internal import Synchronization

/// Causes to look again. Causes that come during a look add up to one more look, and none of them is lost.
final class Causes<Cause: Sendable>: Sendable {
    private let nothing: Cause
    private let pending = Mutex<Cause?>(nil)
    private let wakes: AsyncStream<Void>
    private let feed: AsyncStream<Void>.Continuation

    /// - Parameter nothing: the cause in which nothing has happened yet.
    init(_ nothing: Cause) {
        self.nothing = nothing
        (wakes, feed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Changes the pending cause and wakes the waiter.
    func add(_ change: (inout Cause) -> Void) {
        pending.withLock { pending in
            var cause = pending ?? nothing
            change(&cause)
            pending = cause
        }
        feed.yield()
    }

    /// Waits for the next cause.
    func next() async -> Cause? {
        for await _ in wakes {
            if let cause = pending.withLock({ pending in
                defer { pending = nil }
                return pending
            }) {
                return cause
            }
        }
        return nil
    }
}

extension Causes where Cause: OptionSet {
    /// Adds a cause that is a flag.
    func add(_ cause: Cause) { add { $0.formUnion(cause) } }
}
