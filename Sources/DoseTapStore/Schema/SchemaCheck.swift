import Crypto
import DoseTapDomain
import GRDB

/// Compares the schema of a store with that of this version: no foreign object may exist beside our tables, above all
/// no trigger.
enum SchemaCheck {
    /// Returns the differences, in sentences.
    static func findings(_ database: Database, migrator: Migrator) throws -> [String] {
        let reference = try reference(migrator)
        let found = try objects(database)
        var sentences: [String] = []
        for name in reference.keys.sorted() where found[name] != reference[name] {
            sentences.append(
                found[name] == nil
                    ? sent("\(name) is missing from the schema") : sent("\(name) is not defined as it should be"))
        }
        for name in found.keys.sorted() where reference[name] == nil {
            sentences.append(sent("\(name) does not belong to the schema"))
        }
        return sentences
    }

    /// Makes missing indexes; returns their names.
    static func restoreIndexes(_ database: Database, migrator: Migrator) throws -> [String] {
        let found = try objects(database)
        var made: [String] = []
        for (name, sql) in try reference(migrator).sorted(by: { $0.key < $1.key }) where found[name] == nil {
            guard name.hasPrefix("index "), !sql.isEmpty else { continue }
            try database.execute(sql: sql)
            made.append(name)
        }
        return made
    }

    /// Known schemas by the steps of a migrator: a process has one migrator, tests have a few. Each schema is made once, since
    /// its queue is kept for the life of the process.
    private static let known = Guarded<[[String]: [String: String]]>([:])

    /// Makes missing tables, and fills those that follow from the log; returns their names.
    ///
    /// - Throws: `.damaged` if the log itself is missing.
    static func restoreTables(_ database: Database, migrator: Migrator) throws -> [String] {
        guard migrator.latest == Migrator().latest else { return [] }
        let found = Set(try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'"))
        guard found.isSuperset(of: ["events", "store_meta"]) else {
            throw StoreError(code: .damaged, context: "the store has lost its log", underlying: "a table is missing")
        }
        let wanted = ProjectionTable.all.map(\.name) + ["plugin_cursors"]
        let missing = wanted.filter { !found.contains($0) }
        guard !missing.isEmpty else { return [] }
        let reference = try reference(migrator)
        try database.inTransaction(.immediate) {
            for name in missing { try database.execute(sql: reference["table \(name)"] ?? "") }
            _ = try restoreIndexes(database, migrator: migrator)
            if missing != ["plugin_cursors"] { _ = try Rebuild(database) }
            return .commit
        }
        return missing
    }

    /// The schema that these steps make.
    static func reference(_ migrator: Migrator) throws -> [String: String] {
        let steps = migrator.steps.map(\.sql)
        if let known = known.withLock({ $0[steps] }) { return known }
        let queue = try DatabaseQueue()
        defer { ClosedQueues.keep(queue) }
        let reference = try queue.writeWithoutTransaction { fresh in
            try migrator.migrate(fresh)
            return try objects(fresh)
        }
        try queue.close()
        known.withLock { $0[steps] = reference }
        return reference
    }

    /// The schema that a version makes.
    static func reference(_ migrator: Migrator, version: Int32) throws -> [String: String] {
        try reference(Migrator(steps: migrator.steps.filter { $0.version <= version }))
    }

    /// Returns a word that only an equal set of objects has.
    static func fingerprint(_ objects: [String: String]) -> String {
        var hash = SHA256()
        for (name, text) in objects.sorted(by: { $0.key < $1.key }) {
            hash.update(data: Array("\(name)\0\(text)\0".utf8))
        }
        return Hexadecimal.text(hash.finalize())
    }

    /// Returns all objects except SQLite's own statistics, with their definitions.
    static func objects(_ database: Database) throws -> [String: String] {
        var objects: [String: String] = [:]
        let sql = "SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%'"
        for row in try Row.fetchAll(database, sql: sql) {
            guard case .string(let name) = (row[0] as DatabaseValue).storage,
                case .string(let text) = (row[1] as DatabaseValue).storage
            else { continue }
            objects[name] = text
        }
        return objects
    }
}

/// Objects in a store that no version of DoseTap makes and that could change rows, run code or prevent an entry: a trigger, a
/// view, a generated column, a virtual table, an index that calculates, a key that refers to DoseTap's tables.
enum UnknownObjects {
    /// For each kind of object: the query for its names, the word for people, and the statement that removes it.
    private static let questions: [(sql: String, what: String, statement: String)] = [
        ("SELECT name FROM sqlite_schema WHERE type = 'trigger'", "the trigger", "DROP TRIGGER"),
        ("SELECT name FROM sqlite_schema WHERE type = 'view'", "the view", "DROP VIEW"),
        (
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND (rootpage = 0 OR sql LIKE 'CREATE VIRTUAL%')",
            "the virtual table", "DROP TABLE"
        ),
    ]

    /// Refuses such objects, before anything is written.
    ///
    /// - Throws: `.altered`, with the statement of SQL that removes the object; `.damaged` if the definition of one of
    ///   DoseTap's own objects differs from that of its version.
    static func refuse(_ database: Database, path: String, migrator: Migrator) throws {
        for question in questions {
            guard let name = try String.fetchOne(database, sql: question.sql + " ORDER BY name LIMIT 1") else {
                continue
            }
            throw error("\(question.what) '\(shown(name))'", path, "\(question.statement) \(quoted(name))")
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
        let version = try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let objects = try SchemaCheck.objects(database)
        if version == migrator.latest, SchemaCheck.fingerprint(objects) == Migrator.fingerprint { return }
        let ours = try SchemaCheck.reference(migrator, version: version)
        let found = objects.sorted { $0.key < $1.key }
        let later = try SchemaCheck.reference(migrator).keys.filter { ours[$0] == nil }
        try refuse(found.filter { ours[$0.key] == nil }, needed: Set(later.map { name(of: $0).lowercased() }), path)
        for (name, definition) in found {
            if let known = ours[name] {
                guard known == definition else {
                    throw StoreError(
                        code: .damaged, context: "the \(shown(name)) of the store is not defined as it should be",
                        underlying: path)
                }
            } else {
                try refuse(unknown: name, database, path) { ours["table \($0)"] != nil }
            }
        }
    }

    /// Returns the name of an object of ``SchemaCheck/objects(_:)``, which begins with its type.
    private static func name(of object: String) -> String {
        object.split(separator: " ", maxSplits: 1).last.map(String.init) ?? object
    }

    /// Refuses an object of another program that has a name which a missing step of the schema needs. SQLite compares names
    /// without case, and tables and indexes share one set of names.
    private static func refuse(
        _ unknown: [(key: String, value: String)], needed: Set<String>, _ path: String
    ) throws {
        let names = Set(unknown.map { name(of: $0.key).lowercased() })
        // The index of a key has no definition: it is renamed with its table.
        for (object, definition) in unknown where !definition.isEmpty {
            let name = name(of: object)
            guard needed.contains(name.lowercased()) else { continue }
            var other = name + "_other"
            while names.contains(other.lowercased()) { other += "_" }
            let isIndex = object.hasPrefix("index ")
            throw altered(
                "the \(isIndex ? "index" : "table") '\(shown(name))' of another program has a name that this version needs",
                path,
                isIndex
                    ? "DROP INDEX \(quoted(name))" : "ALTER TABLE \(quoted(name)) RENAME TO \(quoted(other))")
        }
    }

    /// Refuses a harmful object. A plain table or a plain index does no harm; the check of the store tells of it.
    ///
    /// - Parameter isOurs: true for the name of a table that the version of the store makes.
    private static func refuse(
        unknown object: String, _ database: Database, _ path: String, isOurs: (String) -> Bool
    ) throws {
        let words = object.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else { return }
        let name = words[1]
        switch words[0] {
        case "index":
            let sql = """
                SELECT EXISTS(SELECT 1 FROM pragma_index_xinfo(:name) WHERE cid = -2) OR EXISTS(
                  SELECT 1 FROM sqlite_schema m, pragma_index_list(m.tbl_name) i
                  WHERE m.type = 'index' AND m.name = :name AND i.name = :name
                    AND (i.partial OR (i."unique" AND i.origin = 'c')))
                """
            let isHarmful = try Bool.fetchOne(database, sql: sql, arguments: ["name": name]) == true
            guard try isHarmful || hasUnknownOrder(name, database, isOurs) else { return }
            throw error("the index '\(shown(name))'", path, "DROP INDEX \(quoted(name))")
        case "table":
            let sql = "SELECT EXISTS(SELECT 1 FROM pragma_foreign_key_list(?))"
            guard try Bool.fetchOne(database, sql: sql, arguments: [name]) == true else { return }
            throw error("the table '\(shown(name))', which refers to others,", path, "DROP TABLE \(quoted(name))")
        default: return
        }
    }

    /// Returns true if an index of a table of ours sorts by a collation that SQLite does not have: each entry would fail.
    private static func hasUnknownOrder(_ index: String, _ database: Database, _ isOurs: (String) -> Bool) throws
        -> Bool
    {
        let sql = "SELECT tbl_name FROM sqlite_schema WHERE type = 'index' AND name = ?"
        guard let table = try String.fetchOne(database, sql: sql, arguments: [index]), isOurs(table) else {
            return false
        }
        let isUnknown = "upper(coll) NOT IN ('BINARY', 'NOCASE', 'RTRIM')"
        return try Bool.fetchOne(
            database, sql: "SELECT EXISTS(SELECT 1 FROM pragma_index_xinfo(?) WHERE \(isUnknown))", arguments: [index])
            == true
    }

    private static func error(_ what: String, _ path: String, _ statement: String) -> StoreError {
        altered(
            "\(what) stands in the store, which no version of DoseTap makes: it could change what is recorded", path,
            statement)
    }

    private static func altered(_ context: String, _ path: String, _ statement: String) -> StoreError {
        let isPlain = (path + statement).unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "'" && $0.value != 0x7F }
        return StoreError(code: .altered, context: context, underlying: isPlain ? statement : "")
    }

    static func quoted(_ name: String) -> String {
        "\"\(name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
    }

    private static func shown(_ name: String) -> String {
        String(String.UnicodeScalarView(name.unicodeScalars.prefix(60).map { $0.value < 0x20 ? "?" : $0 }))
    }
}
