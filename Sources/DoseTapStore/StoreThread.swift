import DoseTapDomain
import GRDB
import GRDBSQLite
import Glibc
import Synchronization

/// The thread that runs the store's actor, so that a slow disk delays nothing else.
///
/// The thread sleeps in a read of a pipe until there is a job: no polling, and no thread of the default executor, which would
/// wake the machine once a second for ever.
///
/// Jobs run in order of arrival, those of tasks below the default priority after all others. Such a task checks ``mustYield``
/// while it works.
final class StoreThread: SerialExecutor {
    private struct Queue {
        var urgent: [UnownedJob] = []
        var others: [UnownedJob] = []
        var isStopping = false
    }

    private let queue = Guarded(Queue())
    private let owner = Atomic<UInt>(0)
    /// True if a job of default priority waits.
    private let isUrgent = Atomic<Bool>(false)
    /// True if the running job gives way.
    private let canYield = Atomic<Bool>(false)
    private let sleepsOn: CInt
    private let wakesBy: CInt

    private init(sleepsOn: CInt, wakesBy: CInt) {
        self.sleepsOn = sleepsOn
        self.wakesBy = wakesBy
    }

    deinit {
        Glibc.close(sleepsOn)
        Glibc.close(wakesBy)
    }

    /// Starts the thread; it ends after ``stop()``, when the last job is done.
    static func start() throws(StoreError) -> StoreThread {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .starting("pipe", errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // A full pipe has wake-ups pending already, so a write need not wait for room.
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        let executor = StoreThread(sleepsOn: ends[0], wakesBy: ends[1])
        let code = executor.spawn()
        guard code == 0 else { throw .starting("pthread_create", code) }
        return executor
    }

    private func spawn() -> CInt {
        // Signals belong to the service's main thread; a new thread inherits the mask.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let held = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<StoreThread>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, held.toOpaque())
        if code == 0 {
            pthread_detach(thread)
        } else {
            held.release()
        }
        return code
    }

    /// Lets the thread end once its queue is empty.
    func stop() {
        queue.withLock { $0.isStopping = true }
        wake()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let priority = job.priority.rawValue
        // A task without a priority has the default one.
        let waits = priority > 0 && priority < TaskPriority.medium.rawValue
        let job = UnownedJob(job)
        // Once the job is in the queue it may run, and its task release the store and with it this object.
        let held = Unmanaged.passRetained(self)
        defer { held.release() }
        let wasEmpty = queue.withLock { queue in
            if waits {
                queue.others.append(job)
            } else {
                queue.urgent.append(job)
                isUrgent.store(true, ordering: .relaxed)
            }
            return queue.urgent.count + queue.others.count == 1
        }
        // The thread checks the queue before it sleeps, so its own jobs need no wake-up.
        if wasEmpty && isIsolatingCurrentContext() != true { wake() }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func isIsolatingCurrentContext() -> Bool? { owner.load(ordering: .acquiring) == UInt(pthread_self()) }

    /// True if the running work should stop and start again later: a more urgent job waits, or nobody waits for the work any
    /// more. The value is for the store's thread.
    var mustYield: Bool {
        canYield.load(ordering: .relaxed) && (isUrgent.load(ordering: .relaxed) || Task.isCancelled)
    }

    func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "not on the store's thread")
    }

    private func wake() {
        var byte: UInt8 = 1
        _ = write(wakesBy, &byte, 1)
    }

    private func sleep() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(sleepsOn, &bytes, bytes.count) < 0 && errno == EINTR {}
    }

    /// Sets the name that ps and a debugger show.
    private static func nameThread() {
        let descriptor = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = write(descriptor, "store", 5)
        Glibc.close(descriptor)
    }

    private func run() {
        owner.store(UInt(pthread_self()), ordering: .releasing)
        Self.nameThread()
        while true {
            let (urgent, other, isStopping) = queue.withLock { queue -> ([UnownedJob], UnownedJob?, Bool) in
                let urgent = queue.urgent
                queue.urgent = []
                isUrgent.store(false, ordering: .relaxed)
                let other = urgent.isEmpty && !queue.others.isEmpty ? queue.others.removeFirst() : nil
                return (urgent, other, queue.isStopping)
            }
            for job in urgent { job.runSynchronously(on: asUnownedSerialExecutor()) }
            if let other {
                canYield.store(true, ordering: .relaxed)
                other.runSynchronously(on: asUnownedSerialExecutor())
                canYield.store(false, ordering: .relaxed)
            }
            guard urgent.isEmpty, other == nil else { continue }
            guard !isStopping else { return }
            sleep()
        }
    }
}

extension StoreError {
    fileprivate static func starting(_ call: String, _ code: CInt) -> StoreError {
        StoreError(
            code: .unavailable, context: "the store's thread does not start",
            underlying: "\(call): \(SystemCall.message(code))")
    }
}

extension DatabaseQueue {
    /// Steps of SQLite's virtual machine between two checks for more urgent work: some microseconds.
    private static let steps: CInt = 200

    /// Interrupts a statement, with `SQLITE_INTERRUPT`, as soon as the store's thread must give way.
    ///
    /// - Parameter thread: must live as long as the queue is used; the store that closes the queue holds it.
    func yieldToUrgentJobs(on thread: StoreThread) {
        writeWithoutTransaction { database in
            sqlite3_progress_handler(
                database.sqliteConnection, Self.steps,
                { context in
                    guard let context else { return 0 }
                    return Unmanaged<StoreThread>.fromOpaque(context).takeUnretainedValue().mustYield ? 1 : 0
                }, Unmanaged.passUnretained(thread).toOpaque())
        }
    }
}

/// A plain value behind a lock.
///
/// The atomic beside the lock makes the order visible to ThreadSanitizer, which does not see the hand-over of a futex
/// and would report a race where there is none.
struct Guarded<Value: Sendable>: ~Copyable, Sendable {
    private let value: Mutex<Value>
    private let handover = Atomic<UInt8>(0)

    init(_ value: Value) { self.value = Mutex(value) }

    borrowing func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        value.withLock { value in
            _ = handover.load(ordering: .acquiring)
            defer { handover.store(0, ordering: .releasing) }
            return body(&value)
        }
    }
}
