internal import Synchronization

/// A value that is looked up when it is first needed: a command that shows or reads no local time need not know a zone.
final class Once<Value: Sendable>: Sendable {
    private let found = Mutex<Value?>(nil)

    /// The value, if it was found already.
    var known: Value? { found.withLock { $0 } }

    /// Returns the value, found once. After an error the next call looks again.
    func value<Failed: Error>(_ find: () throws(Failed) -> Value) throws(Failed) -> Value {
        if let value = found.withLock({ $0 }) { return value }
        let value = try find()
        found.withLock { $0 = value }
        return value
    }
}
