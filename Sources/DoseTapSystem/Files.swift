internal import DoseTapDomain
import Glibc

/// Directories that hold private data.
public enum SecureDirectory {
    /// Makes sure a directory exists that only its owner can change, and that it survives a power cut.
    ///
    /// Missing directories on the way are created with mode 0700, each and its parent flushed to disk. An existing directory
    /// keeps its mode: it may be the person's home.
    ///
    /// - Parameter path: Absolute path.
    /// - Throws: ``SystemFault`` `.unsafeDirectory` if the directory is a symbolic link, belongs to someone else or is writable
    ///   for others; `.system` if the system refuses.
    public static func prepare(_ path: String) throws(SystemFault) {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw SystemFault(
                .unsafeDirectory, sent("“\(path)” is no absolute path."),
                hint: sent("Give one that starts with /."))
        }
        let parts = path.split(separator: "/")
        guard parts.allSatisfy({ $0 != ".." && $0 != "." }) else {
            throw SystemFault(
                .unsafeDirectory, sent("“\(path)” contains . or .. ."),
                hint: sent("Give the path without them."))
        }
        var walked = ""
        for part in parts {
            let parent = walked.isEmpty ? "/" : walked
            walked += "/" + part
            try create(walked, in: parent)
        }
        try check(walked.isEmpty ? "/" : walked)
    }

    /// Creates a directory if nothing of that name exists, and flushes both it and its entry in the parent.
    private static func create(_ path: String, in parent: String) throws(SystemFault) {
        guard mkdir(path, 0o700) == 0 else {
            // On a read-only disk the call fails for an existing directory, too; the next call tells if the directory exists.
            var status = stat()
            let number = errno
            if number == EEXIST || lstat(path, &status) == 0 { return }
            throw SystemFile.fault(path, number)
        }
        // Without the flushes a power cut may remove the directory and its store after a dose was acknowledged.
        for directory in [path, parent] {
            let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { throw SystemFile.fault(directory, errno) }
            defer { close(descriptor) }
            guard fsync(descriptor) == 0 else { throw SystemFile.fault(directory, errno) }
        }
    }

    private static func check(_ path: String) throws(SystemFault) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            let number = errno
            var link = stat()
            if lstat(path, &link) == 0, link.st_mode & S_IFMT == S_IFLNK {
                throw SystemFault(
                    .unsafeDirectory, sent("\(path) is a symbolic link."),
                    hint: sent("Put a directory in its place, or name the directory it points to."), underlying: number)
            }
            throw SystemFile.fault(path, number)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemFile.fault(path, errno) }
        guard status.st_uid == geteuid() else {
            throw SystemFault(
                .unsafeDirectory, sent("\(path) belongs to user \(status.st_uid), not to you."),
                hint: sent("Choose a directory of your own."))
        }
        guard status.st_mode & 0o022 == 0 else {
            // The permissions of a shared directory, such as /tmp, are not corrected.
            let isShared = status.st_mode & S_ISVTX != 0
            throw SystemFault(
                .unsafeDirectory, sent("\(path) can be changed by other users."),
                hint: isShared ? sent("Choose a directory of your own.") : nil, openDirectory: isShared ? nil : path)
        }
    }
}

/// Small files that only their owner may read.
public enum PrivateFile {
    /// Returns the file's bytes; nil without a file.
    ///
    /// - Parameter limit: Most bytes to accept.
    /// - Throws: ``SystemFault`` if the system refuses, over the limit, and for anything but a regular file.
    public static func read(_ path: String, limit: Int) throws(SystemFault) -> [UInt8]? {
        do throws(SystemFault) { return try SystemFile.read(path, limit: limit) } catch {
            if error.underlying == ENOENT { return nil }
            throw error
        }
    }

    /// Replaces a file as a whole: a reader, also after a crash, finds the old file or the new one.
    ///
    /// - Parameters:
    ///   - path: Absolute path; missing directories are created for the owner alone. One caller at a time writes a path: two would
    ///     remove each other's draft.
    ///   - isFlushed: true if the file must survive a power cut.
    /// - Throws: ``SystemFault``; if only the folder's flush fails, the file exists but may be lost in a power cut.
    public static func write(
        _ bytes: [UInt8], to path: String, isFlushed: Bool = true
    ) throws(SystemFault) {
        let folder = FilePath.folder(of: path)
        try SecureDirectory.prepare(folder)
        let draft = "\(path).\(getpid())"
        // A process of the same number that was killed may have left one.
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemFile.fault(draft, errno) }
        do throws(SystemFault) {
            defer { close(descriptor) }
            try SystemFile.write(bytes, to: descriptor, draft)
            guard !isFlushed || fsync(descriptor) == 0 else { throw SystemFile.fault(draft, errno) }
            guard rename(draft, path) == 0 else { throw SystemFile.fault(path, errno) }
        } catch {
            unlink(draft)
            throw error
        }
        // A power cut may take the new name back until the folder is flushed.
        if isFlushed { try SystemFile.synchronize(folder) }
    }

    /// Removes a file if it exists.
    public static func remove(_ path: String) { unlink(path) }

    /// Removes a file if it exists, so that a power cut does not bring it back.
    ///
    /// - Throws: ``SystemFault`` if the file is still there or may come back.
    public static func erase(_ path: String) throws(SystemFault) {
        guard unlink(path) == 0 || errno == ENOENT else { throw SystemFile.fault(path, errno) }
        // Also a file that is gone already: its removal may not be flushed.
        do throws(SystemFault) { try SystemFile.synchronize(FilePath.folder(of: path)) } catch {
            // Without the folder there is no file.
            if error.underlying != ENOENT { throw error }
        }
    }

    /// Returns true if the path is a plain file or a link.
    public static func exists(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        return [S_IFREG, S_IFLNK].contains(status.st_mode & S_IFMT)
    }
}

enum SystemFile {
    /// - Parameter limit: Most bytes to accept.
    /// - Throws: ``SystemFault`` with the errno; `EFBIG` over the limit, `EINVAL` for anything but a regular file.
    static func read(_ path: String, limit: Int) throws(SystemFault) -> [UInt8] {
        // O_NONBLOCK: a FIFO in a file's place must not hang the reader.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw fault(path, errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw fault(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw fault(path, EINVAL) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw fault(path, errno) }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= limit else { throw fault(path, EFBIG) }
        }
    }

    /// Writes all bytes.
    ///
    /// - Parameters:
    ///   - path: the name in the fault.
    ///   - offset: the place in the file, whose own position then stays as it is; nil to write at that position.
    /// - Throws: ``SystemFault`` with the errno; `ENOSPC` if the system takes no more bytes and names no error.
    static func write(
        _ bytes: [UInt8], to descriptor: Int32, _ path: String, at offset: Int? = nil
    ) throws(SystemFault) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { rest in
                if let offset { return pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + written)) }
                return Glibc.write(descriptor, rest.baseAddress, rest.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw fault(path, count < 0 ? errno : ENOSPC) }
            written += count
        }
    }

    static func synchronize(_ folder: String) throws(SystemFault) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw fault(folder, errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw fault(folder, errno) }
    }

    static func fault(_ path: String, _ number: Int32) -> SystemFault {
        SystemFault(.system, "\(path): \(String(cString: strerror(number)))", underlying: number)
    }
}

/// A fault of the machine: a thing is missing, or in a state in which it must not be used.
public struct SystemFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of fault, for callers that act on it.
    public enum Code: Sendable, Hashable, CaseIterable {
        case noHome
        /// The name of a time zone is not valid, or this machine does not have the zone.
        case unknownZone
        /// The machine's zone data is missing or not readable.
        case zoneData
        case unsafeDirectory
        case system
    }

    public let code: Code
    /// The fault and its cause in one sentence.
    public let message: String
    /// A remedy, or nil if none is known.
    public let hint: String?
    /// A directory from which other users must lose the right to change it.
    public let openDirectory: String?
    /// errno of the failed call; 0 without one.
    public let underlying: Int32

    public var description: String { message }

    init(_ code: Code, _ message: String, hint: String? = nil, openDirectory: String? = nil, underlying: Int32 = 0) {
        self.code = code
        self.message = message
        self.hint = hint
        self.openDirectory = openDirectory
        self.underlying = underlying
    }
}
