import GRDB

/// The store's own facts, written once.
struct StoreMeta: Hashable, Sendable {
    /// Identity of the store and first link of its hash chain.
    let storeID: String
    /// The machine it was made on.
    let deviceID: String

    init(storeID: String, deviceID: String) {
        self.storeID = storeID
        self.deviceID = deviceID
    }

    /// Reads them; nil when they are gone or of another kind.
    init?(_ database: Database) throws {
        let row = try Row.fetchOne(database, sql: "SELECT store_id, device_id FROM store_meta WHERE id = 1")
        guard let row, case .string(let storeID) = (row[0] as DatabaseValue).storage,
            case .string(let deviceID) = (row[1] as DatabaseValue).storage
        else { return nil }
        self.init(storeID: storeID, deviceID: deviceID)
    }

    /// Writes them into a new store.
    func insert(_ database: Database, created: String) throws {
        try database.execute(
            sql: "INSERT INTO store_meta(id, store_id, device_id, created) VALUES (1, ?, ?, ?)",
            arguments: [storeID, deviceID, created])
    }
}
