public import DoseTapDomain
import GRDB

extension Store {
    /// Takes a batch in one durable transaction: events, the rows they change, and cursors.
    ///
    /// - Returns: the events as they now stand in the log.
    /// - Throws: `.keyTaken` when an idempotency key is in the log; `.noSpace`, `.readOnly`: nothing is kept and the
    ///   store goes on; `.outcomeUnknown`: only ``reopen()`` and a look for the key tell.
    public func commit(_ batch: CommitBatch) throws -> [StoredEvent] {
        var head = try self.head
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
            for rows in PreSleepRows.all(database) { try rows.refresh(batch.events) }
            try PreSleepRows(database: database).relink(batch.changes)
            try Self.write(batch.cursors, in: database)
        }
        if !rows.isEmpty { advance(to: head) }
        return zip(rows, batch.events).map { row, event in
            StoredEvent(sequence: row.sequence, event: event, previousHash: row.previousHash, hash: row.hash)
        }
    }
}
