import CSQLite
public import DoseTapDomain
import GRDB

extension Store {
    /// Number of nights or entries compared at once.
    static let auditPage = 16

    /// Compares a page of the tables with the log, and rebuilds rows that differ. No row is rebuilt from an event that
    /// fails the check of its hash.
    ///
    /// - Parameter session: compares the rows of this session only, in one page.
    public func audit(_ place: TableAudit.Place, only session: SessionID?) throws -> TableAudit {
        let found = try compare(place, only: session)
        guard !found.differences.isEmpty else { return found.page }
        try transaction("making rows anew from the log") { database in
            let writer = TableWriter(database: database)
            for difference in found.differences { try writer.apply(difference) }
        }
        var page = found.page
        // A row that is still wrong does not count as rebuilt: it would be reported again for ever. If something more urgent
        // comes in between, the next comparison finds the row.
        let again = try? compare(place, only: session).page
        for (table, count) in again?.mended ?? [:] {
            page.mended[table] = page.mended[table].flatMap { $0 > count ? $0 - count : nil }
            page.findings.append(
                count == 1
                    ? sent("\(count) row of \(table) does not say what the log says, also after being rebuilt")
                    : sent("\(count) rows of \(table) do not say what the log says, also after being rebuilt"))
        }
        return page
    }

    private func compare(_ place: TableAudit.Place, only session: SessionID?) throws -> (
        page: TableAudit, differences: [RowDifference]
    ) {
        try read("comparing the tables with the log") { database in
            var audit = Audit(database: database)
            if let session {
                try audit.compare(session: session.text)
                try audit.compareOpen(session.text)
            } else {
                if place == .start { database.releaseMemory() }
                try audit.compare(place)
                if audit.page.next == nil { database.giveMemoryBack() }
            }
            return (audit.page, audit.differences)
        }
    }
}

extension Database {
    /// Gives SQLite's cache and other free memory back to the system: the next night fills the cache as needed.
    func giveMemoryBack() {
        releaseMemory()
        csqlite_trim()
    }

    /// Examines the whole record as it is on the disk: a page in SQLite's cache would hide damage below it. The cache is
    /// emptied afterwards, or the record would stay in it until the next day.
    func fromDisk<Result>(_ examine: (Database) throws -> Result) rethrows -> Result {
        releaseMemory()
        defer { giveMemoryBack() }
        return try examine(self)
    }
}

/// A page of the comparison, which only reads.
private struct Audit {
    private static let sessionTables: [ProjectionTable] = [
        .sleepSessions, .nightMeasures, .doseEvents, .sleepEvents, .morningCheckins,
    ]

    let database: Database
    private(set) var page = TableAudit()
    private(set) var differences: [RowDifference] = []

    init(database: Database) { self.database = database }

    /// First each table with its indexes, then the sessions, then rows without a session, then standalone entries,
    /// whose sessions follow from the table of sessions.
    mutating func compare(_ place: TableAudit.Place) throws {
        let tables = FileCheck.tables
        let kinds = EntryTable.all
        let step = place.step - tables.count
        switch step {
        case ..<0:
            for line in try String.fetchAll(database, sql: "PRAGMA integrity_check(\(tables[place.step]))")
            where line != "ok" {
                guard page.findings.count < 3 else { break }
                page.findings.append(sent("the store's file is damaged: \(line)"))
            }
            page.next = TableAudit.Place(step: place.step + 1, after: "")
        case 0:
            let ids = try ids("session_id IS NOT NULL", of: "session_id", [], after: place.after)
            for id in ids { try compare(session: id) }
            next(place, ids)
        case 1:
            let condition =
                "coalesce(session_id, '') NOT IN (SELECT session_id FROM events WHERE session_id IS NOT NULL)"
            for table in Self.sessionTables { try strays(table, condition, []) }
            try compareOpen(nil)
            page.next = TableAudit.Place(step: place.step + 1, after: "")
        case 2..<(2 + kinds.count):
            let kind = kinds[step - 2]
            let entity = kind.entity.rawValue
            let ids = try ids("entity_type = ?", of: "entity_id", [entity], after: place.after)
            for id in ids { try compare(entry: id, kind) }
            if place.after.isEmpty {
                try strays(
                    kind.table, "\(kind.table.key) NOT IN (SELECT entity_id FROM events WHERE entity_type = ?)",
                    [entity])
                if let parts = kind.parts {
                    try strays(
                        parts.table, "\(parts.owner) NOT IN (SELECT entity_id FROM events WHERE entity_type = ?)",
                        [entity])
                }
            }
            next(place, ids)
            if step == 1 + kinds.count, page.next?.step != place.step { page.next = nil }
        default: break
        }
    }

    private mutating func next(_ place: TableAudit.Place, _ ids: [String]) {
        page.next =
            ids.last.flatMap { last in
                ids.count == Store.auditPage ? TableAudit.Place(step: place.step, after: last) : nil
            } ?? TableAudit.Place(step: place.step + 1, after: "")
    }

    private func ids(
        _ condition: String, of column: String, _ arguments: StatementArguments, after: String
    ) throws -> [String] {
        try String.fetchAll(
            database,
            sql: "SELECT DISTINCT \(column) FROM events WHERE \(condition) AND \(column) > ? "
                + "ORDER BY \(column) LIMIT \(Store.auditPage)",
            arguments: arguments + [after])
    }

    mutating func compare(session id: String) throws {
        guard let events = try events("session_id = ?", [id]) else { return }
        var wanted: [ProjectionTable: [TableRow]] = [:]
        for row in SessionRows.of(Session(events: events)) { wanted[row.table, default: []].append(row) }
        for table in Self.sessionTables {
            compare(try rows(table, "session_id = ?", [id]), with: wanted[table] ?? [])
        }
    }

    /// - Parameter id: the session; nil for the newest open one in the table of sessions.
    mutating func compareOpen(_ id: String?) throws {
        let open =
            "SELECT session_id FROM sleep_sessions WHERE end_utc IS NULL ORDER BY start_utc, created_at, session_id"
        var newest: (start: Instant, row: TableRow)?
        for id in try id.map({ [$0] }) ?? String.fetchAll(database, sql: open) {
            // A row that this page rebuilds is not in the table yet: the next comparison reads it.
            guard let events = try events("session_id = ?", [id]) else { return }
            guard let night = Session(events: events),
                let row = SessionRows.of(night).first(where: { $0.table == .currentSession }),
                newest.map({ $0.start <= night.start }) ?? true
            else { continue }
            newest = (night.start, row)
        }
        compare(try rows(.currentSession, "1", []), with: newest.map { [$0.row] } ?? [])
    }

    private mutating func compare(entry id: String, _ kind: EntryTable) throws {
        guard try events("entity_id = ? AND entity_type = ?", [id, kind.entity.rawValue]) != nil else { return }
        let wanted = try kind.rows(of: id, database)
        compare(try rows(kind.table, "\(kind.table.key) = ?", [id]), with: wanted.filter { $0.table == kind.table })
        guard let parts = kind.parts else { return }
        compare(try rows(parts.table, "\(parts.owner) = ?", [id]), with: wanted.filter { $0.table == parts.table })
    }

    private mutating func strays(_ table: ProjectionTable, _ condition: String, _ arguments: StatementArguments) throws
    {
        compare(try rows(table, condition, arguments), with: [])
    }

    private mutating func compare(_ found: [TableRow], with wanted: [TableRow]) {
        let difference = RowDifference(from: found, to: wanted)
        guard !difference.isEmpty, let table = (found + wanted).first?.table else { return }
        differences.append(difference)
        let keys = (difference.deletions + difference.insertions + difference.updates.map(\.after)).map(\.key)
        page.mended[table.name, default: 0] += Set(keys).count
    }

    private func rows(
        _ table: ProjectionTable, _ condition: String, _ arguments: StatementArguments
    ) throws -> [TableRow] {
        let sql = "SELECT \(table.columns.joined(separator: ",")) FROM \(table.name) WHERE \(condition)"
        return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments).map { TableRow(table, $0) }
    }

    /// Returns the events behind some rows; nil, with a finding, if the hash of one of them is wrong.
    private mutating func events(_ condition: String, _ arguments: StatementArguments) throws -> [Event]? {
        do {
            let sql = "SELECT \(LogRow.columns) FROM events WHERE \(condition) ORDER BY seq"
            let rows = try Store.rows(database, sql, arguments)
            let faults = rows.compactMap { row in
                ChainCheck.fault(of: row, after: ChainHead(sequence: row.sequence - 1, hash: row.previousHash))
            }
            guard faults.isEmpty else {
                page.findings += faults
                return nil
            }
            return try rows.map { try $0.event() }
        } catch let error as LogRowFault {
            page.findings.append(error.storeError.context)
            return nil
        }
    }
}
