internal import DoseTapDomain
internal import DoseTapStore
internal import DoseTapSystem
internal import DoseTapText
internal import Glibc
internal import SDBus
internal import Synchronization

/// A place for the key of an encrypted store.
enum KeyPlace: String, Sendable, CaseIterable {
    case keyring, credential, file
}

/// The purpose of a key, and its names in the places of keys.
struct KeyUse: Sendable {
    /// The label that a person reads in the keyring.
    let label: String
    /// The name of the service manager's credential.
    let credential: String
    /// The beginning of a key file's name.
    let file: String
    /// True if a new key goes into a file when no other place takes it.
    let fallsBackToFile: Bool

    /// The key of an encrypted record. A file beside the settings protects backups and copies, not this machine, so a file is
    /// used only on request.
    static let store = KeyUse(
        label: "DoseTap: key of the record", credential: "dosetap.key", file: "key-", fallsBackToFile: false)
    /// The key that signs packets.
    static let signing = KeyUse(
        label: "DoseTap: key that signs packets", credential: "dosetap-signing.key", file: "signing-key-",
        fallsBackToFile: true)
}

/// The outcome of removing a key.
enum KeyRemoval: Comparable, Sendable {
    /// The key is nowhere any more, except in a credential, which is the person's.
    case gone
    /// No keyring runs here that could have the key; a keyring that starts later is asked.
    case unknown
    /// The key is in a locked keyring or in a file that cannot be removed, or may be in a keyring that does not answer.
    case left
}

/// Finds a key, keeps a new one and removes an old one: in the keyring, in a credential of the service manager, or in a file,
/// in that order. A setting decides the place of a new key; an existing key is found in any place.
actor KeyKeeper {
    private let loop: EventLoop
    private let address: BusAddress
    private let credentials: String?
    private let folder: String
    private let chosen: @Sendable () async -> KeyPlace?
    private let use: KeyUse
    private var connection: Connection?
    private var thread: (any FileThread)?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Name under which the service manager holds a key from one process to the next.
    static let heldName = "dosetapkey"

    /// - Parameters:
    ///   - address: the bus of the keyring.
    ///   - folder: the folder of key files.
    ///   - chosen: the only place for a new key by the present setting; nil for all.
    init(
        on loop: EventLoop, _ address: BusAddress, _ environment: [String: String], folder: String,
        chosen: @escaping @Sendable () async -> KeyPlace?, use: KeyUse = .store
    ) {
        self.loop = loop
        self.address = address
        self.folder = folder
        self.use = use
        credentials = environment["CREDENTIALS_DIRECTORY"]
        self.chosen = chosen
    }

    /// Hands over the thread on which key files are written and removed, and their folder is read, from now on; nil while no store
    /// is open.
    func attach(on thread: (any FileThread)?) { self.thread = thread }

    /// Runs work that may wait for a disk on the store's thread; on the loop as long as no store is open.
    private func offLoop<Answer: Sendable>(_ work: @escaping @Sendable () throws -> Answer) async throws -> Answer {
        guard let thread else { return try work() }
        return try await thread.perform(work)
    }

    // MARK: Finding

    /// Returns the key with a name, from the service manager's store or from the first place that has it.
    ///
    /// - Throws: ``DoseTapDomain/StoreError`` as ``kept(_:)``.
    func key(_ id: StoreKeyID) async throws -> StoreKey {
        if let held = DescriptorStore.kept(Self.heldName, limit: 128), let key = try? StoreKey(content: held),
            key.id == id
        {
            return key
        }
        return try await kept(id)
    }

    /// Returns the key with a name, from the first place that has it. The service manager's store is not asked.
    ///
    /// - Throws: ``DoseTapDomain/StoreError`` `.keyLocked` with the reasons; `.keyWrong` if a place cannot be read, or has
    ///   anything but a key.
    func kept(_ id: StoreKeyID) async throws -> StoreKey {
        var obstacles: [String] = []
        var isWrong = false
        func content(_ path: String, isPrivate: Bool) -> StoreKey? {
            do { return try Self.read(path, isPrivate: isPrivate) } catch {
                // A place that cannot be used must not hide the next one.
                obstacles.append((error as? StoreError)?.context ?? "\(error)")
                isWrong = true
                return nil
            }
        }
        let chosen = await chosen()
        for place in (chosen.map { [$0] } ?? []) + KeyPlace.allCases.filter({ $0 != chosen }) {
            switch place {
            case .keyring:
                // A person who keeps the key elsewhere is not sent to a keyring.
                let isAsked = chosen ?? .keyring == .keyring
                guard let service = await service() else {
                    if isAsked { obstacles.append(SecretService.isSilent) }
                    continue
                }
                switch await service.find(id) {
                case .found(let key) where key.id == id: return key
                case .found: obstacles.append(sent("the keyring has another key under its name"))
                case .locked: obstacles.append(SecretService.isLocked)
                case .missing: if isAsked { obstacles.append(SecretService.lacksKey) }
                case .silent: if isAsked { obstacles.append(SecretService.isSilent) }
                }
            case .credential:
                var found: StoreKey?
                if let credentials { found = content("\(credentials)/\(use.credential)", isPrivate: false) }
                if let found {
                    if found.id == id { return found }
                    obstacles.append(sent("the credential is another key"))
                } else if chosen == .credential, !isWrong {
                    obstacles.append(sent("the service has no credential \(use.credential)"))
                }
            case .file:
                if let key = content(file(id), isPrivate: true) {
                    if key.id == id { return key }
                    obstacles.append(sent("the key file \(file(id)) has another key"))
                } else if chosen == .file, !isWrong {
                    obstacles.append(sent("the key file \(file(id)) is not there"))
                }
            }
        }
        throw StoreError(
            code: isWrong ? .keyWrong : .keyLocked,
            context: sent(
                "the record is locked: \(obstacles.isEmpty ? sent("its key is not there") : Self.sentences(obstacles))"),
            underlying: "key \(id)")
    }

    /// Joins sentences; the last one has no full stop.
    private static func sentences(_ parts: [String]) -> String {
        parts.enumerated().map { $0.offset == 0 ? $0.element : $0.element.capitalised }.joined(separator: ". ")
    }

    /// Returns the obstacle to getting the key again after a restart; nil for none.
    func obstacle(to id: StoreKeyID) async -> String? {
        if let service = await service(), await service.obstacle(to: id) == nil { return nil }
        do {
            _ = try await kept(id)
            return nil
        } catch { return (error as? StoreError)?.context ?? "\(error)" }
    }

    /// Holds the key for the next process of this service, and keeps this process out of core dumps.
    nonisolated static func hold(_ key: StoreKey) {
        held.withLock { $0 = key.id }
        DescriptorStore.forbidDumps()
        DescriptorStore.keep(key.content, as: heldName)
    }

    nonisolated static func forgetHeldKey() {
        held.withLock { $0 = nil }
        DescriptorStore.forget(heldName)
    }

    /// The key that this process gave the manager last; nil if it gave none.
    private static let held = Mutex<StoreKeyID?>(nil)

    /// Calls the handler when a key may have come.
    func follow(_ handler: @escaping @Sendable () -> Void) async {
        guard let service = await service() else { return }
        try? await service.follow(handler)
    }

    // MARK: Keeping

    /// Makes a new key and keeps it. From a credential the key itself is taken, since only a person can write a credential.
    ///
    /// - Parameter old: the key in force.
    func newKey(besides old: StoreKeyID?) async throws -> (key: StoreKey, place: KeyPlace) {
        var why: [String] = []
        let chosen = await chosen()
        for place in chosen.map({ [$0] }) ?? KeyPlace.allCases {
            let found = try await newKey(in: place, isChosen: chosen != nil, besides: old)
            if let key = found.key { return (key, place) }
            why += found.obstacle.map { [$0] } ?? []
            // A keyring that is only locked is the person's choice, so no other place is used.
            if found.obstacle == SecretService.isLocked { break }
        }
        throw StoreError(
            code: .keyUnkept, context: "no place for the key: \(why.joined(separator: ", ")); nothing was changed")
    }

    private func newKey(
        in place: KeyPlace, isChosen: Bool, besides old: StoreKeyID?
    ) async throws -> (key: StoreKey?, obstacle: String?) {
        switch place {
        case .keyring:
            guard let service = await service() else { return (nil, SecretService.isSilent) }
            if let obstacle = await service.obstacle() { return (nil, obstacle) }
            let key = try StoreKey.random()
            try await service.keep(key, label: use.label)
            return (key, nil)
        case .credential:
            guard let credentials, let key = try Self.read("\(credentials)/\(use.credential)", isPrivate: false) else {
                return (nil, isChosen ? sent("there is no credential \(use.credential)") : nil)
            }
            return key.id == old ? (nil, sent("the credential is the key in force")) : (key, nil)
        case .file:
            guard isChosen || use.fallsBackToFile else { return (nil, nil) }
            let key = try StoreKey.random()
            let path = file(key.id)
            do { try await offLoop { try PrivateFile.write(key.content + [10], to: path) } } catch {
                throw StoreError(
                    code: .unavailable, context: "the key file cannot be written; nothing was changed",
                    underlying: "\(error)")
            }
            return (key, nil)
        }
    }

    /// Returns true if a key was taken out of the place where it was kept.
    func isLost(_ id: StoreKeyID, from place: KeyPlace) -> Bool {
        switch place {
        // The keyring that answers may be another one, as in another session.
        case .keyring: return false
        case .credential:
            // A service that was started in another way gets no credentials: their absence says nothing about this one.
            guard let credentials else { return false }
            return access("\(credentials)/\(use.credential)", F_OK) != 0 && errno == ENOENT
        case .file: return access(file(id), F_OK) != 0 && errno == ENOENT
        }
    }

    /// Returns true if there is a file of any key.
    ///
    /// - Throws: ``DoseTapDomain/StoreError`` `.unavailable` if the folder cannot be read to its end.
    func hasFiles() async throws -> Bool {
        do {
            let names = try await offLoop { [folder] in try Folder.names(in: folder, most: .max) }
            return names.contains { $0.hasPrefix(use.file) }
        } catch let error as SystemFault where error.underlying == ENOENT {
            return false
        } catch {
            throw StoreError(
                code: .unavailable, context: "the folder of the keys cannot be read", underlying: "\(error)")
        }
    }

    /// Removes a key that opens nothing any more. A credential stays: it is the person's.
    ///
    /// - Returns: the outcome in keyring and file, as far as either could be asked.
    @discardableResult
    func remove(_ id: StoreKeyID) async -> KeyRemoval {
        let path = file(id)
        let wasFile = try? await offLoop {
            let isThere = access(path, F_OK) == 0
            try PrivateFile.erase(path)
            return isThere
        }
        guard let wasFile else { return .left }
        // A key that was kept elsewhere is in no keyring.
        let chosen = await chosen() ?? .keyring
        let wasElsewhere = wasFile || isCredential(id) || chosen != .keyring
        guard let service = await service() else { return wasElsewhere ? .gone : .left }
        switch await service.remove(id) {
        case .gone: return .gone
        case .left: return .left
        case .absent: return wasElsewhere ? .gone : .unknown
        case .silent: return wasElsewhere ? .gone : .left
        }
    }

    private func isCredential(_ id: StoreKeyID) -> Bool {
        guard let credentials else { return false }
        do { return try Self.read("\(credentials)/\(use.credential)", isPrivate: false)?.id == id } catch {
            return false
        }
    }

    /// Removes the keys of a deleted record, while no record is open. A key that cannot be removed is tried again at each
    /// start.
    ///
    /// - Returns: the worst outcome of all keys.
    func removeForgotten(besides store: String) async -> KeyRemoval {
        guard let found = try? ObsoleteKeys.unneeded(besides: store) else { return .left }
        let outcome = await remove(obsolete: found)
        ObsoleteKeys.drop(outcome.gone, besides: store)
        return outcome.worst
    }

    /// Removes keys that a removal of a record or a change of its key has left and that nothing needs.
    ///
    /// - Returns: the worst outcome of all keys, and those that are gone.
    func remove(obsolete keys: [StoreKeyID]) async -> (worst: KeyRemoval, gone: [StoreKeyID]) {
        guard !keys.isEmpty else { return (.gone, []) }
        // The descriptor that the manager handed over at the start may have been replaced since.
        let handedOver = DescriptorStore.kept(Self.heldName, limit: 128).flatMap { try? StoreKey(content: $0) }?.id
        if let held = Self.held.withLock({ $0 }) ?? handedOver, keys.contains(held) { Self.forgetHeldKey() }
        var (worst, gone) = (KeyRemoval.gone, [StoreKeyID]())
        for key in keys {
            let outcome = await remove(key)
            if outcome == .gone { gone.append(key) }
            worst = max(worst, outcome)
        }
        return (worst, gone)
    }

    // MARK: Places

    /// Returns the place of a key in words for a person, or the path of its file.
    nonisolated func name(of place: KeyPlace, for id: StoreKeyID) -> String {
        place == .file ? file(id) : place.rawValue
    }

    private nonisolated func file(_ id: StoreKeyID) -> String { "\(folder)/\(use.file)\(id)" }

    private func service() async -> SecretService? {
        if let connection, await connection.isOpen { return SecretService(connection: connection) }
        guard let found = try? await Connection.open(address, on: loop) else { return nil }
        // Another caller may have opened a connection meanwhile, and listens on it.
        if let connection, await connection.isOpen {
            await found.abort()
            return SecretService(connection: connection)
        }
        connection = found
        return SecretService(connection: found)
    }

    func close() async {
        await connection?.close(within: .milliseconds(100))
        connection = nil
    }

    /// - Returns: nil if there is no file.
    /// - Throws: `.keyWrong` for a file that others can read, a link, or a wrong length.
    private static func read(_ path: String, isPrivate: Bool) throws -> StoreKey? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            guard errno == ENOENT || errno == ENOTDIR else {
                throw StoreError(
                    code: .keyWrong,
                    context: errno == ELOOP
                        ? sent("the key file is a symbolic link") : sent("the key file cannot be read"),
                    underlying: path)
            }
            return nil
        }
        defer { Glibc.close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink <= 1 else {
            throw StoreError(code: .keyWrong, context: "the key file is no plain file of its own", underlying: path)
        }
        let isOwn = status.st_uid == geteuid() && status.st_mode & 0o077 == 0
        guard !isPrivate || isOwn else {
            throw StoreError(
                code: .keyWrong, context: "the key file can be read by others: give it mode 0600", underlying: path)
        }
        var content = [UInt8](repeating: 0, count: 256)
        let count = Glibc.read(descriptor, &content, content.count)
        defer { for index in content.indices { content[index] = 0 } }
        return try StoreKey(content: Array(content.prefix(max(0, count))))
    }
}
