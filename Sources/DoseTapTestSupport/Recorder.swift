public import DoseTapDomain
public import DoseTapEngine
import Synchronization

/// Records elements in order and lets a test wait for them, without polling and with a limit.
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

    /// The wait ended without the condition.
    public struct TimedOut: Error, CustomStringConvertible {
        /// The elements by then.
        public let description: String
    }

    private let state = Mutex(State())

    public init() {}

    public var elements: [Element] { state.withLock(\.elements) }

    public func append(_ element: Element) {
        let (elements, met) = state.withLock { state in
            state.elements.append(element)
            let met = state.waiters.filter { $0.value.isMet(state.elements) }
            for id in met.keys { state.waiters[id] = nil }
            return (state.elements, met)
        }
        for waiter in met.values { waiter.continuation.resume(returning: elements) }
    }

    public func clear() { state.withLock { $0.elements = [] } }

    /// Waits until the elements so far satisfy a condition.
    ///
    /// - Returns: the elements so far.
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

    /// Waits for `count` elements.
    @discardableResult
    public func wait(count: Int, within limit: Duration = .seconds(20)) async throws -> [Element] {
        try await wait(within: limit) { $0.count >= count }
    }

    private func expire(_ id: UInt64) {
        let (waiter, elements) = state.withLock { state in (state.waiters.removeValue(forKey: id), state.elements) }
        waiter?.continuation.resume(throwing: TimedOut(description: "timed out; so far: \(elements)"))
    }
}

/// A gate that a test opens: a task that passes it before waits.
public final class Gate: Sendable {
    private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))
    /// One element for each task that reached the gate.
    public let arrivals = Recorder<Int>()

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

    /// Lets all tasks through, from now on.
    public func open() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isOpen = true
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// Records the engine's changes.
public final class RecordingObserver: EngineObserver {
    public let changes = Recorder<EngineChange>()

    public init() {}

    public func changed(_ change: EngineChange) async { changes.append(change) }

    /// The types of all recorded events, in order.
    public var recorded: [EventType] {
        changes.elements.flatMap { change -> [EventType] in
            if case .recorded(let events, _) = change { events.map(\.type) } else { [] }
        }
    }

    /// All phase changes, in order.
    public var phases: [Phase] { Self.phases(in: changes.elements) }

    /// The phase changes among some changes.
    public static func phases(in changes: [EngineChange]) -> [Phase] {
        changes.compactMap { change in
            if case .phase(_, let new, _) = change { new } else { nil }
        }
    }
}
