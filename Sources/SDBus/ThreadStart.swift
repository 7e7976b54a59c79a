internal import Glibc

/// What a new loop thread needs, and how it tells that it has started or failed.
///
/// Unchecked: the failure is written before the semaphore is posted and read after it was waited for.
final class ThreadStart: @unchecked Sendable {
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
