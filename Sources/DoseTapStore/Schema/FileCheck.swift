import GRDB

/// SQLite's own check of the file, and its making of indexes.
///
/// A table of another program may sort by an order, or have a CHECK that calls a function, that only that program has. SQLite then
/// refuses a statement over the whole file, although every table of ours can be read.
enum FileCheck {
    /// The tables of this version, but for SQLite's own.
    static let tables = ["events", "plugin_cursors", "store_meta"] + ProjectionTable.all.map(\.name)

    /// Returns what SQLite finds wrong in the file.
    ///
    /// Where SQLite refuses the whole file, the schema and each table are checked one by one. Not looked at then: the list of free
    /// pages, pages of no table, and a table of another program for which SQLite refuses that, too.
    static func faults(_ database: Database, most: Int) throws -> [String] {
        do {
            return try faults(database, of: "\(most)")
        } catch let error as DatabaseError where isRefusal(error) {
            var found = try faults(database, of: "sqlite_schema")
            try forEachTable(database) { found += try faults(database, of: $0) }
            return Array(found.prefix(most))
        }
    }

    /// Makes every index anew, but for those of other programs that SQLite cannot make.
    static func remakeIndexes(_ database: Database) throws {
        let all: Statement
        // SQLite looks for the orders before the statement runs, so that nothing is half done then.
        do {
            all = try database.makeStatement(sql: "REINDEX")
        } catch let error as DatabaseError where isRefusal(error) {
            return try forEachTable(database) { try database.execute(sql: "REINDEX \($0)") }
        }
        try all.execute()
    }

    /// - Parameter scope: a number of findings, for the whole file, or a quoted table.
    private static func faults(_ database: Database, of scope: String) throws -> [String] {
        try String.fetchAll(database, sql: "PRAGMA integrity_check(\(scope))").filter { $0 != "ok" }
    }

    /// - Parameter work: gets the quoted name. A refusal is passed over, but for a table of ours.
    private static func forEachTable(_ database: Database, _ work: (String) throws -> Void) throws {
        for name in try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'") {
            do {
                try work(UnknownObjects.quoted(name))
            } catch let error as DatabaseError where isRefusal(error) && !tables.contains(name) {
                continue
            }
        }
    }

    /// Returns true if SQLite lacks what a statement needs, or a value is larger than a store of ours has. SQLCipher tells a page
    /// that does not fit its key by the same code, in these words.
    private static func isRefusal(_ error: DatabaseError) -> Bool {
        switch error.resultCode {
        case .SQLITE_ERROR: error.message != "SQL logic error"
        case .SQLITE_TOOBIG: true
        default: false
        }
    }
}
