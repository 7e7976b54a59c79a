import DoseTapDomain
import GRDB
import GRDBSQLite
import Glibc

extension Cipher {
    private static let doing = sent("writing the record anew")

    /// Writes a whole database into a new file with another key, or with none.
    ///
    /// - Throws: `.interrupted` for something more urgent, `.noCipher`, `.altered` for a table of another program that SQLite cannot
    ///   make anew, or an error of the disk. The file is unfinished then.
    static func export(_ database: Database, to path: String, with key: StoreKey?) throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemCall.failure("open", path, errno, context: doing) }
        close(descriptor)
        _ = try Row.fetchAll(database, sql: "PRAGMA cipher_default_compatibility = 4")
        try attach(path, with: key, database)
        defer { try? database.execute(sql: "DETACH DATABASE target") }
        do {
            _ = try Row.fetchAll(database, sql: "SELECT sqlcipher_export('target')")
            for name in ["application_id", "user_version"] {
                let value = try Int64.fetchOne(database, sql: "PRAGMA main.\(name)") ?? 0
                try database.execute(sql: "PRAGMA target.\(name) = \(value)")
            }
        } catch let error as DatabaseError {
            // What the tables of ours need SQLite has.
            if let message = error.message, message.hasPrefix("no such ") {
                throw StoreError(
                    code: .altered,
                    context: sent("a table of another program cannot be written anew (\(message)): nothing was changed")
                )
            }
            throw StoreError(
                meant(error), doing: doing, systemError: LastSystemError.number(database.sqliteConnection, of: "target")
            )
        }
    }

    /// Returns the meant error. A function of SQL gives the reason for its failure only in words.
    private static func meant(_ error: DatabaseError) -> DatabaseError {
        let codes = [
            SQLITE_INTERRUPT, SQLITE_FULL, SQLITE_IOERR, SQLITE_READONLY, SQLITE_CORRUPT, SQLITE_NOTADB,
            SQLITE_CANTOPEN, SQLITE_NOMEM,
        ]
        guard error.resultCode == .SQLITE_ERROR,
            let code = codes.first(where: { error.message == String(cString: sqlite3_errstr($0)) })
        else { return error }
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: error.message)
    }

    /// Attaches a database. The key stands in no text of SQL.
    private static func attach(_ path: String, with key: StoreKey?, _ database: Database) throws {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        let sql = "ATTACH DATABASE ? AS target KEY ?"
        guard sqlite3_prepare_v2(database.sqliteConnection, sql, -1, &statement, nil) == SQLITE_OK else {
            throw StoreError(code: .noCipher, context: "the library of the database takes no key")
        }
        func run(_ literal: UnsafeRawBufferPointer) -> CInt {
            path.withCString { path in
                sqlite3_bind_text(statement, 1, path, -1, nil)
                let text = literal.baseAddress?.assumingMemoryBound(to: CChar.self)
                sqlite3_bind_text(statement, 2, text, CInt(literal.count), nil)
                return sqlite3_step(statement)
            }
        }
        let result: CInt
        if let key {
            result = key.withLiteral(run)
        } else {
            // An empty key is no key; a missing key would be that of the store.
            result = [UInt8(0)].withUnsafeBytes { run(UnsafeRawBufferPointer(rebasing: $0[..<0])) }
        }
        guard result == SQLITE_DONE else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: result), message: "a file beside the store cannot be written")
        }
    }
}
