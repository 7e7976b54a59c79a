public import DoseTapDomain
import GRDB

extension Store {
    /// What ``wipe(includingBackups:)`` would remove and keep.
    public func wipePreview(includingBackups: Bool) throws -> WipeReport {
        try removal.plan(includingBackups, isOpen: true, key: keyID).report
    }

    /// Removes the record with everything beside it. The store is closed afterwards and makes nothing anew.
    ///
    /// - Throws: ``DoseTapDomain/StoreError`` where nothing was removed; the store is as before.
    public func wipe(includingBackups: Bool) throws -> WipeReport {
        try ending { isLeased, close throws(StoreError) in
            // One that was imagined has files only where an earlier one left some.
            guard isLeased else { return try removal.run(surface: "wipe", includingBackups: includingBackups) }
            return try removal.run(
                includingBackups: includingBackups, storeIDs: [storeID, keptID], key: keyID, whenDecided: close)
        }
    }
}
