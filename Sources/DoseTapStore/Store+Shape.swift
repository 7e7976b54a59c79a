public import DoseTapDomain
import GRDB
import GRDBSQLite
import Glibc

extension Store {
    /// Returns counts and sizes, for a support bundle. Like every question, the call gives way to a command.
    public func shape() throws -> LogShape {
        var shape = try read("counting the events of the log") { database in
            var shape = LogShape()
            let sql = """
                SELECT type, substr(occurred_at, 1, 7) AS month, count(*) FROM events
                GROUP BY type, month ORDER BY month, type LIMIT 20000
                """
            shape.counts = try Row.fetchAll(database, sql: sql).map { row in
                LogShape.Count(type: row[0] ?? "", month: row[1] ?? "", count: row[2] ?? 0)
            }
            func number(_ sql: String) throws -> Int64 { try Int64.fetchOne(database, sql: sql) ?? 0 }
            shape.lastSequence = try number("SELECT max(seq) FROM events")
            shape.schema = try number("PRAGMA user_version")
            shape.pages = try number("PRAGMA page_count")
            shape.freePages = try number("PRAGMA freelist_count")
            shape.pageBytes = try number("PRAGMA page_size")
            for table in ProjectionTable.all {
                shape.rows.append((table.name, try number("SELECT count(*) FROM \(table.name)")))
            }
            shape.schemaFindings = try SchemaCheck.findings(database, migrator: migrator).count
            return shape
        }
        shape.sqlite = String(cString: sqlite3_libversion())
        shape.findings = openFindings.map(\.kind.rawValue)
        shape.isBeside = beside != nil
        shape.files = StoreFiles(path: beside?.damaged ?? path).present.map { file in
            LogShape.File(suffix: file.suffix, bytes: Int64(file.status.st_size), mode: file.mode)
        }
        return shape
    }
}
