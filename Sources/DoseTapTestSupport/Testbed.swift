public import DoseTapDomain
public import Foundation
import Glibc

/// Tells if the tests run inside `Tests/Support/testbed.sh`, with a journald and a `/run` of their own.
public enum Testbed {
    /// True inside the test bed; tests that need it are enabled by this: `.enabled(if: Testbed.isActive)`.
    public static var isActive: Bool {
        getenv("DOSETAP_TESTBED").map { String(cString: $0) } == "1"
    }
}

/// A temporary folder, removed with this object.
public final class ScratchFolder: Sendable {
    public let url: URL

    /// Makes a folder for this user only.
    ///
    /// - Parameter inMemory: true for a folder in memory if possible, for tests that are not about the disk and flush
    ///   often.
    public init(inMemory: Bool = false) throws {
        let memory = URL(filePath: "/dev/shm")
        let isThere = inMemory && FileManager.default.isWritableFile(atPath: memory.path)
        let place = isThere ? memory : FileManager.default.temporaryDirectory
        url = place.appending(path: "dosetap-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    public func path(_ name: String) -> String { url.appending(path: name).path(percentEncoded: false) }
}

/// Waits for writes in a folder; none is missed after the initializer.
public final class FileChange: Sendable {
    private let descriptor: Int32

    public enum Failure: Error {
        /// The folder cannot be watched; the errno.
        case unwatchable(Int32)
        /// Nothing was written in time.
        case nothing
    }

    public init(in folder: String) throws {
        descriptor = inotify_init1(Int32(IN_CLOEXEC))
        let events = UInt32(IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO)
        guard descriptor >= 0, inotify_add_watch(descriptor, folder, events) >= 0 else {
            throw Failure.unwatchable(errno)
        }
    }

    deinit { close(descriptor) }

    /// Waits until something has been written since the last call.
    public func next(within limit: Duration = .seconds(20)) throws {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, Int32(limit / .milliseconds(1))) > 0 else { throw Failure.nothing }
        var buffer = [UInt8](repeating: 0, count: 4096)
        _ = read(descriptor, &buffer, buffer.count)
    }
}

/// Zones by their present hour: a night's boundaries follow the local clock, and the expectations of a test must not
/// depend on the time of the run.
public enum HourZone {
    /// Returns a zone in which it is now this hour of the day.
    public static func identifier(hour: Int) -> String {
        let east = (hour - (time(nil) / 3_600) % 24 + 35) % 24 - 11
        return east > 0 ? "Etc/GMT-\(east)" : "Etc/GMT+\(-east)"
    }

    /// A zone in which it is past three at night at the start of this process: the evening is nine hours ago, the
    /// morning is to come.
    public static let night = identifier(hour: 3)
    /// A zone in which it is past six in the morning.
    public static let dawn = identifier(hour: 6)
}

/// Zones of this machine, for tests.
public enum SystemZones {
    public static func named(_ identifier: String) throws -> Zone {
        let file = URL(fileURLWithPath: "/usr/share/zoneinfo/" + identifier)
        return try Zone(identifier: identifier, tzif: [UInt8](Data(contentsOf: file)))
    }
}
