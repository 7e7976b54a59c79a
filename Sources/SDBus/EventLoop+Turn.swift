internal import CSystemd
internal import Glibc
internal import Synchronization

extension EventLoop {
    /// Takes the loop for the calling thread, calls `started`, and turns until told to stop and out of work.
    func turnUntilStopped(started: (BusError?) -> Void) {
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
        // What was queued meanwhile still runs here: from the stop on, other threads run their closures themselves.
        while !isStopped() { runQueued() }
        owner.store(0, ordering: .releasing)
    }

    private func isStopped() -> Bool {
        queue.withLock { queue in
            queue.isStopped = queue.work.isEmpty
            return queue.isStopped
        }
    }

    /// Runs what is queued, then one round of events. False when the loop shall end.
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
                job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
            case .closure(let closure):
                closure()
            }
        }
        return !batch.isEmpty
    }

    /// Asks the loop to end once its queue is empty.
    func requestStop() {
        queue.withLock { $0.isStopping = true }
        wake()
    }
}

private func drainWakeUps(_: OpaquePointer?, descriptor: Int32, _: UInt32, _: UnsafeMutableRawPointer?) -> Int32 {
    var count: UInt64 = 0
    _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    return 0
}
