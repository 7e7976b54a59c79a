public import DoseTapDomain
import GRDB

/// The import of an exported log (R35): as the record if there is none, as its continuation, or as entries of another record.
extension Store {
    /// Reads and checks an exported log; nothing of the record changes.
    ///
    /// - Parameters:
    ///   - descriptor: stays open as long as the call lasts.
    ///   - timeout: time for which nothing may come.
    /// - Throws: ``DoseTapDomain/StoreError``: `.unfit` naming the line, `.noSpace`, `.stalled`, `.interrupted`.
    public nonisolated func readLog(
        from descriptor: Int32, timeout: Duration, now: Instant
    ) async throws -> PreparedLog {
        let cancellation = try ExportCancellation()
        let (path, key) = try await placeForLog()
        let (deviceID, migrator) = (deviceID, migrator)
        do {
            let archive = try Archive()
            return try await withTaskCancellationHandler {
                try await archive.perform { () throws(StoreError) in
                    let lines = try CallersLines(descriptor, timeout: timeout, cancellation)
                    let log = try StagedLog.read(
                        lines, besides: path, key: key, deviceID: deviceID, created: now, migrator: migrator)
                    return PreparedLog(events: log.head.sequence, log)
                }
            } onCancel: {
                cancellation.cancel()
            }
        } catch {
            await releaseImagined()
            throw error
        }
    }

    private func placeForLog() throws -> (path: String, key: StoreKey?) {
        try refuseLog()
        // No other program may make a file of the same name.
        try holdImagined()
        return (path, key)
    }

    /// - Throws: if the record cannot take any log.
    private func refuseLog() throws {
        guard !isCopy else { throw StoreError(code: .readOnly, context: sent("the store cannot be written")) }
        _ = try importHead()
    }

    /// Returns the relation of a log to the present record.
    public func relation(of log: PreparedLog) throws -> LogRelation {
        let staged = try Self.staged(log)
        try refuseLog()
        let (own, ownID) = (try head, try connection().meta.storeID)
        var relation = LogRelation(.other, events: staged.head.sequence)
        guard staged.head.sequence > 0 else {
            relation.kind = .known
            return relation
        }
        guard own.sequence > 0 else {
            guard kept().events.isEmpty else {
                throw StoreError(
                    code: .unavailable, context: "entries lie outside the record and go there first: try again soon")
            }
            relation.kind = .beginning
            try count(staged, &relation)
            return relation
        }
        guard ownID == staged.storeID else { return relation }
        let end = min(own.sequence, staged.head.sequence)
        guard try staged.hash(at: end) == hash(at: end) else {
            // The hashes of two chains are the same up to one place and never again.
            var (same, other) = (Int64(0), end)
            while other - same > 1 {
                let middle = same + (other - same) / 2
                if try staged.hash(at: middle) == hash(at: middle) { same = middle } else { other = middle }
            }
            relation.kind = .fork(at: other)
            return relation
        }
        relation.kind = staged.head.sequence > end ? .extending : .known
        relation.known = end
        try count(staged, &relation)
        return relation
    }

    private func count(_ staged: StagedLog, _ relation: inout LogRelation) throws(StoreError) {
        (relation.nights, relation.from, relation.to) = try staged.nights(after: relation.known)
    }

    private func hash(at sequence: Int64) throws(StoreError) -> String? {
        guard sequence > 0 else { return try connection().meta.storeID }
        return try read("comparing the record with the log") {
            try String.fetchOne($0, sql: "SELECT hash FROM events WHERE seq = ?", arguments: [sequence])
        }
    }

    private static func staged(_ log: PreparedLog) throws(StoreError) -> StagedLog {
        guard let staged = log.contents as? StagedLog else {
            throw StoreError(code: .internal, context: "importing", underlying: "a log of another store")
        }
        return staged
    }

    /// Removes the files made of a log, and lets other programs begin a record if there is still none.
    public nonisolated func drop(_ log: PreparedLog) async {
        (log.contents as? StagedLog)?.discard()
        await releaseImagined()
    }

    // MARK: Becoming the record

    /// Makes a log the record. The record has no event so far.
    ///
    /// - Parameter plugins: the plugins that go on at the log's end.
    /// - Returns: false if something was recorded since, without a change.
    /// - Throws: ``DoseTapDomain/StoreError``: the record is as before, except for `.outcomeUnknown`, which ``reopen()``
    ///   settles.
    public nonisolated func begin(with log: PreparedLog, plugins: [String]) async throws -> Bool {
        let staged = try Self.staged(log)
        // The next step closes the log, which can then be compared with nothing any more.
        guard try await hasNothing else { return false }
        try await Archive().perform { () throws(StoreError) in try staged.complete(plugins: plugins) }
        try await put(staged)
        return true
    }

    private var hasNothing: Bool {
        get throws { try head.sequence == 0 && kept().events.isEmpty }
    }

    private func put(_ staged: StagedLog) throws {
        guard try hasNothing else {
            throw StoreError(code: .unavailable, context: "something was recorded meanwhile: try again")
        }
        guard staged.isInPlace, staged.key?.id == key?.id else {
            throw StoreError(code: .interrupted, context: "the record was changed while the log was read")
        }
        try replace(by: StoreSwitch(purpose: "import", prepared: StoreSwitch.imported, keeping: nil))
    }

    // MARK: Going on

    /// Records the events of a log that follow the last one of the record, as they are, in one transaction.
    ///
    /// - Parameter plugins: the plugins that go on at the log's end.
    /// - Returns: false if something was recorded since, without a change.
    public func extend(by log: PreparedLog, plugins: [String]) throws -> Bool {
        let staged = try Self.staged(log)
        let before = try head
        guard before.sequence > 0, before.sequence < staged.head.sequence,
            try staged.hash(at: before.sequence) == before.hash
        else { return false }
        try staged.requireRoomToGoOn()
        try transaction("taking in the log") { database in
            var (sessions, entries): (Set<String>, [EntityType: Set<String>]) = ([], [:])
            var place = before
            while case let rows = try staged.rows(after: place.sequence), let last = rows.last {
                for row in rows {
                    try row.insert(database)
                    if let session = row.sessionID { sessions.insert(session) }
                    if let entity = EntityType(rawValue: row.entityType), entity.isStandalone {
                        entries[entity, default: []].insert(row.entityID)
                    }
                }
                place = ChainHead(sequence: last.sequence, hash: last.hash)
            }
            for id in sessions.sorted() { try Self.refresh(session: id, since: before.sequence, database) }
            try Self.refreshOpenNight(database)
            for (entity, ids) in entries {
                for id in ids.sorted() { try EntryTable.of(entity)?.write(id, database) }
            }
            try database.execute(sql: "UPDATE plugin_cursors SET seq = ?", arguments: [staged.head.sequence])
            try Self.write(StagedLog.cursors(plugins, at: staged.head), in: database)
            let end = try Row.fetchOne(database, sql: "SELECT count(*), max(seq) FROM events")
            guard place == staged.head, end?[0] == staged.head.sequence, end?[1] == staged.head.sequence else {
                throw StoreError(
                    code: .damaged,
                    context: "something in the store prevents a change of its tables: nothing was taken",
                    underlying: "the rows written do not stand in the log")
            }
        }
        advance(to: staged.head)
        return true
    }

    /// Writes the rows of a night with new events.
    private static func refresh(session id: String, since sequence: Int64, _ database: Database) throws {
        let rows = try rows(
            database, "SELECT \(LogRow.columns) FROM events WHERE session_id = ? ORDER BY seq", [id])
        let change = SessionChange(
            id: SessionID(id),
            before: Session(events: try rows.filter { $0.sequence <= sequence }.map { try $0.event() }),
            after: Session(events: try rows.map { try $0.event() }))
        func written(_ night: Session?) -> [TableRow] { SessionRows.of(night).filter { $0.table != .currentSession } }
        try TableWriter(database: database).apply(
            RowDifference(from: written(change.before), to: written(change.after)))
        try EntryTable.relinkPreSleepLogs([change], database)
    }

    /// Writes which night is open.
    private static func refreshOpenNight(_ database: Database) throws {
        let writer = TableWriter(database: database)
        try writer.deleteRows(of: .currentSession)
        let open =
            "SELECT session_id FROM sleep_sessions WHERE end_utc IS NULL ORDER BY start_utc, created_at, session_id"
        let nights = try String.fetchAll(database, sql: open).map { try events(database, ofSession: $0) }
        guard let night = nights.compactMap(Session.init(events:)).last else { return }
        for row in SessionRows.of(night) where row.table == .currentSession { try writer.insert(row) }
    }

    // MARK: Entries of another record

    /// Returns the end of a log in the form of an import.
    ///
    /// - Throws: `.unfit` if that is more than one import takes.
    public nonisolated func lines(of log: PreparedLog) async throws -> ImportFile {
        let staged = try Self.staged(log)
        return try await Archive().perform { () throws(StoreError) in
            try staged.read { database in
                var entries = LogEntries()
                for id in try String.fetchAll(
                    database, sql: "SELECT session_id FROM sleep_sessions ORDER BY start_utc, session_id")
                {
                    let rows = try Self.rows(
                        database, "SELECT \(LogRow.columns) FROM events WHERE session_id = ? ORDER BY seq", [id])
                    guard let night = Session(events: try rows.map { try $0.event() }) else { continue }
                    let places = Dictionary(rows.map { ($0.id, $0.sequence) }, uniquingKeysWith: { one, _ in one })
                    entries.add(night) { places[$0.text] ?? 0 }
                }
                for table in EntryTable.all {
                    for id in try String.fetchAll(database, sql: "SELECT \(table.table.key) FROM \(table.table.name)") {
                        let rows = try Self.rows(
                            database,
                            "SELECT \(LogRow.columns) FROM events WHERE entity_id = ? AND entity_type = ? ORDER BY seq",
                            [id, table.entity.rawValue])
                        guard let entry = StandaloneEntry(events: try rows.map { try $0.event() }) else { continue }
                        entries.add(entry, place: rows.first?.sequence ?? 0)
                    }
                }
                guard let file = entries.file else {
                    throw StoreError(
                        code: .unfit,
                        context: "the log has more than \(ImportFile.mostLines) entries; nothing was taken")
                }
                return file
            }
        }
    }
}
