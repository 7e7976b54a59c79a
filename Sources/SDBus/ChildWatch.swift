internal import CSystemd
internal import Glibc

/// How a child process ended.
public enum ChildExit: Sendable, Hashable {
    /// It exited with this status.
    case exited(Int32)
    /// This signal ended it.
    case signaled(Int32)
}

/// Waits for a child process through a pidfd and reaps it, whether or not anybody asks how it ended.
public actor ChildWatch {
    private nonisolated let loop: EventLoop
    private let descriptor: UnixFD
    private let group: Int32?
    /// How long a child that was killed is waited for as the loop ends.
    private static let mostEndingMilliseconds: Int32 = 1_000
    private var watch: IOWatch?
    private var exit: ChildExit?
    private var waiting: [CheckedContinuation<ChildExit, Never>] = []

    /// The loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    /// Starts to watch a child of this process that nobody else waits for.
    ///
    /// - Parameter endsGroup: whether the child leads a process group that must not outlive it, nor the loop: what is left
    ///   of it is killed when the child ends, and all of it when the loop does.
    /// - Throws: ``BusError`` where it cannot be watched; a child that leads such a group has ended then and is reaped.
    public init(on loop: EventLoop, processID: Int32, endsGroup: Bool = false) async throws(BusError) {
        self.loop = loop
        let group = endsGroup && processID > 1 ? processID : nil
        self.group = group
        do throws(BusError) {
            descriptor = UnixFD(owning: try check(csd_pidfd_open(processID), "pidfd_open"))
            try await start()
        } catch {
            if let group {
                kill(-group, SIGKILL)
                await Self.reap(killed: group)
            }
            throw error
        }
    }

    /// Waits for a killed child that has no descriptor, on a thread of its own: one that cannot end now, in a call of a
    /// dead disk say, does not hold up the loop.
    private static func reap(killed child: Int32) async {
        await withUnsafeContinuation { continuation in
            let wait = Unmanaged.passRetained(KilledChild(processID: child, ended: continuation))
            var thread = pthread_t()
            let code = pthread_create(
                &thread, nil,
                { argument in
                    guard let argument else { return nil }
                    let wait = Unmanaged<KilledChild>.fromOpaque(argument).takeRetainedValue()
                    while waitpid(wait.processID, nil, 0) < 0 && errno == EINTR {}
                    wait.ended.resume()
                    return nil
                }, wait.toOpaque())
            if code == 0 {
                pthread_detach(thread)
            } else {
                wait.release()
                waitpid(child, nil, WNOHANG)
                continuation.resume()
            }
        }
    }

    private final class KilledChild: Sendable {
        let processID: Int32
        let ended: UnsafeContinuation<Void, Never>

        init(processID: Int32, ended: UnsafeContinuation<Void, Never>) {
            self.processID = processID
            self.ended = ended
        }
    }

    private func start() async throws(BusError) {
        watch = try await IOWatch(on: loop, descriptor: descriptor.rawValue, events: .readable) { [weak self] _ in
            guard let self else { return }
            self.assumeIsolated { $0.reap() }
        }
        if exit == nil {
            loop.children.value[ObjectIdentifier(self)] = self
        } else {
            // A child that has already ended may have been reaped before the watch was here to be stopped.
            await watch?.cancel()
        }
    }

    /// The loop ends: nobody will hear of the child any more.
    func loopEnds() {
        guard exit == nil else { return }
        if let group {
            kill(-group, SIGKILL)
            var ended = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
            poll(&ended, 1, Self.mostEndingMilliseconds)
        }
        reap()
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
        loop.children.value[ObjectIdentifier(self)] = nil
        if let watch { watch.assumeIsolated { $0.cancel() } }
        for continuation in waiting { continuation.resume(returning: exit) }
        waiting = []
    }
}
