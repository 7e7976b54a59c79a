import Glibc
import SDBus

func now(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
}

/// The first element of a stream, nil when none comes within ten seconds.
func first<Element: Sendable>(_ stream: AsyncStream<Element>, on loop: EventLoop) async throws -> Element? {
    let (limited, continuation) = AsyncStream.makeStream(of: Element.self)
    let pump = Task {
        for await element in stream { continuation.yield(element) }
        continuation.finish()
    }
    let timer = LoopTimer(on: loop, clock: .boottime) { _ in continuation.finish() }
    try await timer.arm(at: now(CLOCK_BOOTTIME) + 10_000_000)
    var iterator = limited.makeAsyncIterator()
    let element = await iterator.next()
    await timer.disarm()
    pump.cancel()
    return element
}

func openDescriptors() -> Int {
    guard let directory = opendir("/proc/self/fd") else { return -1 }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    return count
}
