import Synchronization

/// Remembers what happened, in order, and lets a test wait for it: no polling, and never for ever.
public final class Recorder<Element: Sendable>: Sendable {
    private typealias Continuation = CheckedContinuation<[Element], any Error>

    private struct Waiter {
        let isMet: @Sendable ([Element]) -> Bool
        let continuation: Continuation
    }

    private struct State {
        var elements: [Element] = []
        var waiters: [UInt64: Waiter] = [:]
        var lastWaiter: UInt64 = 0
    }

    /// What was waited for did not happen in time.
    public struct TimedOut: Error, CustomStringConvertible {
        /// What had happened by then.
        public let description: String
    }

    private let state = Mutex(State())

    /// Nothing has happened yet.
    public init() {}

    /// Everything so far.
    public var elements: [Element] { state.withLock(\.elements) }

    /// Something happened.
    public func append(_ element: Element) {
        let (elements, met) = state.withLock { state in
            state.elements.append(element)
            let met = state.waiters.filter { $0.value.isMet(state.elements) }
            for id in met.keys { state.waiters[id] = nil }
            return (state.elements, met)
        }
        for waiter in met.values { waiter.continuation.resume(returning: elements) }
    }

    /// Forgets everything so far.
    public func clear() { state.withLock { $0.elements = [] } }

    /// Waits until what happened so far satisfies a condition.
    ///
    /// - Returns: everything that had happened when it did.
    /// - Throws: ``TimedOut``.
    @discardableResult
    public func wait(
        within limit: Duration = .seconds(20), until isMet: @escaping @Sendable ([Element]) -> Bool
    ) async throws -> [Element] {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        let limiter = Task {
            try await Task.sleep(for: limit)
            self.expire(id)
        }
        defer { limiter.cancel() }
        return try await withCheckedThrowingContinuation { (continuation: Continuation) in
            let ready: [Element]? = state.withLock { state in
                if isMet(state.elements) { return state.elements }
                state.waiters[id] = Waiter(isMet: isMet, continuation: continuation)
                return nil
            }
            if let ready { continuation.resume(returning: ready) }
        }
    }

    /// Waits until so many things have happened.
    @discardableResult
    public func wait(count: Int, within limit: Duration = .seconds(20)) async throws -> [Element] {
        try await wait(within: limit) { $0.count >= count }
    }

    private func expire(_ id: UInt64) {
        let (waiter, elements) = state.withLock { state in (state.waiters.removeValue(forKey: id), state.elements) }
        waiter?.continuation.resume(throwing: TimedOut(description: "timed out; so far: \(elements)"))
    }
}
