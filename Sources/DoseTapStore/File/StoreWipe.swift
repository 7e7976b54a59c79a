public import DoseTapDomain
import Glibc

/// The removal of a record with everything that lies beside it: all of it or nothing, whatever ends the process in
/// between.
///
/// A marker beside the store says that it was decided. It is complete and flushed before the first file goes, and it is
/// removed after the last; as long as it is there, the next opening removes the rest before it opens anything.
public struct StoreWipe: Sendable {
    /// The database file.
    let path: String
    /// The folder of events that found no place beside the store.
    let spareFolder: String?

    private static let marker = ".wipe"
    static let draft = ".wipe-new"
    /// The folder of the backups, beside the store.
    private static let backups = "backups"

    public init(path: String, spareFolder: String?) {
        self.path = path
        self.spareFolder = spareFolder
    }

    /// What was decided.
    struct Order: Hashable {
        var includesBackups: Bool
        /// The stores whose spare files go.
        var storeIDs: [String]

        /// One line with a check word.
        var text: String {
            let line = "dosetap-wipe 1 \(includesBackups ? "backups" : "record") \(storeIDs.joined(separator: ","))"
            return "\(line) \(HeadFile.checkWord(line))\n"
        }

        init(includesBackups: Bool, storeIDs: [String]) {
            self.includesBackups = includesBackups
            self.storeIDs = storeIDs.filter(Self.isID)
        }

        /// Nil for a text that is not whole.
        init?(text: String) {
            let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            guard words.count == 5, words[0] == "dosetap-wipe", words[1] == "1",
                ["backups", "record"].contains(words[2]),
                words[4] == HeadFile.checkWord(words[0..<4].joined(separator: " ")) + "\n"
            else { return nil }
            let ids = words[3].split(separator: ",").map(String.init)
            self.init(includesBackups: words[2] == "backups", storeIDs: ids)
        }

        /// It becomes part of a path.
        static func isID(_ text: String) -> Bool {
            text.utf8.count == 36
                && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) || $0 == 0x2D }
        }
    }

    // MARK: Looking

    /// What would be removed and kept. Nothing changes.
    ///
    /// - Throws: ``DoseTapDomain/StoreError`` for what is in the way: a link, a pipe or a folder in the place of one of
    ///   the files, a file of another user, or a database that is none of DoseTap's.
    public func look(includingBackups: Bool) throws(StoreError) -> WipeReport {
        try look(includingBackups: includingBackups, isOpen: false)
    }

    /// - Parameter isOpen: whether this process has the database open; to open it a second time would lose its locks.
    func look(includingBackups: Bool, isOpen: Bool) throws(StoreError) -> WipeReport {
        try check(isOpen: isOpen)
        let order = order(includingBackups)
        let backups = backupFiles(order.storeIDs)
        var report = WipeReport()
        report.files = StoreFiles(path: path).present.filter { $0.suffix != ".lease" }.map { Self.name($0.path) }
        report.files += order.storeIDs.compactMap(spare).filter(Self.exists).map(Self.name)
        if includingBackups { report.files += backups.map(Self.name) }
        report.removedBackups = includingBackups ? backups.count : 0
        report.keptBackups = includingBackups ? 0 : backups.count
        return report
    }

    private func check(isOpen: Bool) throws(StoreError) {
        let file = DatabaseFile(path: path, migrator: Migrator(), key: nil)
        // Without a folder there is nothing to remove.
        guard Self.exists(file.folder) else { return }
        try file.checkFolder()
        for file in StoreFiles(path: path).present {
            guard file.status.st_mode & S_IFMT == S_IFREG, file.status.st_uid == geteuid(), file.status.st_nlink == 1
            else {
                throw StoreError(
                    code: .unavailable,
                    context:
                        "a file beside the record is a link, no plain file, or another user's: nothing was deleted",
                    underlying: file.path)
            }
        }
        guard isOpen || !Self.exists(path) || isOurs else {
            throw StoreError(
                code: .foreign, context: "the file is no DoseTap record: nothing was deleted", underlying: path)
        }
    }

    /// Whether the database is one of DoseTap's: by its header, or, where that is damaged or encrypted, by the files
    /// beside it.
    private var isOurs: Bool {
        if DatabaseFile.applicationID(of: path) == Migrator.applicationID { return true }
        if EncryptedFile.keyID(of: path) != nil { return true }
        if case .head = HeadFile.read(besides: path) { return true }
        return Reserve.peek(besides: path) != nil || !NightFile.events(besides: path, nil).isEmpty
    }

    private func order(_ includesBackups: Bool) -> Order {
        var ids: Set<String> = []
        if case .head(_, let id) = HeadFile.read(besides: path) { ids.insert(id) }
        if let id = Reserve.peek(besides: path)?.storeID { ids.insert(id) }
        for number in 1...Store.mostBeside {
            if case .head(_, let id) = HeadFile.read(besides: Store.besidePath(path, number)) { ids.insert(id) }
        }
        return Order(includesBackups: includesBackups, storeIDs: ids.sorted())
    }

    // MARK: Removing

    /// Removes everything. The database is known to be DoseTap's, the lease is held.
    ///
    /// - Parameters:
    ///   - storeIDs: of the record, where they are known.
    ///   - whenDecided: closes the database.
    /// - Returns: what was removed. Where it could not be finished the marker stays, and the next opening goes on.
    /// - Throws: ``DoseTapDomain/StoreError`` where nothing was removed.
    func run(
        includingBackups: Bool, storeIDs: [String] = [], whenDecided: () -> Void = ClosedQueues.closeAll
    ) throws(StoreError) -> WipeReport {
        var report = try look(includingBackups: includingBackups, isOpen: true)
        var order = order(includingBackups)
        order.storeIDs = Set(order.storeIDs + Order(includesBackups: false, storeIDs: storeIDs).storeIDs).sorted()
        try decide(order)
        whenDecided()
        report.isWiped = true
        report.isFinished = (try? finish()) != nil
        return report
    }

    /// Removes the record although it cannot be opened: a damaged one, one of a newer version, one whose key is lost.
    ///
    /// - Throws: ``DoseTapDomain/StoreError``; `.locked` names the process that has it open.
    public func run(surface: String, includingBackups: Bool) throws(StoreError) -> WipeReport {
        _ = try look(includingBackups: includingBackups)
        let lease = try Lease.take(besides: path, surface: surface)
        defer { withExtendedLifetime(lease) {} }
        let report = try run(includingBackups: includingBackups)
        lease.ended()
        return report
    }

    /// From here on it is decided.
    private func decide(_ order: Order) throws(StoreError) {
        try RedoFile.write(
            order.text, to: path + Self.marker, as: path + Self.draft, doing: "preparing to delete the record")
    }

    /// Whether a removal was decided and is not finished.
    var isPending: Bool { pending != nil }

    private var pending: Order? { RedoFile.read(path + Self.marker).flatMap(Order.init(text:)) }

    /// Finishes a removal that was decided, before anything is opened; each step may be repeated.
    ///
    /// - Throws: ``DoseTapDomain/StoreError`` where a file cannot be removed: the store is not opened then.
    func finishPending(surface: String) throws(StoreError) {
        guard isPending else { return }
        let lease = try Lease.take(besides: path, surface: surface)
        defer { withExtendedLifetime(lease) {} }
        try finish()
        lease.ended()
    }

    private func finish() throws(StoreError) {
        guard let order = pending else { return }
        let unfinished = FolderListing.names(in: folder + "/" + Self.backups).filter {
            $0.hasPrefix(BackupFolder.draft)
        }
        for name in unfinished { try remove("\(folder)/\(Self.backups)/\(name)") }
        if order.includesBackups {
            for file in backupFiles(order.storeIDs) { try remove(file) }
            let folder = folder + "/" + Self.backups
            if Self.exists(folder) {
                try SystemCall.synchronize(folder, flags: O_DIRECTORY | O_NOFOLLOW)
                rmdir(folder)
            }
        }
        let spares = order.storeIDs.compactMap(spare)
        for file in spares { for ending in ["", ".new"] { try remove(file + ending) } }
        if let spareFolder, !spares.isEmpty, Self.exists(spareFolder) {
            try SystemCall.synchronize(spareFolder, flags: O_DIRECTORY)
        }
        // The lease stays: whoever removed a lock would let in two.
        for file in StoreFiles(path: path).present where file.suffix != ".lease" { try remove(file.path) }
        try SystemCall.synchronize(folder, flags: O_DIRECTORY)
        try remove(path + Self.marker)
        try SystemCall.synchronize(folder, flags: O_DIRECTORY)
    }

    /// Removes a plain file of this user; anything else is not ours.
    private func remove(_ file: String) throws(StoreError) {
        var status = stat()
        guard lstat(file, &status) == 0 else { return }
        let doing = "deleting the record, which is not finished"
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            throw StoreError(
                code: .unavailable, context: "\(doing): something else lies in the place of one of its files",
                underlying: file)
        }
        guard unlink(file) == 0 || errno == ENOENT else {
            throw SystemCall.failure("unlink", file, errno, context: doing)
        }
    }

    // MARK: Places

    private var folder: String { DatabaseFile(path: path, migrator: Migrator(), key: nil).folder }

    private func spare(_ storeID: String) -> String? { spareFolder.map { "\($0)/unsaved-\(storeID)" } }

    /// The plain files in the folder of the backups that are named as backups are, but for those of another record: a
    /// folder may hold more than one.
    ///
    /// - Parameter storeIDs: of this record, as far as they are known.
    private func backupFiles(_ storeIDs: [String]) -> [String] {
        let folder = folder + "/" + Self.backups
        return FolderListing.names(in: folder).compactMap { name in
            var status = stat()
            let path = folder + "/" + name
            guard Backup(name: name) != nil, lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                status.st_uid == geteuid()
            else { return nil }
            let found = try? LogSummary.glance(path, nil, migrator: Migrator())
            if let found, !storeIDs.isEmpty, !storeIDs.contains(found.storeID) { return nil }
            return path
        }
    }

    private static func name(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }
}
