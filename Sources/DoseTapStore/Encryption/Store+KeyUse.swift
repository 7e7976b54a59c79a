import DoseTapDomain

extension Store {
    /// Returns the number of backups and kept records beside the store that are encrypted with a key, or cannot be read. The
    /// record in use does not count.
    public func files(encryptedWith id: StoreKeyID) -> Int {
        Self.files(besides: beside?.damaged ?? path, encryptedWith: id, inUse: path)
    }

    /// - Parameters:
    ///   - first: the store.
    ///   - path: the log in use.
    /// - Returns: the number of files; a folder that cannot be read whole counts as one.
    public static func files(besides first: String, encryptedWith id: StoreKeyID, inUse path: String) -> Int {
        let folder = FilePath.folder(of: first)
        let inUse: Set<String> = [first, path]
        let beside = FolderListing(of: folder)
        let backups = FolderListing(of: folder + "/" + BackupFolder.name)
        let paths =
            beside.names.map { "\(folder)/\($0)" }.filter { $0.hasPrefix(first) }
            + backups.names.map { "\(folder)/\(BackupFolder.name)/\($0)" }
        let unknown = [beside, backups].count { !$0.isWhole }
        return unknown + paths.count { !inUse.contains($0) && EncryptedFile.mayNeed($0, id) }
    }

    /// Takes keys that are gone off the list of obsolete ones.
    public func forget(_ keys: [StoreKeyID]) { ObsoleteKeys.drop(keys, besides: beside?.damaged ?? path) }

    /// Returns the keys that an earlier removal or change of the key has left and that nothing needs: neither this record nor
    /// another file beside it. The key of this record goes off the list: with a copy of the record elsewhere it is still needed
    /// when this one is gone.
    public func obsoleteKeys() -> [StoreKeyID] {
        let place = beside?.damaged ?? path
        if let keyID { ObsoleteKeys.drop([keyID], besides: place) }
        // The database in place may be read if the record has no file yet, or if only a copy of it is open.
        let found = try? ObsoleteKeys.unneeded(besides: place, isOpen: !isImagined && !isCopy, key: keyID)
        // If the keys cannot be known now, the next start asks again.
        return found ?? []
    }
}
