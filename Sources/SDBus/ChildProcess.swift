internal import CSystemd
internal import Glibc

public enum ChildProcess {
    /// Starts a program in a process group of its own, with default signals, none blocked, and only the given
    /// descriptors.
    ///
    /// - Parameters:
    ///   - path: Absolute path.
    ///   - arguments: The program's name first.
    ///   - environment: `NAME=value` each.
    ///   - input: The program's standard input.
    ///   - output: The program's standard output and standard error.
    /// - Returns: The process id, which is also the group's. Watch the process with ``ChildWatch``.
    /// - Throws: ``BusError`` with the errno.
    public static func start(
        _ path: String, _ arguments: [String], environment: [String], input: UnixFD, output: UnixFD
    ) throws(BusError) -> Int32 {
        // A text with a NUL would be cut there, and mean something else.
        guard !([path] + arguments + environment).contains(where: { $0.utf8.contains(0) }) else {
            throw BusError(errno: EINVAL, doing: "start \(path)")
        }
        var processID: Int32 = 0
        let result = withCStrings(arguments) { arguments in
            withCStrings(environment) { environment in
                csd_spawn(path, arguments, environment, input.rawValue, output.rawValue, &processID)
            }
        }
        guard result == 0 else { throw BusError(errno: -result, doing: "start \(path)") }
        return processID
    }
}

extension UnixFD {
    /// A file in memory that holds these bytes, to be read from the start.
    ///
    /// - Throws: ``BusError`` with the errno.
    public static func memory(_ bytes: [UInt8]) throws(BusError) -> UnixFD {
        let file = UnixFD(owning: try check(csd_memory_fd("dosetap"), "memfd_create"))
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { write(file.rawValue, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw BusError(errno: errno, doing: "write to memory") }
            written += count
        }
        guard lseek(file.rawValue, 0, SEEK_SET) == 0 else { throw BusError(errno: errno, doing: "lseek") }
        return file
    }

    /// A pipe; reading from it does not block.
    ///
    /// - Throws: ``BusError`` with the errno.
    public static func pipe() throws(BusError) -> (reading: UnixFD, writing: UnixFD) {
        var (reading, writing): (Int32, Int32) = (-1, -1)
        try check(csd_pipe(&reading, &writing), "pipe")
        return (UnixFD(owning: reading), UnixFD(owning: writing))
    }
}

public enum ChildExit: Sendable, Hashable {
    case exited(Int32)
    case signaled(Int32)
}

/// Waits for a child process through a pidfd and reaps it, even if nobody asks for its end.
public actor ChildWatch {
    private nonisolated let loop: EventLoop
    private let descriptor: UnixFD
    private let group: Int32?
    /// The time for which the end of the loop waits for a killed child.
    private static let mostEndingMilliseconds: Int32 = 1_000
    private var watch: IOWatch?
    private var exit: ChildExit?
    private var waiting: [CheckedContinuation<ChildExit, Never>] = []

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    /// Starts to watch a child of this process that nobody else waits for.
    ///
    /// - Parameters:
    ///   - loop: The loop that learns of the child's end.
    ///   - processID: The child's process id.
    ///   - endsGroup: True if the child leads a process group that must not outlive it, nor the loop: the rest of the
    ///     group is killed when the child ends, and all of it when the loop does.
    /// - Throws: ``BusError`` if the child cannot be watched; a child that leads such a group has ended then and is
    ///   reaped.
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

    /// Waits for a killed child that has no descriptor, on a thread of its own: a child that cannot end now (in a call
    /// to a dead disk, for example) does not delay the loop.
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

    /// Called when the loop ends: nobody can ask about the child any more.
    func loopEnds() {
        guard exit == nil else { return }
        if let group {
            kill(-group, SIGKILL)
            var ended = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
            poll(&ended, 1, Self.mostEndingMilliseconds)
        }
        reap()
    }

    /// Waits for the child's end.
    public func status() async -> ChildExit {
        await withCheckedContinuation { continuation in
            if let exit { continuation.resume(returning: exit) } else { waiting.append(continuation) }
        }
    }

    /// Sends a signal, unless the child has been reaped; to the whole group if the number is the group's negative.
    public func signal(_ number: Int32, processID: Int32) throws(BusError) {
        if exit != nil { return }
        if kill(processID, number) != 0 { throw BusError(errno: errno, doing: "kill") }
    }

    private func reap() {
        guard exit == nil else { return }
        // The group is killed before the child is reaped: until then nobody else can have its number.
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
