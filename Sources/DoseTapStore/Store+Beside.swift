import DoseTapDomain
import GRDB
import Glibc

/// A damaged store is left as it is; the night goes on in a fresh log beside it, which begins with what is known of the
/// last nights. Once there is one it is used until a person brings both together.
extension Store {
    static func besidePath(_ path: String) -> String { path + ".beside" }

    /// Opens the store, or the fresh log beside it.
    ///
    /// - Throws: ``DoseTapDomain/StoreError``, where the store is not to be opened for another reason than damage.
    public static func openForTheNight(_ configuration: StoreConfiguration) throws -> Store {
        guard access(besidePath(configuration.path), F_OK) != 0 else { return try openBeside(configuration) }
        do { return try open(configuration) } catch let error as StoreError where isDamage(error, configuration) {
            return try openBeside(configuration, because: error)
        }
    }

    /// What is no database any more was one, where the files beside it know of events. What a person can mend at once is
    /// refused, but no alarm of a night under way is lost for it.
    private static func isDamage(_ error: StoreError, _ configuration: StoreConfiguration) -> Bool {
        switch error.code {
        case .damaged: true
        case .foreign: !NightFile.events(besides: configuration.path).isEmpty
        case .altered:
            Dictionary(grouping: NightFile.events(besides: configuration.path), by: \.sessionID).contains {
                id, events in
                guard id != nil, let night = Session(events: events) else { return false }
                return night.hasUnresolvedWindow && night.start > configuration.now - .hours(24)
            }
        default: false
        }
    }

    private static func openBeside(
        _ configuration: StoreConfiguration, because error: StoreError? = nil
    ) throws -> Store {
        let events = NightFile.events(besides: configuration.path)
        let other = beside(configuration, events)
        let damagedLease = try Lease.take(besides: configuration.path, surface: configuration.surface)
        let lease = try Lease.take(besides: other.path, surface: other.surface)
        var connection = try Connection.open(other, migrator: Migrator())
        let log = try begin(
            &connection, with: events, damaged: configuration.path, because: error, path: other.path)
        let thread = try StoreThread.start()
        connection.queue.giveWay(on: thread)
        return Store(
            other, migrator: Migrator(), thread: thread, lease: lease, connection: connection, beside: log,
            damaged: (identity(ofDamaged: configuration.path), damagedLease))
    }

    /// What a store was that cannot be read any more, as the files beside it have it.
    private static func identity(ofDamaged path: String) -> String? {
        if case .head(_, let storeID) = HeadFile.open(besides: path).read() { return storeID }
        return Reserve.open(besides: path)?.read()?.storeID
    }

    static func beside(_ configuration: StoreConfiguration, _ events: [Event]) -> StoreConfiguration {
        var other = configuration
        other.path = besidePath(configuration.path)
        if let device = events.last?.deviceID { other.newDeviceID = { device } }
        return other
    }

    /// Takes over the last nights into a log that is empty; says what the log is.
    static func begin(
        _ connection: inout Connection, with events: [Event], damaged: String, because error: StoreError?, path: String
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
            let sql = """
                SELECT count(*) FROM events WHERE seq > ? AND id = entity_id AND json_valid(payload)
                AND json_type(payload, '$.request') IS NOT NULL
                """
            return (first == nil, last, try Int.fetchOne(database, sql: sql, arguments: [last]) ?? 0)
        }
        return BesideLog(
            damaged: damaged, reason: error?.context ?? "", path: path, takenOver: takenOver, entries: entries,
            isNew: isNew)
    }
}
