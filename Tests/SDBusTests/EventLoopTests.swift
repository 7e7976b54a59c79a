import Glibc
@testable import SDBus
import Testing

@Suite struct EventLoopTests {
    actor Counter {
        let loop: EventLoop
        var count = 0
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
        init(loop: EventLoop) { self.loop = loop }
        func add() {
            loop.preconditionIsolated()
            count += 1
        }
    }

    @Test func `run gives what its body returns and throws what it throws`() throws {
        let thread = pthread_self()
        let isHere = try EventLoop.run { loop in
            await Task.yield()
            return loop.isCurrent && UInt(pthread_self()) == UInt(thread)
        }
        #expect(isHere)
        #expect(throws: BusError.disconnectedForTest) {
            try EventLoop.run { _ in throw BusError.disconnectedForTest }
        }
    }

    @Test func `many tasks reach an actor on the loop`() async throws {
        let loop = try EventLoop.spawn(name: "counter")
        let counter = Counter(loop: loop)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<200 { group.addTask { for _ in 0..<50 { await counter.add() } } }
        }
        #expect(await counter.count == 10_000)
        loop.stop()
        loop.stop()
    }

    @Test(arguments: [(LoopTimer.Clock.realtime, CLOCK_REALTIME), (.boottime, CLOCK_BOOTTIME)])
    func `timers are never early`(clock: LoopTimer.Clock, identifier: clockid_t) async throws {
        let loop = try EventLoop.spawn(name: "timers")
        defer { loop.stop() }
        let (fired, end) = AsyncStream.makeStream(of: (due: UInt64, at: UInt64).self)
        let timer = LoopTimer(on: loop, clock: clock) { end.yield(($0, now(identifier))) }
        for delay in [UInt64(0), 1, 500, 5_000, 20_000] {
            let due = now(identifier) + delay
            try await timer.arm(at: due)
            var iterator = fired.makeAsyncIterator()
            let result = try #require(await iterator.next())
            #expect(result.due == due)
            #expect(result.at >= due)
        }
        try await timer.arm(at: now(identifier) + 60_000_000)
        try await timer.arm(at: now(identifier) + 1_000)
        #expect(try await first(fired, on: loop) != nil)
    }

    @Test func `a disarmed timer stays silent`() async throws {
        let loop = try EventLoop.spawn(name: "timers")
        defer { loop.stop() }
        let (fired, end) = AsyncStream.makeStream(of: String.self)
        let first = LoopTimer(on: loop, clock: .boottime) { _ in end.yield("disarmed") }
        let second = LoopTimer(on: loop, clock: .boottime) { _ in end.yield("armed") }
        // Both timers are set in one turn of the loop, so that none can fire in between on a slow machine.
        try await loop.perform {
            let start = now(CLOCK_BOOTTIME)
            try? first.assumeIsolated { try $0.arm(at: start) }
            try? second.assumeIsolated { try $0.arm(at: start + 1_000) }
            first.assumeIsolated { $0.disarm() }
        }
        var iterator = fired.makeAsyncIterator()
        #expect(await iterator.next() == "armed")
    }

    @Test func `a descriptor is watched until cancelled`() async throws {
        let loop = try EventLoop.spawn(name: "io")
        defer { loop.stop() }
        let file = try unixFD("x")
        let (ready, end) = AsyncStream.makeStream(of: IOWatch.Events.self)
        let watch = try await IOWatch(on: loop, descriptor: file.rawValue, events: .readable) { end.yield($0) }
        #expect(try await first(ready, on: loop)?.contains(.readable) == true)
        await watch.cancel()
    }

    /// Starts a shell that nobody watches yet.
    private static func shell(_ script: String) -> pid_t {
        var child: pid_t = 0
        let result = withCStrings(["sh", "-c", script]) { posix_spawn(&child, "/bin/sh", nil, nil, $0, environ) }
        #expect(result == 0)
        return child
    }

    @Test(arguments: [("exit 7", ChildExit.exited(7)), ("kill -9 $$", .signaled(9)), ("exit 0", .exited(0))])
    func `a child is reaped with its status`(script: String, expected: ChildExit) async throws {
        let loop = try EventLoop.spawn(name: "child")
        defer { loop.stop() }
        let child = Self.shell(script)
        let watch = try await ChildWatch(on: loop, processID: child)
        #expect(await watch.status() == expected)
        #expect(await watch.status() == expected)
        #expect(waitpid(child, nil, WNOHANG) == -1)
    }

    @Test func `a child that ended before it was watched keeps its status and the loop its rest`() async throws {
        let loop = try EventLoop.spawn(name: "child")
        defer { loop.stop() }
        for _ in 0..<20 {
            let child = Self.shell("exit 7")
            var information = siginfo_t()
            #expect(waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT) == 0)
            let watch = try await ChildWatch(on: loop, processID: child)
            #expect(await watch.status() == .exited(7))
            for _ in 0..<5 { try await loop.perform {} }
            #expect(await watch.status() == .exited(7))
        }
    }

    /// A child with its own process group, which does not end by itself.
    private static func endless() throws -> Int32 {
        let (input, output) = (try UnixFD.memory([]), try UnixFD.memory([]))
        return try ChildProcess.start("/bin/sleep", ["sleep", "1000"], environment: [], input: input, output: output)
    }

    @Test func `a loop that stops leaves none of the children it watches`() async throws {
        let loop = try EventLoop.spawn(name: "child")
        let child = try Self.endless()
        let watch = try await ChildWatch(on: loop, processID: child, endsGroup: true)
        let other = try Self.endless()
        _ = try await ChildWatch(on: loop, processID: other, endsGroup: true)
        try await watch.signal(SIGSTOP, processID: child)
        loop.stop()
        for child in [child, other] {
            #expect(waitpid(child, nil, WNOHANG) == -1 && errno == ECHILD)
            #expect(kill(child, 0) == -1 && errno == ESRCH)
        }
    }

    @Test func `a child that cannot be watched is ended and reaped`() async {
        // The test runs in its own process, because the limit holds for the whole process.
        await #expect(processExitsWith: .success) {
            let loop = try EventLoop.spawn(name: "child")
            let child = try EventLoopTests.endless()
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            var limit = rlimit()
            getrlimit(resource, &limit)
            var none = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)
            setrlimit(resource, &none)
            await #expect(throws: BusError.self) {
                try await ChildWatch(on: loop, processID: child, endsGroup: true)
            }
            setrlimit(resource, &limit)
            #expect(waitpid(child, nil, WNOHANG) == -1 && errno == ECHILD)
        }
    }

    @Test func `a promise is kept for who comes later, and given once`() throws {
        try EventLoop.run { loop in
            for comesFirst in [true, false] {
                let promise = LoopPromise<Int>()
                let later = LoopConfined(promise)
                if comesFirst { promise.resolve(1) } else { loop.executeLater { later.value.resolve(1) } }
                let value = await withUnsafeContinuation { later.value.wait($0) }
                #expect(value == 1)
                promise.resolve(2)
                let again = await withUnsafeContinuation { later.value.wait($0) }
                #expect(again == 1)
            }
        }
    }

    @Test func `a signal of the process reaches the loop`() async throws {
        let loop = try EventLoop.spawn(name: "signals")
        defer { loop.stop() }
        let (received, end) = AsyncStream.makeStream(of: Int32.self)
        try await loop.perform { () throws(BusError) in try SignalWatch.block([SIGUSR2]) }
        let watch = try await SignalWatch(on: loop, signals: [SIGUSR2]) { end.yield($0) }
        // The signal goes to the loop's thread, because the test runner's other threads do not block it.
        try await loop.perform { _ = pthread_kill(pthread_self(), SIGUSR2) }
        let number = try await first(received, on: loop)
        #expect(number == SIGUSR2)
        withExtendedLifetime(watch) {}
    }

    @Test func `a clock watch starts and stops`() async throws {
        let loop = try EventLoop.spawn(name: "clock")
        defer { loop.stop() }
        let before = openDescriptors()
        let watch = try await ClockChangeWatch(on: loop) {}
        #expect(before >= 0)
        await watch.cancel()
    }
}

extension BusError {
    static let disconnectedForTest = BusError(name: "org.example.Error.Test", message: "thrown")
}
