public import DoseTapDomain
import GRDB

extension Store {
    /// Most findings reported one by one; the others are counted.
    static let mostFindings = 20

    /// Recomputes the hash chain from the first event, and compares it with the counter of the table and with the head outside
    /// the database. A rollback found on an earlier day is a note and no longer a fault.
    public func verify() throws -> StoreReport {
        let connection = try connection()
        var findings = Findings()
        var notes = Findings()
        var count: Int64 = 0
        var end = ChainHead(sequence: 0, hash: connection.meta.storeID)
        try read("verifying the log") { database in
            do {
                try database.fromDisk { database in
                    try Self.walk(database, from: &end, count: &count, findings: &findings, notes: &notes)
                    let sql = "SELECT seq FROM sqlite_sequence WHERE name = 'events'"
                    let counted = try Int64.fetchOne(database, sql: sql) ?? 0
                    if counted != end.sequence {
                        findings.add(sent("the log ends at event \(end.sequence), its counter stands at \(counted)"))
                    }
                    try Self.compare(connection.headFile.read(), with: connection, in: database, findings: &findings)
                    // Pages without an event may be damaged, too.
                    for line in try FileCheck.faults(database, most: 3) {
                        findings.add(sent("the file is damaged: \(line)"))
                    }
                    let meta = try StoreMeta(database)
                    if meta != connection.meta { findings.add(sent("the store's identity changed while it was open")) }
                }
            } catch let error as DatabaseError where error.resultCode.isDamage {
                let why = error.message ?? "SQLite \(error.resultCode.rawValue)"
                findings.add(sent("the file is damaged: \(why)"))
            }
        }
        if end != connection.head {
            let own = connection.head.sequence
            findings.add(sent("the log ends at event \(end.sequence), this process recorded up to \(own)"))
        }
        if let beside { findings.add(beside.sentence) }
        for finding in openFindings where finding.isWarning { findings.add(sent("when opened: \(finding.sentence)")) }
        return StoreReport(events: count, rows: 0, findings: findings.sentences, notes: notes.sentences)
    }

    private static func walk(
        _ database: Database, from end: inout ChainHead, count: inout Int64, findings: inout Findings,
        notes: inout Findings
    ) throws {
        let sql = "SELECT \(LogRow.columns) FROM events NOT INDEXED ORDER BY seq"
        let cursor = try Row.fetchCursor(database, sql: sql)
        var latest = ""
        while let row = try cursor.next() {
            count += 1
            do throws(LogRowFault) {
                let row = try LogRow(row)
                if let fault = ChainCheck.fault(of: row, after: end) { findings.add(fault) }
                if row.occurredAt < latest {
                    findings.add(sent("event \(row.sequence) is older than the one before it"))
                }
                latest = row.occurredAt
                if row.type == EventType.storeRestored.rawValue { notes.add(note(of: row)) }
                end = ChainHead(sequence: row.sequence, hash: row.hash)
            } catch {
                findings.add(sent("event \(error.sequence) has a malformed column \(error.column)"))
                if error.sequence > 0 { end = ChainHead(sequence: error.sequence, hash: "") }
            }
        }
    }

    /// Returns the note about a recorded rollback.
    private static func note(of row: LogRow) -> String {
        guard case .storeRestored(let restored)? = try? row.event().payload else {
            return sent("event \(row.sequence), \(row.occurredAt): the store was found not whole")
        }
        return restored.isByPerson
            ? sent("event \(row.sequence), \(row.occurredAt): \(restored.finding)")
            : sent("event \(row.sequence), \(row.occurredAt): the store was found not whole: \(restored.finding)")
    }

    /// The head outside the database may lag behind the log, but must not differ otherwise.
    private static func compare(
        _ content: HeadFile.Content, with connection: Connection, in database: Database, findings: inout Findings
    ) throws {
        guard case .head(let known, let storeID) = content else {
            if connection.head.sequence > 0 {
                findings.add(
                    sent("the file with the end of the log is missing or torn; the next entry writes it anew"))
            }
            return
        }
        guard storeID == connection.meta.storeID else {
            findings.add(sent("the file with the end of the log belongs to another store"))
            return
        }
        guard known.sequence > 0 || known.hash != storeID else { return }
        let sql = "SELECT hash FROM events WHERE seq = ?"
        if try String.fetchOne(database, sql: sql, arguments: [known.sequence]) != known.hash {
            let (event, end) = (known.sequence, connection.head.sequence)
            findings.add(
                sent("the file with the end of the log knows another event \(event) than the log, which ends at \(end)")
            )
        }
    }
}

extension ResultCode {
    /// True if the file itself is damaged.
    var isDamage: Bool { primaryResultCode == .SQLITE_CORRUPT || primaryResultCode == .SQLITE_NOTADB }
}
