internal import Synchronization

/// What is looked up when it is first needed: a command that shows or reads no local time need not know a zone.
final class Once<Value: Sendable>: Sendable {
    private let found = Mutex<Value?>(nil)

    /// The value where it was found already.
    var known: Value? { found.withLock { $0 } }

    /// The value, found once; an error is thrown again the next time.
    func value<Failed: Error>(_ find: () throws(Failed) -> Value) throws(Failed) -> Value {
        if let value = found.withLock({ $0 }) { return value }
        let value = try find()
        found.withLock { $0 = value }
        return value
    }
}
