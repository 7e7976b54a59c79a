public import DoseTapDomain
public import DoseTapEngine
import DoseTapSimulation
import Synchronization

/// A ``DoseTapSimulation/VirtualTimer`` that remembers what it was armed for.
public final class ManualTimer: DeadlineTimer {
    private let timer: VirtualTimer
    private let fails = Mutex(false)

    /// Arming failed because a test said so.
    public struct CannotBeArmed: Error {}

    /// Whether arming fails from now on.
    public func fail(_ fails: Bool) { self.fails.withLock { $0 = fails } }

    /// Every instant it was armed for, in order.
    public let armings: Recorder<Instant>

    /// Not armed.
    public init() {
        let armings = Recorder<Instant>()
        self.armings = armings
        timer = VirtualTimer(onArming: armings.append)
    }

    /// The instant it is armed for.
    public var armed: Instant? { timer.armed }

    /// Every instant it was armed for, the same one in a row counted once.
    public var instants: [Instant] {
        armings.elements.reduce(into: []) { found, instant in
            if found.last != instant { found.append(instant) }
        }
    }

    /// Remembers the instant.
    public func arm(at instant: Instant) async throws {
        if fails.withLock(\.self) { throw CannotBeArmed() }
        await timer.arm(at: instant)
    }

    /// Forgets it.
    public func disarm() async { await timer.disarm() }
}
