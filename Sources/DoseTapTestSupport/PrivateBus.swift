public import Foundation

/// A message bus of a test's own: a real `dbus-daemon` as a direct child, with its own configuration, socket and
/// service folder. Nothing of the host is reachable or activatable through it.
public final class PrivateBus: @unchecked Sendable {
    /// What can keep a bus from starting.
    public enum Failure: Error {
        /// The program cannot be run; the errno.
        case notStarted(Int32)
        /// It ended or did not say its address.
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

    private let lock = NSLock()
    private var process: pid_t = 0

    /// Makes the folder and starts the daemon; returns once it takes connections.
    /// - Parameter policy: Further lines of the configuration.
    public init(policy: String = "") throws {
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
                <allow send_destination="*" eavesdrop="true"/>
                <allow eavesdrop="true"/>
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
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure.notStarted(errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 3)
        let arguments = [
            "dbus-daemon", "--nofork", "--nopidfile", "--nosyslog", "--print-address=3",
            "--config-file=\(configuration.path)",
        ]
        var child: pid_t = 0
        let result = withCStrings(arguments) { posix_spawnp(&child, "dbus-daemon", &actions, nil, $0, environ) }
        close(ends[1])
        guard result == 0 else { throw Failure.notStarted(result) }
        lock.withLock { process = child }
        // The address is printed when the socket listens; an end of file means that the daemon has ended.
        var byte: UInt8 = 0
        guard read(ends[0], &byte, 1) == 1 else {
            stop()
            throw Failure.noAddress
        }
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

/// A NULL-terminated array of C strings for the length of a call.
private func withCStrings(
    _ texts: [String],
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32
) -> Int32 {
    var copies: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeMutableBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return EINVAL }
        return body(start)
    }
}
