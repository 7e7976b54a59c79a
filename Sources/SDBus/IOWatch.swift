internal import CSystemd

/// Watches a descriptor on the loop until it is cancelled or dropped. The descriptor stays the caller's.
public actor IOWatch {
    /// What a descriptor is ready for (`EPOLLIN` and so on).
    public struct Events: OptionSet, Sendable {
        /// The bits of epoll(7).
        public let rawValue: UInt32
        /// Takes the bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// There is something to read.
        public static let readable = Events(rawValue: UInt32(EPOLLIN.rawValue))
        /// There is room to write.
        public static let writable = Events(rawValue: UInt32(EPOLLOUT.rawValue))
        /// An error; always reported.
        public static let error = Events(rawValue: UInt32(EPOLLERR.rawValue))
        /// The other side hung up; always reported.
        public static let hangUp = Events(rawValue: UInt32(EPOLLHUP.rawValue))
    }

    private nonisolated let loop: EventLoop
    private var source: LoopSource?

    /// The loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    /// Starts to watch. The handler is called on the loop for as long as the descriptor is ready.
    public init(
        on loop: EventLoop,
        descriptor: Int32,
        events: Events,
        handler: @escaping @Sendable (Events) -> Void
    ) async throws(BusError) {
        self.loop = loop
        let context = IOContext(handler: handler)
        source = try await Self.make(loop, descriptor, events, context)
    }

    /// Stops watching.
    public func cancel() {
        source = nil
    }

    private static func make(
        _ loop: EventLoop,
        _ descriptor: Int32,
        _ events: Events,
        _ context: IOContext
    ) async throws(BusError) -> LoopSource {
        try await loop.perform { () throws(BusError) in
            try loop.makeSource(context, doing: "watch a descriptor") { event, source, userdata in
                sd_event_add_io(
                    event, &source, descriptor, events.rawValue,
                    { _, _, ready, userdata in
                        SDBus.context(userdata, as: IOContext.self)?.handler(Events(rawValue: ready))
                        return 0
                    }, userdata)
            }
        }
    }
}

private final class IOContext: Sendable {
    let handler: @Sendable (IOWatch.Events) -> Void

    init(handler: @escaping @Sendable (IOWatch.Events) -> Void) {
        self.handler = handler
    }
}
