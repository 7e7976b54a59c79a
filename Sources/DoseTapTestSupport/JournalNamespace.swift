import Foundation
import Glibc

/// A second real journald with its own socket, which a test may stop, starve or end without disturbing the others.
public final class JournalNamespace {
    /// The namespace's name, for ``Journal/entries(matching:namespace:)``.
    public let name: String
    private let process: Process

    /// Its datagram socket.
    public var socketPath: String { "/run/systemd/journal.\(name)/socket" }

    /// Starts a journald and waits until it listens (at most 10 s). Only inside the test bed.
    public init(_ name: String) throws {
        self.name = name
        let settings = "[Journal]\nStorage=volatile\nRateLimitIntervalSec=0\nRateLimitBurst=0\nMaxLevelStore=debug\n"
        let file = "/run/systemd/journald@\(name).conf.d/testbed.conf"
        let manager = FileManager.default
        try manager.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try settings.write(toFile: file, atomically: true, encoding: .utf8)
        // A predecessor's sockets would look like this one's.
        if manager.fileExists(atPath: "/run/systemd/journal.\(name)") {
            try manager.removeItem(atPath: "/run/systemd/journal.\(name)")
        }
        try manager.createDirectory(atPath: "/run/systemd/journal.\(name)", withIntermediateDirectories: true)
        process = Process()
        process.executableURL = URL(
            fileURLWithPath: manager.isExecutableFile(atPath: "/lib/systemd/systemd-journald")
                ? "/lib/systemd/systemd-journald" : "/usr/lib/systemd/systemd-journald")
        process.arguments = [name]
        process.standardError = FileHandle.nullDevice
        try process.run()
        let deadline = ContinuousClock.now + .seconds(10)
        while !manager.fileExists(atPath: "/run/systemd/journal.\(name)/io.systemd.journal") {
            guard process.isRunning, ContinuousClock.now < deadline else {
                throw CommandError(description: "journald for namespace \(name) did not start")
            }
            usleep(10_000)
        }
    }

    /// Freezes it: it reads no more.
    public func freeze() { kill(process.processIdentifier, SIGSTOP) }

    /// Lets it go on.
    public func thaw() { kill(process.processIdentifier, SIGCONT) }

    /// Ends it.
    public func stop() {
        thaw()
        process.terminate()
        process.waitUntilExit()
    }
}
