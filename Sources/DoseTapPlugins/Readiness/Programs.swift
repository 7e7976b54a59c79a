internal import Glibc
internal import SDBus

/// Programs of the machine that are asked a short question.
enum Programs {
    /// What plays sounds, in the order in which it would be used.
    static let players = ["pw-play", "paplay", "aplay"]

    /// The first that is there.
    static var player: String? { players.first(where: has) }

    /// More is not read from a program.
    private static let mostBytes = 4_096

    /// Whether a program is there.
    static func has(_ name: String) -> Bool { path(name) != nil }

    private static func path(_ name: String) -> String? {
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return folders.split(separator: ":").lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// Runs a program for no longer than a limit and reads what it says.
    ///
    /// - Returns: its standard output, cut off after a few kilobytes; empty when it failed or was killed.
    /// - Throws: ``SDBus/BusError`` when it cannot be run.
    static func run(
        _ name: String, _ arguments: [String], on loop: EventLoop, within limit: Duration
    ) async throws -> String {
        try await bounded(limit, on: loop) { try await run(name, arguments, on: loop) }
    }

    /// Runs a program and reads what it says; cancelled, it is killed.
    ///
    /// - Returns: its standard output, cut off after a few kilobytes; empty when it failed.
    /// - Throws: ``SDBus/BusError`` when it cannot be run.
    static func run(_ name: String, _ arguments: [String], on loop: EventLoop) async throws -> String {
        guard let path = path(name) else { throw BusError(errno: ENOENT, doing: name) }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw BusError(errno: errno, doing: "pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        let output = UnixFD(owning: ends[0])
        let child = spawn(path, [name] + arguments, output: ends[1])
        close(ends[1])
        guard child > 0 else { throw BusError(errno: -child, doing: "run \(name)") }
        let watch: ChildWatch
        do { watch = try await ChildWatch(on: loop, processID: child) } catch {
            kill(child, SIGKILL)
            waitpid(child, nil, 0)
            throw error
        }
        let exit = await withTaskCancellationHandler {
            await watch.status()
        } onCancel: {
            Task(executorPreference: loop) { try? await watch.signal(SIGKILL, processID: child) }
        }
        // What it said fits the pipe or was not worth waiting for: it has ended, so all of it is there.
        guard exit == .exited(0) else { return "" }
        var bytes = [UInt8](repeating: 0, count: mostBytes)
        let count = read(output.rawValue, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// - Returns: the process, or a negative errno.
    private static func spawn(_ path: String, _ arguments: [String], output: Int32) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The service blocks the signals it waits for; its children are to be stopped by them.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var variables: [String] = ["LC_ALL=C"]
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            if !text.hasPrefix("LC_ALL="), !text.hasPrefix("NOTIFY_SOCKET=") { variables.append(text) }
            next += 1
        }
        let argv = arguments.map { strdup($0) } + [nil]
        let envp = variables.map { strdup($0) } + [nil]
        defer { for text in argv + envp { free(text) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, path, &actions, &attributes, argv, envp)
        return code == 0 ? child : -code
    }
}
