internal import CSystemd

/// Receives signals of the process on the loop.
public final class SignalWatch: Sendable {
    private let sources: [LoopSource]

    /// Blocks signals in the calling thread; threads made later inherit it.
    ///
    /// Call it in `main` before any other thread exists, or a signal may still end the process.
    public static func block(_ signals: [Int32]) throws(BusError) {
        for signal in signals { try check(csd_block_signal(signal), "block a signal") }
    }

    /// Starts to receive blocked signals; the handler is called on the loop with the number.
    /// - Throws: ``BusError`` with `EBUSY` when a signal is not blocked or received elsewhere.
    public init(
        on loop: EventLoop,
        signals: [Int32],
        handler: @escaping @Sendable (Int32) -> Void
    ) async throws(BusError) {
        let context = SignalContext(handler: handler)
        sources = try await loop.perform { () throws(BusError) in
            var sources: [LoopSource] = []
            for signal in signals {
                sources.append(
                    try loop.makeSource(context, doing: "watch signal \(signal)") { event, source, userdata in
                        sd_event_add_signal(
                            event, &source, signal,
                            { _, info, userdata in
                                let number = info.map { Int32(bitPattern: $0.pointee.ssi_signo) } ?? 0
                                SDBus.context(userdata, as: SignalContext.self)?.handler(number)
                                return 0
                            }, userdata)
                    }
                )
            }
            return sources
        }
    }
}

private final class SignalContext: Sendable {
    let handler: @Sendable (Int32) -> Void

    init(handler: @escaping @Sendable (Int32) -> Void) {
        self.handler = handler
    }
}
