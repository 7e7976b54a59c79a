import DoseTapDomain
import GRDB

/// What stands in a store that no version of ours makes and that could change rows behind our back: a trigger, a view, a
/// generated column.
enum Strangers {
    /// Looked at before anything is written.
    ///
    /// - Throws: `.altered`, with the statement that takes it away.
    static func refuse(_ database: Database, path: String) throws {
        let objects = try Row.fetchAll(
            database,
            sql: "SELECT type, name FROM sqlite_schema WHERE type IN ('trigger', 'view') ORDER BY type, name LIMIT 1")
        if let row = objects.first, let type = row[0] as String?, let name = row[1] as String? {
            throw error("the \(type) '\(shown(name))'", path, "DROP \(type.uppercased()) \(quoted(name))")
        }
        let columns = try Row.fetchAll(
            database,
            sql: """
                SELECT m.name, x.name FROM sqlite_schema m, pragma_table_xinfo(m.name) x
                WHERE m.type = 'table' AND x.hidden IN (2, 3) ORDER BY m.name, x.cid LIMIT 1
                """)
        if let row = columns.first, let table = row[0] as String?, let name = row[1] as String? {
            throw error(
                "the generated column '\(shown(name))' of \(shown(table))", path,
                "ALTER TABLE \(quoted(table)) DROP COLUMN \(quoted(name))")
        }
    }

    private static func error(_ what: String, _ path: String, _ statement: String) -> StoreError {
        let isPlain = (path + statement).unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "'" && $0.value != 0x7F }
        return StoreError(
            code: .altered,
            context: "\(what) stands in the store, which no version of DoseTap makes: it could change what is recorded",
            underlying: isPlain ? statement : "")
    }

    private static func quoted(_ name: String) -> String {
        "\"\(name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
    }

    private static func shown(_ name: String) -> String {
        String(String.UnicodeScalarView(name.unicodeScalars.prefix(60).map { $0.value < 0x20 ? "?" : $0 }))
    }
}
