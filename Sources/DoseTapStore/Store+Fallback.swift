public import DoseTapDomain
import GRDB
import Glibc

/// A damaged store is left as it is. The night goes on in a fresh log beside it, which begins with the known events of the last
/// nights and is used until a person merges both.
extension Store {
    /// Most fresh logs beside a store. Each further one is made because the one before is damaged, too.
    static let mostBeside = 8

    /// Returns the path of a fresh log, numbered in order of creation.
    static func besidePath(_ path: String, _ number: Int) -> String {
        number == 1 ? path + ".beside" : "\(path).beside-\(number)"
    }

    /// Returns the paths of a store and of all fresh logs that may lie beside it.
    static func logs(of path: String) -> [String] { [path] + (1...mostBeside).map { besidePath(path, $0) } }

    /// Opens the store, or the newest fresh log beside it.
    ///
    /// - Throws: ``DoseTapDomain/StoreError``, if the store cannot be opened for another reason than damage.
    public static func openForTheNight(_ configuration: StoreConfiguration) throws -> Store {
        do {
            try finishSwitch(configuration)
            if let last = lastBeside(configuration.path) { return try openBeside(configuration, from: last) }
            return try open(configuration)
        } catch let error as StoreError
            where isDamage(
                error, (try? NightFile.events(besides: configuration.path, configuration.key)) ?? [],
                now: configuration.now)
        {
            return try openBeside(configuration, from: lastBeside(configuration.path) ?? 1, because: error)
        }
    }

    /// Returns the number of the newest fresh log beside the store; nil if there is none.
    private static func lastBeside(_ path: String) -> Int? {
        (1...mostBeside).last { access(besidePath(path, $0), F_OK) == 0 }
    }

    /// Returns true for damage. A file that is no database was one if the files beside it have events. A fault that a person
    /// can repair at once counts only during a night, which would lose its alarm.
    private static func isDamage(_ error: StoreError, _ events: [Event], now: Instant) -> Bool {
        switch error.code {
        case .damaged: true
        case .foreign: !events.isEmpty
        case .altered: hasOpenWindow(events, now: now)
        default: false
        }
    }

    /// Returns true if dose 2 was open at the last entry, as far as the plain lines in the file of the last nights tell.
    ///
    /// - Throws: ``DoseTapDomain/StoreError`` if the file cannot be read.
    public static func hasOpenWindow(besides path: String, now: Instant) throws(StoreError) -> Bool {
        hasOpenWindow(try NightFile.events(besides: path, nil), now: now)
    }

    /// Returns true if an encrypted record, or a fresh log beside it, has changed in the last 24 hours, so that dose 2 of a night
    /// in it may be open.
    public static func mayHaveOpenWindow(encrypted path: String, now: Instant) -> Bool {
        guard EncryptedFile.keyID(of: path) != nil else { return false }
        let from = (now - .hours(24)).microseconds / 1_000_000
        return logs(of: path).flatMap { log in ["", "-wal", ".night"].map { log + $0 } }.contains { file in
            var status = stat()
            return lstat(file, &status) == 0 && status.st_mtim.tv_sec > from
        }
    }

    private static func hasOpenWindow(_ events: [Event], now: Instant) -> Bool {
        Dictionary(grouping: events, by: \.sessionID).contains { id, events in
            guard id != nil, let night = Session(events: events) else { return false }
            return night.hasUnresolvedWindow && night.start > now - .hours(24)
        }
    }

    private static func openBeside(
        _ configuration: StoreConfiguration, from number: Int, because error: StoreError? = nil
    ) throws -> Store {
        // No plain text may begin beside an encrypted record.
        if configuration.key == nil, let id = EncryptedFile.keyID(of: configuration.path) {
            try EncryptedFile.check(nil, opens: id, configuration.path)
        }
        // The lease of the first store excludes other processes, whichever log is in use.
        let damagedLease = try Lease.take(besides: configuration.path, surface: configuration.surface)
        // An unreadable list of a switch is left; files that were prepared without a list are removed.
        if !StoreSwitch.isPending(configuration.path) { try StoreSwitch.finish(configuration.path) }
        let fresh = try FreshLog.open(configuration, from: number, because: error, migrator: Migrator())
        let thread = try StoreThread.start()
        fresh.connection.queue.yieldToUrgentJobs(on: thread)
        return Store(
            fresh.configuration, migrator: Migrator(), thread: thread, lease: fresh.lease,
            connection: fresh.connection, beside: fresh.log,
            damaged: (identity(ofDamaged: configuration.path), damagedLease))
    }

    /// Returns the identity of an unreadable store, from the files beside it.
    private static func identity(ofDamaged path: String) -> String? {
        if case .head(_, let storeID) = HeadFile.read(besides: path) { return storeID }
        return Reserve.peek(besides: path)?.storeID
    }

    /// An open fresh log.
    struct FreshLog {
        let configuration: StoreConfiguration
        let lease: Lease
        let connection: Connection
        let log: BesideLog

        /// Opens the fresh log of this number, or the next one that is sound or new if that one is damaged, too.
        ///
        /// - Parameters:
        ///   - first: the damaged store.
        ///   - known: events of the last nights in memory, beside those of the files.
        ///   - deviceID: the id of the machine, if known.
        static func open(
            _ first: StoreConfiguration, from number: Int, with known: [Event] = [], deviceID: String? = nil,
            because error: StoreError?, migrator: Migrator
        ) throws(StoreError) -> FreshLog {
            var error = error
            for number in number..<max(number, mostBeside + 1) {
                let events = lastNights(first, before: number, with: known)
                var other = first
                other.path = besidePath(first.path, number)
                if let device = deviceID ?? events.last?.deviceID { other.newDeviceID = { device } }
                do {
                    return try FreshLog(other, number, events, first: first.path, because: error, migrator: migrator)
                } catch let failure
                    where isDamage(failure, lastNights(first, before: number + 1, with: known), now: first.now)
                { error = failure }
            }
            throw StoreError(
                code: .damaged,
                context: "the record and \(mostBeside) fresh logs beside it are damaged; no further log is made",
                underlying: error.map { "\(first.path): \($0.context)" } ?? first.path)
        }

        private init(
            _ configuration: StoreConfiguration, _ number: Int, _ events: [Event], first: String,
            because error: StoreError?, migrator: Migrator
        ) throws(StoreError) {
            self.configuration = configuration
            lease = try Lease.take(besides: configuration.path, surface: configuration.surface)
            var connection = try Connection.open(configuration, migrator: migrator)
            do {
                log = try begin(&connection, number, with: events, damaged: first, configuration.key, because: error)
            } catch {
                // The connection is not closed: closing would write into a file that may be damaged.
                ClosedQueues.keep(connection.queue)
                throw StoreError(error, doing: "beginning a fresh log beside the damaged one")
            }
            self.connection = connection
        }
    }

    /// Returns the last nights from memory, from the files beside the store and from the fresh logs before this one.
    private static func lastNights(
        _ first: StoreConfiguration, before number: Int, with known: [Event]
    ) -> [Event] {
        var seen: Set<EventID> = []
        let paths = [first.path] + (1..<number).map { besidePath(first.path, $0) }
        return (paths.flatMap { (try? NightFile.events(besides: $0, first.key)) ?? [] } + known).filter {
            seen.insert($0.id).inserted
        }
        .enumerated().sorted { ($0.element.occurredAt, $0.offset) < ($1.element.occurredAt, $1.offset) }
        .map(\.element)
    }

    /// Copies the last nights into an empty log; returns its description.
    private static func begin(
        _ connection: inout Connection, _ number: Int, with events: [Event], damaged: String, _ key: StoreKey?,
        because error: StoreError?
    ) throws -> BesideLog {
        // Findings about the damaged log are not copied; the fresh log begins after its own event about the damage.
        let events = events.filter { $0.type != .storeRestored }
        if connection.head.sequence == 0, !events.isEmpty {
            var head = connection.head
            let rows = events.map { event in
                let row = LogRow(event, after: head)
                head = ChainHead(sequence: row.sequence, hash: row.hash)
                return row
            }
            try connection.queue.writeWithoutTransaction { database in
                try database.inTransaction(.immediate) {
                    for row in rows { try row.insert(database) }
                    _ = try Rebuild(database)
                    return .commit
                }
            }
            connection.head = head
            connection.headFile.write(head, storeID: connection.meta.storeID)
        }
        let (isNew, takenOver, entries) = try connection.queue.writeWithoutTransaction { database in
            let first = try Int64.fetchOne(
                database, sql: "SELECT min(seq) FROM events WHERE type = ?",
                arguments: [EventType.storeRestored.rawValue])
            let last = first.map { $0 - 1 } ?? connection.head.sequence
            // Of the copied events only those of an earlier fresh log are counted.
            let sql = """
                SELECT id FROM events WHERE seq > ? AND id = entity_id AND json_valid(payload)
                AND json_type(payload, '$.request') IS NOT NULL
                """
            let own = try String.fetchAll(database, sql: sql, arguments: [number == 1 ? last : 0])
            let copied = number == 1 ? [] : (try? NightFile.events(besides: damaged, key)) ?? []
            let earlier = Set(copied.map(\.id.text))
            return (first == nil, last, own.count { !earlier.contains($0) })
        }
        return BesideLog(
            damaged: damaged, reason: error?.context ?? "", path: besidePath(damaged, number), number: number,
            takenOver: takenOver, entries: entries, isNew: isNew)
    }
}

/// A store that cannot be written, as on a read-only mount, is read from a copy: SQLite would write beside it, or miss the
/// content of its write-ahead log.
extension Store {
    /// Limit of a file to copy, in bytes.
    private static let mostCopied = 1 << 30

    /// Opens a copy, whose file has no name any more on return.
    ///
    /// - Parameter error: thrown if there is nothing to read, or no room for a copy.
    static func openCopy(
        _ configuration: StoreConfiguration, migrator: Migrator, lease: Lease? = nil, because error: StoreError
    ) throws(StoreError) -> Store {
        guard
            try DatabaseFile(path: configuration.path, migrator: migrator, key: configuration.key).inspect() == .present
        else { throw error }
        for scratch in configuration.scratchFolders {
            guard let place = ScratchCopy(in: scratch) else { continue }
            defer { withExtendedLifetime(place) {} }
            var copied = configuration
            copied.backsUpBeforeMigration = false
            copied.path = place.path
            let isCopied = ["", "-wal", ".head"].allSatisfy { copy(configuration.path + $0, to: copied.path + $0) }
            guard isCopied else { continue }
            var connection = try Connection.open(copied, migrator: migrator)
            connection.findings.append(
                OpenFinding(
                    kind: .readOnly, expectedSequence: connection.head.sequence,
                    foundSequence: connection.head.sequence,
                    sentence: error.code == .noSpace
                        ? sent(
                            "there is no space for the record at \(configuration.path): a copy is shown, and entries wait until there is"
                        )
                        : sent(
                            "the record at \(configuration.path) cannot be written: it is shown, nothing is recorded"),
                    isOnRecord: true))
            let thread = try StoreThread.start()
            connection.queue.yieldToUrgentJobs(on: thread)
            return Store(
                configuration, migrator: migrator, thread: thread, lease: lease, connection: connection, isCopy: true)
        }
        throw error
    }

    /// Opens a store without space for the opening, or for the backup before its schema is brought up (R24.7). The night goes
    /// on with a copy in a scratch folder, and new entries wait in the reserve. Without a copy the schema is brought up without
    /// a backup: that is one transaction, and reminders matter more.
    static func openWithoutSpace(
        _ configuration: StoreConfiguration, migrator: Migrator, _ lease: Lease, because error: StoreError
    ) throws(StoreError) -> Store {
        do { return try openCopy(configuration, migrator: migrator, lease: lease, because: error) } catch {}
        var bare = configuration
        bare.backsUpBeforeMigration = false
        var connection: Connection
        do { connection = try Connection.open(bare, migrator: migrator) } catch { throw error }
        connection.findings.append(
            OpenFinding(
                kind: .tablesMade, expectedSequence: connection.head.sequence, foundSequence: connection.head.sequence,
                sentence: sent("the schema of the record was brought up without a backup: \(error.context)")))
        let thread = try StoreThread.start()
        connection.queue.yieldToUrgentJobs(on: thread)
        return Store(configuration, migrator: migrator, thread: thread, lease: lease, connection: connection)
    }

    /// - Returns: false if an existing file cannot be copied.
    static func copy(_ path: String, to other: String) -> Bool {
        let source = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard source >= 0 else { return errno == ENOENT }
        defer { Glibc.close(source) }
        let target = Glibc.open(other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard target >= 0 else { return false }
        defer { Glibc.close(target) }
        var room = [UInt8](repeating: 0, count: 1 << 18)
        var copied = 0
        while copied < mostCopied {
            let count = Glibc.read(source, &room, room.count)
            if count == 0 { return true }
            guard count > 0, Glibc.write(target, room, count) == count else { return false }
            copied += count
        }
        return false
    }
}
