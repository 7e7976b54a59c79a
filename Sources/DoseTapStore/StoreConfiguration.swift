public import DoseTapDomain

/// The values that a store needs when it is opened or first made. No code here reads a clock.
public struct StoreConfiguration: Sendable {
    /// The database file; its folder exists, belongs to this user and nobody else may write there.
    public var path: String
    /// The opener (`service`, `cli`), named to a second one that finds the store in use.
    public var surface: String
    /// Time of opening; the creation time of a new store.
    public var now: Instant
    /// The key of an encrypted store; nil for a store without encryption. A new store gets the same.
    public var key: StoreKey?
    /// True if only the first entry makes a missing store, not a question.
    public var isMadeWithFirstEntry = false
    /// True if a backup is made before the schema is brought up; a copy in a scratch folder needs none.
    var backsUpBeforeMigration = true
    /// Makes the store's folder, if the first entry may do that.
    public var makeFolder: (@Sendable () throws(StoreError) -> Void)?
    /// A folder for events that neither the log nor the reserve beside it takes; nil for none.
    public var spareFolder: String?
    /// Folders for a temporary copy of a read-only store; the first that can hold it is used.
    public var scratchFolders = ["/tmp"]
    /// Id of this machine in a new store.
    public var newDeviceID: @Sendable () -> String
    /// Id of a new store, the first link of its hash chain.
    public var newStoreID: @Sendable () -> String

    /// By default both ids are new version 7 UUIDs.
    public init(
        path: String, surface: String, now: Instant, spareFolder: String? = nil,
        newDeviceID: (@Sendable () -> String)? = nil, newStoreID: (@Sendable () -> String)? = nil
    ) {
        self.spareFolder = spareFolder
        let fresh: @Sendable () -> String = {
            var ids = IdentifierGenerator()
            return ids.next(at: now)
        }
        self.path = path
        self.surface = surface
        self.now = now
        self.newDeviceID = newDeviceID ?? fresh
        self.newStoreID = newStoreID ?? fresh
    }
}
