public import DoseTapDomain

/// Where a store lies and what it needs when it is opened or first made. It reads no clock.
public struct StoreConfiguration: Sendable {
    /// The database file; its folder exists, belongs to this user and nobody else may write there.
    public var path: String
    /// Who opens it, in a word people know (`service`, `cli`): told to a second one that finds the store taken.
    public var surface: String
    /// When it is opened: the day of birth of a new store, nothing else.
    public var now: Instant
    /// Where there is no store one is made with the first entry only: a question makes none.
    public var isMadeWithFirstEntry = false
    /// Makes the store's folder, where the first entry may do that.
    public var makeFolder: (@Sendable () throws(StoreError) -> Void)?
    /// A folder for what neither the log nor the reserve beside it takes; nil for none.
    public var spareFolder: String?
    /// Folders for a moment's copy of a store that lies where nothing can be written; the first that takes it.
    public var scratchFolders = ["/tmp"]
    /// Names this machine in a new store.
    public var newDeviceID: @Sendable () -> String
    /// Names a new store: the first link of its hash chain.
    public var newStoreID: @Sendable () -> String

    /// Memberwise; by default both names are fresh version 7 UUIDs.
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
