import Glibc

/// Directories that hold private data.
public enum SecureDirectory {
    /// Makes sure a directory exists that only its owner can change, and that it survives a power cut.
    ///
    /// Missing directories on the way are created with mode 0700, each and its parent flushed to disk. One that exists
    /// keeps its mode: it may be the person's home.
    ///
    /// - Parameter path: Absolute path.
    /// - Throws: ``SystemFault`` `.unsafeDirectory` where the directory is a symbolic link, belongs to someone else or is
    ///   writable for others; `.system` where the system refuses.
    public static func prepare(_ path: String) throws(SystemFault) {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw SystemFault(.unsafeDirectory, "“\(path)” is no absolute path.", hint: "Give one that starts with /.")
        }
        let parts = path.split(separator: "/")
        guard parts.allSatisfy({ $0 != ".." && $0 != "." }) else {
            throw SystemFault(.unsafeDirectory, "“\(path)” contains . or .. .", hint: "Give the path without them.")
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
            // A parent on a read-only disk says so even for what exists; whether it is a directory shows next.
            var status = stat()
            let number = errno
            if number == EEXIST || lstat(path, &status) == 0 { return }
            throw SystemFile.fault(path, number)
        }
        // Without these a power cut may take the directory, and the store in it, after a dose was acknowledged.
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
                    .unsafeDirectory, "\(path) is a symbolic link.",
                    hint: "Put a directory in its place, or name the directory it points to.", underlying: number)
            }
            throw SystemFile.fault(path, number)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemFile.fault(path, errno) }
        guard status.st_uid == geteuid() else {
            throw SystemFault(
                .unsafeDirectory, "\(path) belongs to user \(status.st_uid), not to you.",
                hint: "Choose a directory of your own.")
        }
        guard status.st_mode & 0o022 == 0 else {
            // What everybody shares, such as /tmp, is not to be mended.
            let isShared = status.st_mode & S_ISVTX != 0
            throw SystemFault(
                .unsafeDirectory, "\(path) can be changed by other users.",
                hint: isShared ? "Choose a directory of your own." : nil, openDirectory: isShared ? nil : path)
        }
    }
}
