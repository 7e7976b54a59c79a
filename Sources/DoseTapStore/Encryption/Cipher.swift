public import DoseTapDomain
import GRDB
import GRDBSQLite
import Glibc

/// Abilities of the library that runs. SQLite itself cannot encrypt; SQLCipher is SQLite that can.
public enum Cipher {
    /// The version of SQLCipher, asked of the library that runs; nil with plain SQLite.
    public static let version: String? = {
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        guard sqlite3_open(":memory:", &connection) == SQLITE_OK else { return nil }
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(connection, "PRAGMA cipher_version", -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 0)
        else { return nil }
        return String(cString: text)
    }()

    /// True from SQLCipher 4 on; SQLCipher 3 writes another format.
    public static var isAvailable: Bool {
        version.flatMap { Int($0.prefix { $0.isNumber }) }.map { $0 >= 4 } ?? false
    }

    /// Throws if the library cannot encrypt.
    public static func require() throws(StoreError) {
        guard !isAvailable else { return }
        throw StoreError(
            code: .noCipher,
            context: sent(
                "the record is encrypted, but this program was built without encryption: nothing was changed"),
            underlying: version.map { "SQLCipher \($0)" } ?? "plain SQLite")
    }

    private typealias SetKey =
        @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, UnsafeRawPointer?, CInt) -> CInt

    private static let inUse = Guarded(false)

    /// True once a database of this process has a key.
    static var isInUse: Bool { inUse.withLock { $0 } }

    /// Gives the connection its key, before anything is read. The call is no statement of SQL, so no trace and no error can
    /// contain the key.
    static func unlock(_ database: Database, with key: StoreKey) throws {
        try unlock(database.sqliteConnection, with: key)
    }

    static func unlock(_ connection: OpaquePointer?, with key: StoreKey) throws {
        try require()
        guard let symbol = dlsym(nil, "sqlite3_key_v2") else {
            throw StoreError(code: .noCipher, context: "the library of the database takes no key")
        }
        let setKey = unsafeBitCast(symbol, to: SetKey.self)
        let result = key.withLiteral { setKey(connection, "main", $0.baseAddress, CInt($0.count)) }
        inUse.withLock { $0 = true }
        guard result == SQLITE_OK else {
            throw StoreError(code: .keyWrong, context: "the key was not taken", underlying: "SQLite \(result)")
        }
        // The format of SQLCipher 4, whatever a later version prefers.
        guard sqlite3_exec(connection, "PRAGMA cipher_compatibility = 4", nil, nil, nil) == SQLITE_OK else {
            throw StoreError(code: .keyWrong, context: "the key was not taken")
        }
    }
}

/// An encrypted store, as its first bytes show it: a mark, then the name of its key. SQLCipher takes these bytes as the salt,
/// which protects nothing with a raw key.
public enum EncryptedFile {
    static let mark = Array("DoseTap1".utf8)
    static let pageSize: Int64 = 4_096

    static func beginning(_ id: StoreKeyID) -> [UInt8] { mark + id.bytes }

    /// Returns the key of the database that begins with these bytes; nil if DoseTap did not encrypt it.
    static func keyID(_ bytes: some Collection<UInt8>) -> StoreKeyID? {
        guard bytes.prefix(mark.count).elementsEqual(mark) else { return nil }
        return StoreKeyID(bytes: Array(bytes.dropFirst(mark.count).prefix(StoreKeyID.length)))
    }

    /// Returns the key that opens the store at a path or a backup, or the key of files beside a store whose own file tells none
    /// any more; nil if nothing there is encrypted. The database must not be open in this process.
    public static func keyID(of path: String) -> StoreKeyID? {
        let beginning = bytes(path, 16)
        if let id = keyID(beginning) { return id }
        if beginning.elementsEqual("SQLite format 3\0".utf8) { return nil }
        return keyID(besides: path)
    }

    /// Returns the key of an encrypted store, from the files beside it.
    static func keyID(besides path: String) -> StoreKeyID? {
        KeyIDFile.read(besides: path) ?? NightFile.keyID(besides: path)
            ?? (1...Store.mostBeside).lazy.compactMap { keyID(bytes(Store.besidePath(path, $0), 16)) }.first
    }

    /// Returns the key that a file of DoseTap needs: the store's for an encrypted file, none for another.
    static func key(_ key: StoreKey?, for path: String) -> StoreKey? { keyID(bytes(path, 16)) == nil ? nil : key }

    /// Returns true if a file needs this key, or may need it: an unreadable file counts, and so does a link, which is not
    /// followed.
    static func mayNeed(_ path: String, _ id: StoreKeyID) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return errno != ENOENT }
        if status.st_mode & S_IFMT == S_IFLNK { return true }
        // A folder, a pipe or a device is no record.
        guard status.st_mode & S_IFMT == S_IFREG else { return false }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return errno != ENOENT }
        defer { close(descriptor) }
        var beginning = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &beginning, beginning.count, 0)
        return count < 0 || keyID(beginning.prefix(count)) == id
    }

    /// Returns the key that a backup needs by its own first bytes; nil for a backup without encryption.
    static func backupKeyID(_ path: String) -> StoreKeyID? { keyID(bytes(path, 16)) }

    /// Returns the same for a file that a caller has open.
    public static func backupKeyID(of descriptor: CInt) -> StoreKeyID? {
        var beginning = [UInt8](repeating: 0, count: 16)
        guard pread(descriptor, &beginning, beginning.count, 0) == beginning.count else { return nil }
        return keyID(beginning)
    }

    fileprivate static func bytes(_ path: String, _ count: Int) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        let read = pread(descriptor, &bytes, count, 0)
        return Array(bytes.prefix(max(0, read)))
    }

    /// Refuses a key that does not belong to the file.
    ///
    /// - Parameter key: the key at hand; nil for none.
    static func check(_ key: StoreKey?, opens id: StoreKeyID, _ path: String) throws(StoreError) {
        try Cipher.require()
        guard let key else {
            throw StoreError(
                code: .keyLocked, context: sent("the record is locked: its key is not at hand"), underlying: "key \(id)"
            )
        }
        guard key.id == id else {
            throw StoreError(
                code: .keyWrong, context: sent("the key is not the one of this record: nothing was changed"),
                underlying: "key \(key.id) for a file of \(id) at \(path)")
        }
    }
}

/// The name of the key of an encrypted store, in a small file beside it. If the store's beginning is lost, the file still keeps
/// plain text away from there. It has nothing personal.
enum KeyIDFile {
    /// The end of the file's name, after the store's path.
    static let suffix = ".key-id"
    private static let word = "dosetap-key-id 1 "

    static func read(besides store: String) -> StoreKeyID? {
        let words =
            String(decoding: EncryptedFile.bytes(store + suffix, 256), as: UTF8.self)
            .split(separator: "\n").first?.split(separator: " ") ?? []
        guard words.count == 4, let id = StoreKeyID(words[2]),
            line(id).elementsEqual(words.joined(separator: " ") + "\n")
        else { return nil }
        return id
    }

    private static func line(_ id: StoreKeyID) -> String { "\(word)\(id) \(HeadFile.checkWord("\(word)\(id)"))\n" }

    /// Writes and flushes the file; the caller flushes the folder.
    static func write(_ id: StoreKeyID, to store: String) throws(StoreError) {
        try SystemCall.makeFile(store + suffix, Array(line(id).utf8), context: "noting which key the record needs")
    }

    /// Makes the file agree with a store that was opened. If that fails, the store itself still tells its key.
    static func agree(with key: StoreKey?, besides store: String) {
        // A change that was broken off may have left a prepared file.
        unlink(store + StoreSwitch.prepared + suffix)
        guard read(besides: store) != key?.id else { return }
        guard let key else {
            unlink(store + suffix)
            return
        }
        let draft = store + ".new"
        do throws(StoreError) { try write(key.id, to: draft) } catch { return }
        guard rename(draft + suffix, store + suffix) == 0 else {
            unlink(draft + suffix)
            return
        }
        let folder = DatabaseFile(path: store, migrator: Migrator(), key: nil).folder
        do { try SystemCall.synchronize(folder, flags: O_DIRECTORY) } catch {}
    }
}
