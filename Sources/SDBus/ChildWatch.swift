internal import CSystemd
internal import Glibc

/// How a child process ended.
public enum ChildExit: Sendable, Hashable {
    /// It exited with this status.
    case exited(Int32)
    /// This signal ended it.
    case signaled(Int32)
}

/// Waits for a child process through a pidfd and reaps it.
public actor ChildWatch {
    private nonisolated let loop: EventLoop
    private let descriptor: UnixFD
    private let group: Int32?
    private var watch: IOWatch?
    private var exit: ChildExit?
    private var waiting: [CheckedContinuation<ChildExit, Never>] = []

    /// The loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    /// Starts to watch a child of this process that nobody else waits for.
    ///
    /// - Parameter endsGroup: whether the child leads a process group that must not outlive it: what is left of it is
    ///   killed when the child ends.
    public init(on loop: EventLoop, processID: Int32, endsGroup: Bool = false) async throws(BusError) {
        self.loop = loop
        group = endsGroup && processID > 1 ? processID : nil
        descriptor = UnixFD(owning: try check(csd_pidfd_open(processID), "pidfd_open"))
        try await start()
    }

    private func start() async throws(BusError) {
        watch = try await IOWatch(on: loop, descriptor: descriptor.rawValue, events: .readable) { [weak self] _ in
            guard let self else { return }
            self.assumeIsolated { $0.reap() }
        }
        // A child that has already ended may have been reaped before the watch was here to be stopped.
        if exit != nil { await watch?.cancel() }
    }

    /// How the child ended; waits until it has.
    public func status() async -> ChildExit {
        await withCheckedContinuation { continuation in
            if let exit { continuation.resume(returning: exit) } else { waiting.append(continuation) }
        }
    }

    /// Sends a signal, unless the child has been reaped; to a whole group when the number is its negative.
    public func signal(_ number: Int32, processID: Int32) throws(BusError) {
        if exit != nil { return }
        if kill(processID, number) != 0 { throw BusError(errno: errno, doing: "kill") }
    }

    private func reap() {
        guard exit == nil else { return }
        // Before the child is reaped: until then nobody else can have its number.
        if let group { kill(-group, SIGKILL) }
        var code: Int32 = 0
        var status: Int32 = 0
        let result = csd_pidfd_reap(descriptor.rawValue, &code, &status)
        if result == 0 { return }
        // A child that somebody else has reaped leaves no status; 255 is what shells say then.
        let exit: ChildExit =
            result < 0 ? .exited(255) : code == csd_code_exited() ? .exited(status) : .signaled(status)
        self.exit = exit
        if let watch { watch.assumeIsolated { $0.cancel() } }
        for continuation in waiting { continuation.resume(returning: exit) }
        waiting = []
    }
}
