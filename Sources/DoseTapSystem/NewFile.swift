internal import DoseTapDomain
internal import Glibc

/// A file that a person asked for by name: complete under its name, or absent. Only its owner may read it (0600). It has no
/// name before ``finish()``.
public final class NewFile: Sendable {
    /// O_TMPFILE of open(2).
    private static let nameless: Int32 = 0o20_200_000

    /// The open file, for reading and writing. It is closed with this value.
    public let descriptor: Int32
    private let path: String
    private let replaces: Bool
    /// Path of the unfinished file, if the file system makes no files without a name.
    private let draft: String?

    /// - Parameters:
    ///   - path: the folder of the path must exist.
    ///   - replaces: a plain file of this name is replaced as a whole when this one is finished.
    /// - Throws: ``SystemFault`` with `EEXIST` if the name is taken, `EINVAL` if the name is taken by anything but a plain
    ///   file.
    public init(_ path: String, replaces: Bool = false) throws(SystemFault) {
        guard !path.isEmpty, !path.hasSuffix("/"), !path.utf8.contains(0) else { throw SystemFile.fault(path, EISDIR) }
        var status = stat()
        if lstat(path, &status) == 0 {
            guard replaces else { throw SystemFile.fault(path, EEXIST) }
            guard status.st_mode & S_IFMT == S_IFREG else { throw SystemFile.fault(path, EINVAL) }
        }
        (self.path, self.replaces) = (path, replaces)
        let unnamed = open(FilePath.folder(of: path), O_RDWR | Self.nameless | O_CLOEXEC, 0o600)
        if unnamed < 0, [EOPNOTSUPP, EISDIR, EINVAL].contains(errno) {
            let name = "\(path).\(getpid()).part"
            descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            draft = name
        } else {
            (descriptor, draft) = (unnamed, nil)
        }
        guard descriptor >= 0 else { throw SystemFile.fault(path, errno) }
        _ = fchmod(descriptor, 0o600)
    }

    /// Closes the file. An unfinished file leaves nothing behind.
    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        if let draft { unlink(draft) }
    }

    /// Flushes the file and gives it its name.
    ///
    /// - Throws: ``SystemFault`` with `EEXIST` if the name was taken meanwhile.
    public func finish() throws(SystemFault) {
        guard fsync(descriptor) == 0 else { throw SystemFile.fault(path, errno) }
        // A link replaces no file, so a replacement gets a name of its own first and is renamed.
        let name = replaces ? "\(path).\(getpid()).new" : path
        let linked =
            draft.map { linkat(AT_FDCWD, $0, AT_FDCWD, name, 0) }
            ?? linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, name, AT_SYMLINK_FOLLOW)
        if linked != 0, let draft, [EPERM, EOPNOTSUPP, ENOSYS].contains(errno) {
            // This file system knows no second name either.
            guard replaces || access(path, F_OK) != 0 else { throw SystemFile.fault(path, EEXIST) }
            guard rename(draft, path) == 0 else { throw SystemFile.fault(path, errno) }
        } else {
            guard linked == 0 else { throw SystemFile.fault(path, errno) }
            guard !replaces || rename(name, path) == 0 else {
                let number = errno
                unlink(name)
                throw SystemFile.fault(path, number)
            }
        }
        // The file has its name; a folder that cannot be flushed takes nothing back.
        try? SystemFile.synchronize(FilePath.folder(of: path))
    }

    /// Writes a new file.
    ///
    /// - Throws: ``SystemFault`` with `EEXIST` if the name is taken.
    public static func write(_ bytes: [UInt8], to path: String) throws(SystemFault) {
        let file = try NewFile(path)
        try SystemFile.write(bytes, to: file.descriptor, path)
        try file.finish()
    }
}
