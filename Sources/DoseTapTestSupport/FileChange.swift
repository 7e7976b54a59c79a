import Foundation

/// Waits for what is written in a folder; nothing is missed from the moment it is made.
public final class FileChange: Sendable {
    private let descriptor: Int32

    /// What can go wrong.
    public enum Failure: Error {
        /// The folder cannot be watched; the errno.
        case unwatchable(Int32)
        /// Nothing was written in time.
        case nothing
    }

    /// Starts to watch a folder.
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
