internal import CLinux
internal import Glibc

/// Permissions of files that only their owner may read, checked and repaired at the start of a program.
public enum PrivateModes {
    /// Takes the rights of others to these files and folders away: 0600 and 0700. Links are not followed, and files of another
    /// user are left alone.
    ///
    /// - Returns: the paths that others could use, each with true if it is repaired.
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

    /// Returns the paths in a folder; none if it cannot be read to its end. A link in its place is not followed.
    ///
    /// - Parameter isMeant: returns true for the name of a file that is wanted.
    public static func files(in folder: String, where isMeant: (String) -> Bool = { _ in true }) -> [String] {
        let names = (try? Folder.names(in: folder, most: .max, followsLink: false)) ?? []
        return names.filter(isMeant).map { folder + "/" + $0 }
    }
}

/// The parts of this process's memory that other processes and the kernel may keep.
public enum ProcessMemory {
    /// Leaves nothing for a core dump, even if the kernel hands dumps to a program, which ignores limits.
    ///
    /// - Parameter hidesProcess: true also hides the process from the person's other programs: its environment, its descriptors
    ///   and its program. A caller that must know the program, as the command of the service, then has to ask the service
    ///   manager.
    public static func forbidDumps(hidesProcess: Bool) {
        var limit = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(UInt32(RLIMIT_CORE.rawValue)), &limit)
        // A filter of 0 leaves every mapping out of a dump.
        let descriptor = open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC)
        if descriptor >= 0 {
            var zero = UInt8(ascii: "0")
            _ = write(descriptor, &zero, 1)
            close(descriptor)
        }
        if hidesProcess { _ = clinux_forbid_dumps() }
    }
}
