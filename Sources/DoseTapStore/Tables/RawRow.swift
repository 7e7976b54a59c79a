import DoseTapDomain
import GRDB
import GRDBSQLite

/// A row of a statement, without a copy of its texts.
struct RawRow {
    let statement: OpaquePointer
    let database: Database
    /// Keeps the statement alive as long as the row is used.
    private let owner: Statement

    init(_ statement: Statement, _ database: Database) {
        owner = statement
        self.statement = statement.sqliteStatement
        self.database = database
    }

    /// Begins a query; SQLite keeps a copy of the arguments.
    init(_ database: Database, _ sql: String, _ arguments: StatementArguments) throws {
        let statement = try database.cachedStatement(sql: sql)
        try statement.setArguments(arguments)
        self.init(statement, database)
    }

    func reset() {
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
    }

    func bind(_ number: Int64, _ index: CInt) { sqlite3_bind_int64(statement, index, number) }

    /// Binds a text, of which SQLite keeps a copy.
    func bind(_ text: String, _ index: CInt) {
        sqlite3_bind_text(statement, index, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    }

    /// - Returns: true if there is a row.
    func step() throws -> Bool {
        let code = sqlite3_step(statement)
        if code == SQLITE_ROW { return true }
        guard code == SQLITE_DONE else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: sqlite3_extended_errcode(database.sqliteConnection)),
                message: sqlite3_errmsg(database.sqliteConnection).map { String(cString: $0) })
        }
        return false
    }

    func type(_ index: Int) -> CInt { sqlite3_column_type(statement, CInt(index)) }

    func number(_ index: Int) -> Double { sqlite3_column_double(statement, CInt(index)) }

    func integer(_ index: Int) -> Int64 { sqlite3_column_int64(statement, CInt(index)) }

    /// - Throws: `.damaged` for a text that is no UTF-8.
    func text(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void) throws(StoreError) {
        let start = sqlite3_column_text(statement, CInt(index))
        let text = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, CInt(index))))
        guard text.allSatisfy({ $0 < 0x80 }) || String(validating: text, as: UTF8.self) != nil else {
            throw StoreError(code: .damaged, context: "a text of the record cannot be read", underlying: "UTF-8")
        }
        body(text)
    }

    func string(_ index: Int) throws(StoreError) -> String {
        var string = ""
        try text(index) { string = String(decoding: $0, as: UTF8.self) }
        return string
    }
}
