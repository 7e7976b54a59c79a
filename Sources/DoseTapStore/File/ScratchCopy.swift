import Glibc

/// A private folder for a readable copy of a record that cannot be written. The folder is emptied and removed once the copy is
/// open; a killed process leaves it to the next one.
struct ScratchCopy: ~Copyable {
    /// Path of the copy.
    let path: String
    private let folder: String
    /// The descriptor of a lock that ends with the process.
    private let descriptor: Int32

    private static let prefix = "dosetap-copy-"
    private static let name = "dosetap.db"

    /// - Returns: nil if no folder can be made there.
    init?(in scratch: String) {
        // Another process may sweep the new folder away before it is locked.
        for _ in 0..<3 {
            var template = Array("\(scratch)/\(Self.prefix)XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { return nil }
            let made = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let opened = Self.lock(made)
            if opened >= 0, access(made, F_OK) == 0 {
                (folder, path, descriptor) = (made, "\(made)/\(Self.name)", opened)
                return
            }
            if opened >= 0 { Glibc.close(opened) }
            rmdir(made)
        }
        return nil
    }

    deinit {
        Self.remove(folder)
        Glibc.close(descriptor)
    }

    /// Removes folders that killed processes have left; a folder in use stays.
    static func sweep(_ scratchFolders: [String]) {
        for scratch in scratchFolders {
            for name in FolderListing(of: scratch).names where name.hasPrefix(prefix) {
                let folder = "\(scratch)/\(name)"
                var status = stat()
                guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else {
                    continue
                }
                let descriptor = lock(folder)
                guard descriptor >= 0 else { continue }
                remove(folder)
                Glibc.close(descriptor)
            }
        }
    }

    /// - Returns: the descriptor that holds the lock; negative if another process has it.
    private static func lock(_ folder: String) -> Int32 {
        let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return descriptor }
        Glibc.close(descriptor)
        return -1
    }

    private static func remove(_ folder: String) {
        for suffix in ["", "-wal", "-shm", "-journal", ".head"] { unlink("\(folder)/\(name)\(suffix)") }
        rmdir(folder)
    }
}
