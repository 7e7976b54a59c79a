internal import Synchronization

/// Why to look again. However much happens while one looks, it is one more look; and nothing of it is lost.
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

    /// Something happened.
    func add(_ change: (inout Cause) -> Void) {
        pending.withLock { pending in
            var cause = pending ?? nothing
            change(&cause)
            pending = cause
        }
        feed.yield()
    }

    /// Waits for what happens next.
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
    /// Something happened that is known by a flag.
    func add(_ cause: Cause) { add { $0.formUnion(cause) } }
}
