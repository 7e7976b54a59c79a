public import DoseTapDomain
import GRDB

extension Store {
    /// Returns what ``wipe(includingBackups:)`` would remove and keep.
    public func wipePreview(includingBackups: Bool) throws -> WipeReport {
        try removal.plan(includingBackups, isOpen: true, key: keyID).report
    }

    /// Removes the record with all files beside it. The store is closed afterwards and makes nothing anew.
    ///
    /// - Throws: ``DoseTapDomain/StoreError`` if nothing was removed; the store is as before.
    public func wipe(includingBackups: Bool) throws -> WipeReport {
        try ending { isLeased, close throws(StoreError) in
            // An imagined store has no files, except those that an earlier store left.
            guard isLeased else { return try removal.run(surface: "wipe", includingBackups: includingBackups) }
            return try removal.run(
                includingBackups: includingBackups, storeIDs: [storeID, keptID], key: keyID, whenDecided: close)
        }
    }
}
