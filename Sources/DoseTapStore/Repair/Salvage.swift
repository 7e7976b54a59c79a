import DoseTapDomain
import GRDB
import Glibc

/// Reads the readable rows of a damaged log into a scratch file, and makes a new log of them, in small steps.
///
/// Sources are the damaged file, its write-ahead log and the newest backups, whose rows belong to the same chain; then
/// the copies of the last nights and the fresh logs beside the store.
final class Salvage {
    /// Number of the damaged store among the logs of the scratch file; fresh logs have their own number.
    private static let store = 0
    /// Number of the copies of the last nights among the logs of the scratch file.
    private static let copies = 1_000
    /// Number of pages, or rows, in one step.
    private static let page = 64
    /// Number of backups that are read, the newest first.
    private static let mostBackups = 2

    let path: String
    /// The end of the names under which the damaged files are kept, after the store's path.
    let kept: String
    /// End of the log in use at the beginning of the reading.
    let basis: ChainHead
    private(set) var plan = RepairPlan()

    private let migrator: Migrator
    private let plugins: [String]
    private let thread: StoreThread
    private let key: StoreKey?
    private let meta: StoreMeta
    private let created: String
    private let made: Instant
    private let expected: Int64
    private let scratch: DatabaseQueue
    private let takenOver: Int64
    private var sources: [(log: Int, pages: any LogSource)]
    private var stage = Stage.reading(source: 0, place: 0)
    private var target: DatabaseQueue?
    private var others: [Other] = []
    private var orphans: Set<String> = []
    private var head: ChainHead
    private var last: LogRow?
    private var latest = ""
    private var rules = NightRules.standard

    private enum Stage {
        case reading(source: Int, place: Int)
        case merging(after: Int64)
        case closing
        case ready
    }

    /// An event from another source than the damaged log.
    private struct Other {
        let row: LogRow
        /// True for a copy of an event of the damaged log.
        let isCopy: Bool
        /// True if the damaged log has the event, too.
        let isFound: Bool
    }

    /// - Parameters:
    ///   - path: the damaged store.
    ///   - inUse: events of the fresh log in use, and its number; nil if the damaged log itself is in use.
    ///   - plugins: the plugins that go on after the end of the new log.
    ///   - deviceID: the id of this machine.
    init(
        _ path: String, _ inUse: (log: BesideLog, rows: [LogRow])?, plugins: [String], basis: ChainHead,
        deviceID: String, key: StoreKey?, now: Instant, migrator: Migrator, thread: StoreThread
    ) throws {
        self.plugins = plugins
        self.thread = thread
        self.path = path
        self.basis = basis
        self.migrator = migrator
        self.key = key
        created = now.iso8601
        made = now
        kept = Self.free(".damaged-\(created.filter { $0.isNumber }.prefix(14))", path)
        let known = HeadFile.read(besides: path)
        let (end, named): (Int64, String?) =
            if case .head(let head, let id) = known { (head.sequence, id) } else { (0, nil) }
        let files =
            [(Self.store, path)] + Self.backups(path).map { (Self.store, $0) }
            + (1..<max(1, inUse?.log.number ?? 1)).map { ($0, Store.besidePath(path, $0)) }
        var found: [(log: Int, pages: any LogSource)] = []
        var storeID: String?
        for (index, file) in files.prefix(StoreSwitch.copies).enumerated() {
            let source: any LogSource
            if let key, EncryptedFile.key(key, for: file.1) != nil || index == 0 {
                let copy = "\(path)\(StoreSwitch.copy)\(index)"
                let sealed = try SealedLog(
                    file.1, copy: copy, key: key, known: end, migrator: migrator, mustYield: { thread.mustYield })
                guard let sealed else { continue }
                source = sealed
            } else {
                source = LogPages(file.1)
            }
            if file.0 == Self.store {
                let first = Self.genesis(source)
                // The backup belongs to another record, or its record cannot be told.
                if index > 0, first == nil || first != storeID ?? named ?? first { continue }
                storeID = storeID ?? first
            }
            found.append((file.0, source))
        }
        sources = found
        takenOver = inUse?.log.takenOver ?? 0
        let rows = path + StoreSwitch.repaired + StoreSwitch.rows
        unlink(rows)
        let descriptor = Glibc.open(rows, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw SystemCall.failure("open", rows, errno, context: "reading the damaged record")
        }
        Glibc.close(descriptor)
        var configuration = Configuration()
        configuration.prepare { database in
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            try database.execute(sql: "PRAGMA journal_mode = OFF")
            try database.execute(sql: "PRAGMA synchronous = OFF")
        }
        // No plain text may lie beside an encrypted record.
        scratch =
            key == nil
            ? try DatabaseQueue(path: rows, configuration: configuration) : try DatabaseQueue()
        ClosedQueues.keep(scratch)
        expected = if case .head(let head, let id) = known, storeID == nil || id == storeID { head.sequence } else { 0 }
        if storeID == nil, case .head(_, let id) = known { storeID = id }
        var ids = IdentifierGenerator()
        meta = StoreMeta(storeID: storeID ?? ids.next(at: now), deviceID: deviceID)
        head = ChainHead(sequence: 0, hash: meta.storeID)
        try scratch.writeWithoutTransaction { database in
            try database.execute(
                sql: "CREATE TABLE found(log, \(LogRow.columns), rank, PRIMARY KEY(log, seq, hash)) WITHOUT ROWID")
            for row in inUse?.rows ?? [] { try insert(row, log: inUse?.log.number ?? 0, rank: 0, database) }
            let nights = [path] + (1..<max(1, inUse?.log.number ?? 1)).map { Store.besidePath(path, $0) }
            for (index, event) in try nights.flatMap({ try NightFile.events(besides: $0, key) }).enumerated() {
                let row = LogRow(event, after: ChainHead(sequence: Int64(index), hash: ""))
                try insert(row, log: Self.copies, rank: 0, database)
            }
        }
    }

    /// Returns a name that no file has.
    private static func free(_ wanted: String, _ path: String) -> String {
        var status = stat()
        for number in 1..<100 {
            let name = number == 1 ? wanted : "\(wanted)-\(number)"
            if lstat(path + name, &status) != 0 { return name }
        }
        return wanted
    }

    /// Returns the store's id, from its first event; nil if that event cannot be read.
    private static func genesis(_ source: any LogSource) -> String? {
        for place in 0..<min(source.firstPieces, source.count) {
            if let row = source.rows(at: place).first(where: { $0.sequence == 1 }) {
                return row.previousHash
            }
        }
        return nil
    }

    /// Returns the newest backups beside the store.
    private static func backups(_ path: String) -> [String] {
        guard let slash = path.lastIndex(of: "/") else { return [] }
        let folder = path[..<slash] + "/" + BackupFolder.name
        return FolderListing(of: String(folder)).names.compactMap { Backup(name: $0) }.sorted { $0.at > $1.at }.prefix(
            mostBackups
        )
        .map { "\(folder)/\($0.name)" }
    }

    // MARK: Steps

    /// Takes a step.
    ///
    /// - Returns: true if the new log is ready.
    func step() throws(StoreError) -> Bool {
        do {
            switch stage {
            case .reading(let source, let place): try read(source, place)
            case .merging(let sequence): try merge(after: sequence)
            case .closing: try close()
            case .ready: return true
            }
            return false
        } catch { throw StoreError(error, doing: "reading the damaged record") }
    }

    private func read(_ source: Int, _ place: Int) throws {
        guard source < sources.count else { return try beginMerging() }
        let (log, pages) = sources[source]
        let end = min(place + Self.page, pages.count)
        try scratch.writeWithoutTransaction { database in
            for place in place..<end {
                for row in pages.rows(at: place) { try insert(row, log: log, rank: source, database) }
            }
        }
        stage = end < pages.count ? .reading(source: source, place: end) : .reading(source: source + 1, place: 0)
    }

    /// - Parameter rank: the rank of the source. If two sources differ, the lower rank is right.
    private func insert(_ row: LogRow, log: Int, rank: Int, _ database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "INSERT OR IGNORE INTO found(log, \(LogRow.columns), rank) "
                + "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")
        statement.setUncheckedArguments([log] + row.arguments + [rank])
        try statement.execute()
    }

    private func beginMerging() throws {
        try scratch.writeWithoutTransaction { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT \(LogRow.columns), log, id IN (
                      SELECT f.id FROM found f WHERE f.log = 0 AND f.id IN (SELECT g.id FROM found g WHERE g.log > 0)
                    ) AS is_found
                    FROM found WHERE log > 0 ORDER BY occurred_at, is_found, log DESC, seq
                    """)
            others = try rows.map { row in
                let (found, log) = (try LogRow(row), row[20] as Int)
                return Other(
                    row: found, isCopy: log == Self.copies || log == 1 && found.sequence <= takenOver, isFound: row[21])
            }
            orphans = Set(
                try String.fetchAll(
                    database,
                    sql: """
                        SELECT session_id FROM found WHERE session_id IS NOT NULL
                        EXCEPT SELECT session_id FROM found WHERE type = 'session_opened'
                        """))
        }
        others.reverse()
        target = try NewDatabase.draft(
            path + StoreSwitch.repaired, key: key, migrator: migrator, meta, created: created)
        stage = .merging(after: 0)
    }

    // MARK: The new log

    private func merge(after sequence: Int64) throws {
        var rows = try scratch.writeWithoutTransaction { database in
            try Store.rows(
                database,
                "SELECT \(LogRow.columns) FROM found WHERE log = 0 AND seq > ? ORDER BY seq, rank LIMIT \(Self.page)",
                [sequence])
        }
        if rows.count == Self.page, let end = rows.last?.sequence, rows.first?.sequence != end {
            rows.removeAll { $0.sequence == end }
        }
        try write { database in
            for sequence in rows.map(\.sequence).uniqued() {
                guard let row = try choose(rows.filter { $0.sequence == sequence }) else { continue }
                try take(row, database)
            }
            guard rows.isEmpty else { return }
            let isCut = expected > last?.sequence ?? 0
            while let other = others.popLast() { try take(other, fillsGap: isCut, database) }
            if isCut { addGap(to: expected, before: nil) }
        }
        // A step may be broken off and repeated only from here on.
        if rows.isEmpty { target?.yieldToUrgentJobs(on: thread) }
        stage = rows.last.map { .merging(after: $0.sequence) } ?? .closing
    }

    /// Returns, of several rows with one number, the row that its neighbour before or after names.
    private func choose(_ rows: [LogRow]) throws -> LogRow? {
        guard rows.count > 1 else { return rows.first }
        // The rows are in the order of their sources.
        plan.unlinked += Int64(rows.count - 1)
        if let last, let next = rows.first(where: { $0.previousHash == last.hash }) { return next }
        return try scratch.writeWithoutTransaction { database in
            try rows.first { row in
                try Bool.fetchOne(
                    database, sql: "SELECT 1 FROM found WHERE log = 0 AND seq = ? AND prev_hash = ?",
                    arguments: [row.sequence + 1, row.hash]) != nil
            }
        } ?? rows.first
    }

    private func take(_ row: LogRow, _ database: Database) throws {
        let next = (last?.sequence ?? 0) + 1
        let isBehindGap = row.sequence > next
        if isBehindGap {
            addGap(to: row.sequence - 1, before: try? Instant(iso8601: row.occurredAt))
        } else if row.previousHash != last?.hash ?? meta.storeID {
            plan.unlinked += 1
        }
        while let other = others.last, other.row.occurredAt <= row.occurredAt {
            // Among events of one moment only missing ones go before the next event of the damaged log.
            guard other.row.occurredAt < row.occurredAt || isBehindGap && !other.isFound else { break }
            others.removeLast()
            try take(other, fillsGap: isBehindGap, database)
        }
        if (try? row.event()) == nil {
            // The row is proven by its hash, but no version of DoseTap reads its event.
            let recorded = try? Instant(iso8601: row.occurredAt)
            plan.gaps.append(
                RepairPlan.Gap(first: row.sequence, last: row.sequence, after: recorded, before: recorded))
        } else if try append(row, database) {
            plan.read += 1
        } else {
            plan.unlinked += 1
        }
        last = row
    }

    /// - Parameter fillsGap: true if the event was recorded where events of the damaged log are missing.
    private func take(_ other: Other, fillsGap: Bool, _ database: Database) throws {
        guard try append(other.row, database) else { return }
        if other.isCopy, fillsGap { plan.copied += 1 } else { plan.since += 1 }
    }

    private func addGap(to end: Int64, before: Instant?) {
        plan.gaps.append(
            RepairPlan.Gap(
                first: (last?.sequence ?? 0) + 1, last: end,
                after: last.flatMap { try? Instant(iso8601: $0.occurredAt) }, before: before))
    }

    /// - Returns: false for an event that the log has already, or that no version records.
    private func append(_ row: LogRow, _ database: Database) throws -> Bool {
        guard let event = try? row.event() else { return false }
        let known = try database.cachedStatement(sql: "SELECT 1 FROM events WHERE id = ?")
        guard try Row.fetchOne(known, arguments: [row.id]) == nil else { return false }
        if case .sessionOpened(let opened) = event.payload { rules = opened.rules }
        if let session = event.sessionID, orphans.remove(session.text) != nil { try open(session, event, database) }
        var row = row
        if let key = row.idempotencyKey {
            let taken = try database.cachedStatement(sql: "SELECT 1 FROM events WHERE idempotency_key = ?")
            if try Row.fetchOne(taken, arguments: [key]) != nil { row.idempotencyKey = nil }
        }
        try link(&row, database)
        return true
    }

    private func open(_ session: SessionID, _ entry: Event, _ database: Database) throws {
        var ids = IdentifierGenerator()
        let id = EventID(ids.next(at: entry.occurredAt))
        var row = LogRow(Event.opening(session, by: entry, rules, id: id), after: head)
        try link(&row, database)
        plan.opened += 1
    }

    private func link(_ row: inout LogRow, _ database: Database) throws {
        row.sequence = head.sequence + 1
        row.previousHash = head.hash
        row.hash = row.computedHash()
        try row.insert(database)
        head = ChainHead(sequence: row.sequence, hash: row.hash)
    }

    private func write(_ body: (Database) throws -> Void) throws {
        try target?.writeWithoutTransaction { database in
            try database.inTransaction(.immediate) {
                try body(database)
                return .commit
            }
        }
    }

    /// Makes the tables, checks everything, and closes the file.
    private func close() throws {
        guard let target else { return }
        guard head.sequence > 0 else {
            throw StoreError(
                code: .unreadable,
                context: "nothing of the damaged record can be read: it cannot be repaired, and was left as it is",
                underlying: path)
        }
        try write { database in
            _ = try Rebuild(database)
            try Store.write(
                Dictionary(plugins.map { ($0, head.sequence) }, uniquingKeysWith: { one, _ in one }), in: database)
        }
        try target.writeWithoutTransaction { database in
            let damage = try FileCheck.faults(database, most: 3)
            let faults = try damage + SchemaCheck.findings(database, migrator: migrator)
            guard faults.isEmpty, try Tail(database, storeID: meta.storeID).head == head else {
                throw StoreError(
                    code: .internal, context: "the repaired record did not pass its check",
                    underlying: faults.first ?? "its end")
            }
        }
        plan.kept = path + kept
        let prepared = path + StoreSwitch.repaired
        let isWhole = try target.writeWithoutTransaction { database in
            try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)").map { $0[0] as Int == 0 } ?? false
        }
        try target.close()
        self.target = nil
        var status = stat()
        guard isWhole, lstat(prepared + "-wal", &status) != 0 || status.st_size == 0 else {
            throw StoreError(code: .noSpace, context: "the repaired record could not be written whole")
        }
        HeadFile.open(besides: prepared).write(head, storeID: meta.storeID)
        try SystemCall.synchronize(prepared)
        try SystemCall.synchronize(prepared + ".head")
        try? scratch.close()
        unlink(prepared + StoreSwitch.rows)
        sources = []
        plan.head = head.sequence
        stage = .ready
    }

    /// Writes the list of unreadable events, flushed, beside the repaired log.
    func writeList() throws(StoreError) {
        let (path, doing) = (path + StoreSwitch.repaired + StoreSwitch.report, "listing what cannot be read")
        unlink(path)
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemCall.failure("open", path, errno, context: doing) }
        defer { Glibc.close(descriptor) }
        try SystemCall.write(plan.list(made: made, showsTimes: key == nil).utf8, to: descriptor, path, context: doing)
        guard fsync(descriptor) == 0 else { throw SystemCall.failure("fsync", path, errno, context: doing) }
    }

    /// Removes the unfinished files.
    func abandon() {
        try? target?.close()
        try? scratch.close()
        sources = []
        let prepared = path + StoreSwitch.repaired
        for file in StoreSwitch.leftovers { unlink(prepared + file) }
    }
}

extension Sequence where Element: Equatable {
    /// Returns the elements without repetitions that follow each other.
    fileprivate func uniqued() -> [Element] {
        reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }
}
