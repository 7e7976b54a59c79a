import DoseTapDomain
import Glibc
import Synchronization

/// The one thread that runs the store's actor, so that a slow disk holds up nothing else.
///
/// It sleeps in a read of a pipe until a job is handed over: no polling, and no thread of the default executor, which
/// would wake the machine once a second for ever.
///
/// Jobs run in the order in which they came, those of tasks below the default priority after all others. Such a task looks
/// at ``mustGiveWay`` while it works.
final class StoreThread: SerialExecutor {
    private struct Queue {
        var urgent: [UnownedJob] = []
        var others: [UnownedJob] = []
        var isStopping = false
    }

    private let queue = Guarded(Queue())
    private let owner = Atomic<UInt>(0)
    /// A job waits that goes before what gives way.
    private let isUrgent = Atomic<Bool>(false)
    /// What runs now gives way.
    private let givesWay = Atomic<Bool>(false)
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
        // A full pipe means that many wake-ups are pending already: never wait for room.
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
        // A task without a priority is one of the default.
        let waits = priority > 0 && priority < TaskPriority.medium.rawValue
        let job = UnownedJob(job)
        let wasEmpty = queue.withLock { queue in
            if waits {
                queue.others.append(job)
            } else {
                queue.urgent.append(job)
                isUrgent.store(true, ordering: .relaxed)
            }
            return queue.urgent.count + queue.others.count == 1
        }
        // The thread looks into the queue again before it sleeps, so its own jobs need no wake-up.
        if wasEmpty && isIsolatingCurrentContext() != true { wake() }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func isIsolatingCurrentContext() -> Bool? { owner.load(ordering: .acquiring) == UInt(pthread_self()) }

    /// Whether the work that runs now should stop and be begun anew later: something more urgent waits, or nobody waits
    /// for it any more. Asked on the store's thread.
    var mustGiveWay: Bool {
        givesWay.load(ordering: .relaxed) && (isUrgent.load(ordering: .relaxed) || Task.isCancelled)
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

    /// The name that ps and a debugger show.
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
                givesWay.store(true, ordering: .relaxed)
                other.runSynchronously(on: asUnownedSerialExecutor())
                givesWay.store(false, ordering: .relaxed)
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
            code: .internal, context: "the store's thread does not start",
            underlying: "\(call): \(SystemCall.message(code))")
    }
}
