internal import DoseTapDomain
internal import Synchronization

/// A zone that is looked up when it is first needed: a command that shows or reads no local time need not know it.
final class ZoneOnce: Sendable {
    private let found = Mutex<Zone?>(nil)

    /// The zone, found once; an error is thrown again the next time.
    func zone<Failed: Error>(_ find: () throws(Failed) -> Zone) throws(Failed) -> Zone {
        if let zone = found.withLock({ $0 }) { return zone }
        let zone = try find()
        found.withLock { $0 = zone }
        return zone
    }
}
