import Synchronization

/// A plain value behind a lock.
///
/// The atomic beside it says what the lock says to the kernel alone when threads meet at it: ThreadSanitizer does not
/// see the hand-over of a futex and would report a race where there is none.
struct Guarded<Value: Sendable>: ~Copyable, Sendable {
    private let value: Mutex<Value>
    private let handover = Atomic<UInt8>(0)

    init(_ value: Value) { self.value = Mutex(value) }

    borrowing func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        value.withLock { value in
            _ = handover.load(ordering: .acquiring)
            defer { handover.store(0, ordering: .releasing) }
            return body(&value)
        }
    }
}
