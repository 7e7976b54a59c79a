internal import CSystemd
internal import Glibc
internal import Synchronization

/// One thread that owns an `sd_event` loop and runs Swift jobs between its events.
///
/// It is a serial executor (actors may be bound to it) and a task executor (tasks may prefer it). Everything of
/// libsystemd is used on this thread only. The loop sleeps in `epoll_wait` while there is nothing to do; jobs from
/// other threads wake it through an eventfd.
///
/// Everything the loop waits for has the same priority, and of what is ready the one that has waited longest is served
/// next: whatever stays ready, be it a timer, a descriptor, a flood of messages or jobs that queue jobs, the others
/// have their turn.
public final class EventLoop: SerialExecutor, TaskExecutor, Sendable {
    /// A job of the concurrency runtime or a plain closure.
    enum Work {
        case job(UnownedJob)
        case closure(@Sendable () -> Void)
    }

    struct Queue {
        var work: [Work] = []
        var isStopping = false
        var isStopped = false
    }

    /// The lock only guards the queue; nothing is called while it is held.
    let queue = Locked(Queue())
    /// `pthread_self()` of the thread that runs the loop, 0 while none does.
    let owner = Atomic<UInt>(0)
    let wakeDescriptor: Int32
    /// The `sd_event` while the loop runs; used on its thread only.
    let events = LoopConfined<OpaquePointer?>(nil)
    /// Those that watch whether the loop keeps up; used on its thread only.
    let floodGuards = LoopConfined<[FloodGuard]>([])
    /// The child processes it watches, until each is reaped; used on its thread only.
    let children = LoopConfined<[ObjectIdentifier: ChildWatch]>([:])
    /// The thread to join, when the loop has one of its own.
    let thread = Locked<pthread_t?>(nil)

    init() throws(BusError) {
        wakeDescriptor = csd_eventfd()
        if wakeDescriptor < 0 { throw BusError(errno: errno, doing: "eventfd") }
    }

    deinit {
        close(wakeDescriptor)
    }

    /// Puts a job of the concurrency runtime in the queue; any thread may call it.
    ///
    /// A loop that has stopped runs no more jobs: whoever awaits one then waits for ever.
    public func enqueue(_ job: consuming ExecutorJob) {
        add(.job(UnownedJob(job)))
    }

    /// Runs a closure on the loop's thread: at once if this is that thread, else as soon as it gets there.
    ///
    /// After the loop has stopped the closure runs on the calling thread, so that what it frees is freed.
    public func execute(_ closure: @escaping @Sendable () -> Void) {
        if isCurrent {
            closure()
        } else if !add(.closure(closure)) {
            closure()
        }
    }

    /// Runs a closure on the loop's thread after what it does now, never inside the caller.
    func executeLater(_ closure: @escaping @Sendable () -> Void) {
        if !add(.closure(closure)) { closure() }
    }

    @discardableResult
    private func add(_ work: Work) -> Bool {
        let (isFirst, isAccepted) = queue.withLock { queue in
            if queue.isStopped { return (false, false) }
            queue.work.append(work)
            return (queue.work.count == 1, true)
        }
        // A queue that was not empty has been announced already, and the loop itself looks before it sleeps.
        if isFirst, !isCurrent { wake() }
        return isAccepted
    }

    func wake() {
        var one: UInt64 = 1
        // The only failure is a counter at its maximum, and then the loop is awake.
        _ = write(wakeDescriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Whether the caller runs on the loop's thread.
    public var isCurrent: Bool {
        owner.load(ordering: .acquiring) == UInt(pthread_self())
    }

    /// Answers the runtime's question behind `assumeIsolated`.
    public func isIsolatingCurrentContext() -> Bool? {
        isCurrent
    }

    /// Stops the process when called on another thread: a programming error.
    public func checkIsolated() {
        precondition(isCurrent, "not on the event loop's thread")
    }

    /// Stops the process when called on another thread: a programming error.
    public func preconditionIsolated() {
        checkIsolated()
    }

    /// This loop as the executor of an actor: `nonisolated var unownedExecutor { loop.asUnownedSerialExecutor() }`.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// This loop as a task executor preference.
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        UnownedTaskExecutor(ordinary: self)
    }
}
