import GRDB

/// One row of a projection.
struct TableRow: Hashable, Sendable {
    /// The table.
    let table: ProjectionTable
    /// Values in the order of the table's columns; the first is the key.
    let values: [DatabaseValue]

    init(_ table: ProjectionTable, _ values: [(any DatabaseValueConvertible)?]) {
        self.table = table
        self.values = values.map { $0?.databaseValue ?? .null }
    }

    /// Reads a row selected with the table's columns.
    init(_ table: ProjectionTable, _ row: Row) {
        self.table = table
        values = Array(row.databaseValues)
    }

    /// Identity of the row.
    var key: Key { Key(table: table, value: values[0]) }

    /// A row's identity across all tables.
    struct Key: Hashable {
        let table: ProjectionTable
        let value: DatabaseValue
    }
}
