public import DoseTapDomain
import GRDB
import Glibc

/// Import (R29): the lines come from a caller's descriptor, the plan is made on a thread of its own, and one transaction
/// records it.
extension Store {
    /// Reads the lines of an import.
    ///
    /// - Parameters:
    ///   - descriptor: stays open as long as the call lasts.
    ///   - timeout: time for which nothing may come.
    /// - Throws: ``DoseTapDomain/StoreError``: `.unfit` naming the line, `.stalled`, `.interrupted`.
    public nonisolated func readImport(from descriptor: Int32, timeout: Duration) async throws -> ImportFile {
        let cancellation = try ExportCancellation()
        let job = try ImportJob(self)
        return try await withTaskCancellationHandler {
            try await job.read { () throws(StoreError) in
                try CallersLines(descriptor, timeout: timeout, cancellation)
            }
        } onCancel: {
            cancellation.cancel()
        }
    }

    /// Plans an import, a slice of the record at a time.
    ///
    /// - Throws: `.interrupted` if something was recorded since the scene was read.
    public nonisolated func prepareImport(_ file: ImportFile, _ scene: ImportScene) async throws -> PreparedImport {
        try await ImportJob(self).plan(file, scene)
    }

    /// Plans to take an import back; nil if no import has this id, or if it was taken back.
    public nonisolated func prepareTakeBack(_ id: EventID, _ scene: ImportScene) async throws -> PreparedImport? {
        try await ImportJob(self).planTakeBack(id, scene)
    }

    /// Records the plan in one transaction.
    ///
    /// - Returns: the event about the import; nil, without a change, if something was recorded since the planning.
    public func commit(_ prepared: PreparedImport) throws -> StoredEvent? {
        guard let batch = prepared.contents as? PreparedBatch else {
            throw StoreError(code: .internal, context: "importing", underlying: "a plan of another store")
        }
        try makeReal()
        guard try importHead() == batch.before else { return nil }
        guard !prepared.plan.changes.contains(where: { $0.after?.isOpen == true }) else {
            throw StoreError(code: .internal, context: "importing", underlying: "a night would be open")
        }
        return try write(batch).last
    }

    /// Returns the end of the log, on which a plan is made.
    ///
    /// - Throws: `.damaged` while a fresh log takes the entries: that log does not know the events of the record.
    func importHead() throws -> ChainHead {
        guard beside == nil else {
            throw StoreError(code: .damaged, context: "the record is damaged: repair it before anything is imported")
        }
        return try head
    }

    /// The events about imports, oldest first.
    public func imports() throws -> [Event] {
        try read("looking for imports") { try Self.importRows($0).map { try $0.event() } }
    }

    private static func importRows(_ database: Database) throws -> [LogRow] {
        let rows = try rows(
            database, "SELECT \(LogRow.columns) FROM events WHERE entity_id = ? AND entity_type = ? ORDER BY seq",
            [ImportRecorded.entity, EntityType.store.rawValue])
        return rows.filter { $0.type == EventType.importRecorded.rawValue }
    }

    /// Writes a list into an empty plain file that a caller has open, on a thread of its own.
    public nonisolated func write(_ bytes: @escaping @Sendable () -> [UInt8], into descriptor: Int32) async throws {
        let file = try CallersFile(descriptor, isWritten: true, store: await path)
        let archive = try Archive()
        try await archive.perform { () throws(StoreError) in try file.write(bytes()) }
    }

    // MARK: For the plan

    /// Returns the events that were recorded under these keys.
    func importKeys(_ keys: [String]) throws -> [String: String] {
        guard !keys.isEmpty else { return [:] }
        return try read("looking for keys") { database in
            let marks = keys.map { _ in "?" }.joined(separator: ",")
            let rows = try Row.fetchAll(
                database, sql: "SELECT idempotency_key, id FROM events WHERE idempotency_key IN (\(marks))",
                arguments: StatementArguments(keys))
            var found: [String: String] = [:]
            for row in rows { found[row[0]] = row[1] }
            return found
        }
    }

    /// Returns the ids that events of the log have.
    func eventsOnRecord(_ ids: [String]) throws -> Set<String> {
        try read("looking for events") { Set(ids).subtracting(try LogGlance.lacking(ids, in: $0)) }
    }

    /// The ids of all events that were taken back with an import.
    func eventsTakenBack() throws -> Set<String> {
        try read("looking for imports that were taken back") { database in
            var ids: Set<String> = []
            for row in try Self.importRows(database) {
                guard case .importRecorded(let fact) = try row.event().payload, fact.takesBack != nil else { continue }
                for undo in try Self.transaction(of: row, fact, database) {
                    guard case .actionUndone(let payload) = try undo.event().payload else { continue }
                    ids.formUnion(payload.events.map(\.text))
                }
            }
            return ids
        }
    }

    /// The result of an import: its events, their nights and their standalone entries.
    struct Brought: Sendable {
        let event: Event
        let source: String
        var ids: [String] = []
        var sessions: [String] = []
        var entries: [String] = []
    }

    /// Nil if no import has this id, or if it was taken back.
    func importBrought(_ id: EventID) throws -> Brought? {
        try read("looking for an import") { database in
            let rows = try Self.importRows(database)
            let facts = ImportOnRecord.of(try rows.map { try $0.event() })
            guard facts.contains(where: { $0.id == id && $0.takenBack == nil }),
                let row = rows.first(where: { $0.id == id.text }),
                case .importRecorded(let fact) = try row.event().payload
            else { return nil }
            var found = Brought(event: try row.event(), source: fact.source)
            var (sessions, entries): (Set<String>, Set<String>) = ([], [])
            for other in try Self.transaction(of: row, fact, database) {
                found.ids.append(other.id)
                if let session = other.sessionID, sessions.insert(session).inserted { found.sessions.append(session) }
                let isEntry = EntityType(rawValue: other.entityType)?.isStandalone == true
                if isEntry, entries.insert(other.entityID).inserted { found.entries.append(other.entityID) }
            }
            return found
        }
    }

    /// Returns the events of the same transaction before the event about the import.
    private static func transaction(of row: LogRow, _ fact: ImportRecorded, _ database: Database) throws -> [LogRow] {
        try rows(
            database,
            """
            SELECT \(LogRow.columns) FROM events
            WHERE seq >= ? AND seq < ? AND surface = ? AND occurred_at = ? ORDER BY seq
            """,
            [
                row.sequence - Int64(max(0, min(fact.events, ImportFile.mostLines * 8))), row.sequence,
                Surface.importer.rawValue, row.occurredAt,
            ])
    }

    func sessions(_ ids: [String]) throws -> [[Event]] {
        try read("reading sessions") { database in try ids.map { try Self.events(database, ofSession: $0) } }
    }

    func entries(about ids: [String]) throws -> [[Event]] {
        try read("reading entries") { database in
            try ids.map {
                try Self.rows(
                    database, "SELECT \(LogRow.columns) FROM events WHERE entity_id = ? ORDER BY seq", [$0]
                ).map { try $0.event() }
            }
        }
    }
}

extension CallersFile {
    /// Writes a short text into the file.
    func write(_ bytes: [UInt8]) throws(StoreError) {
        try SystemCall.write(bytes, to: descriptor, "the list", context: "writing the list")
    }
}
