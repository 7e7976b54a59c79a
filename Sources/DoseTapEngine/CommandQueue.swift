/// A bounded first-in-first-out queue for work that must run one after the other; part of an actor's state.
///
/// Low-priority callers (plugins) have a small queue of their own and run when no other caller waits: however many
/// there are, a person's dose waits for one of them at most.
struct CommandQueue {
    /// Most low-priority callers that may wait.
    static let lowPriorityBound = 8

    private var waiting: [CheckedContinuation<Bool, Never>] = []
    private var lowPriority: [CheckedContinuation<Bool, Never>] = []
    private(set) var isTaken = false
    /// Most callers that may wait.
    let bound: Int

    init(bound: Int) { self.bound = bound }

    /// True if no further caller may wait.
    var isFull: Bool { isTaken && waiting.count >= bound }
    /// True if no further low-priority caller may wait.
    var isFullForLowPriority: Bool { isTaken && lowPriority.count >= Self.lowPriorityBound }

    /// Takes the turn if it is free.
    mutating func enter() -> Bool {
        guard !isTaken else { return false }
        isTaken = true
        return true
    }

    /// Resumes, with true, as soon as all callers before have left.
    mutating func pass(_ continuation: CheckedContinuation<Bool, Never>, lowPriority gives: Bool = false) {
        guard isTaken else {
            isTaken = true
            return continuation.resume(returning: true)
        }
        if gives { lowPriority.append(continuation) } else { waiting.append(continuation) }
    }

    /// Gives the turn to the next caller.
    mutating func leave() {
        if !waiting.isEmpty {
            waiting.removeFirst().resume(returning: true)
        } else if !lowPriority.isEmpty {
            lowPriority.removeFirst().resume(returning: true)
        } else {
            isTaken = false
        }
    }
}
