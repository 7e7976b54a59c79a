import DoseTapDomain
import GRDB

/// Compares the tables with what the log says, session by session, so that memory does not grow with history.
struct ProjectionCheck {
    private(set) var findings = Findings()
    /// Events looked at.
    private(set) var events: Int64 = 0
    /// Rows looked at.
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
                    guard let row = try entries.row(of: id, database) else { continue }
                    expected[row.table, default: 0] += 1
                    try compare([row], in: row.table, of: "entry \(id)")
                } catch { findings.add(StoreError(error, doing: "reading an entry").description) }
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
            findings.add(StoreError(error, doing: "reading a session").description)
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
                findings.add("a row of \(table.name) of \(whose) is missing")
                continue
            }
            if TableRow(table, found) != row {
                findings.add("a row of \(table.name) of \(whose) does not say what the log says")
            }
        }
    }

    private mutating func compareCount(_ table: ProjectionTable) throws {
        let sql = "SELECT count(*) FROM \(table.name) NOT INDEXED"
        let count = try Int64.fetchOne(database, sql: sql) ?? 0
        let wanted = expected[table] ?? 0
        if count > wanted {
            findings.add("\(table.name) has \(count - wanted) rows that no event explains")
        }
    }
}
