internal import DoseTapSystem
internal import SDBus

/// Tells the service manager that the service lives, as long as the store's thread answers: the one wake-up while idle.
actor Watchdog {
    private let loop: EventLoop
    private let check: @Sendable () async throws -> Void
    private let interval: UInt64
    private let clock = SystemClock()
    private var timer: LoopTimer?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Returns: nil when no service manager asks for it.
    init?(on loop: EventLoop, check: @escaping @Sendable () async throws -> Void) async {
        guard let interval = SystemdNotify.watchdogInterval else { return nil }
        self.loop = loop
        self.check = check
        self.interval = UInt64(max(1, (interval / 2) / .microseconds(1)))
        let timer = LoopTimer(on: loop, clock: .boottime) { _ in
            Task(executorPreference: loop) { await self.ping() }
        }
        self.timer = timer
        try? await timer.arm(at: due)
    }

    private var due: UInt64 { UInt64(max(0, clock.read().bootMicroseconds)) + interval }

    private func ping() async {
        if (try? await check()) != nil { SystemdNotify.watchdog() }
        try? await timer?.arm(at: due)
    }

    func stop() async {
        await timer?.disarm()
        timer = nil
    }
}
