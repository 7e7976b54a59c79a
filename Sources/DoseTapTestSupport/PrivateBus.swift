public import Foundation

/// A private message bus for a test: a real one as a direct child, with its own configuration, socket and service
/// folder. Nothing of the host is reachable or activatable through it.
public final class PrivateBus: @unchecked Sendable {
    public enum Make: String, CaseIterable, Sendable {
        /// The reference bus.
        case daemon = "dbus-daemon"
        /// The bus of many distributions; it starts services through systemd only.
        case broker = "dbus-broker-launch"

        /// The buses that are installed.
        public static let installed = allCases.filter { make in
            let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            return folders.contains { access("\($0)/\(make.rawValue)", X_OK) == 0 }
        }
    }

    public enum Failure: Error {
        /// The program cannot be run; the errno.
        case notStarted(Int32)
        /// The program ended or did not print its address, or its socket cannot be made.
        case noAddress
    }

    /// The folder that holds the configuration, the socket and the service files.
    public let directory: URL
    /// The D-Bus address; the same after ``start()``.
    public var address: String { "unix:path=" + directory.appendingPathComponent("bus").path }
    /// The daemon's process, 0 while stopped.
    ///
    /// Unchecked: guarded by the lock.
    public var processID: pid_t { lock.withLock { process } }

    private let make: Make
    private let lock = NSLock()
    private var process: pid_t = 0

    /// Makes the folder and starts the daemon; returns once it takes connections.
    /// - Parameters:
    ///   - make: The program of the bus.
    ///   - policy: Further lines of the configuration.
    public init(_ make: Make = .daemon, policy: String = "") throws {
        self.make = make
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("private-bus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: services, withIntermediateDirectories: true)
        let text = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <listen>\(address)</listen>
              <servicedir>\(services.path)</servicedir>
              <auth>EXTERNAL</auth>
              <policy context="default">
                <allow send_destination="*"/>
                <allow receive_sender="*"/>
                <allow own="*"/>
              </policy>
              \(policy)
            </busconfig>
            """
        try text.write(to: configuration, atomically: true, encoding: .utf8)
        try start()
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: directory)
    }

    private var configuration: URL { directory.appendingPathComponent("bus.conf") }
    private var services: URL { directory.appendingPathComponent("services") }

    /// Makes a name activatable.
    public func addService(name: String, command: String) throws {
        let text = "[D-BUS Service]\nName=\(name)\nExec=\(command)\n"
        try text.write(to: services.appendingPathComponent(name + ".service"), atomically: true, encoding: .utf8)
    }

    /// Starts the daemon again after ``stop()``, at the same address.
    public func start() throws {
        try? FileManager.default.removeItem(at: directory.appendingPathComponent("bus"))
        switch make {
        case .daemon: try startDaemon()
        case .broker: try startBroker()
        }
    }

    private func startDaemon() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure.notStarted(errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        try spawn(
            [
                make.rawValue, "--nofork", "--nopidfile", "--nosyslog", "--print-address=3",
                "--config-file=\(configuration.path)",
            ], handing: ends[1])
        // The address is printed when the socket listens; an end of file means that the daemon has ended.
        var byte: UInt8 = 0
        guard read(ends[0], &byte, 1) == 1 else {
            stop()
            throw Failure.noAddress
        }
    }

    /// Starts the broker with a listening socket, as from systemd. Clients that connect before the broker is up wait
    /// there.
    private func startBroker() throws {
        let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard socket >= 0 else { throw Failure.notStarted(errno) }
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        let path = Array(directory.appendingPathComponent("bus").path.utf8)
        let isBound = withUnsafeMutableBytes(of: &name.sun_path) { place in
            guard path.count < place.count else { return false }
            place.copyBytes(from: path)
            return true
        }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, length) }
        }
        guard isBound, result == 0, listen(socket, 128) == 0 else {
            close(socket)
            throw Failure.noAddress
        }
        // Only the process itself knows its id for LISTEN_PID; the launcher is a client of its own bus.
        let script = """
            LISTEN_FDS=1 LISTEN_PID=$$ DBUS_SESSION_BUS_ADDRESS="$1"
            export LISTEN_FDS LISTEN_PID DBUS_SESSION_BUS_ADDRESS
            exec "$0" --scope user --config-file="$2"
            """
        try spawn(["sh", "-c", script, make.rawValue, address, configuration.path], handing: socket)
    }

    /// Starts a program with a descriptor as its number 3. The descriptor is closed here.
    private func spawn(_ arguments: [String], handing descriptor: Int32) throws {
        defer { close(descriptor) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, descriptor, 3)
        var child: pid_t = 0
        let result = withCStrings(arguments) { posix_spawnp(&child, arguments[0], &actions, nil, $0, environ) }
        guard result == 0 else { throw Failure.notStarted(result) }
        lock.withLock { process = child }
    }

    /// Ends the daemon and reaps it.
    public func stop() {
        let child = lock.withLock {
            let child = process
            process = 0
            return child
        }
        guard child > 0 else { return }
        kill(child, SIGKILL)
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    }
}
