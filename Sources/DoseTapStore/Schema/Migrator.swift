import DoseTapDomain
import GRDB

/// One step of the schema. A released step is never edited. The step is SQL text, so that it does not depend on types.
struct Migration: Sendable {
    /// The `user_version` after this step, counted from 1.
    let version: Int32
    let sql: String
    /// Tables of the nights whose rows this step makes anew from the log.
    var fills: Set<ProjectionTable> = []
}

/// Brings a database to the schema of this version; a newer one is refused untouched.
struct Migrator {
    /// `application_id`: "DTap" in ASCII.
    static let applicationID: Int32 = 0x4454_6170
    /// All steps in order. A step that makes the table of a kind of entry is defined with that table.
    static let released: [Migration] =
        ([
            .first, .second, .third, .fourth, .fifth, .sixth, .seventh, .eighth, .tenth, .eleventh, .twelfth,
            .thirteenth, .fourteenth,
        ]
        + EntryTable.all.compactMap(\.made))
        .sorted { $0.version < $1.version }

    /// The fingerprint of the schema that all steps make (``SchemaCheck/fingerprint(_:)``). A store that has it needs no comparison,
    /// for which the schema is made anew.
    static let fingerprint = "49b41b2e832452afce8fd66cfb57ba3e5c29b4126259499e7b31bc63edcc5607"

    var steps: [Migration] = released

    var latest: Int32 { steps.last?.version ?? 0 }

    /// Applies the missing steps in one transaction: tables are filled with the schema of this version.
    func migrate(_ database: Database) throws {
        let version = try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let missing = steps.filter { $0.version > version }
        guard !missing.isEmpty else { return }
        try database.inTransaction(.immediate) {
            for step in missing where !step.sql.isEmpty { try database.execute(sql: step.sql) }
            if version > 0 {
                let fills = missing.map(\.fills).reduce(into: Set()) { $0.formUnion($1) }
                if !fills.isEmpty { try Backfill(database: database).fill(fills) }
            }
            try database.execute(sql: "PRAGMA application_id = \(Self.applicationID)")
            try database.execute(sql: "PRAGMA user_version = \(latest)")
            return .commit
        }
    }

    /// Refuses a database of another program or of a newer version; the check only reads.
    ///
    /// - Parameter isNew: true if the file is being made and may be empty.
    func check(_ database: Database, path: String, isNew: Bool) throws {
        let version = try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let application = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        if isNew && version == 0 && application == 0 { return }
        guard application == Self.applicationID else {
            throw StoreError(
                code: .foreign, context: "the store's file is a database of another program",
                underlying: "application_id \(application) in \(path)")
        }
        guard version <= latest else { throw newer(version, path) }
        guard version > 0 else {
            throw StoreError(code: .damaged, context: "the store's file has lost its version", underlying: path)
        }
    }

    func newer(_ version: Int32, _ path: String) -> StoreError {
        StoreError(
            code: .newer,
            context: sent(
                "the store was written by a newer version of DoseTap (schema \(version), this one knows \(latest)); it was not touched"
            ),
            underlying: path)
    }
}
