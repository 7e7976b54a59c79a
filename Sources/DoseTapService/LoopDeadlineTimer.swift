internal import DoseTapDomain
internal import DoseTapEngine
internal import SDBus

/// The engine's timer on the event loop: CLOCK_REALTIME, so that it follows the wall clock when that is set.
struct LoopDeadlineTimer: DeadlineTimer {
    private let timer: LoopTimer

    /// - Parameter handler: runs on the loop when the instant has come.
    init(on loop: EventLoop, handler: @escaping @Sendable () -> Void) {
        timer = LoopTimer(on: loop, clock: .realtime) { _ in handler() }
    }

    func arm(at instant: Instant) async throws { try await timer.arm(at: UInt64(max(0, instant.microseconds))) }

    func disarm() async { await timer.disarm() }
}
