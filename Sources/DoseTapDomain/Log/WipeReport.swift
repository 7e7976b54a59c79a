/// The files and keys that the removal of all data removes and keeps, before or after it.
public struct WipeReport: Hashable, Sendable {
    /// True if the removal was done; false for a preview.
    public var isWiped = false
    /// True if everything is gone. Otherwise the next start of the service removes the rest before it opens anything.
    public var isFinished = false
    /// The names of the removed files.
    public var files: [String] = []
    /// Backups among the removed files.
    public var removedBackups = 0
    /// The number of backups that stay.
    public var keptBackups = 0
    /// True if the folder of the backups is a link or no folder. The content behind the link stays, unread.
    public var leavesBackupFolder = false
    /// True if the key of an encrypted record is removed from the keyring or its file, wherever it is kept. A credential of the
    /// service manager stays.
    public var isKeyRemoved = false
    /// True if a key stays because a backup or another file beside the record needs it, or cannot be read.
    public var isKeyKept = false
    /// True if a key could not be removed yet, such as one in a locked keyring. Each start of the service tries again.
    public var isKeyLeft = false
    /// Events in the log; 0 if the log cannot be read.
    public var events: Int64 = 0
    /// True if dose 2 is open. The reminders of dose 2 end with the data.
    public var isWindowOpen = false
    /// True if dose 2 may be open: the record of the last 24 hours cannot be read, as one whose key is locked.
    public var isWindowUnknown = false

    public init() {}

    public static let description = RecordDescription("db-wipe", "db wipe --json", WipeReport()) { it in
        it.bool("wiped", get: { $0.isWiped }, set: { $0.isWiped = $1 })
        it.bool("finished", get: { $0.isFinished }, set: { $0.isFinished = $1 })
        it.texts("files", "removed, by their names", get: { $0.files }, set: { $0.files = $1 })
        it.integer("removed_backups", as: .count, get: { $0.removedBackups }, set: { $0.removedBackups = $1 })
        it.integer("kept_backups", as: .count, get: { $0.keptBackups }, set: { $0.keptBackups = $1 })
        it.bool(
            "backup_folder_left", "the folder of the backups is a link or no folder: what lies behind it stays",
            get: { $0.leavesBackupFolder }, set: { $0.leavesBackupFolder = $1 })
        it.bool(
            "key_removed", "the key of an encrypted record is removed; a credential stays",
            get: { $0.isKeyRemoved }, set: { $0.isKeyRemoved = $1 })
        it.bool(
            "key_kept", "a key stays that a backup or another file beside the record needs or may need",
            get: { $0.isKeyKept }, set: { $0.isKeyKept = $1 })
        it.bool(
            "key_left", "the key could not be removed yet; each start of the service tries again",
            get: { $0.isKeyLeft }, set: { $0.isKeyLeft = $1 })
        it.integer("events", as: .place, get: { Int($0.events) }, set: { $0.events = Int64($1) })
        it.bool("window_open", get: { $0.isWindowOpen }, set: { $0.isWindowOpen = $1 })
        it.bool(
            "window_unknown", "dose 2 may be open: the record of the last 24 hours cannot be read",
            get: { $0.isWindowUnknown }, set: { $0.isWindowUnknown = $1 })
    }

    public var json: JSONObject { Self.description.json(self) }

    /// Reads the object back, as a client does.
    public init(json: JSONObject) throws(PayloadError) {
        self = try Self.description.read(PayloadReader("report", Self.description.shape.completed(json)))
    }
}
