/// A bounded first-in-first-out queue for what must happen one after the other; part of an actor's state.
///
/// Those who give way (plugins) have a small queue of their own and get in when nobody else waits: however many there are,
/// a person's dose waits for one of them at most.
struct Turnstile {
    /// How many of those who give way may wait.
    static let boundForThoseWhoGiveWay = 8

    private var waiting: [CheckedContinuation<Bool, Never>] = []
    private var givingWay: [CheckedContinuation<Bool, Never>] = []
    private(set) var isTaken = false
    /// How many may wait.
    let bound: Int

    init(bound: Int) { self.bound = bound }

    /// Nobody more may wait.
    var isFull: Bool { isTaken && waiting.count >= bound }
    /// Nobody more who gives way may wait.
    var isFullForThoseWhoGiveWay: Bool { isTaken && givingWay.count >= Self.boundForThoseWhoGiveWay }

    /// Goes on at once if nobody is there.
    mutating func enter() -> Bool {
        guard !isTaken else { return false }
        isTaken = true
        return true
    }

    /// Goes on, with true, as soon as everyone before has left.
    mutating func pass(_ continuation: CheckedContinuation<Bool, Never>, givingWay gives: Bool = false) {
        guard isTaken else {
            isTaken = true
            return continuation.resume(returning: true)
        }
        if gives { givingWay.append(continuation) } else { waiting.append(continuation) }
    }

    /// Lets the next one in.
    mutating func leave() {
        if !waiting.isEmpty {
            waiting.removeFirst().resume(returning: true)
        } else if !givingWay.isEmpty {
            givingWay.removeFirst().resume(returning: true)
        } else {
            isTaken = false
        }
    }
}
