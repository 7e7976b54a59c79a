internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapSystem
internal import SDBus
internal import Synchronization

/// The engine's timer on the event loop. What counts from a dose waits on CLOCK_BOOTTIME, which nobody sets but which is
/// slewed: see ``NextDue/reading``. What is due at a time of day waits on CLOCK_REALTIME, so that it follows the wall clock
/// when that is set.
struct LoopDeadlineTimer: DeadlineTimer {
    private let counted: LoopTimer
    private let wall: LoopTimer
    private let clock = SystemClock()

    private let listener: Listener

    /// Who is called; known only once the timer is part of it.
    private final class Listener: Sendable {
        let handler = Mutex<@Sendable () -> Void>({})

        func call() { handler.withLock(\.self)() }
    }

    init(on loop: EventLoop) {
        let listener = Listener()
        self.listener = listener
        counted = LoopTimer(on: loop, clock: .boottime) { _ in listener.call() }
        wall = LoopTimer(on: loop, clock: .realtime) { _ in listener.call() }
    }

    /// Runs that on the loop whenever the time has come.
    func call(_ handler: @escaping @Sendable () -> Void) { listener.handler.withLock { $0 = handler } }

    func arm(at instant: Instant) async throws {
        await counted.disarm()
        try await wall.arm(at: UInt64(max(0, instant.microseconds)))
    }

    func arm(_ next: NextDue, _ clock: ClockReading) async throws {
        let next = next.reading
        if let wait = next.counted {
            // From here on it is later than the clocks were read: what has passed since is not waited for again.
            let passed = Duration.microseconds(self.clock.counterMicroseconds - clock.counterMicroseconds)
            try await counted.arm(after: max(.zero, wait - passed))
        } else {
            await counted.disarm()
        }
        if let instant = next.wall {
            try await wall.arm(at: UInt64(max(0, instant.microseconds)))
        } else {
            await wall.disarm()
        }
    }

    func disarm() async {
        await counted.disarm()
        await wall.disarm()
    }
}
