internal import DoseTapSystem
internal import SDBus

/// Tells the service manager that the service lives, as long as the store's thread answers: the one wake-up while idle.
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
    ///   - check: answers when all is well.
    ///   - isNeeded: asked when the check has not come back since the last time: whether the service is to live on.
    /// - Returns: nil when no service manager asks for it.
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
            Task(executorPreference: loop) { await self.ping() }
        }
        self.timer = timer
        try? await timer.arm(at: due)
    }

    private var due: UInt64 { UInt64(max(0, clock.read().bootMicroseconds)) + interval }

    private func ping() async {
        // A timer that cannot be armed gives no sign of life any more, and the service is started anew.
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
