internal import CSystemd
internal import Glibc
internal import Synchronization

/// One thread that owns an `sd_event` loop and runs Swift jobs between its events.
///
/// The loop is a serial executor (actors may be bound to it) and a task executor (tasks may prefer it). Everything of
/// libsystemd is used on this thread only. The loop sleeps in `epoll_wait` while there is nothing to do; jobs from
/// other threads wake it through an eventfd.
///
/// All event sources have the same priority; of those that are ready, the one that has waited longest is served next,
/// so a timer, a descriptor, a flood of messages or jobs that queue jobs cannot keep the others from their turn.
public final class EventLoop: SerialExecutor, TaskExecutor, Sendable {
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
    /// Guards against floods of calls, which follow how the loop keeps up; used on its thread only.
    let floodGuards = LoopConfined<[FloodGuard]>([])
    /// Watched child processes, until each is reaped; used on its thread only.
    let children = LoopConfined<[ObjectIdentifier: ChildWatch]>([:])
    /// True if jobs that name no executor come here, too; decided before the first job.
    let takesDefaultJobs: Bool
    /// The thread to join, if the loop has one of its own.
    let thread = Locked<pthread_t?>(nil)

    init(takesDefaultJobs: Bool = false) throws(BusError) {
        self.takesDefaultJobs = takesDefaultJobs
        wakeDescriptor = csd_eventfd()
        if wakeDescriptor < 0 { throw BusError(errno: errno, doing: "eventfd") }
    }

    deinit {
        close(wakeDescriptor)
    }

    /// Puts a job of the concurrency runtime in the queue; any thread may call it.
    ///
    /// A stopped loop runs no more jobs: a task that awaits one waits for ever.
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

    public var isCurrent: Bool {
        owner.load(ordering: .acquiring) == UInt(pthread_self())
    }

    /// The runtime calls this function for `assumeIsolated`.
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

    /// The preference of a task of this loop: the loop, or nothing if jobs that name no executor come here anyway.
    ///
    /// The runtime lets a task go on from one actor of the loop to another without queueing it anew, as long as the
    /// task prefers the executor that the loop runs its job with. A task that was made without a preference, in an
    /// actor of the loop for example, therefore costs more on a loop that does not take the default jobs.
    public var preference: (any TaskExecutor)? { takesDefaultJobs ? nil : self }
}

extension EventLoop {
    /// Runs a new loop on the calling thread until `body` is done.
    ///
    /// The body is a task of this loop, so nothing of it needs the default executor. Work that other tasks have queued
    /// by the end of the body still runs; work that they would queue later does not.
    ///
    /// - Parameters:
    ///   - takesDefaultJobs: True if every job that names no executor comes here, too, from now on. The runtime's own
    ///     pool of threads is then not started, which would wake the machine once a second for as long as the program
    ///     runs. For a program that has one loop, and ends with it.
    ///   - body: The program; the loop ends with it.
    /// - Returns: The result of the body.
    /// - Throws: The error of the body, or a ``BusError`` when the loop cannot be made.
    public static func run<R: Sendable>(
        takesDefaultJobs: Bool = false, _ body: @escaping @Sendable (EventLoop) async throws -> R
    ) throws -> R {
        let loop = try EventLoop(takesDefaultJobs: takesDefaultJobs)
        if takesDefaultJobs { loop.takeDefaultJobs() }
        let outcome = Outcome<R>()
        Task(executorPreference: loop.preference) {
            do {
                let value = try await body(loop)
                outcome.result.withLock { $0 = .success(value) }
            } catch {
                outcome.result.withLock { $0 = .failure(error) }
            }
            loop.requestStop()
        }
        var failure: BusError?
        loop.turnUntilStopped { failure = $0 }
        if let failure { throw failure }
        guard let result = outcome.result.withLock({ $0 }) else {
            throw BusError(name: BusError.Name.failed, message: "the event loop ended before its body")
        }
        return try result.get()
    }

    /// The body's result, for the thread that runs the loop.
    private final class Outcome<R: Sendable>: Sendable {
        let result = Locked<Result<R, any Error>?>(nil)
    }

    /// Starts a loop on a thread of its own.
    /// - Parameter name: The thread's name, cut to 15 bytes.
    /// - Throws: ``BusError`` with the errno when the loop or the thread cannot be made.
    public static func spawn(name: String) throws -> EventLoop {
        let loop = try EventLoop()
        let start = ThreadStart(loop: loop, name: name)
        var thread = pthread_t()
        let result = pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument else { return nil }
                let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
                csd_name_thread(start.name)
                start.loop.turnUntilStopped { start.announce($0) }
                return nil
            },
            Unmanaged.passRetained(start).toOpaque()
        )
        if result != 0 {
            Unmanaged.passUnretained(start).release()
            throw BusError(errno: result, doing: "pthread_create")
        }
        if let failure = start.awaitAnnouncement() {
            pthread_join(thread, nil)
            throw failure
        }
        loop.thread.withLock { $0 = thread }
        return loop
    }

    /// Ends a spawned loop after the work it has, and joins its thread. Close connections first.
    ///
    /// Must not be called on the loop itself. A second call does nothing.
    public func stop() {
        precondition(!isCurrent, "a loop cannot join itself")
        guard let thread = thread.withLock({ $0.take() }) else { return }
        requestStop()
        pthread_join(thread, nil)
    }

    /// Binds the loop to the calling thread, calls `started`, and turns until a stop is requested and the queue is
    /// empty.
    private func turnUntilStopped(started: (BusError?) -> Void) {
        var event: OpaquePointer?
        var source: OpaquePointer?
        var result = sd_event_new(&event)
        if result >= 0 {
            result = sd_event_add_io(event, &source, wakeDescriptor, UInt32(EPOLLIN.rawValue), drainWakeUps, nil)
        }
        guard result >= 0, let event else {
            sd_event_unref(event)
            queue.withLock { $0.isStopped = true }
            started(BusError(errno: -result, doing: "sd_event_new"))
            return
        }
        owner.store(UInt(pthread_self()), ordering: .releasing)
        events.value = event
        started(nil)
        while turn(event) {}
        for child in children.value.values { child.assumeIsolated { $0.loopEnds() } }
        children.value = [:]
        sd_event_source_unref(source)
        events.value = nil
        sd_event_unref(event)
        // Work queued meanwhile still runs here: from the stop on, other threads run their closures themselves.
        while !isStopped() { runQueued() }
        owner.store(0, ordering: .releasing)
    }

    private func isStopped() -> Bool {
        queue.withLock { queue in
            queue.isStopped = queue.work.isEmpty
            return queue.isStopped
        }
    }

    /// Runs the queued work, then one round of events. Returns false when the loop shall end.
    private func turn(_ event: OpaquePointer) -> Bool {
        // Jobs that queue jobs may not keep events waiting: after some rounds, or some time, events are polled.
        var rounds = 0
        let began = csd_clock_microseconds(CLOCK_MONOTONIC)
        while rounds < 64, runQueued(), csd_clock_microseconds(CLOCK_MONOTONIC) - began < 500 { rounds += 1 }
        let (isIdle, isStopping) = queue.withLock { ($0.work.isEmpty, $0.isStopping) }
        if isIdle && isStopping { return false }
        // An error here is one of the loop's own set-up; the next turn would meet it again.
        var wasIdle: Int32 = 0
        let result = csd_event_turn(event, isIdle ? 1 : 0, &wasIdle)
        for guardian in floodGuards.value {
            if wasIdle != 0 { guardian.wasIdle() }
            guardian.drain()
        }
        precondition(result >= 0 || result == -EINTR, "sd_event_run failed")
        return true
    }

    @discardableResult
    private func runQueued() -> Bool {
        let batch = queue.withLock { queue in
            let batch = queue.work
            queue.work = []
            return batch
        }
        for work in batch {
            switch work {
            case .job(let job):
                if takesDefaultJobs {
                    job.runSynchronously(on: asUnownedSerialExecutor())
                } else {
                    job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
                }
            case .closure(let closure):
                closure()
            }
        }
        return !batch.isEmpty
    }

    /// Asks the loop to end once its queue is empty.
    private func requestStop() {
        queue.withLock { $0.isStopping = true }
        wake()
    }
}

private func drainWakeUps(_: OpaquePointer?, descriptor: Int32, _: UInt32, _: UnsafeMutableRawPointer?) -> Int32 {
    var count: UInt64 = 0
    _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    return 0
}

extension EventLoop {
    /// Runs a closure on the loop and gives its result: at once when already there.
    ///
    /// As with an actor of the loop, a caller waits for ever on a loop that has stopped.
    public func perform<R: Sendable>(
        _ body: @escaping @Sendable () throws(BusError) -> R
    ) async throws(BusError) -> R {
        if isCurrent { return try body() }
        return try await Visit(loop: self).run(body)
    }

    /// Runs a task on the loop at once, until it first waits for something; on the loop's thread only.
    func start(_ operation: @escaping @Sendable @concurrent () async -> Void) {
        Task.immediate(executorPreference: preference) { await operation() }
    }

    /// Moves a task to the loop and back.
    ///
    /// An actor, not a continuation that the loop resumes: a continuation resumed before it is awaited is ordered by an
    /// atomic inside the runtime, which ThreadSanitizer does not see; it does see the switch of an executor.
    private actor Visit {
        nonisolated let loop: EventLoop
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        init(loop: EventLoop) { self.loop = loop }

        func run<R: Sendable>(_ body: @Sendable () throws(BusError) -> R) throws(BusError) -> R { try body() }
    }
}

/// The loop that is the program's default executor.
private let defaultLoop = Mutex<EventLoop?>(nil)

extension EventLoop {
    private func takeDefaultJobs() {
        defaultLoop.withLock { $0 = self }
        csd_take_default_jobs { job in
            guard let job, let loop = defaultLoop.withLock({ $0 }) else { return }
            loop.enqueue(ExecutorJob(unsafeBitCast(job, to: UnownedJob.self)))
        }
    }
}

/// Arguments of a new loop thread, and its report that it has started or failed.
///
/// Unchecked: the failure is written before the semaphore is posted and read after it was waited for.
private final class ThreadStart: @unchecked Sendable {
    let loop: EventLoop
    let name: String
    private var failure: BusError?
    private let started = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init(loop: EventLoop, name: String) {
        self.loop = loop
        self.name = name
        sem_init(started, 0, 0)
    }

    deinit {
        sem_destroy(started)
        started.deallocate()
    }

    func announce(_ failure: BusError?) {
        self.failure = failure
        sem_post(started)
    }

    func awaitAnnouncement() -> BusError? {
        while sem_wait(started) != 0 {}
        return failure
    }
}
