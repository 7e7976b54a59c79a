import DoseTapDomain
import GRDB

/// A verified backup before the schema is brought up (R24.7). The backup stays until the next one of its kind is made.
enum MigrationBackup {
    /// - Throws: if the backup cannot be made; nothing has changed then.
    static func make(
        of database: Database, _ configuration: StoreConfiguration, migrator: Migrator
    ) throws(StoreError) {
        do {
            let version = try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            guard configuration.backsUpBeforeMigration, version > 0, version < migrator.latest else { return }
            let folder = BackupFolder(store: configuration.path, migrator: migrator, key: configuration.key)
            let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            let bytes = pages * (try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
            let log = try Int64.fetchOne(database, sql: "SELECT max(seq) FROM events") ?? 0
            let own = try StoreMeta(database).map { [$0.storeID] } ?? []
            // Without room the backup itself says what is missing.
            try? folder.makeRoom(for: bytes, own: Set(own), log: log)
            let draft = try folder.begin(bytes: bytes, number: 0)
            let (summary, isSound): (LogSummary, Bool)
            do {
                let copy = try DatabaseCopy(of: database, to: draft, configuration.key)
                while !(try copy.step()) {}
                (summary, isSound) = try seal(draft, folder, as: database)
            } catch {
                BackupFolder.discard(draft)
                throw error
            }
            let made = try folder.keep(draft, summary, kind: .migration, at: configuration.now, isSound: isSound)
            // An unsound copy replaces no sound one. A former copy that cannot be removed does no harm.
            try? folder.remove(
                try folder.list().filter {
                    $0.kind == .migration && $0.name != made.name && $0.storeID == summary.storeID
                        && (isSound || $0.head == BackupFolder.unsound)
                })
        } catch { throw StoreError(error, doing: "making a backup before the schema is brought up") }
    }

    /// Seals the copy. A fault of the record itself is no fault of its copy: the record opens all the same, and the person is
    /// told then.
    private static func seal(
        _ draft: String, _ folder: BackupFolder, as database: Database
    ) throws -> (LogSummary, isSound: Bool) {
        do { return (try folder.seal(draft, head: nil), true) } catch {
            guard [.damaged, .altered].contains(error.code) else { throw error }
            let found = try LogSummary.glance(draft, folder.key, migrator: folder.migrator)
            guard found.isEnd(of: database) else { throw error }
            return (found, false)
        }
    }
}
