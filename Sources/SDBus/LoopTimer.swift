internal import CSystemd

/// One absolute timer on the loop; arming it replaces what was armed. Fires once, never before its instant.
public actor LoopTimer {
    /// The clock a timer counts on.
    public enum Clock: Sendable {
        /// CLOCK_REALTIME: the wall clock, follows when it is set.
        case realtime
        /// CLOCK_BOOTTIME: time since boot, sleep included.
        case boottime

        var id: clockid_t {
            switch self {
            case .realtime: CLOCK_REALTIME
            case .boottime: CLOCK_BOOTTIME
            }
        }
    }

    private let loop: EventLoop
    private let clock: Clock
    private let handler: @Sendable (UInt64) -> Void
    private var source: OpaquePointer?
    private var due: UInt64 = 0

    /// Everything of the timer runs on the loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameter handler: runs on the loop, with the instant it was armed for in microseconds.
    public init(_ clock: Clock, on loop: EventLoop, handler: @escaping @Sendable (UInt64) -> Void) {
        self.clock = clock
        self.loop = loop
        self.handler = handler
    }

    isolated deinit { sd_event_source_disable_unref(source) }

    /// Fires at an instant in microseconds of the timer's clock; at once when it has passed.
    public func arm(at microseconds: UInt64) {
        due = microseconds
        if source == nil {
            // Accuracy 1 µs: the library's default would let the deadline be 250 ms late.
            sd_event_add_time(
                loop.event, &source, clock.id, microseconds, 1,
                { _, _, userdata in
                    guard let userdata else { return 0 }
                    let timer = Unmanaged<LoopTimer>.fromOpaque(userdata).takeUnretainedValue()
                    timer.assumeIsolated { $0.handler($0.due) }
                    return 0
                }, Unmanaged.passUnretained(self).toOpaque())
        } else {
            sd_event_source_set_time(source, microseconds)
        }
        sd_event_source_set_enabled(source, CInt(SD_EVENT_ONESHOT))
    }

    /// Fires no more.
    public func disarm() {
        guard let source else { return }
        sd_event_source_set_enabled(source, CInt(SD_EVENT_OFF))
    }
}

extension LoopTimer {
    /// The time of a clock in microseconds, for timers that count from now.
    public static func now(_ clock: Clock) -> UInt64 {
        var time = timespec()
        clock_gettime(clock.id, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
    }
}
