public import DoseTapDomain
import GRDB

extension Store {
    /// Checks the file, its indexes, its schema and every row of the tables.
    public func check() throws -> StoreReport {
        try read("checking the store") { database in
            var findings = Findings()
            if let beside { findings.add(beside.sentence) }
            return try database.fromDisk { database in
                do {
                    for line in try FileCheck.faults(database, most: Self.mostFindings) {
                        findings.add(sent("the file is damaged: \(line)"))
                    }
                    for sentence in try SchemaCheck.findings(database, migrator: migrator) { findings.add(sentence) }
                    let tables = try ProjectionCheck(database)
                    for sentence in tables.findings.sentences { findings.add(sentence) }
                    return StoreReport(
                        events: tables.events, rows: tables.rows, findings: findings.sentences, notes: keptNotes)
                } catch let error as DatabaseError where error.resultCode.isDamage {
                    let why = error.message ?? "SQLite \(error.resultCode.rawValue)"
                    findings.add(sent("the file is damaged: \(why)"))
                    return StoreReport(events: 0, rows: 0, findings: findings.sentences)
                }
            }
        }
    }

    /// The replaced and kept records, a sentence for each.
    private var keptNotes: [String] {
        StoreFiles(path: path).keptRecords.prefix(Self.mostFindings).map { kept in
            sent(
                "a replaced record of \(max(1, kept.bytes / 1_024)) KiB is kept at \(kept.path): it can be restored, or removed"
            )
        }
    }

    /// Recreates every index and every table that follows from the log, in one transaction; plugin cursors stay.
    ///
    /// - Throws: `.damaged` if an event cannot be read; then nothing has changed.
    public func rebuild() throws -> StoreReport {
        let before = try read("comparing the tables with the log") { database in
            do {
                return try ProjectionCheck(database).findings.sentences
            } catch let error as DatabaseError where error.resultCode.isDamage {
                let why = error.message ?? "SQLite \(error.resultCode.rawValue)"
                return [sent("the file was damaged: \(why)")]
            }
        }
        var report = StoreReport(events: 0, rows: 0, findings: [])
        var indexes: [String] = []
        try transaction("rebuilding the tables") { database in
            indexes = try SchemaCheck.restoreIndexes(database, migrator: migrator).map {
                sent("made the missing \($0)")
            }
            let rebuild = try Rebuild(database)
            report.events = rebuild.events
            report.rows = rebuild.rows
        }
        generation += 1
        report.repairs = before + indexes
        report.findings = try read("checking the store") { database in
            try FileCheck.faults(database, most: Self.mostFindings).map { sent("the file is damaged: \($0)") }
        }
        return report
    }
}

/// Recreates the tables from the log; runs inside a transaction.
struct Rebuild {
    private(set) var events: Int64 = 0
    private(set) var rows: Int64 = 0

    init(_ database: Database) throws {
        try FileCheck.remakeIndexes(database)
        let writer = TableWriter(database: database)
        for table in ProjectionTable.all { try writer.deleteRows(of: table) }
        var newestOpen: (start: Instant, row: TableRow)?
        for id in try SessionStream.ids(database) {
            let events = try Store.events(database, ofSession: id)
            self.events += Int64(events.count)
            guard let session = Session(events: events) else { continue }
            for row in SessionRows.of(session) {
                guard row.table != .currentSession else {
                    if newestOpen.map({ $0.start <= session.start }) ?? true { newestOpen = (session.start, row) }
                    continue
                }
                try writer.insert(row)
                rows += 1
            }
        }
        if let newestOpen {
            try writer.insert(newestOpen.row)
            rows += 1
        }
        for entries in EntryTable.all {
            for id in try entries.ids(database) {
                for row in try entries.rows(of: id, database) {
                    try writer.insert(row)
                    rows += 1
                }
            }
        }
        events += try Int64.fetchOne(database, sql: "SELECT count(*) FROM events WHERE session_id IS NULL") ?? 0
    }
}

/// Makes rows of the nights from the log, in tables that a migration has made or emptied. A night that cannot be read keeps its
/// rows, since it must not prevent the opening of the store; `check` names the night.
struct Backfill {
    let database: Database

    func fill(_ tables: Set<ProjectionTable>) throws {
        let writer = TableWriter(database: database)
        var newestOpen: (start: Instant, row: TableRow)?
        for id in try SessionStream.ids(database) {
            guard let events = try? Store.events(database, ofSession: id) else { continue }
            for table in tables { try writer.deleteRows(of: table, session: id) }
            guard let night = Session(events: events) else { continue }
            for row in SessionRows.of(night) where tables.contains(row.table) {
                guard row.table == .currentSession else {
                    try writer.insert(row)
                    continue
                }
                if newestOpen.map({ $0.start <= night.start }) ?? true { newestOpen = (night.start, row) }
            }
        }
        if let newestOpen { try writer.insert(newestOpen.row) }
    }
}

/// The sessions of the log, one at a time.
private enum SessionStream {
    static func ids(_ database: Database) throws -> [String] {
        try String.fetchAll(
            database,
            sql: "SELECT session_id FROM events NOT INDEXED WHERE session_id IS NOT NULL GROUP BY session_id "
                + "ORDER BY MIN(seq)")
    }
}

/// Compares the tables with the log, session by session, so that memory does not grow with history.
private struct ProjectionCheck {
    private(set) var findings = Findings()
    private(set) var events: Int64 = 0
    private(set) var rows: Int64 = 0

    private let database: Database
    private var expected: [ProjectionTable: Int64] = [:]
    private var newestOpen: (start: Instant, row: TableRow)?

    init(_ database: Database) throws {
        self.database = database
        for id in try SessionStream.ids(database) { try compare(session: id) }
        if let newestOpen { try compare([newestOpen.row], in: .currentSession, of: "the open night") }
        expected[.currentSession] = newestOpen == nil ? 0 : 1
        for entries in EntryTable.all {
            for id in try entries.ids(database) {
                do {
                    for row in try entries.rows(of: id, database) {
                        expected[row.table, default: 0] += 1
                        try compare([row], in: row.table, of: "entry \(id)")
                    }
                } catch { try note(StoreError(error, doing: "reading an entry")) }
            }
        }
        for table in ProjectionTable.all { try compareCount(table) }
        events += try Int64.fetchOne(database, sql: "SELECT count(*) FROM events WHERE session_id IS NULL") ?? 0
    }

    private mutating func compare(session id: String) throws {
        let night: Session?
        do {
            let events = try Store.events(database, ofSession: id)
            self.events += Int64(events.count)
            night = Session(events: events)
        } catch {
            try note(StoreError(error, doing: "reading a session"))
            return
        }
        var byTable: [ProjectionTable: [TableRow]] = [:]
        for row in SessionRows.of(night) { byTable[row.table, default: []].append(row) }
        if let night, let row = byTable.removeValue(forKey: .currentSession)?.first {
            if newestOpen.map({ $0.start <= night.start }) ?? true { newestOpen = (night.start, row) }
        }
        for table in ProjectionTable.all where table != .currentSession {
            let wanted = byTable[table] ?? []
            expected[table, default: 0] += Int64(wanted.count)
            try compare(wanted, in: table, of: "session \(id)")
        }
    }

    private mutating func compare(_ wanted: [TableRow], in table: ProjectionTable, of whose: String) throws {
        for row in wanted {
            rows += 1
            let sql = "SELECT \(table.columns.joined(separator: ",")) FROM \(table.name) WHERE \(table.key) = ?"
            let found = try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [row.values[0]])
            guard let found else {
                findings.add(sent("a row of \(table.name) of \(whose) is missing"))
                continue
            }
            if TableRow(table, found) != row {
                findings.add(sent("a row of \(table.name) of \(whose) does not say what the log says"))
            }
        }
    }

    /// - Throws: the error of work that gave way to something more urgent: the comparison begins anew.
    private mutating func note(_ error: StoreError) throws(StoreError) {
        guard error.code != .interrupted else { throw error }
        findings.add(error.description)
    }

    private mutating func compareCount(_ table: ProjectionTable) throws {
        let sql = "SELECT count(*) FROM \(table.name) NOT INDEXED"
        let count = try Int64.fetchOne(database, sql: sql) ?? 0
        let wanted = expected[table] ?? 0
        if count > wanted {
            let more = Plural.of(count - wanted, "row", "rows")
            findings.add(sent("\(table.name) has \(more) that no event explains"))
        }
    }
}
