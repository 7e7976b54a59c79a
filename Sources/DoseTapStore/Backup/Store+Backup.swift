public import DoseTapDomain
import GRDB
import Glibc
import Synchronization

/// The last number of a draft, unique in this process; the lease keeps other processes away.
private let drafts = Atomic<UInt64>(0)

extension Store {
    /// The source of a backup.
    struct BackupSource: Sendable {
        let folder: BackupFolder
        let bytes: Int64
        let notes: [String]
    }

    /// Makes a backup in the folder beside the store (R24.1), some pages at a time at the caller's priority.
    ///
    /// - Returns: nil if there is no record yet.
    /// - Throws: ``DoseTapDomain/StoreError``; no file of that name exists then.
    public nonisolated func backUp(_ kind: Backup.Kind, at now: Instant) async throws -> Backup? {
        guard let source = try await backupSource() else { return nil }
        let archive = try Archive()
        try await makeRoom(for: source, archive)
        let (draft, summary) = try await copy(source, archive)
        do {
            var backup = try await archive.perform { () throws(StoreError) in
                try source.folder.keep(draft, summary, kind: kind, at: now)
            }
            backup.notes = source.notes
            return backup
        } catch {
            BackupFolder.discard(draft)
            throw error
        }
    }

    /// Makes a backup and writes it into a caller's file. The file gets a copy that was verified before.
    ///
    /// - Parameter descriptor: stays open as long as the call lasts.
    /// - Returns: nil if there is no record yet; the path is the caller's.
    public nonisolated func backUp(into descriptor: CInt, at now: Instant) async throws -> Backup? {
        let file = try CallersFile(descriptor, isWritten: true, store: await path)
        guard let source = try await backupSource() else { return nil }
        let archive = try Archive()
        let (draft, summary) = try await copy(source, archive)
        let bytes = BackupFolder.size(draft)
        defer { BackupFolder.discard(draft) }
        try await archive.perform { () throws(StoreError) in try file.fill(from: draft) }
        var backup = source.folder.describe(summary, kind: .manual, at: now)
        (backup.bytes, backup.notes) = (bytes, source.notes)
        return backup
    }

    /// The backups beside the store, newest first.
    public nonisolated func backups() async throws -> [Backup] {
        let (folder, own) = (await backupFolder, await identities)
        return try await Archive().perform { () throws(StoreError) in try folder.list() }.map { backup in
            var backup = backup
            backup.isOwn = own.contains(backup.storeID)
            return backup
        }
    }

    /// Removes backups beside the store.
    public nonisolated func remove(_ backups: [Backup]) async throws {
        let folder = await backupFolder
        try await Archive().perform { () throws(StoreError) in try folder.remove(backups) }
    }

    /// Removes the oldest automatic backups of this record if that makes enough room for a new one.
    private nonisolated func makeRoom(for source: BackupSource, _ archive: Archive) async throws {
        let (own, log) = (await identities, try await head.sequence)
        guard !Task.isCancelled else { return }
        try await archive.perform { () throws(StoreError) in
            try source.folder.makeRoom(for: source.bytes, own: own, log: log)
        }
    }

    /// Removes unfinished files of an earlier run; a backup that is being made stays.
    public nonisolated func sweepBackups() async throws {
        let folder = await backupFolder
        try await Archive().perform { () throws(StoreError) in folder.sweep() }
    }

    private nonisolated func copy(_ source: BackupSource, _ archive: Archive) async throws -> (String, LogSummary) {
        let number = drafts.add(1, ordering: .relaxed).newValue
        let draft = try await archive.perform { () throws(StoreError) in
            try source.folder.begin(bytes: source.bytes, number: number)
        }
        do {
            try await beginCopy(number, to: draft)
            var head = try await stepCopy(number)
            while head == nil {
                if Task.isCancelled { throw StoreError(code: .interrupted, context: "making a backup") }
                head = try await stepCopy(number)
            }
            let end = head
            let summary = try await archive.perform { () throws(StoreError) in try source.folder.seal(draft, head: end)
            }
            return (draft, summary)
        } catch {
            await endCopy(number)
            BackupFolder.discard(draft)
            throw error
        }
    }

    var backupFolder: BackupFolder { BackupFolder(store: beside?.damaged ?? path, migrator: migrator, key: key) }

    /// Nil if there is no record yet.
    private func backupSource() throws -> BackupSource? {
        guard !isImagined else { return nil }
        let bytes = try read("looking at the store") { database in
            let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            return pages * (try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
        }
        var notes: [String] = []
        if let beside {
            notes.append(
                sent(
                    "the record at \(beside.damaged) is damaged and is not in the backup: keep it; the backup has the fresh log \(beside.path)"
                ))
        }
        return BackupSource(folder: backupFolder, bytes: bytes, notes: notes)
    }

    func beginCopy(_ number: UInt64, to path: String) throws {
        let copy = try read("making a backup") { try DatabaseCopy(of: $0, to: path, key) }
        copies[number] = copy
    }

    /// - Returns: the end of the copied log, once all pages are copied.
    func stepCopy(_ number: UInt64) throws -> ChainHead? {
        // The connection of the copy was closed.
        guard let copy = copies[number] else { throw StoreError(code: .interrupted, context: "making a backup") }
        do {
            let isDone = try read("making a backup") { database in
                let isDone = try copy.step()
                // The whole record went through SQLite's cache.
                if isDone { database.giveMemoryBack() }
                return isDone
            }
            guard isDone else { return nil }
            copies[number] = nil
            return try head
        } catch {
            endCopy(number)
            throw error
        }
    }

    private func endCopy(_ number: UInt64) { copies.removeValue(forKey: number)?.end() }
}
