/// One value that comes once, and one task that waits for it, whichever is first. Used on the loop's thread only.
///
/// `withUnsafeContinuation` may let others in before its body runs (in a task that does not prefer the loop it does), so
/// an answer may come before anybody waits for it: it is kept.
final class LoopPromise<Value: Sendable> {
    private var value: Value?
    private var waiting: UnsafeContinuation<Value, Never>?

    /// Gives the value; later ones are dropped.
    func resolve(_ value: Value) {
        guard self.value == nil else { return }
        self.value = value
        waiting.take()?.resume(returning: value)
    }

    /// Calls back with the value as soon as there is one. Only one caller may wait.
    func wait(_ continuation: UnsafeContinuation<Value, Never>) {
        if let value { continuation.resume(returning: value) } else { waiting = continuation }
    }
}
