internal import CLinux
internal import Glibc

/// Permissions of files that only their owner may read, looked at and put right as a program starts.
public enum PrivateModes {
    /// Takes away what others may do with these files and folders: 0600 and 0700. Links are not followed, and what
    /// belongs to somebody else is left alone.
    ///
    /// - Returns: the paths that were open, and whether each is closed now.
    public static func repair(files: [String], folders: [String]) -> [(path: String, isRepaired: Bool)] {
        folders.compactMap { repair($0, S_IFDIR, 0o700) } + files.compactMap { repair($0, S_IFREG, 0o600) }
    }

    private static func repair(_ path: String, _ kind: mode_t, _ mode: mode_t) -> (path: String, isRepaired: Bool)? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == kind, status.st_uid == geteuid(),
            status.st_mode & 0o7777 & ~mode != 0
        else { return nil }
        return (path, fchmodat(AT_FDCWD, path, status.st_mode & mode | 0o400, AT_SYMLINK_NOFOLLOW) == 0)
    }

    /// The plain files of a folder.
    public static func files(in folder: String) -> [String] {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return [] }
        guard let listing = fdopendir(descriptor) else {
            close(descriptor)
            return []
        }
        defer { closedir(listing) }
        var found: [String] = []
        while let entry = readdir(listing), found.count < 1_000 {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { found.append(folder + "/" + name) }
        }
        return found
    }
}

/// What other processes and the kernel may keep of this one's memory.
public enum ProcessMemory {
    /// Leaves nothing for a core dump, also where the kernel hands dumps to a program, which ignores limits.
    ///
    /// - Parameter hidesProcess: also hides the process from the person's other programs: its environment, its
    ///   descriptors and which program it is. Somebody who has to know the last, as the command of its service, then has
    ///   to ask the service manager.
    public static func forbidDumps(hidesProcess: Bool) {
        var limit = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(UInt32(RLIMIT_CORE.rawValue)), &limit)
        // No mapping is part of a dump.
        let descriptor = open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC)
        if descriptor >= 0 {
            var zero = UInt8(ascii: "0")
            _ = write(descriptor, &zero, 1)
            close(descriptor)
        }
        if hidesProcess { _ = clinux_forbid_dumps() }
    }
}
