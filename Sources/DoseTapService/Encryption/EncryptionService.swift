internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapStore
internal import DoseTapText

/// Encrypts and decrypts the store, and changes its key: the new key is kept before the store needs it, the old one until
/// nothing needs it any more.
struct EncryptionService: Sendable {
    let engine: Engine
    let store: Store
    let keys: KeyKeeper
    let due: DueFileKeeper?
    /// What a process before may have left, also where this one plans no reminders.
    let dueFile: DueFile?
    /// The store's path.
    let path: String

    func change(_ change: KeyChange, isDry: Bool) async throws -> StoreReport {
        let old = await store.keyID
        try Self.refuse(change, old)
        var report = StoreReport(events: 0, rows: 0, findings: [], notes: EncryptionText.statement(change))
        guard !isDry else { return report }
        do {
            guard change != .decrypt else {
                try await apply(nil)
                report.notes = [EncryptionText.decrypted]
                KeyKeeper.forgetHeldKey()
                await due?.set(isEncrypted: false)
                if let old { report.notes += await release(old) }
                report.events = await events()
                return report
            }
            // A key that nothing will need is not made.
            try await engine.refuseInOpenWindow()
            let (key, place) = try await keys.newKey(besides: old)
            // Kept also where this fails: the file may have it already, and a key that opens nothing does no harm.
            try await apply(key)
            KeyKeeper.hold(key)
            await due?.set(isEncrypted: true)
            report.notes = [EncryptionText.kept(key.id.description, in: keys.name(of: place, for: key.id))]
            if let old { report.notes += await release(old) }
            report.events = await events()
            return report
        } catch let error as StoreError { throw EngineFailure.store(error, kept: false) }
    }

    /// Events of the record. The change is made by then, and that they cannot be counted does not undo it.
    private func events() async -> Int64 { Int64((try? await engine.verify())?.events ?? 0) }

    /// Removes the key of a record that was deleted, and what is kept for its reminders.
    ///
    /// - Returns: whether no key is left that is to go.
    func forget() async -> Bool {
        KeyKeeper.forgetHeldKey()
        await due?.set(isEncrypted: false)
        dueFile?.remove()
        return await keys.removeForgotten(besides: path) != .left
    }

    /// Removes the keys that an earlier removal of a record has left, now, or as soon as the keyring lets it.
    func removeLeftKeys() async {
        guard await keys.remove(left: store.leftKeys(), besides: path) != .gone else { return }
        await keys.follow { [keys, store, path] in
            Task { await keys.remove(left: store.leftKeys(), besides: path) }
        }
    }

    /// Runs a restore with the key of a backup that has another one than the record's, where it is still kept (R25.10).
    func withKey<Answer: Sendable>(
        ofBackup descriptor: Int32, _ restore: @Sendable () async throws -> Answer
    ) async throws -> Answer {
        guard let id = EncryptedFile.backupKeyID(of: descriptor), await store.keyID != id,
            let key = try? await keys.key(id)
        else { return try await restore() }
        await store.know(key)
        let result: Result<Answer, any Error>
        do { result = .success(try await restore()) } catch { result = .failure(error) }
        await store.know(nil)
        return try result.get()
    }

    /// Removes a key that nothing needs any more.
    ///
    /// - Returns: why it is kept, where backups or kept records need it.
    private func release(_ id: StoreKeyID) async -> [String] {
        let count = await store.files(encryptedWith: id)
        guard count == 0 else { return [EncryptionText.needed(id.description, by: count)] }
        await keys.remove(id)
        return []
    }

    private func apply(_ key: StoreKey?) async throws {
        try await StoreError.beginningAgain {
            // The work holds the store's thread. What it gave way to may have opened a window.
            try await engine.refuseInOpenWindow()
            try await store.changeKey(to: key)
        }
    }

    private static func refuse(_ change: KeyChange, _ key: StoreKeyID?) throws {
        guard Cipher.isAvailable else {
            throw EngineFailure.store(
                StoreError(
                    code: .noCipher, context: sent("this program was built without encryption: nothing was changed")),
                kept: false)
        }
        switch (change, key) {
        case (.encrypt, .some):
            throw ServiceError(.nothingToDo, "The record is encrypted already.", details: ["encrypted": true])
        case (.decrypt, nil), (.rekey, nil):
            throw ServiceError(.nothingToDo, "The record is not encrypted.", details: ["encrypted": false])
        case (.encrypt, nil), (.decrypt, .some), (.rekey, .some): break
        }
    }

    /// Why the key could not be had again after a restart; nil where it could, or where none is needed.
    var lostKey: String? {
        get async {
            guard let id = await store.keyID else { return nil }
            return await keys.obstacle(to: id)
        }
    }
}
