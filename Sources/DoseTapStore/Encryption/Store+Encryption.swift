public import DoseTapDomain
import GRDB
import Glibc

/// Encrypts the store, decrypts it, or gives it another key. All three write a new file beside the store, compare it, and put
/// it in the store's place (``StoreSwitch``).
extension Store {
    /// The key of the store; nil for a store without encryption.
    public var keyID: StoreKeyID? { key?.id }

    /// Finishes a replacement of the store that an earlier run began, so that the file tells the key it needs.
    public static func prepare(_ configuration: StoreConfiguration) throws(StoreError) {
        try finishSwitch(configuration)
    }

    /// Writes the store anew with another key, or with none, and goes on with it.
    ///
    /// The old file is removed, not kept: after encryption no plain text stays beside the store. A kill leaves the old store or
    /// the new one.
    ///
    /// - Parameters:
    ///   - newKey: nil decrypts. The key is kept in a safe place already: afterwards nothing else opens the store.
    /// - Throws: `.noCipher` with plain SQLite; `.interrupted` for something more urgent; `.unavailable` if entries lie outside
    ///   the log. Nothing has changed then. An error after the change has begun is that of ``replace(by:isDamaged:)``.
    public func changeKey(to newKey: StoreKey?) throws(StoreError) {
        guard Cipher.isAvailable else {
            throw StoreError(
                code: .noCipher, context: sent("this program was built without encryption: nothing was changed"),
                underlying: Cipher.version.map { "SQLCipher \($0)" } ?? "plain SQLite")
        }
        guard beside == nil else {
            throw StoreError(
                code: .unavailable,
                context: "a fresh log lies beside the damaged record: repair it first; nothing was changed")
        }
        guard kept().events.isEmpty else {
            throw StoreError(
                code: .unavailable,
                context: "entries lie outside the record and go there first: try again soon; nothing was changed")
        }
        try makeReal()
        let purpose = newKey == nil ? "decrypt" : key == nil ? "encrypt" : "rekey"
        let path = path
        let lastNights = try NightFile.events(besides: path, key)
        let prepared = path + StoreSwitch.prepared
        do {
            try copy(to: prepared, with: newKey)
            try check(prepared, with: newKey)
        } catch {
            unlinkPrepared(prepared)
            throw StoreError(error, doing: "writing the record anew")
        }
        // The reserve stays: entries may come into it before the switch is finished. It holds none now, but bytes of earlier
        // entries may follow its content.
        guard reserve?.scrub(storeID: keptID) ?? true else {
            unlinkPrepared(prepared)
            throw StoreError(
                code: .unavailable, context: "the reserve beside the record cannot be written; nothing was changed")
        }
        let base = StoreSwitch(purpose: purpose, prepared: StoreSwitch.prepared, keeping: nil)
        // The last nights are written anew below, and at each loading of the log.
        var steps = base.steps + [.remove(".night")]
        if let newKey {
            do { try KeyIDFile.write(newKey.id, to: prepared) } catch {
                unlinkPrepared(prepared)
                throw error
            }
            steps.append(.place(StoreSwitch.prepared + KeyIDFile.suffix, as: KeyIDFile.suffix))
        } else {
            steps.append(.remove(KeyIDFile.suffix))
        }
        // If the process ends after the switch, a start removes the old key.
        let old = keyID
        if let old {
            do { try ObsoleteKeys.note([old], besides: path) } catch {
                unlinkPrepared(prepared)
                throw error
            }
        }
        do { try replace(by: StoreSwitch(purpose: purpose, steps: steps), key: newKey) } catch {
            if let old, keyID == old { ObsoleteKeys.drop([old], besides: path) }
            throw error
        }
        nightFile.replace(lastNights)
    }

    private func unlinkPrepared(_ prepared: String) {
        for suffix in ["", "-wal", "-journal", ".head", KeyIDFile.suffix] { unlink(prepared + suffix) }
    }

    private func copy(to prepared: String, with newKey: StoreKey?) throws {
        unlinkPrepared(prepared)
        try read("writing the record anew") { database in try Cipher.export(database, to: prepared, with: newKey) }
    }

    /// Opens the new file as a start does, compares it with the store, and leaves it closed and flushed.
    private func check(_ prepared: String, with newKey: StoreKey?) throws {
        let connection = try connection()
        let queue = try Connection.database(prepared, key: newKey, migrator: migrator, isNew: false)
        defer { ClosedQueues.keep(queue) }
        let steps = migrator
        do {
            try queue.writeWithoutTransaction { database in
                // A plain table of another program is copied, too: it differs from the schema in both files.
                let differences = try SchemaCheck.findings(database, migrator: steps)
                let faults = try FileCheck.faults(database, most: 1)
                let meta = try StoreMeta(database)
                let end = try Tail(database, storeID: connection.meta.storeID).head
                let wanted = try connection.queue.writeWithoutTransaction {
                    (contents: try Self.contents($0), differences: try SchemaCheck.findings($0, migrator: steps))
                }
                guard faults.isEmpty, differences == wanted.differences, meta == connection.meta,
                    end == connection.head, try Self.contents(database) == wanted.contents
                else {
                    throw StoreError(
                        code: .internal,
                        context: "the record that was written anew is not the same: nothing was changed",
                        underlying: "\(faults) \(differences)")
                }
            }
            try queue.close()
        } catch {
            try? queue.close()
            throw error
        }
        HeadFile.open(besides: prepared).write(connection.head, storeID: connection.meta.storeID)
        try SystemCall.synchronize(prepared)
        try SystemCall.synchronize(prepared + ".head")
    }

    /// Returns the number of rows of each table, and the counter of the log.
    private static func contents(_ database: Database) throws -> [String: Int64] {
        var counts: [String: Int64] = [:]
        let names = try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
        for name in names where name != "sqlite_stat1" {
            counts[name] = try Int64.fetchOne(database, sql: "SELECT count(*) FROM \"\(name)\"") ?? 0
        }
        counts["last"] = try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'events'")
        return counts
    }
}
