public import DoseTapDomain
import GRDB

extension Store {
    /// Sessions that ended within this time before now are loaded at start.
    private static let recentNights: Duration = .hours(48)
    /// Most ended sessions loaded at start.
    private static let mostRecentNights = 8
    /// Bound of a session's length. A session's closing instants lie within two days of its start, so older ones need no look.
    static let longestNight: Duration = .hours(7 * 24)

    /// Loads what the engine needs at start; the cost does not grow with history.
    ///
    /// Sessions named by the last events of the log are loaded even if the tables lack them. An event with a wrong hash is
    /// taken from the copy of the last nights, if the copy has it.
    public func load(now: Instant) throws -> LogSnapshot {
        let head = try self.head
        let (path, key) = (path, key)
        let isInDoubt = openFindings.contains(where: \.isOfLoss)
        let (snapshot, witness, lost, newestIDs) = try read("reading the log") { database in
            let witness = Witness(besides: path, key)
            var ids = try String.fetchAll(
                database.cachedStatement(
                    sql: "SELECT session_id FROM current_session WHERE session_id IS NOT NULL"))
            ids += try String.fetchAll(
                database.cachedStatement(
                    sql: "SELECT session_id FROM sleep_sessions WHERE start_utc >= ? AND end_utc >= ? "
                        + "ORDER BY start_utc DESC LIMIT \(Self.mostRecentNights)"),
                arguments: [
                    (now - Self.recentNights - Self.longestNight).iso8601, (now - Self.recentNights).iso8601,
                ])
            let newest = try Self.rows(
                database, "SELECT \(LogRow.columns) FROM events WHERE seq > ? ORDER BY seq",
                [head.sequence - Int64(Tail.length)])
            ids += newest.compactMap(\.sessionID)
            var sessions: [[Event]] = []
            var first = newest.first?.sequence ?? 1
            var seen: Set<String> = []
            var older: (start: Instant, events: [Event])?
            var hasRecent = false
            for id in ids where seen.insert(id).inserted {
                let rows = try Self.rows(
                    database, "SELECT \(LogRow.columns) FROM events WHERE session_id = ? ORDER BY seq", [id])
                if let row = rows.first { first = min(first, max(1, row.sequence - 1)) }
                let events = try rows.map { try witness.event($0) }
                guard let session = Session(events: events) else { continue }
                if session.end.map({ $0 >= now - Self.recentNights }) ?? true {
                    sessions.append(events)
                    hasRecent = hasRecent || session.end != nil && !session.doses.isEmpty
                } else if !session.doses.isEmpty, older.map({ $0.start < session.start }) ?? true {
                    older = (session.start, events)
                }
            }
            // After a clock was set days ahead, the last night seems long past. Doses are judged by the counter against that
            // night.
            if let older, !hasRecent { sessions.append(older.events) }
            let last = try newest.last.map { try witness.event($0).occurredAt }
            let recent = try Self.recent(database, witness)
            let snapshot = LogSnapshot(
                sessions: sessions, recent: recent, newest: last, lastSequence: head.sequence,
                cursors: try Self.cursors(database, upTo: head.sequence),
                standalone: try EntryTable.load(
                    database, since: now - Self.recentNights, touchedBy: recent, read: witness.event))
            let hasGap = try Self.hasGap(database, from: first, to: head.sequence)
            let lost = try Self.lost(from: database, besides: path, key, isInDoubt: isInDoubt || hasGap)
            return (snapshot, witness, lost, newest.map(\.id))
        }
        self.lost = lost
        var events = snapshot.events.filter { $0.entityType != .sleepRecord }
        // The newest event by the log stands last, whatever the clocks say.
        let places = newestIDs.reversed().lazy.compactMap { id in events.lastIndex { $0.id.text == id } }
        if let place = places.first { events.append(events.remove(at: place)) }
        let isBroken = openFindings.contains { $0.kind == .brokenChain }
        if witness.changed.isEmpty, lost.events.isEmpty, !lost.isUnread, !isBroken {
            nightFile.replace(events)
        } else {
            // The copy may be all that is left of lost events: the file is added to, and never made anew.
            nightFile.append(events.filter { !witness.changed.contains($0.id) && !witness.hasCopy(of: $0.id) })
        }
        return snapshot
    }

    /// Returns true if a row between two numbers was deleted.
    private static func hasGap(_ database: Database, from first: Int64, to last: Int64) throws -> Bool {
        let statement = try database.cachedStatement(sql: "SELECT count(*) FROM events WHERE seq >= ?")
        return try Int64.fetchOne(statement, arguments: [first]) != last - first + 1
    }

    /// Returns the events that the copy of the last nights has and the log lacks. The copy never leads: a log with the newest
    /// event of the copy has all of them, unless there was a finding.
    ///
    /// - Returns: the events; true if the copy has nothing in common with a log without findings; and true if the copy cannot be
    ///   read.
    private static func lost(
        from database: Database, besides path: String, _ key: StoreKey?, isInDoubt: Bool
    ) throws -> (events: [Event], isForeign: Bool, isUnread: Bool) {
        func isLost(_ event: Event) throws -> Bool {
            let statement = try database.cachedStatement(sql: "SELECT 1 FROM events WHERE id = ?")
            return try Int.fetchOne(statement, arguments: [event.id.text]) == nil
        }
        let copied: [Event]
        do {
            guard try isInDoubt || NightFile.newest(besides: path, key).map(isLost) ?? false else {
                return ([], false, false)
            }
            copied = try NightFile.events(besides: path, key)
        } catch is StoreError { return ([], false, true) }
        let lost = try copied.filter(isLost)
        return (lost, !isInDoubt && lost.count == copied.count, false)
    }

    /// Compares events with their hashes as they are loaded. For an event that was changed, by a failing disk or by hand, the
    /// copy of the last nights still has the recorded one; a dose with another time would open its window at another time.
    private final class Witness {
        /// Events that differ from the recorded ones.
        private(set) var changed: Set<EventID> = []
        private let path: String
        private let key: StoreKey?
        private lazy var copies = Dictionary(
            ((try? NightFile.events(besides: path, key)) ?? []).map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first })

        init(besides path: String, _ key: StoreKey?) {
            self.path = path
            self.key = key
        }

        func hasCopy(of id: EventID) -> Bool { copies[id] != nil }

        /// - Throws: `.damaged` if the row cannot be read at all: then the log is not used.
        func event(_ row: LogRow) throws(StoreError) -> Event {
            let event = try row.event()
            guard row.computedHash() != row.hash else { return event }
            changed.insert(event.id)
            return copies[event.id] ?? event
        }
    }

    /// Returns the events that a service without a restart would remember beside its newest one, in log order.
    private static func recent(_ database: Database, _ witness: Witness) throws -> [Event] {
        // An imported event is no action, and there may be many.
        let sql = """
            SELECT \(LogRow.columns) FROM events
            WHERE NOT (surface = '\(Surface.importer.rawValue)' AND substr(payload, -\(importedEnd.utf8.count)) = '\(importedEnd)')
            ORDER BY seq DESC
            """
        let cursor = try Row.fetchCursor(database.cachedStatement(sql: sql))
        var events: [Event] = []
        while let row = try cursor.next() {
            let event = try witness.event(LogRow(row))
            if let newest = events.first, LogState.isOver(event, at: newest) { break }
            events.append(event)
        }
        return events.reversed()
    }

    /// The end of the payload of an event that an import took from a file: its origin stands last.
    private static let importedEnd = #""origin":{"comm":"import"}}"#

    private static func cursors(_ database: Database, upTo last: Int64) throws -> [String: Int64] {
        var cursors: [String: Int64] = [:]
        let rows = try Row.fetchCursor(database, sql: "SELECT plugin_id, seq FROM plugin_cursors")
        while let row = try rows.next() {
            guard case .string(let plugin) = (row[0] as DatabaseValue).storage,
                case .int64(let sequence) = (row[1] as DatabaseValue).storage
            else { continue }
            // A cursor beyond the end, after a rollback, would skip the next events.
            cursors[plugin] = min(max(0, sequence), last)
        }
        return cursors
    }

    /// Returns events after a place in the log, oldest first, at most `limit`.
    public func events(after sequence: Int64, limit: Int) throws -> [StoredEvent] {
        try read("reading the log") { database in
            try Self.rows(
                database, "SELECT \(LogRow.columns) FROM events WHERE seq > ? ORDER BY seq LIMIT ?",
                [sequence, max(0, limit)]
            ).map { try $0.stored() }
        }
    }

    /// Returns the newest events that a person asked for, newest first: events of time, reminders and files are left out.
    public func newestActions(limit: Int) throws -> [StoredEvent] {
        try read("reading the newest entries") { database in
            try Self.rows(
                database,
                """
                SELECT \(LogRow.columns) FROM events WHERE surface NOT IN (?, ?) AND entity_type NOT IN (?, ?, ?)
                ORDER BY seq DESC LIMIT ?
                """,
                [
                    Surface.service.rawValue, Surface.importer.rawValue, EntityType.reminder.rawValue,
                    EntityType.store.rawValue, EntityType.setting.rawValue, max(0, limit),
                ]
            ).map { try $0.stored() }
        }
    }

    /// Returns the event recorded under a caller's key, with its session as of its commit.
    public func event(key: String) throws -> KeyedEvent? {
        try read("looking for a key") { database in
            let sql = "SELECT \(LogRow.columns) FROM events WHERE idempotency_key = ?"
            guard let row = try Self.rows(database, sql, [key]).first else { return nil }
            let event = try row.event()
            guard let id = row.sessionID else { return KeyedEvent(event: event, session: []) }
            let sql2 = "SELECT \(LogRow.columns) FROM events WHERE session_id = ? ORDER BY seq"
            var session: [Event] = []
            for other in try Self.rows(database, sql2, [id]) {
                let candidate = try other.event()
                if other.sequence > row.sequence {
                    // Events of one command have the same time of recording, and only the first is a person's action.
                    guard other.occurredAt == row.occurredAt, candidate.payload.request == nil else { break }
                }
                session.append(candidate)
            }
            return KeyedEvent(event: event, session: session)
        }
    }

    static func rows(
        _ database: Database, _ sql: String, _ arguments: StatementArguments
    ) throws -> [LogRow] {
        let statement = try database.cachedStatement(sql: sql)
        let cursor = try Row.fetchCursor(statement, arguments: arguments)
        var rows: [LogRow] = []
        while let row = try cursor.next() { rows.append(try LogRow(row)) }
        return rows
    }

    static func events(_ database: Database, ofSession id: String) throws -> [Event] {
        try rows(database, "SELECT \(LogRow.columns) FROM events WHERE session_id = ? ORDER BY seq", [id])
            .map { try $0.event() }
    }

    /// Shortest beginning of an id that is looked up.
    private static let shortestPrefix = 8

    /// Returns the events of all sessions that touch a span of time, one array per session in the order of their start.
    public func sessions(around span: ClosedRange<Instant>) throws -> [[Event]] {
        try read("reading sessions") { database in
            let ids = try String.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT session_id FROM (
                          SELECT session_id, start_utc FROM sleep_sessions
                            WHERE start_utc BETWEEN ?1 AND ?2 AND end_utc >= ?3
                          UNION
                          SELECT session_id, session_start_utc FROM current_session
                            WHERE session_id IS NOT NULL AND session_start_utc <= ?2
                        ) ORDER BY start_utc, session_id
                        """),
                arguments: [
                    (span.lowerBound - Self.longestNight).iso8601, span.upperBound.iso8601, span.lowerBound.iso8601,
                ])
            return try ids.map { try Self.events(database, ofSession: $0) }
        }
    }

    /// Returns the events of the session with this id or date, or of the session an entry belongs to.
    ///
    /// - Parameter name: a session id, a date (its newest session), an entry id, or a beginning of an id
    ///   (8 characters or more) that leads to one session only.
    public func session(named name: String) throws -> [Event]? {
        if let date = try? SessionDate(text: name) { return try sessions(on: date).last }
        let name = name.lowercased()
        guard Self.isPrefix(name) else { return nil }
        return try read("looking for a session") { database in
            let sql = """
                SELECT session_id FROM events
                  WHERE session_id >= ?1 AND session_id < ?2
                UNION
                SELECT session_id FROM events
                  WHERE id >= ?1 AND id < ?2 AND id = entity_id AND session_id IS NOT NULL
                LIMIT 2
                """
            let ids = try String.fetchAll(
                database.cachedStatement(sql: sql), arguments: [name, name + Self.afterAnyDigit])
            guard ids.count == 1, let id = ids.first else { return nil }
            return try Self.events(database, ofSession: id)
        }
    }

    /// The sessions of a date, oldest first.
    public func sessions(on date: SessionDate) throws -> [[Event]] {
        try read("reading sessions") { database in
            let ids = try String.fetchAll(
                database.cachedStatement(
                    sql: "SELECT session_id FROM sleep_sessions WHERE session_date = ? "
                        + "ORDER BY start_utc, session_id"),
                arguments: [date.text])
            return try ids.map { try Self.events(database, ofSession: $0) }
        }
    }

    /// Returns the entries whose id begins with a prefix, at most five: a second one shows an ambiguous prefix. None for fewer
    /// than 8 characters.
    public func entryIDs(beginning prefix: String) throws -> [EventID] {
        let prefix = prefix.lowercased()
        guard Self.isPrefix(prefix) else { return [] }
        return try read("looking for an entry") { database in
            let sql = """
                SELECT id FROM events
                  WHERE id >= ? AND id < ? AND id = entity_id
                    AND entity_type NOT IN (\(Self.noEntries))
                  ORDER BY id LIMIT 5
                """
            return try String.fetchAll(
                database.cachedStatement(sql: sql), arguments: [prefix, prefix + Self.afterAnyDigit]
            ).map(EventID.init)
        }
    }

    /// Returns the events whose own id begins with a prefix, at most five. None for fewer than 8 characters.
    public func events(beginning prefix: String) throws -> [StoredEvent] {
        let prefix = prefix.lowercased()
        guard Self.isPrefix(prefix) else { return [] }
        return try read("looking for an event") { database in
            try Self.rows(
                database, "SELECT \(LogRow.columns) FROM events WHERE id >= ? AND id < ? ORDER BY id LIMIT 5",
                [prefix, prefix + Self.afterAnyDigit]
            ).map { try $0.stored() }
        }
    }

    private static let noEntries = EntityType.others.map { "'\($0.rawValue)'" }.joined(separator: ", ")

    /// A text that sorts after every character of an id.
    private static let afterAnyDigit = "~"

    private static func isPrefix(_ text: String) -> Bool {
        (shortestPrefix...36).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// Takes a batch in one durable transaction: events, the rows they change, and cursors.
    ///
    /// - Returns: the events as they now stand in the log.
    /// - Throws: `.keyTaken` if an idempotency key is in the log; `.noSpace`, `.readOnly`: nothing is kept and the store goes
    ///   on; `.outcomeUnknown`: only ``reopen()`` and a look for the key tell.
    public func commit(_ batch: CommitBatch) throws -> [StoredEvent] {
        if !batch.events.isEmpty { try makeReal() }
        guard !batch.events.isEmpty || !batch.cursors.isEmpty else { return [] }
        return try write(PreparedBatch(batch, after: try head))
    }

    /// Writes a batch with prepared rows.
    func write(_ batch: PreparedBatch) throws -> [StoredEvent] {
        try transaction("recording") { database in
            for row in batch.rows { try row.insert(database) }
            try TableWriter(database: database).apply(batch.difference)
            try EntryTable.refresh(batch.events, database)
            try EntryTable.relinkPreSleepLogs(batch.changes, database)
            try Self.write(batch.cursors, in: database)
            try Self.check(batch.rows, after: batch.before, in: database)
        }
        if !batch.rows.isEmpty { advance(to: batch.after) }
        // Imported events join the file of the last nights only at the next loading. Sleep that a device recorded would crowd
        // the doses out of that file.
        nightFile.append(batch.events.filter { !$0.isImported && $0.entityType != .sleepRecord })
        return zip(batch.rows, batch.events).map { row, event in
            StoredEvent(sequence: row.sequence, event: event, previousHash: row.previousHash, hash: row.hash)
        }
    }

    /// Checks that the rows stand in the log as written: a trigger, for example, could have removed them.
    private static func check(_ rows: [LogRow], after head: ChainHead, in database: Database) throws {
        guard let last = rows.last else { return }
        let statement = try database.cachedStatement(
            sql: "SELECT count(*), max(hash) FILTER (WHERE seq = ?) FROM events WHERE seq > ?")
        let row = try Row.fetchOne(statement, arguments: [last.sequence, head.sequence])
        guard let row, row[0] as Int == rows.count, row[1] as String? == last.hash else {
            throw StoreError(
                code: .damaged, context: "something in the store prevents a change of its tables: nothing was recorded",
                underlying: "the rows written do not stand in the log")
        }
    }
}

/// A batch with its rows, which are made without the database.
struct PreparedBatch: Sendable {
    let events: [Event]
    let changes: [SessionChange]
    let cursors: [String: Int64]
    let rows: [LogRow]
    let difference: RowDifference
    /// The end of the log before the batch.
    let before: ChainHead
    let after: ChainHead

    init(_ batch: CommitBatch, after before: ChainHead) {
        (events, changes, cursors, self.before) = (batch.events, batch.changes, batch.cursors, before)
        var head = before
        var rows: [LogRow] = []
        rows.reserveCapacity(batch.events.count)
        for event in batch.events {
            let row = LogRow(event, after: head)
            head = ChainHead(sequence: row.sequence, hash: row.hash)
            rows.append(row)
        }
        (self.rows, after) = (rows, head)
        difference = RowDifference(
            from: batch.changes.flatMap { SessionRows.of($0.before) },
            to: batch.changes.flatMap { SessionRows.of($0.after) })
    }
}
