public import DoseTapDomain
import GRDB

/// The table of one kind of entry that is no part of a session's fold. Writing, rebuilding, checking and reading it follow
/// from its columns.
struct EntryTable: Sendable {
    typealias Value = (any DatabaseValueConvertible)?
    /// A column of an entry.
    typealias Cell = @Sendable (StandaloneEntry, Database) throws -> Value

    let entity: EntityType
    let table: ProjectionTable
    /// The column with the time at which an entry counts.
    let time: String
    /// The step of the schema that made the table; nil if that step stands in the list of steps.
    let made: Migration?
    /// Further rows of each entry.
    let parts: Parts?
    /// Finds the ids of a scope without the columns; a nil result leaves the search to the columns.
    private let found: Finder?
    private let cells: [Cell]

    typealias Finder = @Sendable (EntryScope, Database) throws -> [String]?

    /// A table for entries with many rows each.
    struct Parts: Sendable {
        let table: ProjectionTable
        /// The column that names the entry.
        let owner: String
        /// The rows of an entry, each in the order of the columns.
        let rows: @Sendable (StandaloneEntry) -> [[Value]]

        init(
            _ table: ProjectionTable, of owner: String, _ rows: @escaping @Sendable (StandaloneEntry) -> [[Value]]
        ) {
            self.table = table
            self.owner = owner
            self.rows = rows
        }
    }

    init(
        _ entity: EntityType, _ name: String, time: String, made: Migration? = nil,
        _ columns: KeyValuePairs<String, Cell>, parts: Parts? = nil, found: Finder? = nil
    ) {
        self.parts = parts
        self.found = found
        self.entity = entity
        self.time = time
        self.made = made
        table = ProjectionTable(name, columns.map(\.key))
        cells = columns.map(\.value)
    }

    var tables: [ProjectionTable] { [table] + (parts.map { [$0.table] } ?? []) }

    /// Returns the table of an entity; nil for an entity without one of its own.
    static func of(_ entity: EntityType) -> EntryTable? { all.first { $0.entity == entity } }

    /// Makes a cell of a value that only one kind of entry has.
    static func own<Kind>(_ value: @escaping @Sendable (EntryOf<Kind>) -> Value) -> Cell {
        { entry, _ in EntryOf<Kind>(entry).flatMap(value) }
    }

    // MARK: Rows

    /// Returns all entries, deleted ones included.
    func ids(_ database: Database) throws -> [String] {
        try String.fetchAll(
            database,
            sql: "SELECT entity_id FROM events NOT INDEXED WHERE entity_type = ? GROUP BY entity_id ORDER BY MIN(seq)",
            arguments: [entity.rawValue])
    }

    /// Returns the rows of an entry, its own first; none for an entry that does not stand.
    func rows(of id: String, _ database: Database) throws -> [TableRow] {
        let events = try Store.events(database, about: id, entity)
        guard let entry = StandaloneEntry(events: events), entry.isActive else { return [] }
        let own = TableRow(table, try cells.map { try $0(entry, database) })
        return [own] + (parts.map { parts in parts.rows(entry).map { TableRow(parts.table, $0) } } ?? [])
    }

    /// Writes the rows of an entry, or removes them.
    func write(_ id: String, _ database: Database) throws {
        let (rows, writer) = (try rows(of: id, database), TableWriter(database: database))
        if let parts { try writer.deleteRows(of: parts.table, where: parts.owner, is: id) }
        if rows.isEmpty { try writer.delete(table, id.databaseValue) }
        for row in rows { try writer.insert(row) }
    }

    /// Writes the entries that the events are about.
    static func refresh(_ events: [Event], _ database: Database) throws {
        var seen: Set<String> = []
        for event in events where event.entityType.isStandalone && seen.insert(event.entityID).inserted {
            try of(event.entityType)?.write(event.entityID, database)
        }
    }

    // MARK: Reading

    /// The events about the active entries of a scope, one array per entry, in log order.
    func entries(
        _ scope: EntryScope, _ database: Database, read: (LogRow) throws -> Event = { try $0.event() }
    ) throws -> [[Event]] {
        if let ids = try found?(scope, database) {
            return try ids.map { try Store.events(database, about: $0, entity, read: read) }
        }
        if case .deleted(let limit) = scope {
            let ids = try String.fetchAll(
                database,
                sql: """
                    SELECT entity_id FROM events NOT INDEXED WHERE entity_type = ? AND type = ?
                    GROUP BY entity_id ORDER BY MAX(seq) DESC LIMIT ?
                    """,
                arguments: [entity.rawValue, EventType.entryDeleted.rawValue, max(0, limit)])
            return try ids.map { try Store.events(database, about: $0, entity, read: read) }
        }
        guard let (condition, arguments) = query(scope) else { return [] }
        let statement = try database.cachedStatement(sql: "SELECT id FROM \(table.name) \(condition)")
        return try String.fetchAll(statement, arguments: arguments).map {
            try Store.events(database, about: $0, entity, read: read)
        }
    }

    /// Nil for a scope that this kind of entry does not have.
    private func query(_ scope: EntryScope) -> (condition: String, StatementArguments)? {
        let order = "ORDER BY \(time), id"
        let (hasSession, hasDate) = (table.columns.contains("session_id"), table.columns.contains("session_date"))
        switch scope {
        case .around(let span):
            return ("WHERE \(time) BETWEEN ? AND ? \(order)", [span.lowerBound.iso8601, span.upperBound.iso8601])
        case .night(let session, let date):
            guard hasDate else { return hasSession ? ("WHERE session_id = ? \(order)", [session.text]) : nil }
            guard hasSession else { return ("WHERE session_date = ? \(order)", [date.text]) }
            return (
                "WHERE session_id = ? OR session_id IS NULL AND session_date = ? \(order)", [session.text, date.text]
            )
        case .day(let date):
            guard hasDate else { return nil }
            // A night whose opening was undone is no night.
            let alone = "(session_id IS NULL OR session_id NOT IN (SELECT session_id FROM sleep_sessions)) AND "
            return ("WHERE \(hasSession ? alone : "")session_date = ? \(order)", [date.text])
        case .newest(let limit): return ("ORDER BY \(time) DESC, id DESC LIMIT ?", [max(0, limit)])
        case .deleted: return nil
        case .about(let id):
            guard table.columns.contains("target_id") else { return ("WHERE id = ?", [id.text]) }
            return (
                """
                WHERE id = ?1 OR target_id = ?1 OR id = (SELECT target_id FROM \(table.name) WHERE id = ?1) \(order)
                """, [id.text]
            )
        }
    }

    /// Returns the entries that are needed at start: those since a moment, all of a kind that is always in memory, and those
    /// that were lately corrected.
    static func load(
        _ database: Database, since moment: Instant, touchedBy recent: [Event], read: (LogRow) throws -> Event
    ) throws -> [[Event]] {
        var entries: [[Event]] = []
        for table in all {
            let isAll = EntityType.alwaysLoaded.contains(table.entity)
            entries += try table.entries(
                isAll ? .newest(.max) : .around(moment...Instant.max), database, read: read)
        }
        var seen = Set(entries.compactMap(\.first?.entityID))
        for event in recent where event.entityType.isStandalone && seen.insert(event.entityID).inserted {
            entries.append(try Store.events(database, about: event.entityID, event.entityType, read: read))
        }
        return entries
    }
}

extension Store {
    /// Returns the events about the active entries of a scope that are no part of a session's fold, one array per entry, in log
    /// order; newest first for the scope of the newest.
    public func entries(_ kinds: [EntityType], _ scope: EntryScope) throws -> [[Event]] {
        try read("reading entries") { database in
            try kinds.flatMap { try EntryTable.of($0)?.entries(scope, database) ?? [] }
        }
    }

    /// Returns the events about one entry; none if there is no such entry.
    public func events(about id: EventID) throws -> [Event] {
        try read("reading an entry") { database in
            try Self.rows(
                database, "SELECT \(LogRow.columns) FROM events WHERE entity_id = ? ORDER BY seq", [id.text]
            ).map { try $0.event() }
        }
    }

    static func events(
        _ database: Database, about id: String, _ entity: EntityType,
        read: (LogRow) throws -> Event = { try $0.event() }
    ) throws -> [Event] {
        try rows(
            database, "SELECT \(LogRow.columns) FROM events WHERE entity_id = ? AND entity_type = ? ORDER BY seq",
            [id, entity.rawValue]
        ).map(read)
    }
}
