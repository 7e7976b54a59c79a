public import DoseTapDomain
public import DoseTapEngine
import Synchronization

/// A timer that fires when the test says so.
public final class ManualTimer: DeadlineTimer {
    private let current = Mutex<Instant?>(nil)

    /// Every instant it was armed for, in order.
    public let armings = Recorder<Instant>()

    /// Not armed.
    public init() {}

    /// The instant it is armed for.
    public var armed: Instant? { current.withLock(\.self) }

    /// Every instant it was armed for, the same one in a row counted once.
    public var instants: [Instant] {
        armings.elements.reduce(into: []) { found, instant in
            if found.last != instant { found.append(instant) }
        }
    }

    /// Remembers the instant.
    public func arm(at instant: Instant) async {
        current.withLock { $0 = instant }
        armings.append(instant)
    }

    /// Forgets it.
    public func disarm() async { current.withLock { $0 = nil } }
}
