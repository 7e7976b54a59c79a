public import DoseTapDomain
import GRDB

extension Store {
    /// Looks at the file, its indexes, its schema and every row of the tables.
    public func check() throws -> StoreReport {
        try read("checking the store") { database in
            var findings = Findings()
            if let beside { findings.add(beside.sentence) }
            do {
                for line in try String.fetchAll(database, sql: "PRAGMA integrity_check(\(Self.mostFindings))") {
                    if line != "ok" { findings.add("the file is damaged: \(line)") }
                }
                for sentence in try SchemaCheck.findings(database, migrator: migrator) { findings.add(sentence) }
                let tables = try ProjectionCheck(database)
                for sentence in tables.findings.sentences { findings.add(sentence) }
                return StoreReport(events: tables.events, rows: tables.rows, findings: findings.sentences)
            } catch let error as DatabaseError where error.resultCode.isDamage {
                findings.add("the file is damaged: \(error.message ?? "SQLite \(error.resultCode.rawValue)")")
                return StoreReport(events: 0, rows: 0, findings: findings.sentences)
            }
        }
    }

    /// Recreates every index and every table that follows from the log, in one transaction; plugin cursors stay.
    ///
    /// - Throws: `.damaged` when an event cannot be read; then nothing has changed.
    public func rebuild() throws -> StoreReport {
        let before = try read("comparing the tables with the log") { database in
            do {
                return try ProjectionCheck(database).findings.sentences
            } catch let error as DatabaseError where error.resultCode.isDamage {
                return ["the file was damaged: \(error.message ?? "SQLite \(error.resultCode.rawValue)")"]
            }
        }
        var report = StoreReport(events: 0, rows: 0, findings: [])
        var indexes: [String] = []
        try transaction("rebuilding the tables") { database in
            indexes = try SchemaCheck.restoreIndexes(database, migrator: migrator).map { "made the missing \($0)" }
            let rebuild = try Rebuild(database)
            report.events = rebuild.events
            report.rows = rebuild.rows
        }
        report.repairs = before + indexes
        report.findings = try read("checking the store") { database in
            try String.fetchAll(database, sql: "PRAGMA integrity_check(\(Self.mostFindings))")
                .filter { $0 != "ok" }.map { "the file is damaged: \($0)" }
        }
        return report
    }
}
