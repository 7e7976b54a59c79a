import Foundation
import Glibc
public import SystemdJournal

/// Reads the test bed's real journal through `journalctl`.
public enum Journal {
    public struct Stored: Sendable {
        /// Every field with its values as bytes; journald keeps repeated fields.
        public let fields: [String: [[UInt8]]]

        /// The first value of a field as text.
        public subscript(name: String) -> String? {
            fields[name]?.first.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Returns the entries that match all fields, oldest first. journald first writes everything it has received
    /// (`journalctl --sync` returns once that is done), so nothing sent before this call is missed and there is no
    /// waiting.
    ///
    /// - Parameters:
    ///   - fields: Field names and the value each must have.
    ///   - namespace: A journal namespace, see ``JournalNamespace``; nil for the test bed's own journal.
    public static func entries(matching fields: [String: String], namespace: String? = nil) throws -> [Stored] {
        let scope = namespace.map { ["--namespace=\($0)"] } ?? []
        try Command.check(["timeout", "20", "journalctl", "--sync"] + scope)
        let matches = fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let listing = try Command.check(
            ["timeout", "20", "journalctl", "--no-pager", "--quiet", "--all", "--output=json"] + scope + matches)
        return try listing.output.split(separator: UInt8(ascii: "\n")).map(stored)
    }

    private static func stored(_ line: Data) throws -> Stored {
        guard let object = try JSONSerialization.jsonObject(with: line) as? [String: Any] else {
            throw CommandError(description: "journalctl printed no object")
        }
        return Stored(fields: object.mapValues(values))
    }

    /// Returns the values of a field in journalctl's JSON: a string, an array of byte values, or an array of such for a
    /// repeated field.
    private static func values(_ value: Any) -> [[UInt8]] {
        if let text = value as? String { return [Array(text.utf8)] }
        if let bytes = value as? [Int] { return [bytes.map { UInt8(truncatingIfNeeded: $0) }] }
        if let several = value as? [Any] { return several.flatMap(values) }
        return []
    }
}

/// A second real journald with its own socket, which a test may stop, starve or end without an effect on other tests.
public final class JournalNamespace {
    /// The namespace's name, for ``Journal/entries(matching:namespace:)``.
    public let name: String
    private let process: Process

    /// The datagram socket of this journald.
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
        // Sockets of an earlier journald would look like new ones.
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

    public func freeze() { kill(process.processIdentifier, SIGSTOP) }

    public func thaw() { kill(process.processIdentifier, SIGCONT) }

    public func stop() {
        thaw()
        process.terminate()
        process.waitUntilExit()
    }
}

/// A journal that records its entries.
public final class RecordingJournal: JournalSink {
    private let recorded = Recorder<JournalEntry>()

    public init() {}

    public var entries: [JournalEntry] { recorded.elements }

    public func send(_ entry: JournalEntry) { recorded.append(entry) }

    /// The entries with a catalog id.
    public func entries(_ messageID: String) -> [JournalEntry] {
        entries.filter { $0.messageID == messageID }
    }

    /// Waits for `count` entries.
    public func wait(count: Int) async throws { try await recorded.wait { $0.count >= count } }

    /// Waits for `count` entries with a catalog id.
    public func wait(for messageID: String, count: Int = 1) async throws {
        try await recorded.wait { entries in entries.count { $0.messageID == messageID } >= count }
    }
}
