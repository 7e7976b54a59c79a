internal import CSystemd

/// Calls back when the wall clock is set (timerfd_create(2), TFD_TIMER_CANCEL_ON_SET).
public actor ClockChangeWatch {
    private let loop: EventLoop
    private let handler: @Sendable () -> Void
    private var source: OpaquePointer?
    private var descriptor: CInt = -1

    /// Everything of the watch runs on the loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameter handler: runs on the loop.
    public init(on loop: EventLoop, handler: @escaping @Sendable () -> Void) {
        self.loop = loop
        self.handler = handler
    }

    isolated deinit {
        sd_event_source_disable_unref(source)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Begins to watch.
    public func start() throws(BusError) {
        descriptor = timerfd_create(CLOCK_REALTIME, CInt(TFD_NONBLOCK) | CInt(TFD_CLOEXEC))
        guard descriptor >= 0 else { throw BusError(errno: csystemd_errno(), context: "timerfd_create") }
        try check(csystemd_timer_cancel_on_set(descriptor), "timerfd_settime")
        let result = sd_event_add_io(
            loop.event, &source, descriptor, UInt32(EPOLLIN.rawValue),
            { _, _, _, userdata in
                guard let userdata else { return 0 }
                let watch = Unmanaged<ClockChangeWatch>.fromOpaque(userdata).takeUnretainedValue()
                watch.assumeIsolated { $0.changed() }
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
        try check(result, "sd_event_add_io")
    }

    private func changed() {
        var expirations: UInt64 = 0
        let count = read(descriptor, &expirations, 8)
        let wasSet = count < 0 && csystemd_errno() == ECANCELED
        csystemd_timer_cancel_on_set(descriptor)
        if wasSet { handler() }
    }
}
