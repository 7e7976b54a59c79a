internal import DoseTapDomain
internal import DoseTapStore
internal import SDBus

/// The person's keyring, by the Secret Service of freedesktop.org, version 0.2: gnome-keyring, KeePassXC, KWallet.
///
/// Secrets travel on the bus in clear ("plain"). A program that can listen to this bus can also ask the keyring.
struct SecretService: Sendable {
    /// The keyring's answer about a key.
    enum Answer: Sendable {
        case found(StoreKey)
        /// The collection is locked: a person unlocks it.
        case locked
        case missing
        /// No keyring answers, or its content is not a key.
        case silent(String)
    }

    private typealias Secret = DBusStruct<ObjectPath, [UInt8], [UInt8], String>

    static let name = "org.freedesktop.secrets"
    private static let path: ObjectPath = "/org/freedesktop/secrets"
    private static let collection: ObjectPath = "/org/freedesktop/secrets/aliases/default"
    private static let service = "org.freedesktop.Secret.Service"
    private static let noPrompt: ObjectPath = "/"
    /// Time limit of a call. A keyring that is just being started takes a second.
    private static let limit: Duration = .seconds(5)
    private static let bounds = InputLimits(
        stringBytes: 4_096, arrayElements: 1_000, errorName: BusError.Name.invalidSignature)

    let connection: Connection

    private static func attributes(_ id: StoreKeyID) -> [String: String] {
        ["xdg:schema": "org.dosetap.Key", "key": id.description]
    }

    /// Looks for a key; asks nobody for a password.
    func find(_ id: StoreKeyID) async -> Answer {
        do {
            let (unlocked, locked) = try await search(id)
            guard let item = unlocked.first else { return locked.isEmpty ? .missing : .locked }
            return try await .found(secret(of: item))
        } catch let error as BusError where error.name.hasSuffix(".IsLocked") { return .locked } catch let error
            as StoreError
        { return .silent(error.context) } catch { return .silent((error as? BusError)?.message ?? "\(error)") }
    }

    /// Returns the obstacle to getting a key now; nil for none. The key itself is not fetched.
    func obstacle(to id: StoreKeyID) async -> String? {
        guard let (unlocked, locked) = try? await search(id) else { return Self.isSilent }
        guard unlocked.isEmpty else { return nil }
        return locked.isEmpty ? Self.lacksKey : Self.isLocked
    }

    static let isLocked = sent("the keyring is locked")
    static let isSilent = sent("no keyring answers")
    static let lacksKey = sent("the keyring does not have its key")

    /// Returns the obstacle to keeping a key in the keyring now; nil for none.
    func obstacle() async -> String? {
        do {
            let isLocked = try await connection.property(
                Self.name, Self.collection, "org.freedesktop.Secret.Collection", "Locked", as: Bool.self,
                timeout: Self.limit)
            return isLocked ? Self.isLocked : nil
        } catch { return Self.isAbsent(error) ? Self.isSilent : error.message }
    }

    /// Keeps a key, and reads it back.
    ///
    /// - Parameter label: the label that a person reads in the keyring.
    /// - Throws: ``DoseTapDomain/StoreError`` `.keyUnkept` if the key is not there afterwards.
    func keep(_ key: StoreKey, label: String) async throws {
        do {
            let session = try await session()
            let properties: [String: Variant] = [
                "org.freedesktop.Secret.Item.Label": .string(label),
                "org.freedesktop.Secret.Item.Attributes": Variant(Self.attributes(key.id)),
            ]
            let secret = Secret(session, [], key.content, "text/plain")
            let (_, prompt) = try await connection.call(
                Self.name, Self.collection, "org.freedesktop.Secret.Collection", "CreateItem", properties, secret, true,
                returning: (ObjectPath, ObjectPath).self, timeout: Self.limit, limits: Self.bounds)
            guard prompt == Self.noPrompt else { throw Self.refused(Self.isLocked) }
        } catch let error as BusError { throw Self.refused(sent("the keyring did not take it (\(error.message))")) }
        guard case .found(let kept) = await find(key.id), kept.id == key.id else {
            throw Self.refused(sent("the keyring did not keep it"))
        }
    }

    /// The outcome of removing a key.
    enum Removal: Sendable {
        case gone, left
        /// No keyring runs, and the bus can start none.
        case absent
        /// The keyring does not answer.
        case silent
    }

    /// Removes a key, if the keyring has it.
    func remove(_ id: StoreKeyID) async -> Removal {
        let (unlocked, locked): ([ObjectPath], [ObjectPath])
        do { (unlocked, locked) = try await search(id) } catch {
            return Self.isAbsent(error) ? .absent : .silent
        }
        for item in unlocked + locked {
            _ = try? await connection.call(
                Self.name, item, "org.freedesktop.Secret.Item", "Delete", returning: (ObjectPath).self,
                timeout: Self.limit)
        }
        guard let left = try? await search(id) else { return .silent }
        return left.unlocked.isEmpty && left.locked.isEmpty ? .gone : .left
    }

    /// Calls the handler whenever the keyring comes, is unlocked or changes.
    func follow(_ handler: @escaping @Sendable () -> Void) async throws(BusError) {
        try await connection.subscribe(
            SignalMatch(
                sender: Connection.driver, interface: Connection.driver, member: "NameOwnerChanged",
                firstArgument: Self.name)
        ) { _ in handler() }
        try await connection.subscribe(
            SignalMatch(sender: Self.name, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged")
        ) { _ in handler() }
        try await connection.subscribe(SignalMatch(sender: Self.name, interface: Self.service)) { _ in handler() }
    }

    /// True if no keyring runs, and the bus can start none.
    private static func isAbsent(_ error: BusError) -> Bool {
        [BusError.Name.serviceUnknown, BusError.Name.nameHasNoOwner].contains(error.name)
    }

    private static func refused(_ why: String) -> StoreError {
        StoreError(code: .keyUnkept, context: "the new key cannot be kept: \(why); nothing was changed")
    }

    private func search(_ id: StoreKeyID) async throws(BusError) -> (unlocked: [ObjectPath], locked: [ObjectPath]) {
        try await connection.call(
            Self.name, Self.path, Self.service, "SearchItems", Self.attributes(id),
            returning: ([ObjectPath], [ObjectPath]).self, timeout: Self.limit, limits: Self.bounds)
    }

    private func session() async throws(BusError) -> ObjectPath {
        let (_, session) = try await connection.call(
            Self.name, Self.path, Self.service, "OpenSession", "plain", Variant.string(""),
            returning: (Variant, ObjectPath).self, timeout: Self.limit, limits: Self.bounds)
        return session
    }

    private func secret(of item: ObjectPath) async throws -> StoreKey {
        let session = try await session()
        let secret = try await connection.call(
            Self.name, item, "org.freedesktop.Secret.Item", "GetSecret", session, returning: (Secret).self,
            timeout: Self.limit, limits: Self.bounds)
        return try StoreKey(content: secret.fields.2)
    }
}
