import DoseTapDomain
import GRDB
import Glibc

/// Makes a store: whole and flushed under another name first, so that a power cut leaves either none or an empty one.
struct NewDatabase {
    let file: DatabaseFile
    let configuration: StoreConfiguration

    private var draft: String { file.path + ".new" }

    func make() throws(StoreError) {
        let doing = "making a new store"
        // What a crash left of an earlier attempt; the lease says that nobody else is at it.
        for suffix in ["", "-wal", "-journal", "-shm"] { unlink(draft + suffix) }
        let descriptor = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemCall.failure("open", draft, errno, context: doing) }
        _ = fchmod(descriptor, 0o600)
        Glibc.close(descriptor)
        do {
            let queue = try Connection.database(draft, migrator: file.migrator, isNew: true)
            try queue.writeWithoutTransaction { database in
                try file.migrator.migrate(database)
                let meta = StoreMeta(storeID: configuration.newStoreID(), deviceID: configuration.newDeviceID())
                try meta.insert(database, created: configuration.now.iso8601)
            }
            try queue.close()
            ClosedQueues.keep(queue)
        } catch {
            throw StoreError(error, doing: doing)
        }
        try SystemCall.synchronize(draft)
        guard rename(draft, file.path) == 0 else { throw SystemCall.failure("rename", draft, errno, context: doing) }
        // SQLite flushes the folder for its logs, not for the file itself; a new folder needs its parent flushed, too.
        try SystemCall.synchronize(file.folder, flags: O_DIRECTORY)
        do {
            try SystemCall.synchronize(file.folder + "/..", flags: O_DIRECTORY)
        } catch let error where error.code == .unavailable {
            // A parent that may be passed through but not read cannot be flushed; the folder itself was made earlier.
        }
    }
}
