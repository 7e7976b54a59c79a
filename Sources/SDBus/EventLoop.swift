internal import CSystemd
internal import Synchronization

/// One thread, one `sd_event` loop, and everything that runs on it: a serial executor for actors, a task executor
/// for tasks. The thread sleeps in the kernel until a job, a message or a timer is there.
///
/// All of libsystemd that is used here belongs to this thread.
// The event pointer is used on the loop's thread only; everything else is itself Sendable. Hence @unchecked.
public final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    let event: OpaquePointer
    private let wakeDescriptor: CInt
    private let jobs = Mutex<[UnownedJob]>([])
    private let owner = Atomic<UInt>(0)
    private let isStopping = Atomic<Bool>(false)
    /// Written before any other thread knows the loop, read when it is joined.
    private var thread: pthread_t?

    private init() throws(BusError) {
        var event: OpaquePointer?
        try check(sd_event_new(&event), "sd_event_new")
        guard let event else { throw BusError(errno: ENOMEM, context: "sd_event_new") }
        let descriptor = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))
        guard descriptor >= 0 else {
            let error = csystemd_errno()
            sd_event_unref(event)
            throw BusError(errno: error, context: "eventfd")
        }
        self.event = event
        wakeDescriptor = descriptor
        let result = sd_event_add_io(
            event, nil, descriptor, UInt32(EPOLLIN.rawValue),
            { _, descriptor, _, _ in
                var count: eventfd_t = 0
                eventfd_read(descriptor, &count)
                return 0
            }, nil)
        try check(result, "sd_event_add_io")
    }

    deinit {
        sd_event_unref(event)
        close(wakeDescriptor)
    }

    // MARK: Running

    /// Runs a loop on the calling thread until `body` returns; the body and its tasks run on the loop.
    ///
    /// - Returns: what the body returns; what it throws is thrown.
    public static func run<Value: Sendable>(
        _ body: @escaping @Sendable (EventLoop) async throws -> Value
    ) throws -> Value {
        let loop = try EventLoop()
        loop.owner.store(UInt(pthread_self()), ordering: .releasing)
        let outcome = Mutex<Result<Value, any Error>?>(nil)
        let box = OutcomeBox(outcome)
        Task(executorPreference: loop) {
            let result: Result<Value, any Error>
            do { result = .success(try await body(loop)) } catch { result = .failure(error) }
            box.outcome.withLock { $0 = result }
            loop.isStopping.store(true, ordering: .releasing)
        }
        loop.turn()
        guard let result = box.outcome.withLock({ $0 }) else {
            throw BusError(errno: ECANCELED, context: "the event loop ended early")
        }
        return try result.get()
    }

    /// Starts a loop on a thread of its own; end it with ``stop()``.
    public static func spawn(name: String) throws(BusError) -> EventLoop {
        let loop = try EventLoop()
        var thread = pthread_t()
        let box = Unmanaged.passRetained(ThreadStart(loop: loop, name: name))
        let result = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
                csystemd_name_thread(start.name)
                start.loop.owner.store(UInt(pthread_self()), ordering: .releasing)
                start.loop.turn()
                return nil
            }, box.toOpaque())
        guard result == 0 else {
            box.release()
            throw BusError(errno: result, context: "pthread_create")
        }
        loop.thread = thread
        return loop
    }

    /// Ends a spawned loop and waits for its thread. Jobs already queued run first.
    public func stop() {
        isStopping.store(true, ordering: .releasing)
        eventfd_write(wakeDescriptor, 1)
        if let thread, isIsolatingCurrentContext() != true { pthread_join(thread, nil) }
    }

    /// The loop itself: a batch of jobs, then one event, for as long as nobody says stop.
    private func turn() {
        let serial = asUnownedSerialExecutor()
        let tasks = asUnownedTaskExecutor()
        while true {
            let batch = jobs.withLock { jobs in
                let batch = jobs
                jobs.removeAll(keepingCapacity: true)
                return batch
            }
            for job in batch { job.runSynchronously(isolatedTo: serial, taskExecutor: tasks) }
            let isEmpty = jobs.withLock(\.isEmpty)
            if isEmpty, isStopping.load(ordering: .acquiring) { break }
            let result = sd_event_run(event, isEmpty ? UInt64.max : 0)
            if result < 0 && result != -EINTR { break }
        }
    }

    // MARK: Executor

    /// Queues a job; wakes the thread unless it is the caller.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        if isIsolatingCurrentContext() != true { eventfd_write(wakeDescriptor, 1) }
    }

    /// Whether the calling thread is the loop's.
    public func isIsolatingCurrentContext() -> Bool? { UInt(pthread_self()) == owner.load(ordering: .acquiring) }

    /// Traps when called off the loop: a programming error, never an input.
    public func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "not on the event loop")
    }
}

/// Carries the result out of the loop's first task.
private final class OutcomeBox<Value: Sendable>: Sendable {
    let outcome: Mutex<Result<Value, any Error>?>
    init(_ outcome: consuming Mutex<Result<Value, any Error>?>) { self.outcome = outcome }
}

/// What a new thread is given.
private final class ThreadStart: Sendable {
    let loop: EventLoop
    let name: String
    init(loop: EventLoop, name: String) {
        self.loop = loop
        self.name = name
    }
}
