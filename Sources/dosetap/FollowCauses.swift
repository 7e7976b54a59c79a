internal import SDBus
internal import Synchronization

/// Why to look again. However much happens while one looks, it is one more look; and no ending is lost.
final class FollowCauses: Sendable {
    /// What happened since the last look.
    struct Cause: Sendable {
        var isStopped = false
        var lost: BusError?
        /// The service left the bus.
        var isGone = false
        /// It came (back); the newest word on it.
        var isBack = false
        var isChanged = false
        var isTime = false
    }

    private let pending = Mutex<Cause?>(nil)
    private let wakes: AsyncStream<Void>
    private let feed: AsyncStream<Void>.Continuation

    init() { (wakes, feed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1)) }

    /// Something happened.
    func add(_ change: (inout Cause) -> Void) {
        pending.withLock { pending in
            var cause = pending ?? Cause()
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
