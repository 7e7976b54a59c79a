import Synchronization

/// A door a test opens: who comes while it is shut waits.
public final class Gate: Sendable {
    private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))
    /// One entry for everyone who has come to the door.
    public let arrivals = Recorder<Int>()

    /// Shut.
    public init() {}

    /// Waits until the gate is open.
    public func pass() async {
        arrivals.append(1)
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    /// Lets everyone through, from now on.
    public func open() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isOpen = true
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
