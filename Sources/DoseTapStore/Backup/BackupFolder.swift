import DoseTapDomain
import GRDBSQLite
import Glibc
import Synchronization

/// Files of unfinished backups of this process, which a sweep leaves alone.
private let unfinished = Mutex<Set<String>>([])

/// Summaries of backups that were read. An unchanged file is not opened again: each opening keeps a queue (``ClosedQueues``),
/// and the backups are looked at every night.
private let glances = Guarded<[String: Glance]>([:])

private struct Glance: Sendable {
    let mark: Mark
    let summary: LogSummary

    /// The facts by which an unchanged file is known.
    struct Mark: Hashable, Sendable {
        private let numbers: [Int]
        private let key: StoreKeyID?

        /// Nil for a file that was changed this moment: a further change may leave the same times.
        init?(_ path: String, _ key: StoreKeyID?) {
            var (status, now) = (stat(), timespec())
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                clock_gettime(CLOCK_REALTIME, &now) == 0, now.tv_sec - status.st_ctim.tv_sec > 1
            else { return nil }
            numbers = [
                Int(bitPattern: status.st_dev), Int(bitPattern: UInt(status.st_ino)), status.st_size,
                status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
            ]
            self.key = key
        }
    }
}

/// `backups` beside the store, and the files in it. Every call waits for the disk.
struct BackupFolder: Sendable {
    /// The folder's name, beside the store.
    static let name = "backups"
    /// Bytes that stay free for the store itself.
    static let margin: Int64 = 32 << 20
    /// Beginning of the names of unfinished files.
    static let draft = ".new-"

    let path: String
    let migrator: Migrator
    /// The key of an encrypted store; its backups have the same.
    let key: StoreKey?

    init(store: String, migrator: Migrator, key: StoreKey?) {
        path = DatabaseFile(path: store, migrator: migrator, key: key).folder + "/" + Self.name
        self.migrator = migrator
        self.key = key
    }

    /// Makes a private folder, if there is none.
    private func prepare() throws(StoreError) {
        let doing = sent("making the folder of the backups")
        if mkdir(path, 0o700) == 0 {
            try SystemCall.synchronize(path + "/..", flags: O_DIRECTORY)
        } else if errno != EEXIST {
            throw SystemCall.failure("mkdir", path, errno, context: doing)
        }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else {
            throw StoreError(
                code: .unavailable, context: "the folder of the backups is a link or belongs to somebody else",
                underlying: path)
        }
        if status.st_mode & 0o077 != 0 { _ = chmod(path, 0o700) }
    }

    /// Free bytes on the folder's disk; nil if unknown.
    var room: Int64? {
        var status = statvfs()
        // The folder may not exist yet.
        guard statvfs(path, &status) == 0 || statvfs(FilePath.folder(of: path), &status) == 0 else { return nil }
        let (bytes, isTooMany) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return isTooMany ? .max : Int64(clamping: bytes)
    }

    /// Returns the bytes that are missing for a backup; 0 or less if there are enough, or if the free space is unknown.
    func missing(for bytes: Int64) -> Int64 { room.map { bytes + Self.margin - $0 } ?? 0 }

    /// Removes the oldest automatic backups of a record if that makes enough room for a new one (R24.5).
    ///
    /// - Parameters:
    ///   - bytes: the size of the new backup.
    ///   - own: the ids of the record.
    ///   - log: events in the log.
    func makeRoom(for bytes: Int64, own: Set<String>, log: Int64) throws(StoreError) {
        let missing = missing(for: bytes)
        guard missing > 0 else { return }
        let automatic = try list().filter { $0.kind == .daily && own.contains($0.storeID) }
        try remove(BackupRule.givingWay(automatic, missing: missing, log: log))
    }

    /// Makes an empty file for a new backup.
    ///
    /// - Parameter bytes: the size of the backup.
    /// - Throws: `.noSpace` if there is too little space.
    func begin(bytes: Int64, number: UInt64) throws(StoreError) -> String {
        try prepare()
        if let room, missing(for: bytes) > 0 {
            throw StoreError(
                code: .noSpace,
                context: sent(
                    "there is not enough space beside the record for a backup: \((bytes + Self.margin) >> 20) MiB are needed, \(room >> 20) MiB are free"
                ),
                underlying: path)
        }
        let file = "\(path)/\(Self.draft)\(number)"
        let (descriptor, fault) = unfinished.withLock { unfinished in
            unlink(file)
            let descriptor = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            let fault = errno
            if descriptor >= 0 { unfinished.insert(file) }
            return (descriptor, fault)
        }
        guard descriptor >= 0 else { throw SystemCall.failure("open", file, fault, context: "making a backup") }
        _ = fchmod(descriptor, 0o600)
        close(descriptor)
        return file
    }

    /// Turns a finished copy into one flushed file that needs no other file beside it, and checks all of it.
    ///
    /// - Parameter head: the expected end of the log; nil for any.
    func seal(_ file: String, head: ChainHead?) throws(StoreError) -> LogSummary {
        try SystemCall.synchronize(file)
        let summary = try LogSummary.check(file, key, migrator: migrator)
        if let head, summary.head != head {
            throw StoreError(
                code: .internal, context: "the backup does not end as the record does", underlying: file)
        }
        return summary
    }

    /// Removes an unfinished file.
    static func discard(_ file: String) {
        for suffix in ["", "-wal", "-journal"] { unlink(file + suffix) }
        _ = unfinished.withLock { $0.remove(file) }
    }

    /// The digits in the name of a copy that has the fault of its log.
    static let unsound = String(repeating: "0", count: Backup.headDigits)

    /// Gives a sealed file its name.
    ///
    /// - Parameter isSound: true if the file was verified.
    func keep(
        _ file: String, _ summary: LogSummary, kind: Backup.Kind, at now: Instant, isSound: Bool = true
    ) throws(StoreError) -> Backup {
        var backup = describe(summary, kind: kind, at: now)
        if !isSound { backup.head = Self.unsound }
        backup.path = "\(path)/\(backup.name)"
        guard rename(file, backup.path) == 0 else {
            throw SystemCall.failure("rename", file, errno, context: "making a backup")
        }
        _ = unfinished.withLock { $0.remove(file) }
        try SystemCall.synchronize(path, flags: O_DIRECTORY)
        backup.bytes = Self.size(backup.path)
        return backup
    }

    func describe(_ summary: LogSummary, kind: Backup.Kind, at now: Instant) -> Backup {
        Backup(
            kind: kind, at: Instant(milliseconds: now.milliseconds / 1_000 * 1_000), events: summary.head.sequence,
            head: Self.digits(of: summary.head), storeID: summary.storeID)
    }

    /// Returns the digits of a log's end. An empty log has no hash; its end is the identity of the store.
    private static func digits(of head: ChainHead) -> String {
        let digits = head.hash.filter { $0 != "-" }.prefix(Backup.headDigits)
        return String(digits) + String(repeating: "0", count: Backup.headDigits - digits.count)
    }

    static func size(_ file: String) -> Int64 {
        var status = stat()
        return lstat(file, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Returns all backups, newest first. Each file is opened, and its end compared with its name. A file with another kind of
    /// name is no backup.
    ///
    /// - Throws: ``DoseTapDomain/StoreError`` if the folder cannot be read.
    func list() throws(StoreError) -> [Backup] {
        let found = try FolderListing(of: path).known("looking for backups").compactMap { Backup(name: $0) }
            .sorted { ($0.at, $0.name) > ($1.at, $1.name) }.map(examined)
        let here = Set(found.map(\.path))
        glances.withLock { known in known = known.filter { !$0.key.hasPrefix(path + "/") || here.contains($0.key) } }
        return found
    }

    /// Returns the backup with the facts of its file and any problem.
    private func examined(_ named: Backup) -> Backup {
        var backup = named
        backup.path = "\(path)/\(backup.name)"
        backup.bytes = Self.size(backup.path)
        do throws(StoreError) {
            let found = try glance(backup.path)
            backup.storeID = found.storeID
            if backup.head == Self.unsound {
                backup.problem = "it was damaged or altered when it was made"
            } else if found.head.sequence != backup.events || Self.digits(of: found.head) != backup.head {
                backup.problem = "it ends otherwise than its name says"
            }
        } catch {
            backup.problem = error.code == .keyWrong ? sent("it has another key than the record now") : error.context
        }
        return backup
    }

    private func glance(_ path: String) throws(StoreError) -> LogSummary {
        // The mark is taken before the opening: the next look then sees a change made meanwhile.
        let mark = Glance.Mark(path, key?.id)
        if let mark, let known = glances.withLock({ $0[path] }), known.mark == mark { return known.summary }
        let summary = try LogSummary.glance(path, key, migrator: migrator)
        if let mark { glances.withLock { $0[path] = Glance(mark: mark, summary: summary) } }
        return summary
    }

    /// - Throws: if a backup exists and cannot be removed.
    func remove(_ backups: [Backup]) throws(StoreError) {
        guard !backups.isEmpty else { return }
        for backup in backups {
            let file = "\(path)/\(backup.name)"
            guard unlink(file) == 0 || errno == ENOENT else {
                throw SystemCall.failure("unlink", file, errno, context: "removing an old backup")
            }
        }
        try? SystemCall.synchronize(path, flags: O_DIRECTORY)
    }

    /// Removes unfinished files of an earlier run; a backup that is being made stays.
    func sweep() {
        let files = FolderListing(of: path).names.filter { $0.hasPrefix(Self.draft) }.map { "\(path)/\($0)" }
        unfinished.withLock { unfinished in
            for file in files where !unfinished.contains(where: file.hasPrefix) { unlink(file) }
        }
    }
}
