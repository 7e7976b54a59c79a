internal import Glibc

/// What may be run: files that nobody but the person and root can change.
enum TrustedFile {
    /// Why a program at a path is not run; nil where it may be, and where it cannot be looked at from here.
    static func fault(ofProgram path: String) -> String? {
        guard let real = resolved(path), let slash = real.lastIndex(of: "/") else { return nil }
        let folder = slash == real.startIndex ? "/" : String(real[..<slash])
        var (status, above) = (stat(), stat())
        guard stat(real, &status) == 0, stat(folder, &above) == 0 else { return nil }
        let owners = owners(below: folder)
        if let reason = fault(status, owners) { return reason }
        return fault(above, owners).map { "in its folder \(folder), \($0)" }
    }

    /// Whose files are run: the person's and root's. In the sandbox of the service root has the number of everybody who has
    /// none there (`PrivateUsers=`): it is believed in root's own folders, and nowhere else.
    static func owners(below root: String) -> Set<uid_t> {
        var (top, folder) = (stat(), stat())
        guard stat("/", &top) == 0, stat(root, &folder) == 0, folder.st_uid == top.st_uid else {
            return [geteuid(), 0]
        }
        return [geteuid(), 0, top.st_uid]
    }

    /// Whether somebody else could change it.
    static func fault(_ status: stat, _ owners: Set<uid_t>) -> String? {
        guard owners.contains(status.st_uid) else { return "it belongs to user \(status.st_uid), not to you" }
        return status.st_mode & 0o022 == 0 ? nil : "others may write to it (chmod go-w)"
    }

    /// The path without links; nil where nothing is there.
    static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
