internal import CLinux
internal import Glibc

/// A file without a name, in memory: what is too long for a message travels in it. Writing waits for no disk and no
/// reader.
public enum MemoryFile {
    /// Makes one; the caller closes it.
    ///
    /// - Throws: ``SystemFault`` where the system refuses.
    public static func make() throws(SystemFault) -> Int32 {
        let descriptor = clinux_memory_file("dosetap")
        guard descriptor >= 0 else { throw SystemFile.fault("memfd_create", errno) }
        return descriptor
    }

    /// Whether a descriptor that came in is such a file.
    public static func isOne(_ descriptor: Int32) -> Bool { clinux_is_memory_file(descriptor) != 0 }

    /// Replaces the content.
    ///
    /// - Throws: ``SystemFault`` where the file is sealed or memory is short.
    public static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemFault) {
        guard ftruncate(descriptor, 0) == 0 else { throw SystemFile.fault("ftruncate", errno) }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress, $0.count, off_t(written))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemFile.fault("pwrite", errno) }
            written += count
        }
    }

    /// The content from the beginning.
    ///
    /// - Parameter limit: most bytes to read; nil is returned beyond.
    public static func read(_ descriptor: Int32, limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = pread(descriptor, &room, room.count, off_t(bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return bytes }
            bytes += room[..<count]
            guard bytes.count <= limit else { return nil }
        }
    }
}

/// A file that a person asked for by name: complete under its name, or not there.
public enum NewFile {
    /// Writes a new file for its owner alone, mode 0600, flushed. It has no name until it is complete; what has the
    /// name already, be it a link, is left as it is.
    ///
    /// - Throws: ``SystemFault`` with `EEXIST` where the name is taken.
    public static func write(_ bytes: [UInt8], to path: String) throws(SystemFault) {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        var status = stat()
        guard lstat(path, &status) != 0 else { throw SystemFile.fault(path, EEXIST) }
        let nameless = 0o20_200_000
        var draft: String?
        var descriptor = open(folder, O_WRONLY | CInt(nameless) | O_CLOEXEC, 0o600)
        if descriptor < 0, errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL {
            // The file system cannot make files without a name.
            let name = "\(path).\(getpid()).part"
            descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            draft = name
        }
        guard descriptor >= 0 else { throw SystemFile.fault(path, errno) }
        defer {
            close(descriptor)
            if let draft { unlink(draft) }
        }
        _ = fchmod(descriptor, 0o600)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemFile.fault(path, errno) }
            written += count
        }
        guard fsync(descriptor) == 0 else { throw SystemFile.fault(path, errno) }
        let linked =
            draft.map { linkat(AT_FDCWD, $0, AT_FDCWD, path, 0) }
            ?? linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, path, AT_SYMLINK_FOLLOW)
        guard linked == 0 else { throw SystemFile.fault(path, errno) }
        let parent = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if parent >= 0 {
            fsync(parent)
            close(parent)
        }
    }
}
