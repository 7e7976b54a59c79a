public import DoseTapDomain
import GRDB

/// The repair: a damaged log is read as far as possible, and the readable part takes its place on a person's word.
extension Store {
    /// Takes one short step towards a repaired log beside the damaged one.
    ///
    /// - Returns: the plan of the repair, once the repaired log is ready; nil before. The repair begins anew if something was
    ///   recorded since.
    /// - Parameter isAsked: true if a person asked; otherwise only a log known as damaged is read.
    public func prepareRepair(now: Instant, isAsked: Bool) throws -> RepairPlan? {
        guard !isCopy else { throw StoreError(code: .readOnly, context: sent("the store cannot be written")) }
        guard isAsked || beside != nil else {
            throw StoreError(code: .unavailable, context: "the record is in use and not known as damaged")
        }
        let head = try self.head
        if let begun = salvage, begun.basis != head {
            begun.abandon()
            salvage = nil
        }
        do {
            let salvage = try salvage ?? beginSalvage(head, now: now)
            self.salvage = salvage
            return try salvage.step() ? salvage.plan : nil
        } catch {
            let error = StoreError(error, doing: "reading the damaged record")
            // A step that gave way to something more urgent is taken again later.
            if error.code == .interrupted, salvage != nil { throw error }
            salvage?.abandon()
            salvage = nil
            throw error
        }
    }

    private func beginSalvage(_ head: ChainHead, now: Instant) throws -> Salvage {
        let rows = try beside.map { log in
            let rows = try read("reading the fresh log") { database in
                try Self.rows(database, "SELECT \(LogRow.columns) FROM events ORDER BY seq", [])
            }
            return (log, rows)
        }
        let plugins = try read("reading how far plugins are") { database in
            try String.fetchAll(database, sql: "SELECT plugin_id FROM plugin_cursors")
        }
        return try Salvage(
            beside?.damaged ?? path, rows, plugins: plugins, basis: head, deviceID: deviceID, key: key, now: now,
            migrator: migrator, thread: thread)
    }

    /// Puts the repaired log in the place of the damaged one and of the fresh logs beside it, which are kept.
    ///
    /// - Throws: `.interrupted` if something was recorded since the preparation.
    public func replaceByRepaired() throws {
        guard let salvage, salvage.plan.head > 0, salvage.basis == (try head) else {
            throw StoreError(code: .interrupted, context: "something was recorded while the record was repaired")
        }
        let logs = beside.map { log in
            (1...log.number).map { String(Self.besidePath(log.damaged, $0).dropFirst(log.damaged.count)) }
        }
        try salvage.writeList()
        // The prepared log is used up, whether or not the replacement succeeds.
        self.salvage = nil
        try replace(
            by: StoreSwitch(
                purpose: "repair", prepared: StoreSwitch.repaired, keeping: salvage.kept, logs: logs ?? [],
                isReported: true),
            isDamaged: beside == nil)
    }
}
