import DoseTapDomain
import Glibc

/// The lock of the one DoseTap process that uses a store: an OFD lock on a file beside it that names the holder.
///
/// The lock ends with the process; the text is only for people.
final class Lease: Sendable {
    private let descriptor: CInt
    /// True if the previous holder recorded no clean end.
    let endedBadly: Bool

    private init(descriptor: CInt) {
        self.descriptor = descriptor
        let before = Self.text(descriptor)
        endedBadly = !before.isEmpty && !before.hasSuffix(Self.goodEnd)
    }

    /// The text that the holder writes at a clean end.
    private static let goodEnd = "ended\n"

    deinit {
        // Closing alone is not enough while a child that is being spawned holds a copy of the descriptor.
        var lock = Self.lock(F_UNLCK)
        _ = fcntl(descriptor, Self.setLock, &lock)
        Glibc.close(descriptor)
    }

    /// - Throws: `.locked`, naming the holder, if another process has the lease.
    static func take(besides path: String, surface: String) throws(StoreError) -> Lease {
        let path = path + ".lease"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            throw SystemCall.failure("open", path, errno, context: "the store's lease file cannot be opened")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
            Glibc.close(descriptor)
            throw StoreError(
                code: .unavailable, context: "the store's lease file is no plain file of its own", underlying: path)
        }
        _ = fchmod(descriptor, 0o600)
        var lock = Self.lock(F_WRLCK)
        guard fcntl(descriptor, setLock, &lock) == 0 else {
            let code = errno
            defer { Glibc.close(descriptor) }
            guard code == EAGAIN || code == EACCES else {
                throw SystemCall.failure("fcntl", path, code, context: "the store's folder does not support locks")
            }
            throw StoreError(
                code: .locked, context: "the store is in use by \(holder(descriptor))", underlying: "lease \(path)")
        }
        // Only under the lock is the text that of the last holder.
        let lease = Lease(descriptor: descriptor)
        lease.write(surface: surface)
        return lease
    }

    /// F_OFD_SETLK of fcntl(2): owned by the open file, so no other close in this process drops it.
    private static let setLock: CInt = 37

    private static func lock(_ type: CInt) -> flock {
        flock(l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
    }

    private func write(surface: String) {
        let text = "pid=\(getpid()) start=\(Self.startTicks() ?? 0) surface=\(surface)\n"
        _ = ftruncate(descriptor, 0)
        let bytes = Array(text.utf8)
        _ = pwrite(descriptor, bytes, bytes.count, 0)
    }

    /// Records a clean end: the store was closed with every acknowledged event in it.
    func ended() {
        let bytes = Array(Self.goodEnd.utf8)
        _ = pwrite(descriptor, bytes, bytes.count, off_t(Self.text(descriptor).utf8.count))
    }

    private static func text(_ descriptor: CInt) -> String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Returns the holder in words, for an error.
    private static func holder(_ descriptor: CInt) -> String {
        let text = text(descriptor)
        var fields: [String: String] = [:]
        for word in text.split(whereSeparator: \.isWhitespace) {
            let parts = word.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { fields[String(parts[0])] = String(parts[1]) }
        }
        guard let pid = fields["pid"].flatMap(Int32.init) else { return "another process" }
        return "process \(pid) (\(fields["surface"] ?? "unknown"), started at tick \(fields["start"] ?? "?"))"
    }

    /// Start of this process, in clock ticks since boot (proc(5), field 22 of stat): with the pid it names one process.
    private static func startTicks() -> UInt64? {
        let descriptor = open("/proc/self/stat", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { Glibc.close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(descriptor, &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.count > 19 ? UInt64(fields[19]) : nil
    }
}
