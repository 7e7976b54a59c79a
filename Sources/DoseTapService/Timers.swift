internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapSystem
internal import SDBus
internal import Synchronization

/// The engine's timer on the event loop. Waits that count from a dose use CLOCK_BOOTTIME, which nobody sets but which
/// is slewed: see ``NextDue/reading``. Waits for a time of day use CLOCK_REALTIME, so that they follow the wall clock
/// when it is set.
struct LoopDeadlineTimer: DeadlineTimer {
    private let counted: LoopTimer
    private let wall: LoopTimer
    private let clock = SystemClock()

    private let listener: Listener

    /// Holds the handler, which is set after the timer exists.
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

    /// Sets the handler, which runs on the loop whenever the timer fires.
    func call(_ handler: @escaping @Sendable () -> Void) { listener.handler.withLock { $0 = handler } }

    func arm(_ next: NextDue, _ clock: ClockReading) async throws {
        let next = next.reading
        if let wait = next.counted {
            // The time since the clocks were read is subtracted from the wait.
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

/// Pings the service manager as long as the store's thread answers: the only wake-up while idle.
actor Watchdog {
    private let loop: EventLoop
    private let check: @Sendable () async throws -> Void
    private let isNeeded: @Sendable () async -> Bool
    private var isAsking = false
    private let interval: UInt64
    private let clock = SystemClock()
    private var timer: LoopTimer?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - check: returns without an error when all is well.
    ///   - isNeeded: asked if the check has not returned since the last ping; true if the service must stay alive.
    /// - Returns: nil when no service manager asks for pings.
    init?(
        on loop: EventLoop, check: @escaping @Sendable () async throws -> Void,
        isNeeded: @escaping @Sendable () async -> Bool
    ) async {
        guard let interval = SystemdNotify.watchdogInterval else { return nil }
        self.loop = loop
        self.check = check
        self.isNeeded = isNeeded
        self.interval = UInt64(max(1, (interval / 2) / .microseconds(1)))
        let timer = LoopTimer(on: loop, clock: .boottime) { _ in
            Task(executorPreference: loop.preference) { await self.ping() }
        }
        self.timer = timer
        try? await timer.arm(at: due)
    }

    private var due: UInt64 { UInt64(max(0, clock.read().bootMicroseconds)) + interval }

    private func ping() async {
        // If the timer cannot be armed, no further ping is sent, and the service manager restarts the service.
        try? await timer?.arm(at: due)
        if isAsking {
            if await isNeeded() { SystemdNotify.watchdog() }
            return
        }
        isAsking = true
        let isWell = (try? await check()) != nil
        isAsking = false
        if isWell { SystemdNotify.watchdog() }
    }

    func stop() async {
        await timer?.disarm()
        timer = nil
    }
}
