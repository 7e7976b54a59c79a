public import DoseTapDomain
internal import Synchronization

/// A timer that fires when whoever moves the ``VirtualClock`` says so.
public final class VirtualTimer: DeadlineTimer {
    private let current = Mutex<Instant?>(nil)
    private let onArming: @Sendable (Instant) -> Void

    /// - Parameter onArming: told of every instant it is armed for, in order.
    public init(onArming: @escaping @Sendable (Instant) -> Void = { _ in }) { self.onArming = onArming }

    /// The instant it is armed for; nil when it is not.
    public var armed: Instant? { current.withLock(\.self) }

    /// Remembers the instant.
    public func arm(at instant: Instant) async {
        current.withLock { $0 = instant }
        onArming(instant)
    }

    /// Forgets it.
    public func disarm() async { current.withLock { $0 = nil } }

    /// Fires if its instant has come: then it is armed no more.
    ///
    /// - Returns: whether it fired.
    public func fires(at now: Instant) -> Bool {
        current.withLock { armed in
            guard let instant = armed, instant <= now else { return false }
            armed = nil
            return true
        }
    }
}
