import DoseTapTestSupport
import Glibc
@testable import SDBus
import Testing

/// A source of work that is always ready must not keep the others waiting.
@Suite(.serialized) struct FairnessTests {
    enum Hog: CaseIterable, Sendable {
        case timerThatStaysDue, timersInTurn, descriptorThatStaysReady, jobsThatQueueJobs
    }

    /// Timers that arm themselves and each other for the past, until they are released.
    final class Overdue: Sendable {
        private let timers = Locked<[LoopTimer]>([])

        func start(_ count: Int, on loop: EventLoop) async throws {
            for index in 0..<count {
                let timer = LoopTimer(on: loop, clock: .boottime) { [self] due in fire(index + 1, due) }
                timers.withLock { $0.append(timer) }
            }
            try await loop.perform { [self] in fire(0, 1) }
        }

        private func fire(_ index: Int, _ due: UInt64) {
            let next = timers.withLock { $0.isEmpty ? nil : $0[index % $0.count] }
            next?.assumeIsolated { try? $0.arm(at: due) }
        }

        func stop() { timers.withLock { $0 = [] } }
    }

    @Test(arguments: Hog.allCases) func `calls are answered beside what never stops`(hog: Hog) async throws {
        try await Fixture.run { fixture in
            let service = try await fixture.connect()
            try await service.serve(LifeTests.Hanging().object)
            let name = try #require(await service.uniqueName)
            // The client has a loop of its own, so that its time-out works whatever happens on the other loop.
            let loop = try EventLoop.spawn(name: "client")
            defer { loop.stop() }
            let client = try await Connection.open(.address(fixture.bus.address), on: loop)
            let file = try unixFD("never read")
            let overdue = Overdue()
            var watch: IOWatch?
            var jobs: Task<Void, Never>?
            switch hog {
            case .timerThatStaysDue: try await overdue.start(1, on: fixture.loop)
            case .timersInTurn: try await overdue.start(3, on: fixture.loop)
            case .descriptorThatStaysReady:
                watch = try await IOWatch(on: fixture.loop, descriptor: file.rawValue, events: .readable) { _ in }
            case .jobsThatQueueJobs:
                jobs = Task(executorPreference: fixture.loop) { while !Task.isCancelled { await Task.yield() } }
            }
            for index in 0..<20 {
                let answer = try await client.call(
                    name, path, interface, "Echo", "\(index)", returning: String.self, timeout: .seconds(10))
                #expect(answer == "\(index)")
            }
            overdue.stop()
            await watch?.cancel()
            jobs?.cancel()
            await client.close()
            await service.close()
        }
    }

    /// The number of messages, and the number at the time when the timer fired.
    final class Flood: Sendable {
        private let counts = Locked<(ticks: UInt32, firedAfter: UInt32?)>((0, nil))

        var ticks: UInt32 { counts.withLock(\.ticks) }
        var firedAfter: UInt32? { counts.withLock(\.firedAfter) }
        func timerFired() { counts.withLock { $0.firedAfter = $0.ticks } }
        func tick() -> UInt32 {
            counts.withLock { counts in
                counts.ticks += 1
                return counts.ticks
            }
        }
    }

    @Test func `a flood of messages makes a timer late by a message or two`() async throws {
        try await Fixture.run { fixture in
            let service = try await fixture.connect()
            let flood = Flood()
            let timer = LoopTimer(on: fixture.loop, clock: .boottime) { _ in flood.timerFired() }
            try await service.serve(
                ExportedObject(
                    path,
                    interfaces: [
                        ExportedInterface(
                            interface,
                            members: [
                                .synchronousMethod("Tick") { (_: CallContext) in
                                    // The timer is due at once, in the middle of the flood, and each message arms it
                                    // again.
                                    let ticks = UInt64(flood.tick())
                                    if ticks >= 100, flood.firedAfter == nil {
                                        timer.assumeIsolated { try? $0.arm(at: ticks) }
                                    }
                                },
                                .synchronousMethod("Ticks", results: ["count"]) { (_: CallContext) -> UInt32 in
                                    flood.ticks
                                },
                            ])
                    ])
            )
            let name = try #require(await service.uniqueName)
            let loop = try EventLoop.spawn(name: "client")
            defer { loop.stop() }
            let client = try await Connection.open(.address(fixture.bus.address), on: loop)
            for _ in 0..<1_000 { try await client.send(name, path, interface, "Tick") }
            let ticks = try await client.call(name, path, interface, "Ticks", returning: UInt32.self)
            #expect(ticks == 1_000)
            let fired = try #require(flood.firedAfter)
            #expect(fired <= 103, "\(fired)")
            await client.close()
            await service.close()
        }
    }
}
