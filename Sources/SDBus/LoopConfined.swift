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
