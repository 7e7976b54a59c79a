internal import Glibc

/// A value behind a POSIX mutex, which sanitizers see (they do not see `Synchronization.Mutex`).
///
/// Unchecked: the value is only reachable through ``withLock(_:)``. Nothing may be called back from inside.
final class Locked<Value>: @unchecked Sendable {
    private var value: Value
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init(_ value: Value) {
        self.value = value
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func withLock<R, Failure: Error>(_ body: (inout Value) throws(Failure) -> R) throws(Failure) -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}

/// A value that only the thread of an event loop touches.
///
/// Unchecked: the compiler cannot see the confinement. Every use is in code isolated to the loop, in a C callback
/// that libsystemd makes on the loop's thread, or in a closure given to `EventLoop.execute`.
final class LoopConfined<Value>: @unchecked Sendable {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}

/// A value given once and one task that waits for it, in either order. Used on the loop's thread only.
///
/// In a task that does not prefer the loop, `withUnsafeContinuation` lets other jobs run before its body, so the value
/// may come before anybody waits for it; it is kept.
final class LoopPromise<Value: Sendable> {
    private var value: Value?
    private var waiting: UnsafeContinuation<Value, Never>?

    /// Later values are dropped.
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
