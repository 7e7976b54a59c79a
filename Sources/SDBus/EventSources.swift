internal import CSystemd
internal import Glibc

/// Watches a descriptor on the loop until cancelled or dropped. The caller keeps the descriptor.
public actor IOWatch {
    /// The readiness of a descriptor, as bits of epoll(7).
    public struct Events: OptionSet, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        public static let readable = Events(rawValue: UInt32(EPOLLIN.rawValue))
        public static let writable = Events(rawValue: UInt32(EPOLLOUT.rawValue))
        /// An error; always reported.
        public static let error = Events(rawValue: UInt32(EPOLLERR.rawValue))
    }

    private nonisolated let loop: EventLoop
    private var source: LoopSource?

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    /// Calls the handler on the loop for as long as the descriptor is ready.
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

/// Receives POSIX signals of the process on the loop.
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

/// Reports changes of the wall clock, through a timerfd that such a change cancels.
public final class ClockChangeWatch: Sendable {
    private let descriptor: UnixFD
    private let watch: IOWatch

    /// Calls the handler on the loop after every change.
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
            // Armed again before the handler runs: a change in between must not be lost.
            _ = csd_clock_change_arm(descriptor.rawValue)
            handler()
        }
    }

    public func cancel() async {
        await watch.cancel()
    }
}

/// An event source of a loop, released on the loop's thread.
///
/// Unchecked: both members are constant; the pointer is used on the loop's thread only.
final class LoopSource: @unchecked Sendable {
    let raw: OpaquePointer
    private let loop: EventLoop
    /// Userdata of the source's callback; it must outlive the source.
    private let context: AnyObject

    init(_ raw: OpaquePointer, loop: EventLoop, context: AnyObject) {
        self.raw = raw
        self.loop = loop
        self.context = context
    }

    deinit {
        let rest = LoopConfined((raw, context))
        loop.execute {
            // The source is disabled first: during its own callback it lives on a little.
            sd_event_source_set_enabled(rest.value.0, Int32(SD_EVENT_OFF))
            sd_event_source_unref(rest.value.0)
        }
    }
}

extension EventLoop {
    /// Makes a source with `context` as userdata of its callback; on the loop's thread only.
    func makeSource<Context: AnyObject>(
        _ context: Context,
        doing: String,
        _ add: (OpaquePointer, inout OpaquePointer?, UnsafeMutableRawPointer) -> Int32
    ) throws(BusError) -> LoopSource {
        preconditionIsolated()
        guard let event = events.value else { throw BusError.disconnected }
        var source: OpaquePointer?
        try check(add(event, &source, Unmanaged.passUnretained(context).toOpaque()), doing)
        guard let source else { throw BusError.invalidArgs(doing) }
        return LoopSource(source, loop: self, context: context)
    }
}

/// The context of a callback, kept alive while the callback runs.
func context<Context: AnyObject>(_ userdata: UnsafeMutableRawPointer?, as _: Context.Type) -> Context? {
    userdata.map { Unmanaged<Context>.fromOpaque($0).takeUnretainedValue() }
}
