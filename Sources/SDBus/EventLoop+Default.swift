internal import CSystemd
internal import Synchronization

/// The loop that is the program's default executor, if one is.
private let defaultLoop = Mutex<EventLoop?>(nil)

extension EventLoop {
    /// Takes every job that names no executor, from now on: the runtime's own pool of threads is not started, which would
    /// wake the machine once a second for as long as the program runs. For programs that have one loop and nothing beside
    /// it; the loop must then turn until the program ends.
    public func becomeDefaultExecutor() {
        defaultLoop.withLock { $0 = self }
        csd_take_default_jobs { job in
            guard let job, let loop = defaultLoop.withLock({ $0 }) else { return }
            loop.enqueue(ExecutorJob(unsafeBitCast(job, to: UnownedJob.self)))
        }
    }
}
