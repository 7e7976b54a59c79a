/// A bounded first-in-first-out queue for what must happen one after the other; part of an actor's state.
struct Turnstile {
    private var waiting: [CheckedContinuation<Bool, Never>] = []
    private var isTaken = false
    /// How many may wait.
    let bound: Int

    init(bound: Int) { self.bound = bound }

    /// Nobody more may wait.
    var isFull: Bool { isTaken && waiting.count >= bound }

    /// Goes on, with true, as soon as everyone before has left.
    mutating func pass(_ continuation: CheckedContinuation<Bool, Never>) {
        if isTaken {
            waiting.append(continuation)
        } else {
            isTaken = true
            continuation.resume(returning: true)
        }
    }

    /// Lets the next one in.
    mutating func leave() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume(returning: true) }
    }
}
