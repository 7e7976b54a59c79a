public import DoseTapDomain
import DoseTapStore
public import Foundation
import Synchronization

/// The real `dosetapd` of this build as a child process; its readiness and its end are awaited as events.
public final class DaemonProcess: Sendable {
    public struct Failure: Error, CustomStringConvertible {
        /// The fault, and the daemon's output.
        public let description: String
    }

    /// The id stays the same after the end.
    public let processID: pid_t
    private let folder: ScratchFolder
    private let notify: Int32
    private let life: Int32
    private let status = Mutex<Int32?>(nil)
    private let notes = Mutex<[String]>([])

    /// The program beside the test program.
    public static var program: String {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (own as NSString).deletingLastPathComponent + "/dosetapd"
    }

    /// - Parameters:
    ///   - arguments: as on the command line; with a peer `--peer-fd` is added.
    ///   - environment: added to a minimal one; nothing of this session is inherited.
    ///   - peer: one end of a socket pair, which the daemon owns from now on.
    public init(arguments: [String], environment: [String: String] = [:], peer: Int32? = nil) throws {
        folder = try ScratchFolder()
        notify = try Self.datagramSocket(folder.path("notify"))
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure(description: "pipe: \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        life = ends[0]
        // Above 9: one that is to be duplicated may not be the number of a duplicate.
        let (alive, peer) = (Self.moved(ends[1]), peer.map(Self.moved))
        defer {
            close(alive)
            if let peer { close(peer) }
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, folder.path("out"), O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, folder.path("err"), O_WRONLY | O_CREAT, 0o600)
        // Held open by the daemon as long as it lives: its end is an end of file here.
        posix_spawn_file_actions_adddup2(&actions, alive, 9)
        var arguments = [Self.program] + arguments
        if let peer {
            posix_spawn_file_actions_adddup2(&actions, peer, 8)
            arguments += ["--peer-fd", "8"]
        }
        var variables = [
            "HOME": folder.path("home"), "PATH": "/usr/bin:/bin", "XDG_CONFIG_HOME": folder.path("config"),
            "XDG_DATA_HOME": folder.path("data"), "XDG_STATE_HOME": folder.path("state"),
            "XDG_RUNTIME_DIR": folder.path("run"), "NOTIFY_SOCKET": folder.path("notify"), "TZ": HourZone.night,
        ]
        variables.merge(Command.sanitizerOptions) { $1 }
        variables.merge(environment) { $1 }
        var child: pid_t = 0
        let result = withCStrings(arguments) { arguments in
            withCStrings(variables.map { "\($0)=\($1)" }) { variables in
                posix_spawn(&child, Self.program, &actions, nil, arguments, variables)
            }
        }
        processID = child
        guard result == 0 else { throw Failure(description: "\(Self.program): errno \(result)") }
    }

    private static func moved(_ descriptor: Int32) -> Int32 {
        defer { close(descriptor) }
        return fcntl(descriptor, F_DUPFD_CLOEXEC, 10)
    }

    deinit {
        if status.withLock({ $0 == nil }) {
            kill(processID, SIGKILL)
            var raw: Int32 = 0
            while waitpid(processID, &raw, 0) < 0 && errno == EINTR {}
        }
        close(notify)
        close(life)
    }

    public var errors: String { (try? String(contentsOfFile: folder.path("err"), encoding: .utf8)) ?? "" }

    public var output: String { (try? String(contentsOfFile: folder.path("out"), encoding: .utf8)) ?? "" }

    /// Waits for `READY=1`.
    public func awaitReady(within limit: Duration = .seconds(20)) throws { try awaitNote("READY=1", within: limit) }

    /// Waits until a notification to the service manager has come `count` times.
    public func awaitNote(_ note: String, count: Int = 1, within limit: Duration = .seconds(20)) throws {
        let deadline = ContinuousClock.now + limit
        while self.count(of: note) < count {
            var waits = [
                pollfd(fd: notify, events: Int16(POLLIN), revents: 0),
                pollfd(fd: life, events: Int16(POLLIN), revents: 0),
            ]
            let left = (deadline - ContinuousClock.now) / .milliseconds(1)
            guard left > 0, poll(&waits, 2, Int32(left.rounded(.up))) > 0 else {
                throw Failure(description: "no \(note) in time: \(errors)")
            }
            if waits[0].revents & Int16(POLLIN) != 0 {
                var bytes = [UInt8](repeating: 0, count: 4096)
                let count = recv(notify, &bytes, bytes.count, 0)
                let lines = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
                notes.withLock { $0 += lines.map(String.init) }
            } else {
                throw Failure(description: "ended with \(try awaitExit()) before \(note): \(errors)")
            }
        }
    }

    /// Returns how many times a notification to the service manager was read so far.
    public func count(of note: String) -> Int { notes.withLock { notes in notes.count { $0 == note } } }

    public func signal(_ number: Int32) { if status.withLock({ $0 == nil }) { kill(processID, number) } }

    /// Stops the process with SIGSTOP, like a machine that hangs; returns when it is stopped.
    public func freeze() throws {
        signal(SIGSTOP)
        var information = siginfo_t()
        guard waitid(P_PID, id_t(processID), &information, Int32(WSTOPPED)) == 0 else {
            throw Failure(description: "waitid: \(errno)")
        }
    }

    /// Waits for the end of the daemon.
    ///
    /// - Returns: the exit code; 128 + signal when it was killed.
    public func awaitExit(within limit: Duration = .seconds(20)) throws -> Int32 {
        if let known = status.withLock({ $0 }) { return known }
        var wait = pollfd(fd: life, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, Int32(limit / .milliseconds(1))) > 0 else {
            throw Failure(description: "still running: \(errors)")
        }
        var raw: Int32 = 0
        while waitpid(processID, &raw, 0) < 0 && errno == EINTR {}
        let code = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + (raw & 0x7F)
        status.withLock { $0 = code }
        return code
    }

    private static func datagramSocket(_ path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard descriptor >= 0, bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw Failure(description: "no socket at \(path)")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw Failure(description: "bind \(path): \(errno)") }
        return descriptor
    }
}

/// The log of a closed store.
public enum StoredLog {
    /// All its events, oldest first; the chain is verified and the tables compared.
    public static func read(_ path: String) async throws -> [StoredEvent] {
        let store = try Store.open(
            StoreConfiguration(path: path, surface: "test", now: Instant(seconds: 1_768_429_800)))
        let events = try await store.events(after: 0, limit: 100_000)
        let reports = [try await store.verify(), try await store.check()]
        try await store.close()
        for report in reports where !report.isSound {
            throw CommandError(description: "the store at \(path): \(report.findings)")
        }
        return events
    }
}
