import GRDB

/// Keeps closed database queues for the life of the process.
///
/// When a queue of libdispatch is disposed of, libdispatch starts a manager thread that wakes the machine once a second
/// for ever. A service opens a database a few times in its life, so keeping some hundred bytes for each is the price of
/// an idle machine that sleeps.
enum ClosedQueues {
    private static let kept = Guarded<[DatabaseQueue]>([])

    static var count: Int { kept.withLock { $0.count } }

    static func keep(_ queue: DatabaseQueue) { kept.withLock { $0.append(queue) } }
}
