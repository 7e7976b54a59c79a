import DoseTapTestSupport
import Glibc
import SDBus

/// A private bus, a loop and connections for one test. All of them end with the test.
struct Fixture: Sendable {
    let bus: PrivateBus
    let loop: EventLoop

    static func run<R: Sendable>(
        on make: PrivateBus.Make = .daemon, _ body: @Sendable @concurrent (Fixture) async throws -> R
    ) async throws -> R {
        let fixture = Fixture(bus: try PrivateBus(make), loop: try EventLoop.spawn(name: "test"))
        defer {
            fixture.loop.stop()
            fixture.bus.stop()
        }
        return try await body(fixture)
    }

    func connect() async throws -> Connection {
        try await Connection.open(.address(bus.address), on: loop)
    }
}

let path: ObjectPath = "/org/example/Thing"
let interface = "org.example.Thing"

func unixFD(_ text: String) throws -> UnixFD {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw BusError(errno: errno, doing: "pipe") }
    _ = text.withCString { write(ends[1], $0, text.utf8.count) }
    close(ends[1])
    return UnixFD(owning: ends[0])
}

func readAll(_ descriptor: UnixFD) -> String {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor.rawValue, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
}

func now(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
}

/// The first element of a stream; nil when none comes within ten seconds.
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
