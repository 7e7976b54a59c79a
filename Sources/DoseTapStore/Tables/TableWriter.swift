import DoseTapDomain
import GRDB

/// Writes rows of the projections with statements that are prepared once.
struct TableWriter {
    let database: Database

    /// Writes a difference.
    func apply(_ difference: RowDifference) throws {
        for row in difference.deletions { try delete(row) }
        for (before, after) in difference.updates { try update(from: before, to: after) }
        for row in difference.insertions { try insert(row) }
    }

    /// Adds a row; one that is there already, which only a damaged table has, gives way: a table never keeps an event
    /// from being recorded.
    func insert(_ row: TableRow) throws {
        let statement = try database.cachedStatement(sql: row.table.insertion)
        statement.setUncheckedArguments(StatementArguments(row.values))
        try statement.execute()
        guard database.changesCount == 1 else { throw Self.prevented(row.table.name) }
    }

    private func delete(_ row: TableRow) throws { try delete(row.table, row.values[0]) }

    /// Takes a row away. One that is not there, which only a damaged table lacks, keeps no event from being recorded.
    func delete(_ table: ProjectionTable, _ key: DatabaseValue) throws {
        let statement = try database.cachedStatement(sql: "DELETE FROM \(table.name) WHERE \(table.key) = ?")
        statement.setUncheckedArguments([key])
        try statement.execute()
        guard database.changesCount != 1 else { return }
        let question = try database.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM \(table.name) WHERE \(table.key) = ?)")
        guard try Bool.fetchOne(question, arguments: [key]) == false else { throw Self.prevented(table.name) }
    }

    /// A trigger or the like kept a row of this table from being written or removed.
    static func prevented(_ table: String) -> StoreError {
        StoreError(
            code: .damaged, context: "something in the store prevents a change of its tables",
            underlying: table)
    }

    /// Empties a table.
    func deleteRows(of table: ProjectionTable) throws {
        try database.execute(sql: "DELETE FROM \(table.name)")
        guard try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM \(table.name))") == false else {
            throw Self.prevented(table.name)
        }
    }

    /// Takes away what a table says of a session.
    func deleteRows(of table: ProjectionTable, session id: String) throws {
        let statement = try database.cachedStatement(sql: "DELETE FROM \(table.name) WHERE session_id = ?")
        statement.setUncheckedArguments([id])
        try statement.execute()
        let question = try database.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM \(table.name) WHERE session_id = ?)")
        guard try Bool.fetchOne(question, arguments: [id]) == false else { throw Self.prevented(table.name) }
    }

    private func update(from before: TableRow, to after: TableRow) throws {
        var assignments = ""
        var values: [DatabaseValue] = []
        for (column, (old, new)) in zip(after.table.columns, zip(before.values, after.values)) where old != new {
            assignments += assignments.isEmpty ? "\(column) = ?" : ", \(column) = ?"
            values.append(new)
        }
        values.append(after.values[0])
        let sql = "UPDATE \(after.table.name) SET \(assignments) WHERE \(after.table.key) = ?"
        let statement = try database.cachedStatement(sql: sql)
        statement.setUncheckedArguments(StatementArguments(values))
        try statement.execute()
        if database.changesCount == 0 { try insert(after) }
    }
}
