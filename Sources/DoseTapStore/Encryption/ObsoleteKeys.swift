public import DoseTapDomain
import Glibc

/// The list of keys that have to go, beside a store: those of a removed record, and the one before the present key. The list
/// outlives the record, and each start removes the keys that nothing needs any more. The list holds for its folder alone: beside
/// a copy of the record it is ignored, because the backups that need such a key are not beside the copy.
public enum ObsoleteKeys {
    static let suffix = ".forget"
    static let draft = ".forget-new"
    private static let doing = sent("looking at what is to be deleted")

    /// Returns the keys of the list that nothing beside the store and no record in its place needs. The store must not be open
    /// in this process; for an open store there is ``Store/obsoleteKeys()``.
    ///
    /// - Throws: ``DoseTapDomain/StoreError`` if that cannot be known.
    public static func unneeded(besides path: String) throws(StoreError) -> [StoreKeyID] {
        try unneeded(besides: path, isOpen: false)
    }

    /// - Parameters:
    ///   - isOpen: true if this process has the database open; a second opening would lose its locks.
    ///   - key: the key of the open database.
    static func unneeded(
        besides path: String, isOpen: Bool, key: StoreKeyID? = nil
    ) throws(StoreError) -> [StoreKeyID] {
        // A record that was begun, restored or put back since may need one of the keys.
        let obsolete = try listed(besides: path).filter { !isInUse($0, besides: path, isOpen: isOpen, key: key) }
        return try unneeded(obsolete, besides: path, but: isOpen ? databases(path) : [])
    }

    /// Returns the files that this process may have open.
    private static func databases(_ path: String) -> Set<String> {
        Set(Store.logs(of: path).flatMap { log in ["", "-wal", "-shm", "-journal"].map { log + $0 } })
    }

    /// Returns those of the keys that no backup and no other file of the person needs. A file that cannot be read may need a
    /// key.
    ///
    /// - Parameter own: the files of the record itself, and backups that go with it.
    static func unneeded(
        _ keys: [StoreKeyID], besides path: String, but own: Set<String>
    ) throws(StoreError) -> [StoreKeyID] {
        let folder = FilePath.folder(of: path)
        let backups = "\(folder)/\(BackupFolder.name)"
        let (beside, kept) = (FolderListing(of: folder), FolderListing(of: backups))
        let paths =
            try beside.known(doing, all: false).map { "\(folder)/\($0)" }
            + kept.known(doing, all: false).map { "\(backups)/\($0)" }
        guard beside.isWhole, kept.isWhole else { return [] }
        return keys.filter { id in !paths.contains { !own.contains($0) && EncryptedFile.mayNeed($0, id) } }
    }

    /// Returns the keys of the record in use, of fresh logs beside it and of kept records.
    static func inUse(_ files: StoreFiles) -> [StoreKeyID] {
        Store.logs(of: files.path)
            .compactMap { KeyIDFile.read(besides: $0) ?? NightFile.keyID(besides: $0) }
            + files.keptRecords.compactMap { EncryptedFile.backupKeyID($0.path) }
    }

    /// Returns true if the record in place needs a key, or may need it.
    private static func isInUse(_ id: StoreKeyID, besides path: String, isOpen: Bool, key: StoreKeyID?) -> Bool {
        let own = StoreFiles(path: path)
        if id == key || inUse(own).contains(id) { return true }
        // If the file with the key's name is missing, as beside a copy that was put back, only the database tells the key.
        let files = Store.logs(of: path).flatMap { (isOpen ? [] : [$0]) + [$0 + KeyIDFile.suffix, $0 + ".night"] }
        return (files + own.keptRecords.map(\.path)).contains { EncryptedFile.mayNeed($0, id) }
    }

    // MARK: The list

    /// Returns the numbers of the file system and of the folder; nil if they are unknown. The number of the device would not do:
    /// with btrfs it may be another after each start of the computer.
    private static func place(of path: String) -> String? {
        let folder = FilePath.folder(of: path)
        var (status, fileSystem) = (stat(), statvfs())
        guard stat(folder, &status) == 0, statvfs(folder, &fileSystem) == 0 else { return nil }
        return "\(fileSystem.f_fsid):\(status.st_ino)"
    }

    /// Returns the keys; none for a list of another folder. The first form of the list names no folder.
    private static func listed(besides path: String) throws(StoreError) -> [StoreKeyID] {
        guard let words = try RedoFile.read(path + suffix)?.split(separator: " ").map(String.init), words.count > 3,
            words[0] == "dosetap-forget", words.count == 4 && words[1] == "1" || words.count == 5 && words[1] == "2",
            words.last == HeadFile.checkWord(words.dropLast().joined(separator: " ")) + "\n"
        else { return [] }
        if words.count == 5, words[2] != place(of: path) { return [] }
        return words[words.count - 2].split(separator: ",").compactMap { StoreKeyID($0) }
    }

    private static func write(_ keys: [StoreKeyID], besides path: String) throws(StoreError) {
        let names = keys.map(\.description).joined(separator: ",")
        let line = place(of: path).map { "dosetap-forget 2 \($0) \(names)" } ?? "dosetap-forget 1 \(names)"
        try RedoFile.write(
            "\(line) \(HeadFile.checkWord(line))\n", to: path + suffix, as: path + draft,
            doing: "noting which keys are to be removed")
    }

    /// Adds keys to the list.
    static func note(_ keys: [StoreKeyID], besides path: String) throws(StoreError) {
        let before = try listed(besides: path)
        let new = keys.filter { !before.contains($0) }
        if !new.isEmpty { try write(before + new, besides: path) }
    }

    /// Takes keys off the list: those that are gone, and one that a record needs again. It waits for the disk. If that fails, the
    /// list may be lost, and its keys stay where they are kept.
    public static func drop(_ keys: [StoreKeyID], besides path: String) {
        guard let before = try? listed(besides: path) else { return }
        let left = before.filter { !keys.contains($0) }
        guard left != before else { return }
        guard left.isEmpty else {
            try? write(left, besides: path)
            return
        }
        unlink(path + suffix)
        try? SystemCall.synchronize(FilePath.folder(of: path), flags: O_DIRECTORY)
    }
}
