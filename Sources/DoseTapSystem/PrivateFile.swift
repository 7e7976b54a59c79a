import Glibc

/// Small files that only their owner may read.
public enum PrivateFile {
    /// The file's bytes; nil when there is none.
    ///
    /// - Parameter limit: Most bytes to accept.
    /// - Throws: ``SystemFault`` where the system refuses, over the limit, and for what is no regular file.
    public static func read(_ path: String, limit: Int) throws(SystemFault) -> [UInt8]? {
        do throws(SystemFault) { return try SystemFile.read(path, limit: limit) } catch {
            if error.underlying == ENOENT { return nil }
            throw error
        }
    }

    /// Puts a file in place as a whole: a reader, or a crash, meets the old one or the new one.
    ///
    /// - Parameters:
    ///   - path: Absolute path; missing directories are created for the owner alone.
    ///   - isFlushed: Whether it must survive a power cut.
    /// - Throws: ``SystemFault``.
    public static func write(
        _ bytes: [UInt8], to path: String, isFlushed: Bool = true
    ) throws(SystemFault) {
        if let slash = path.lastIndex(of: "/") { try SecureDirectory.prepare(String(path[..<slash])) }
        let draft = "\(path).\(getpid())"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemFile.fault(draft, errno) }
        do throws(SystemFault) {
            defer { close(descriptor) }
            var written = 0
            while written < bytes.count {
                let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw SystemFile.fault(draft, errno) }
                written += count
            }
            guard !isFlushed || fsync(descriptor) == 0 else { throw SystemFile.fault(draft, errno) }
            guard rename(draft, path) == 0 else { throw SystemFile.fault(path, errno) }
        } catch {
            unlink(draft)
            throw error
        }
    }

    /// Removes a file, if it is there.
    public static func remove(_ path: String) { unlink(path) }
}
