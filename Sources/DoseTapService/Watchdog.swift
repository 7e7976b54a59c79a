internal import SDBus

/// Tells the service manager that the service lives, as long as the store's thread answers: the one wake-up while idle.
actor Watchdog {
    private let loop: EventLoop
    private let check: @Sendable () async throws -> Void
    private let interval: UInt64
    private var timer: LoopTimer?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Returns: nil when no service manager asks for it.
    init?(on loop: EventLoop, check: @escaping @Sendable () async throws -> Void) async {
        guard let interval = SystemdNotify.watchdogInterval else { return nil }
        self.loop = loop
        self.check = check
        self.interval = UInt64(max(1, (interval / 2) / .microseconds(1)))
        let timer = LoopTimer(.boottime, on: loop) { _ in
            Task(executorPreference: loop) { await self.ping() }
        }
        self.timer = timer
        await timer.arm(at: LoopTimer.now(.boottime) + self.interval)
    }

    private func ping() async {
        if (try? await check()) != nil { SystemdNotify.watchdog() }
        await timer?.arm(at: LoopTimer.now(.boottime) + interval)
    }

    func stop() async {
        await timer?.disarm()
        timer = nil
    }
}
