public import DoseTapDomain
import Glibc

/// The removal of a record with all files beside it: all of them or none, even if the process ends in between.
///
/// The keys that nothing needs afterwards are no files of the store: ``ObsoleteKeys`` names them until they are gone.
///
/// A marker beside the store tells that the removal was decided. The marker is complete and flushed before the first file goes,
/// and is removed after the last; as long as it exists, the next opening removes the rest before it opens anything.
public struct StoreWipe: Sendable {
    /// The database file.
    let path: String
    /// The folder of events that found no place beside the store.
    let spareFolder: String?

    private static let marker = ".wipe"
    static let draft = ".wipe-new"
    /// Files that stay: without the lock two processes could enter, and the list is of work to be done.
    private static let staying: Set<String> = [".lease", ObsoleteKeys.suffix]
    private static let planning = sent("looking at what is to be deleted")
    private static let finishing = sent("deleting the record, which is not finished")
    private static let backups = BackupFolder.name

    public init(path: String, spareFolder: String?) {
        self.path = path
        self.spareFolder = spareFolder
    }

    /// A decided deletion, as the marker file keeps it until the deletion is finished.
    struct Order: Hashable {
        var includesBackups: Bool
        /// The stores whose spare files go.
        var storeIDs: [String]
        /// The keys that nothing needs afterwards.
        var keys: [StoreKeyID]

        /// One line with a check word.
        var text: String {
            let line =
                "dosetap-wipe 2 \(includesBackups ? "backups" : "record") \(storeIDs.joined(separator: ",")) "
                + keys.map(\.description).joined(separator: ",")
            return "\(line) \(HeadFile.checkWord(line))\n"
        }

        init(includesBackups: Bool, storeIDs: [String], keys: [StoreKeyID] = []) {
            self.includesBackups = includesBackups
            self.storeIDs = storeIDs.filter(Self.isID)
            self.keys = keys
        }

        /// Nil for an incomplete text.
        init?(text: String) {
            let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            // The first form names no keys. A removal that an earlier version has begun is finished, too.
            guard let check = words.last, words.count == 6 || words.count == 5, words[0] == "dosetap-wipe",
                words[1] == (words.count == 6 ? "2" : "1"), ["backups", "record"].contains(words[2]),
                check == HeadFile.checkWord(words.dropLast().joined(separator: " ")) + "\n"
            else { return nil }
            let ids = words[3].split(separator: ",").map(String.init)
            let keys = words.count == 6 ? words[4].split(separator: ",").compactMap { StoreKeyID($0) } : []
            self.init(includesBackups: words[2] == "backups", storeIDs: ids, keys: keys)
        }

        /// Returns true for a valid id, which becomes part of a path.
        static func isID(_ text: String) -> Bool {
            text.utf8.count == 36
                && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) || $0 == 0x2D }
        }
    }

    // MARK: Looking

    /// Returns what would be removed and kept. Nothing changes.
    ///
    /// - Throws: ``DoseTapDomain/StoreError`` for an obstacle: a link, a pipe or a folder in the place of one of the files, a
    ///   file of another user, or a database that is not DoseTap's.
    public func look(includingBackups: Bool) throws(StoreError) -> WipeReport {
        try plan(includingBackups, isOpen: false).report
    }

    /// Returns the decision, and the report of it for a person.
    ///
    /// - Parameters:
    ///   - isOpen: true if this process has the database open; a second opening would lose its locks.
    ///   - storeIDs: the ids of the record, if known.
    ///   - key: the key of the open database.
    func plan(
        _ includingBackups: Bool, isOpen: Bool, storeIDs: [String] = [], key: StoreKeyID? = nil
    ) throws(StoreError) -> (order: Order, report: WipeReport) {
        let files = try StoreFiles(allOf: path, doing: Self.planning)
        let present = try files.allPresent(doing: Self.planning)
        try check(present, isOpen: isOpen)
        try checkKeyIDs(files)
        let order = try order(includingBackups, files, present, isOpen: isOpen, storeIDs: storeIDs, key: key)
        let backups = try backupFiles(order.storeIDs, all: includingBackups, doing: Self.planning)
        var report = WipeReport()
        report.files = present.filter { !Self.staying.contains($0.suffix) }.map {
            FilePath.name(of: $0.path)
        }
        report.files += order.storeIDs.compactMap(spare).filter(SystemCall.exists).map(FilePath.name)
        if includingBackups { report.files += backups.map(FilePath.name) }
        report.removedBackups = includingBackups ? backups.count : 0
        report.keptBackups = includingBackups ? 0 : backups.count
        report.leavesBackupFolder = try leavesBackupFolder()
        report.isKeyRemoved = !order.keys.isEmpty
        report.isKeyKept = try keys(files, isOpen: isOpen, key: key).count > order.keys.count
        return (order, report)
    }

    private func check(_ present: [StoreFiles.File], isOpen: Bool) throws(StoreError) {
        let file = DatabaseFile(path: path, migrator: Migrator(), key: nil)
        // Without a folder there is nothing to remove.
        guard SystemCall.exists(file.folder) else { return }
        try file.checkFolder()
        for file in present {
            guard file.status.st_mode & S_IFMT == S_IFREG, file.status.st_uid == geteuid(), file.status.st_nlink == 1
            else {
                throw StoreError(
                    code: .unavailable,
                    context:
                        "a file beside the record is a link, no plain file, or another user's: nothing was deleted",
                    underlying: file.path)
            }
        }
        guard isOpen || !SystemCall.exists(path) || isOurs else {
            throw StoreError(
                code: .foreign, context: "the file is no DoseTap record: nothing was deleted", underlying: path)
        }
    }

    /// Returns true if a file or a link lies in the place of the folder of the backups: it is the person's.
    private func leavesBackupFolder() throws(StoreError) -> Bool {
        let status = try SystemCall.status(of: folder + "/" + Self.backups, Self.planning)
        return status.map { $0.st_mode & S_IFMT != S_IFDIR } ?? false
    }

    /// Throws if a file that names keys cannot be read: a key that nobody finds would stay, and count as removed. The database
    /// may be open, and is not touched.
    private func checkKeyIDs(_ files: StoreFiles) throws(StoreError) {
        let beside = Store.logs(of: path).flatMap { [$0 + KeyIDFile.suffix, $0 + ".night"] }
        let paths = beside + files.keptRecords.map(\.path)
        for path in paths {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            if descriptor >= 0 {
                close(descriptor)
            } else if SystemCall.leavesUnknown(errno) {
                throw SystemCall.failure(
                    "open", path, errno, context: "\(Self.planning): \(sent("a file that names a key cannot be read"))")
            }
        }
    }

    /// True if the database is one of DoseTap's: by its header, or, for a damaged or encrypted one, by the files beside it.
    private var isOurs: Bool {
        if DatabaseFile.applicationID(of: path) == Migrator.applicationID { return true }
        if EncryptedFile.keyID(of: path) != nil { return true }
        if case .head = HeadFile.read(besides: path) { return true }
        return Reserve.peek(besides: path) != nil || (try? NightFile.events(besides: path, nil))?.isEmpty == false
    }

    private func order(
        _ includesBackups: Bool, _ files: StoreFiles, _ present: [StoreFiles.File], isOpen: Bool, storeIDs: [String],
        key: StoreKeyID?
    ) throws(StoreError) -> Order {
        var ids = Set(storeIDs)
        if case .head(_, let id) = HeadFile.read(besides: path) { ids.insert(id) }
        if let id = Reserve.peek(besides: path)?.storeID { ids.insert(id) }
        for number in 1...Store.mostBeside {
            if case .head(_, let id) = HeadFile.read(besides: Store.besidePath(path, number)) { ids.insert(id) }
        }
        var order = Order(includesBackups: includesBackups, storeIDs: ids.sorted())
        let removed = Set(includesBackups ? try backupFiles(order.storeIDs, all: true, doing: Self.planning) : [])
        let own = removed.union(present.map(\.path))
        let keys = try keys(files, isOpen: isOpen, key: key).sorted { $0.description < $1.description }
        order.keys = try ObsoleteKeys.unneeded(keys, besides: path, but: own)
        return order
    }

    // MARK: Keys

    /// Returns the keys of this record: those of each of its files, and those that an earlier removal still has to remove. A
    /// database that this process may have open is not touched, which would lose its locks.
    private func keys(_ files: StoreFiles, isOpen: Bool, key: StoreKeyID?) throws(StoreError) -> Set<StoreKeyID> {
        let own = isOpen ? key : EncryptedFile.keyID(of: path)
        let left = try ObsoleteKeys.unneeded(besides: path, isOpen: true)
        return Set(left + ObsoleteKeys.inUse(files) + [own].compactMap(\.self))
    }

    // MARK: Removing

    /// Removes everything. The database is known to be DoseTap's, the lease is held.
    ///
    /// - Parameters:
    ///   - storeIDs: the ids of the record, if known.
    ///   - key: the key of the open database.
    ///   - isOpen: true if this process has the database open.
    ///   - whenDecided: closes the database.
    /// - Returns: the removed files. If the removal cannot be finished, the marker stays, and the next opening continues.
    /// - Throws: ``DoseTapDomain/StoreError`` if nothing was removed.
    func run(
        includingBackups: Bool, storeIDs: [String] = [], key: StoreKeyID? = nil, isOpen: Bool = true,
        whenDecided: () -> Void = ClosedQueues.closeAll
    ) throws(StoreError) -> WipeReport {
        var (order, report) = try plan(includingBackups, isOpen: isOpen, storeIDs: storeIDs, key: key)
        try decide(order)
        whenDecided()
        report.isWiped = true
        report.isFinished = (try? finish(order)) != nil
        return report
    }

    /// Removes a record that cannot be opened: a damaged one, one of a newer version, one with a lost key.
    ///
    /// - Throws: ``DoseTapDomain/StoreError``; `.locked` names the process that has it open.
    public func run(surface: String, includingBackups: Bool) throws(StoreError) -> WipeReport {
        _ = try look(includingBackups: includingBackups)
        let lease = try Lease.take(besides: path, surface: surface)
        defer { withExtendedLifetime(lease) {} }
        let report = try run(includingBackups: includingBackups, isOpen: false)
        lease.ended()
        return report
    }

    /// Writes the marker, which makes the decision final.
    private func decide(_ order: Order) throws(StoreError) {
        try RedoFile.write(
            order.text, to: path + Self.marker, as: path + Self.draft, doing: "preparing to delete the record")
    }

    /// True if a removal was decided and is not finished.
    var isPending: Bool { get throws(StoreError) { try pending() != nil } }

    /// Returns the removal that was decided and is not finished.
    private func pending() throws(StoreError) -> Order? {
        try RedoFile.read(path + Self.marker).flatMap(Order.init(text:))
    }

    /// Finishes a decided removal, before anything is opened; each step may be repeated.
    ///
    /// - Throws: ``DoseTapDomain/StoreError`` if a file cannot be removed: the store is not opened then.
    func finishPending(surface: String) throws(StoreError) {
        guard try isPending else { return }
        let lease = try Lease.take(besides: path, surface: surface)
        defer { withExtendedLifetime(lease) {} }
        // Another process may have finished the removal before it gave up the lease.
        if let order = try pending() { try finish(order) }
        lease.ended()
    }

    private func finish(_ order: Order) throws(StoreError) {
        let doing = Self.finishing
        let unfinished = try FolderListing(of: folder + "/" + Self.backups).known(doing, all: false).filter {
            $0.hasPrefix(BackupFolder.draft)
        }
        for name in unfinished { try remove("\(folder)/\(Self.backups)/\(name)") }
        if order.includesBackups {
            for file in try backupFiles(order.storeIDs, all: true, doing: doing) { try remove(file) }
            let folder = folder + "/" + Self.backups
            var status = stat()
            // A file or a link in its place is the person's, and must not keep the removal from ending.
            if lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
                try SystemCall.synchronize(folder, flags: O_DIRECTORY | O_NOFOLLOW)
                rmdir(folder)
            }
        }
        let spares = order.storeIDs.compactMap(spare)
        for file in spares { for ending in ["", ".new"] { try remove(file + ending) } }
        if let spareFolder, !spares.isEmpty, SystemCall.exists(spareFolder) {
            try SystemCall.synchronize(spareFolder, flags: O_DIRECTORY)
        }
        // As long as the marker exists, the marker itself names the keys.
        try ObsoleteKeys.note(order.keys, besides: path)
        let files = try StoreFiles(allOf: path, doing: doing).allPresent(doing: doing)
        for file in files where !Self.staying.contains(file.suffix) { try remove(file.path) }
        try SystemCall.synchronize(folder, flags: O_DIRECTORY)
        try remove(path + Self.marker)
        try SystemCall.synchronize(folder, flags: O_DIRECTORY)
    }

    /// Removes a plain file of this user; any other file is not DoseTap's.
    private func remove(_ file: String) throws(StoreError) {
        let doing = Self.finishing
        guard let status = try SystemCall.status(of: file, doing) else { return }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            throw StoreError(
                code: .unavailable,
                context: "\(doing): \(sent("something else lies in the place of one of its files"))",
                underlying: file)
        }
        guard unlink(file) == 0 || errno == ENOENT else {
            throw SystemCall.failure("unlink", file, errno, context: doing)
        }
    }

    // MARK: Places

    private var folder: String { DatabaseFile(path: path, migrator: Migrator(), key: nil).folder }

    private func spare(_ storeID: String) -> String? { spareFolder.map { "\($0)/unsaved-\(storeID)" } }

    /// Returns the plain files in the folder of the backups that have the name of a backup, except those of another record: a
    /// folder may hold more than one.
    ///
    /// - Parameters:
    ///   - storeIDs: the known ids of this record.
    ///   - all: true if a folder that cannot be read whole is a fault.
    private func backupFiles(_ storeIDs: [String], all: Bool, doing: String) throws(StoreError) -> [String] {
        // An encrypted backup names its key and not its record. A backup whose key belongs to another record here is that
        // record's.
        let foreign = Set(
            try FolderListing(of: folder).known(doing).filter { $0.hasSuffix(KeyIDFile.suffix) }
                .map { "\(folder)/\($0.dropLast(KeyIDFile.suffix.count))" }.filter { !$0.hasPrefix(path) }
                .compactMap(KeyIDFile.read(besides:)))
        let backups = folder + "/" + Self.backups
        var files: [String] = []
        for name in try FolderListing(of: backups).known(doing, all: all) where Backup(name: name) != nil {
            let path = backups + "/" + name
            guard let status = try SystemCall.status(of: path, doing), status.st_mode & S_IFMT == S_IFREG,
                status.st_uid == geteuid()
            else { continue }
            let found = try? LogSummary.glance(path, nil, migrator: Migrator())
            if let found, !storeIDs.isEmpty, !storeIDs.contains(found.storeID) { continue }
            if found == nil, let key = EncryptedFile.backupKeyID(path), foreign.contains(key) { continue }
            files.append(path)
        }
        return files
    }
}
