/// A bounded first-in-first-out queue for what must happen one after the other; part of an actor's state.
struct Turnstile {
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var isTaken = false
    /// How many may wait.
    let bound: Int

    init(bound: Int) { self.bound = bound }

    var isFull: Bool { waiting.count >= bound }
    var isFree: Bool { !isTaken }

    mutating func take() { isTaken = true }

    mutating func wait(_ continuation: CheckedContinuation<Void, Never>) { waiting.append(continuation) }

    /// Lets the next one in.
    mutating func leave() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
