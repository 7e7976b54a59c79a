internal import CSystemd
internal import Glibc

/// Tells when the wall clock is set, through a timerfd that such a change cancels.
public final class ClockChangeWatch: Sendable {
    private let descriptor: UnixFD
    private let watch: IOWatch

    /// Starts to watch; the handler is called on the loop after every change.
    public init(on loop: EventLoop, handler: @escaping @Sendable () -> Void) async throws(BusError) {
        let raw = csd_clock_change_fd()
        if raw < 0 { throw BusError(errno: errno, doing: "timerfd_create") }
        let descriptor = UnixFD(owning: raw)
        try check(csd_clock_change_arm(raw), "timerfd_settime")
        self.descriptor = descriptor
        watch = try await IOWatch(on: loop, descriptor: raw, events: .readable) { [descriptor] _ in
            var count: UInt64 = 0
            let result = read(descriptor.rawValue, &count, MemoryLayout<UInt64>.size)
            if result < 0 && errno == EAGAIN { return }
            // Armed again before telling: a change in between must not be lost.
            _ = csd_clock_change_arm(descriptor.rawValue)
            handler()
        }
    }

    /// Stops watching.
    public func cancel() async {
        await watch.cancel()
    }
}
