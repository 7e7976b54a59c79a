internal import CSystemd

/// Delivers Unix signals on the loop instead of interrupting a thread.
public actor SignalWatch {
    private let loop: EventLoop
    private let handler: @Sendable (Int32) -> Void
    private var sources: [OpaquePointer?] = []

    /// Everything of the watch runs on the loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameter handler: runs on the loop with the signal's number.
    public init(on loop: EventLoop, handler: @escaping @Sendable (Int32) -> Void) {
        self.loop = loop
        self.handler = handler
    }

    isolated deinit { for source in sources { sd_event_source_disable_unref(source) } }

    /// Blocks signals for the calling thread and those it starts later: do it before any other thread is made.
    public static func block(_ signals: [Int32]) { for signal in signals { csystemd_block_signal(signal) } }

    /// Begins to watch signals that are blocked.
    public func start(_ signals: [Int32]) throws(BusError) {
        for signal in signals {
            csystemd_block_signal(signal)
            var source: OpaquePointer?
            let result = sd_event_add_signal(
                loop.event, &source, signal,
                { _, info, userdata in
                    guard let info, let userdata else { return 0 }
                    let number = Int32(bitPattern: info.pointee.ssi_signo)
                    let watch = Unmanaged<SignalWatch>.fromOpaque(userdata).takeUnretainedValue()
                    watch.assumeIsolated { $0.handler(number) }
                    return 0
                }, Unmanaged.passUnretained(self).toOpaque())
            try check(result, "watching signal \(signal)")
            sources.append(source)
        }
    }
}
