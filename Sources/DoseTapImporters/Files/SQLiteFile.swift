internal import CImporters
internal import CSQLite
internal import DoseTapDomain
internal import DoseTapExchange
internal import Glibc

/// A database of another program. No code of the database runs: only named columns of ordinary tables are read, and no trigger,
/// view, virtual table or generated column.
///
/// SQLite reads the bytes by a function over the open file, and over its write-ahead log if there is one. The process may already
/// be confined, a large file needs no memory, neither file is changed, and SQLite looks for no other file.
final class SQLiteFile {
    /// The time limit for the whole reading, in seconds.
    static let longest = 60
    /// The largest memory of SQLite, in bytes.
    static let memory: Int64 = 48 << 20
    /// The largest size of a value, in bytes.
    static let longestValue = 1 << 20

    enum Value: Hashable {
        case null
        case integer(Int64)
        case real(Double)
        case text(String)
        case blob
    }

    /// Facts about the database that the person has to know.
    let notes: [String]
    private let database: OpaquePointer
    private let bytes: Bytes
    private let log: Bytes?

    /// The context of the C functions.
    private final class Bytes {
        let file: ForeignFile
        private var deadline = timespec()

        init(_ file: ForeignFile) {
            self.file = file
            clock_gettime(CLOCK_MONOTONIC, &deadline)
            deadline.tv_sec += SQLiteFile.longest
        }

        var isLate: Bool {
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            return now.tv_sec > deadline.tv_sec
        }

        /// The form for SQLite, valid as long as this object lives.
        var forC: cimporters_bytes {
            cimporters_bytes(
                read: { context, room, count, offset in
                    guard let context, let room, count >= 0, let place = Int(exactly: offset) else { return -1 }
                    let bytes = Unmanaged<Bytes>.fromOpaque(context).takeUnretainedValue()
                    // SQLite reads a log from end to end without a call of the progress handler.
                    guard !bytes.isLate else { return -1 }
                    let target = UnsafeMutableRawBufferPointer(start: room, count: Int(count))
                    do throws(ExchangeFault) { return Int64(try bytes.file.read(target, at: place)) } catch {
                        return -1
                    }
                }, context: Unmanaged.passUnretained(self).toOpaque(), size: Int64(file.size))
        }
    }

    /// Returns true if a file begins like a database.
    static func isOne(_ head: [UInt8]) -> Bool { head.starts(with: Array("SQLite format 3\0".utf8)) }

    /// Opens a database and checks it.
    ///
    /// - Throws: ``ExchangeFault`` for a file that is damaged.
    init(_ file: ForeignFile) throws(ExchangeFault) {
        try Self.checkSize(file)
        // The file format version 2 means write-ahead logging.
        let isLogged = try file.bytes(at: 19, count: 1) == [2]
        notes =
            isLogged && file.log == nil
            ? [
                sent(
                    "No write-ahead log (a file beside it that ends in -wal) was read. If the app was open when its database was copied, copy that file, too."
                )
            ]
            : []
        let bytes = Bytes(file)
        let context = Unmanaged.passUnretained(bytes).toOpaque()
        sqlite3_hard_heap_limit64(Self.memory)
        var opened: OpaquePointer?
        let log = file.log.map(Bytes.init)
        let result = cimporters_open(&opened, bytes.forC, log?.forC ?? cimporters_bytes())
        guard result == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw ExchangeFault(
                .stream, sent("The database cannot be opened: \(String(cString: sqlite3_errstr(result)))."))
        }
        database = opened
        self.bytes = bytes
        self.log = log
        sqlite3_extended_result_codes(opened, 1)
        guard csqlite_distrust(opened) == SQLITE_OK else { throw fault(sent("its safety settings")) }
        // Without modules there are no virtual tables: one in the file could take the place of a table that is read.
        guard sqlite3_drop_modules(opened, nil) == SQLITE_OK else { throw fault(sent("its safety settings")) }
        for (limit, value) in [
            (SQLITE_LIMIT_LENGTH, Self.longestValue), (SQLITE_LIMIT_SQL_LENGTH, 100_000), (SQLITE_LIMIT_ATTACHED, 0),
            (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_EXPR_DEPTH, 100), (SQLITE_LIMIT_VDBE_OP, 100_000),
            (SQLITE_LIMIT_WORKER_THREADS, 0),
        ] as [(Int32, Int)] {
            sqlite3_limit(opened, limit, Int32(value))
        }
        sqlite3_progress_handler(
            opened, 10_000,
            { context in
                guard let context else { return 1 }
                return Unmanaged<Bytes>.fromOpaque(context).takeUnretainedValue().isLate ? 1 : 0
            }, context)
        for pragma in ["cell_size_check=ON", "mmap_size=0", "temp_store=MEMORY", "query_only=ON", "cache_size=-4096"] {
            try each("PRAGMA \(pragma)") { _ throws(ExchangeFault) in true }
        }
        var finding: String?
        // quick_check runs no CHECK constraint of the file: SQLite leaves them out of a database that is opened read-only.
        try each("PRAGMA quick_check(1)") { values throws(ExchangeFault) in
            if case .text(let text)? = values.first, text != "ok" { finding = text }
            return false
        }
        if let finding { throw ExchangeFault(.stream, sent("The database is damaged: \(PlainText.line(finding)).")) }
    }

    deinit { sqlite3_close_v2(database) }

    /// Checks the size, because SQLite takes a missing part of the last page for zeros.
    private static func checkSize(_ file: ForeignFile) throws(ExchangeFault) {
        let head = try file.bytes(at: 0, count: 100)
        guard head.count == 100 else { throw ExchangeFault(.stream, sent("The database is cut.")) }
        func number(_ place: Int, _ count: Int) -> Int { head[place..<place + count].reduce(0) { $0 << 8 | Int($1) } }
        let page = number(16, 2) == 1 ? 65_536 : number(16, 2)
        guard page >= 512, page & (page - 1) == 0 else {
            throw ExchangeFault(.stream, sent("The database has no head."))
        }
        // The page count in the head is valid if the last writer was a version that keeps it. With a log, some pages may be in
        // the log alone.
        let isCounted = file.log == nil && head[24..<28] == head[92..<96]
        guard file.size % page == 0, !isCounted || number(28, 4) <= file.size / page else {
            throw ExchangeFault(.stream, sent("The database is cut: it ends within what its head says it has."))
        }
    }

    /// Returns the readable columns of an ordinary table, by their names in upper case; nil if there is no such table.
    ///
    /// - Throws: ``ExchangeFault`` for a view or virtual table of that name.
    func columns(of table: String) throws(ExchangeFault) -> [String: String]? {
        var kind: (type: Value, root: Value)?
        try each(
            "SELECT type, rootpage FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE AND type IN ('table', 'view')",
            table
        ) { values throws(ExchangeFault) in
            kind = (values[0], values[1])
            return false
        }
        guard let kind else { return nil }
        guard kind.type == .text("table"), case .integer(let root) = kind.root, root > 0 else {
            throw ExchangeFault(.stream, sent("\(table) in the database is no ordinary table."))
        }
        var columns: [String: String] = [:]
        // The columns of the answer: cid, name, type, notnull, dflt_value, pk, hidden.
        try each("PRAGMA table_xinfo(\(Self.quoted(table)))") { values throws(ExchangeFault) in
            if values.count == 7, case .text(let name) = values[1] {
                guard values[6] == .integer(0) else {
                    throw ExchangeFault(
                        .stream, sent("\(table) in the database calculates its column \(PlainText.quoted(name))."))
                }
                columns[name.uppercased()] = name
            }
            return true
        }
        return columns
    }

    /// Reads rows of a table, in the table's order or sorted by columns.
    ///
    /// - Parameters:
    ///   - body: receives the values of the columns, and returns true to go on.
    func rows(
        of table: String, _ columns: [String], by order: String? = nil,
        _ body: ([Value]) throws(ExchangeFault) -> Bool
    ) throws(ExchangeFault) {
        let names = columns.map(Self.quoted).joined(separator: ", ")
        try each("SELECT \(names) FROM \(Self.quoted(table))\(order.map { " ORDER BY \($0)" } ?? "")", nil, body)
    }

    /// Returns true if there is an ordinary table of that name with a row.
    func hasRows(_ table: String) throws(ExchangeFault) -> Bool {
        guard try columns(of: table) != nil else { return false }
        var isAny = false
        try each("SELECT 1 FROM \(Self.quoted(table)) LIMIT 1") { _ throws(ExchangeFault) in
            isAny = true
            return false
        }
        return isAny
    }

    /// Runs a statement of this program, and hands over each row.
    func each(
        _ sql: String, _ text: String? = nil, _ body: ([Value]) throws(ExchangeFault) -> Bool
    ) throws(ExchangeFault) {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
            throw fault(sent("its tables"))
        }
        defer { sqlite3_finalize(statement) }
        if let text {
            let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            guard sqlite3_bind_text(statement, 1, text, -1, transient) == SQLITE_OK else {
                throw fault(sent("its tables"))
            }
        }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                var values: [Value] = []
                for column in 0..<sqlite3_column_count(statement) {
                    values.append(try value(statement, column))
                }
                guard try body(values) else { return }
            case SQLITE_DONE: return
            default: throw fault(sent("its rows"))
            }
        }
    }

    private func value(_ statement: OpaquePointer?, _ column: Int32) throws(ExchangeFault) -> Value {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            guard let start = sqlite3_column_text(statement, column) else { throw fault(sent("its rows")) }
            let count = Int(sqlite3_column_bytes(statement, column))
            return .text(String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        case SQLITE_NULL: return .null
        default: return .blob
        }
    }

    private func fault(_ what: String) -> ExchangeFault {
        if bytes.isLate {
            return ExchangeFault(.stream, sent("The database takes more than \(Self.longest) seconds to read."))
        }
        let message = PlainText.line(String(cString: sqlite3_errmsg(database)), most: 200)
        return ExchangeFault(.stream, sent("The database cannot be read, \(what): \(message)."))
    }

    private static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
}

extension SQLiteFile.Value {
    /// The value as CSV text; nil for null and for bytes.
    var text: String? {
        switch self {
        case .null, .blob: nil
        case .integer(let value): String(value)
        case .real(let value): value.description
        case .text(let text): text
        }
    }

    var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .real(let value): Int64(exactly: value)
        case .text, .null, .blob: nil
        }
    }
}
