import DoseTapDomain

extension Store {
    /// How many backups and kept records beside the store are encrypted with a key. The record in use is none of them.
    public func files(encryptedWith id: StoreKeyID) -> Int {
        Self.files(besides: beside?.damaged ?? path, encryptedWith: id, inUse: path)
    }

    /// - Parameters:
    ///   - first: the store.
    ///   - path: the log in use.
    public static func files(besides first: String, encryptedWith id: StoreKeyID, inUse path: String) -> Int {
        guard let slash = first.lastIndex(of: "/") else { return 0 }
        let folder = String(first[..<slash])
        let inUse: Set<String> = [first, path]
        let paths =
            FolderListing.names(in: folder).filter { "\(folder)/\($0)".hasPrefix(first) }.map { "\(folder)/\($0)" }
            + FolderListing.names(in: folder + "/backups").map { "\(folder)/backups/\($0)" }
        return paths.count { !inUse.contains($0) && EncryptedFile.opens($0, id) }
    }
}
