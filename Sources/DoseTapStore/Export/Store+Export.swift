public import DoseTapDomain
import GRDB
import GRDBSQLite

/// Export (R27): pages of some milliseconds at the caller's priority, so that a dose waits for one page at most.
extension Store {
    /// Streams the log, the nights, the lab's values, or a table into a caller's descriptor, on a thread of its own.
    ///
    /// - Parameters:
    ///   - descriptor: stays open as long as the call lasts.
    ///   - zone: returns a zone by its name; nil if this machine does not know it.
    ///   - timeout: time for which a reader may take nothing.
    /// - Returns: nil if there is no record yet. The report says if the reader went away.
    /// - Throws: ``DoseTapDomain/StoreError``: `.stalled`, `.noSpace`, `.unfit` for a descriptor that cannot be used,
    ///   `.interrupted` after a cancellation of the task.
    public nonisolated func export(
        _ request: ExportRequest, into descriptor: Int32, timeout: Duration,
        zone: @escaping @Sendable (String) -> Zone?
    ) async throws -> ExportReport? {
        guard let head = try await exportHead() else { return nil }
        let (cancellation, path) = (try ExportCancellation(), await path)
        let job = try ExportJob(request, head, self, zone)
        return try await withTaskCancellationHandler {
            try await job.run {
                try CallersStream(descriptor, store: path, timeout: timeout, cancellation)
            }
        } onCancel: {
            cancellation.cancel()
        }
    }

    /// The end of the log at one moment.
    struct ExportHead: Hashable, Sendable {
        let storeID: String
        let chain: ChainHead
        /// The generation of the rows: a rebuild or another file begins a new one.
        let generation: UInt64
        let notes: [String]

        func report(_ request: ExportRequest) -> ExportReport {
            ExportReport(
                what: request.content.word, storeID: storeID, sequence: chain.sequence, hash: chain.hash, notes: notes)
        }
    }

    /// Nil if there is no record yet.
    func exportHead() throws -> ExportHead? {
        guard !isImagined else { return nil }
        let connection = try connection()
        let notes = beside.map {
            "the record at \($0.damaged) is damaged and is not in the export, which has the fresh log \($0.path)"
        }
        return ExportHead(
            storeID: connection.meta.storeID, chain: connection.head, generation: generation,
            notes: notes.map { [$0] } ?? [])
    }

    /// Lines or rows, and the place of the next page.
    struct ExportPage: Sendable {
        var bytes: [UInt8] = []
        var rows: Int64 = 0
        /// The place of the last row; nil for an empty page, which follows the last one.
        var last: DatabaseValue?
    }

    /// Most bytes of a page.
    private static let pageBytes = 1 << 18

    /// A page of the log, an event a line (R27.3).
    func exportLog(after sequence: Int64, of head: ExportHead) throws -> ExportPage {
        try paged("SELECT \(LogRow.columns) FROM events WHERE seq > ?1 AND seq <= ?2 ORDER BY seq LIMIT 200", head) {
            row, page in
            for (index, name) in LogRow.names.enumerated() {
                page.bytes.append(UInt8(ascii: index == 0 ? "{" : ","))
                page.bytes.append(contentsOf: name)
                switch row.type(index) {
                case SQLITE_NULL: page.bytes.append(contentsOf: "null".utf8)
                case SQLITE_INTEGER: page.bytes.append(contentsOf: String(row.integer(index)).utf8)
                case SQLITE_TEXT: try row.text(index) { JSONText.append($0, to: &page.bytes) }
                default: throw Self.unreadable("event \(row.integer(0)) of the log cannot be read")
                }
            }
            page.bytes.append(contentsOf: "}\n".utf8)
            page.last = row.integer(0).databaseValue
            return page.bytes.count
        } bind: { statement in
            statement.bind(sequence, 1)
            statement.bind(head.chain.sequence, 2)
        }
    }

    /// A page of a table as CSV (R27.7).
    func export(
        _ table: ExportTable, after place: DatabaseValue, _ request: ExportRequest, of head: ExportHead,
        zone: @escaping @Sendable (String) -> Zone?
    ) throws -> ExportPage {
        var csv = CSVWriter(isExact: request.isExact)
        var zones: ZoneMemory?
        let count = table.table.columns.count
        var page = try paged(table.page, head) { row, page in
            if zones == nil { zones = try ZoneMemory(table, row.database, zone) }
            let known = try zones?.zone(row)
            for index in 0..<count {
                switch row.type(index) {
                case SQLITE_NULL where table.isInstant[index]: csv.instant(nil, in: known)
                case SQLITE_NULL: csv.null()
                case SQLITE_INTEGER: csv.integer(row.integer(index))
                case SQLITE_FLOAT: csv.number(row.number(index))
                case SQLITE_TEXT where table.isInstant[index]: try row.text(index) { csv.instant($0, in: known) }
                case SQLITE_TEXT: try row.text(index) { csv.text($0) }
                default: throw Self.unreadable("the table \(table.table.name) cannot be read; rebuild it from the log")
                }
            }
            if table.isMarked { csv.integer(row.integer(count + 1)) }
            csv.end()
            page.last =
                row.type(count) == SQLITE_INTEGER
                ? row.integer(count).databaseValue : try row.string(count).databaseValue
            return csv.bytes.count
        } bind: { statement in
            // If the disk fails on a page, the page is read once more from its first row.
            _ = csv.take()
            switch place.storage {
            case .string(let key): statement.bind(key, 1)
            case .int64(let number): statement.bind(number, 1)
            default: statement.bind("", 1)
            }
            guard request.content.hasDates else { return }
            statement.bind(request.span.first?.text ?? "", 2)
            statement.bind(request.span.last?.text ?? "~", 3)
        }
        page.bytes = csv.take()
        return page
    }

    private static func unreadable(_ context: String) -> StoreError {
        StoreError(code: .damaged, context: context, underlying: "storage class of a column")
    }

    /// Steps through a statement until a page is full.
    ///
    /// - Parameter take: takes a row and returns the number of bytes so far.
    private func paged(
        _ sql: String, _ head: ExportHead, _ take: (RawRow, inout ExportPage) throws -> Int, bind: (RawRow) -> Void
    ) throws -> ExportPage {
        try checkGeneration(head)
        return try read("exporting") { database in
            let row = RawRow(try database.cachedStatement(sql: sql), database)
            row.reset()
            defer { row.reset() }
            bind(row)
            var page = ExportPage()
            var bytes = 0
            while bytes < Self.pageBytes, try row.step() {
                bytes = try take(row, &page)
                page.rows += 1
            }
            return page
        }
    }

    func checkGeneration(_ head: ExportHead) throws(StoreError) {
        guard generation == head.generation else {
            throw StoreError(
                code: .changed,
                context: "the record was replaced, rebuilt or closed while it was exported: export it anew")
        }
    }

    /// Returns the session dates that have entries but no night.
    func exportDays(_ span: NightSpan, of head: ExportHead) throws -> [String] {
        try checkGeneration(head)
        return try read("exporting") { database in
            let tables = EntityType.shownInNight.compactMap { EntryTable.of($0)?.table }
            let dates = try tables.filter { $0.columns.contains("session_date") }.flatMap { table in
                try String.fetchAll(
                    database.cachedStatement(
                        sql: """
                            SELECT DISTINCT session_date FROM \(table.name) WHERE session_date >= ?1
                            AND session_date <= ?2 AND session_date NOT IN (SELECT session_date FROM sleep_sessions)
                            """),
                    arguments: [span.first?.text ?? "", span.last?.text ?? "~"])
            }
            return Set(dates).sorted()
        }
    }

    /// Returns the pre-sleep logs that no night followed, each as the events about it. Such logs have no session date of their
    /// own.
    func exportLogs(_ span: NightSpan, of head: ExportHead) throws -> [[Event]] {
        try checkGeneration(head)
        // A moment lies within two days of its session date, in every zone.
        let (first, last) = (span.first?.civil.adding(days: -2).iso8601, span.last?.civil.adding(days: 3).iso8601)
        return try read("exporting") { database in
            try String.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT id FROM pre_sleep_logs
                        WHERE session_id IS NULL AND created_at_utc >= ?1 AND created_at_utc <= ?2
                        ORDER BY created_at_utc, id
                        """),
                arguments: [first ?? "", last ?? "~"]
            ).map { try Self.events(database, about: $0, .preSleep) }
        }
    }

    /// A night with the entries beside it, as on record.
    struct StoredNight: Sendable {
        let start: String
        let id: String
        let date: String
        let events: [Event]
        let entries: [[Event]]
    }

    /// Number of events after which a page of nights ends.
    private static let nightEvents = 120

    /// Nights after a place, oldest first.
    func exportNights(
        after place: (start: String, id: String), _ span: NightSpan, of head: ExportHead
    ) throws -> [StoredNight] {
        try checkGeneration(head)
        return try read("exporting") { database in
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT start_utc, session_id, session_date FROM sleep_sessions
                        WHERE (start_utc, session_id) > (?1, ?2) AND +session_date >= ?3 AND +session_date <= ?4
                        ORDER BY start_utc, session_id LIMIT 16
                        """),
                arguments: [place.start, place.id, span.first?.text ?? "", span.last?.text ?? "~"])
            var nights: [StoredNight] = []
            var count = 0
            for row in rows where count < Self.nightEvents {
                let (id, date) = (row[1] as String, row[2] as String)
                let events = try Self.events(database, ofSession: id)
                let scope = EntryScope.night(SessionID(id), try SessionDate(text: date))
                let entries = try EntityType.shownInNight.flatMap {
                    try EntryTable.of($0)?.entries(scope, database) ?? []
                }
                nights.append(StoredNight(start: row[0], id: id, date: date, events: events, entries: entries))
                count += events.count + entries.reduce(0) { $0 + $1.count }
            }
            return nights
        }
    }
}

/// The zone in which a row is shown: that of its night, else that of its entry.
private struct ZoneMemory {
    private let table: ExportTable
    private let named: @Sendable (String) -> Zone?
    private let ofSession: RawRow
    private let ofEntry: RawRow
    private var session: [UInt8] = []
    private var name: [UInt8] = []
    private var known: Zone?

    init(_ table: ExportTable, _ database: Database, _ named: @escaping @Sendable (String) -> Zone?) throws {
        func first(_ column: String) throws -> RawRow {
            let sql = "SELECT time_zone FROM events WHERE \(column) = ?1 ORDER BY seq LIMIT 1"
            return RawRow(try database.cachedStatement(sql: sql), database)
        }
        self.table = table
        self.named = named
        ofSession = try first("session_id")
        ofEntry = try first("entity_id")
    }

    mutating func zone(_ row: RawRow) throws -> Zone? {
        guard table.isInstant.contains(true) else { return nil }
        if let column = table.session, row.type(column) == SQLITE_TEXT {
            // Rows of one night follow each other.
            var isSame = false
            try row.text(column) { id in
                isSame = !session.isEmpty && session.elementsEqual(id)
                if !isSame { session = Array(id) }
            }
            if !isSame { try look(ofSession, String(decoding: session, as: UTF8.self)) }
            return known
        }
        session = []
        guard let entry = table.entry, row.type(entry) == SQLITE_TEXT else { return nil }
        try look(ofEntry, row.string(entry))
        return known
    }

    /// Sets the zone of the first event of a night or an entry. The zone is mostly that of the row before.
    private mutating func look(_ events: RawRow, _ id: String) throws {
        events.reset()
        defer { events.reset() }
        events.bind(id, 1)
        guard try events.step(), events.type(0) == SQLITE_TEXT else {
            (name, known) = ([], nil)
            return
        }
        var isSame = false
        try events.text(0) { text in
            isSame = !name.isEmpty && name.elementsEqual(text)
            if !isSame { name = Array(text) }
        }
        if !isSame { known = named(String(decoding: name, as: UTF8.self)) }
    }
}
