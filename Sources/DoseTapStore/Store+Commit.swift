public import DoseTapDomain
import GRDB

extension Store {
    /// Takes a batch in one durable transaction: events, the rows they change, and cursors.
    ///
    /// - Returns: the events as they now stand in the log.
    /// - Throws: `.keyTaken` when an idempotency key is in the log; `.noSpace`, `.readOnly`: nothing is kept and the
    ///   store goes on; `.outcomeUnknown`: only ``reopen()`` and a look for the key tell.
    public func commit(_ batch: CommitBatch) throws -> [StoredEvent] {
        if !batch.events.isEmpty { try makeReal() }
        let before = try self.head
        var head = before
        guard !batch.events.isEmpty || !batch.cursors.isEmpty else { return [] }
        var rows: [LogRow] = []
        rows.reserveCapacity(batch.events.count)
        for event in batch.events {
            let row = LogRow(event, after: head)
            head = ChainHead(sequence: row.sequence, hash: row.hash)
            rows.append(row)
        }
        let difference = RowDifference(
            from: batch.changes.flatMap { SessionRows.of($0.before) },
            to: batch.changes.flatMap { SessionRows.of($0.after) })
        try transaction("recording") { database in
            for row in rows { try row.insert(database) }
            try TableWriter(database: database).apply(difference)
            try EntryTable.refresh(batch.events, database)
            try EntryTable.relinkPreSleepLogs(batch.changes, database)
            try Self.write(batch.cursors, in: database)
            try Self.check(rows, after: before, in: database)
        }
        if !rows.isEmpty { advance(to: head) }
        nightFile.append(batch.events)
        return zip(rows, batch.events).map { row, event in
            StoredEvent(sequence: row.sequence, event: event, previousHash: row.previousHash, hash: row.hash)
        }
    }

    /// What was written is what stands in the log: nothing in the store, such as a trigger, took it away.
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
