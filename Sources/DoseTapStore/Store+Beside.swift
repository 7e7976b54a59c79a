import DoseTapDomain
import GRDB
import Glibc

/// A damaged store is left as it is; the night goes on in a fresh log beside it, which begins with what is known of the
/// last nights. Once there is one it is used until a person brings both together.
extension Store {
    /// At most so many fresh logs are begun beside a store, each because the one before is damaged, too.
    static let mostBeside = 8

    /// Where the fresh logs lie, in the order in which they are begun.
    static func besidePath(_ path: String, _ number: Int) -> String {
        number == 1 ? path + ".beside" : "\(path).beside-\(number)"
    }

    /// Opens the store, or the fresh log beside it that was begun last.
    ///
    /// - Throws: ``DoseTapDomain/StoreError``, where the store is not to be opened for another reason than damage.
    public static func openForTheNight(_ configuration: StoreConfiguration) throws -> Store {
        if let last = (1...mostBeside).last(where: { access(besidePath(configuration.path, $0), F_OK) == 0 }) {
            return try openBeside(configuration, from: last)
        }
        do { return try open(configuration) } catch let error as StoreError
            where isDamage(error, NightFile.events(besides: configuration.path), now: configuration.now)
        {
            return try openBeside(configuration, from: 1, because: error)
        }
    }

    /// What is no database any more was one, where the files beside it know of events. What a person can mend at once is
    /// refused, but no alarm of a night under way is lost for it.
    private static func isDamage(_ error: StoreError, _ events: [Event], now: Instant) -> Bool {
        switch error.code {
        case .damaged: true
        case .foreign: !events.isEmpty
        case .altered:
            Dictionary(grouping: events, by: \.sessionID).contains { id, events in
                guard id != nil, let night = Session(events: events) else { return false }
                return night.hasUnresolvedWindow && night.start > now - .hours(24)
            }
        default: false
        }
    }

    private static func openBeside(
        _ configuration: StoreConfiguration, from number: Int, because error: StoreError? = nil
    ) throws -> Store {
        // Whichever log is in use, the lease of the first store keeps everybody else out.
        let damagedLease = try Lease.take(besides: configuration.path, surface: configuration.surface)
        let fresh = try FreshLog.open(configuration, from: number, because: error, migrator: Migrator())
        let thread = try StoreThread.start()
        fresh.connection.queue.giveWay(on: thread)
        return Store(
            fresh.configuration, migrator: Migrator(), thread: thread, lease: fresh.lease,
            connection: fresh.connection, beside: fresh.log,
            damaged: (identity(ofDamaged: configuration.path), damagedLease))
    }

    /// What a store was that cannot be read any more, as the files beside it have it.
    private static func identity(ofDamaged path: String) -> String? {
        if case .head(_, let storeID) = HeadFile.open(besides: path).read() { return storeID }
        return Reserve.open(besides: path)?.read()?.storeID
    }

    /// A fresh log that was opened.
    struct FreshLog {
        let configuration: StoreConfiguration
        let lease: Lease
        let connection: Connection
        let log: BesideLog

        /// Opens the fresh log of this number; where it is damaged, too, the next one that is sound or not begun yet.
        ///
        /// - Parameters:
        ///   - first: the store that is damaged.
        ///   - known: events that memory has of the last nights, beside those of the files.
        ///   - deviceID: the machine, where it is known.
        static func open(
            _ first: StoreConfiguration, from number: Int, with known: [Event] = [], deviceID: String? = nil,
            because error: StoreError?, migrator: Migrator
        ) throws(StoreError) -> FreshLog {
            var error = error
            for number in number..<max(number, mostBeside + 1) {
                let events = lastNights(first.path, before: number, with: known)
                var other = first
                other.path = besidePath(first.path, number)
                if let device = deviceID ?? events.last?.deviceID { other.newDeviceID = { device } }
                do {
                    return try FreshLog(other, number, events, first: first.path, because: error, migrator: migrator)
                } catch let failure
                    where isDamage(failure, lastNights(first.path, before: number + 1, with: known), now: first.now)
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
                log = try begin(&connection, number, with: events, damaged: first, because: error)
            } catch {
                // Not closed: a close would write into what may be damaged.
                ClosedQueues.keep(connection.queue)
                throw StoreError(error, doing: "beginning a fresh log beside the damaged one")
            }
            self.connection = connection
        }
    }

    /// The last nights as memory has them, and the files beside the store and the fresh logs before this one.
    private static func lastNights(_ path: String, before number: Int, with known: [Event]) -> [Event] {
        var seen: Set<EventID> = []
        let paths = [path] + (1..<number).map { besidePath(path, $0) }
        return (paths.flatMap { NightFile.events(besides: $0) } + known).filter { seen.insert($0.id).inserted }
            .enumerated().sorted { ($0.element.occurredAt, $0.offset) < ($1.element.occurredAt, $1.offset) }
            .map(\.element)
    }

    /// Takes over the last nights into a log that is empty; says what the log is.
    private static func begin(
        _ connection: inout Connection, _ number: Int, with events: [Event], damaged: String, because error: StoreError?
    ) throws -> BesideLog {
        // What was found wrong with the damaged one is not of this one, which begins after the fact of its own.
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
            // Of what was taken over, that is counted which was recorded in a fresh log before.
            let sql = """
                SELECT id FROM events WHERE seq > ? AND id = entity_id AND json_valid(payload)
                AND json_type(payload, '$.request') IS NOT NULL
                """
            let own = try String.fetchAll(database, sql: sql, arguments: [number == 1 ? last : 0])
            let earlier = number == 1 ? [] : Set(NightFile.events(besides: damaged).map(\.id.text))
            return (first == nil, last, own.count { !earlier.contains($0) })
        }
        return BesideLog(
            damaged: damaged, reason: error?.context ?? "", path: besidePath(damaged, number), number: number,
            takenOver: takenOver, entries: entries, isNew: isNew)
    }
}
