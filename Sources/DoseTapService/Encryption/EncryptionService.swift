internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapStore
internal import DoseTapText

/// Encrypts and decrypts the store, and changes its key. The new key is kept before the store needs it, the old one as long as
/// anything needs it.
struct EncryptionService: Sendable {
    let engine: Engine
    let store: Store
    let keys: KeyKeeper
    let due: DueFileKeeper?
    /// The reminders that an earlier process may have left. They are also here if this process plans no reminders.
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
            // No key is made that nothing will need.
            try await engine.refuseInOpenWindow()
            let (key, place) = try await keys.newKey(besides: old)
            // The new key is kept even if the change fails: the file may have it already, and a key that opens nothing does no
            // harm.
            try await apply(key)
            KeyKeeper.hold(key)
            await due?.set(isEncrypted: true)
            report.notes = [EncryptionText.kept(key.id.description, in: keys.name(of: place, for: key.id))]
            if let old { report.notes += await release(old) }
            report.events = await events()
            return report
        } catch let error as StoreError { throw EngineFailure.store(error, kept: false) }
    }

    /// Returns the number of events; 0 if they cannot be counted. The change is already made, and a failure here must not undo
    /// it.
    private func events() async -> Int64 { Int64((try? await engine.verify())?.events ?? 0) }

    /// Removes the key of a deleted record, and the reminders kept for that record.
    ///
    /// - Returns: true unless a key that has to go is left.
    func forget() async -> Bool {
        KeyKeeper.forgetHeldKey()
        await due?.set(isEncrypted: false)
        dueFile?.remove()
        return await keys.removeForgotten(besides: path) != .left
    }

    /// Removes the keys that an earlier removal of a record has left, now, or as soon as the keyring allows it.
    func removeObsoleteKeys() async {
        guard await removed(store.obsoleteKeys()) != .gone else { return }
        await keys.follow { Task { await removed(store.obsoleteKeys()) } }
    }

    /// Runs a restore with the key of a backup whose key is not the record's, if that key is still kept (R25.10).
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

    /// Removes the former key, unless something needs it. A key that stays is on the list of ``ObsoleteKeys``, and goes as soon as
    /// nothing needs it.
    ///
    /// - Returns: the reason for keeping the key, if backups or kept records need it.
    private func release(_ id: StoreKeyID) async -> [String] {
        guard await store.obsoleteKeys().contains(id) else {
            return [EncryptionText.needed(id.description, by: max(1, await store.files(encryptedWith: id)))]
        }
        await removed([id])
        return []
    }

    /// Removes keys that nothing needs, and takes those that are gone off the list.
    @discardableResult
    private func removed(_ obsolete: [StoreKeyID]) async -> KeyRemoval {
        let outcome = await keys.remove(obsolete: obsolete)
        await store.forget(outcome.gone)
        return outcome.worst
    }

    private func apply(_ key: StoreKey?) async throws {
        try await StoreError.beginningAgain {
            // The work holds the store's thread. A command that the work gave way to may have opened a window.
            try await engine.refuseInOpenWindow()
            do { try await store.changeKey(to: key) } catch let error as StoreError where error.code == .outcomeUnknown
            {
                // A replacement that was decided is finished now where the disk allows it, else by the next entry.
                try? await store.reopen()
                throw error
            }
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
            throw ServiceError(.nothingToDo, sent("The record is encrypted already."), details: ["encrypted": true])
        case (.decrypt, nil), (.rekey, nil):
            throw ServiceError(.nothingToDo, sent("The record is not encrypted."), details: ["encrypted": false])
        case (.encrypt, nil), (.decrypt, .some), (.rekey, .some): break
        }
    }

    /// The obstacle to getting the key again after a restart; nil if there is none, or if no key is needed.
    var lostKey: String? {
        get async {
            guard let id = await store.keyID else { return nil }
            return await keys.obstacle(to: id)
        }
    }
}
