import DoseTapTestSupport
import Glibc
@testable import SDBus
import Testing

@Suite(.serialized) struct LeakTests {
    @Test func `nothing is left open after a thousand calls`() async {
        // The test runs in its own process, because other tests open descriptors.
        await #expect(processExitsWith: .success) {
            try await LifeTests.withHanging { fixture, _, _, client, name in
                let before = openDescriptors()
                for index in 0..<1000 {
                    try await client.call(name, path, interface, "Echo", "\(index)", returning: String.self)
                }
                for _ in 0..<20 {
                    let connection = try await fixture.connect()
                    let signals = try await connection.signals(SignalMatch(interface: interface))
                    await connection.close()
                    for await _ in signals {}
                }
                for _ in 0..<20 { _ = try await fixture.connect() }  // dropped without closing
                try await fixture.loop.perform {}
                // The test throws instead of trapping, so that the bus ends with the test.
                if openDescriptors() > before { throw BusError(errno: EMFILE, doing: "count descriptors") }
            }
        }
    }

    @Test func `a match is removed with its sequence`() async throws {
        try await LifeTests.withHanging { fixture, _, _, client, _ in
            for _ in 0..<10 { _ = try await client.signals(SignalMatch(interface: interface)) }
            let signals = try await client.signals(SignalMatch(interface: interface))
            let task = Task { for await _ in signals {} }
            task.cancel()
            await task.value
            try await fixture.loop.perform {}
            let count = await client.subscriptionCount
            #expect(count == 0)
        }
    }

    @Test func `a loop may stop before its connections and timers`() async throws {
        let bus = try PrivateBus()
        let loop = try EventLoop.spawn(name: "early")
        let connection = try await Connection.open(.address(bus.address), on: loop)
        try await connection.serve(LifeTests.Hanging().object)
        let signals = try await connection.signals(SignalMatch(interface: interface))
        let timer = LoopTimer(on: loop, clock: .boottime) { _ in }
        try await timer.arm(at: .max - 1)
        loop.stop()
        withExtendedLifetime((connection, signals, timer)) {}
    }

    @Test func `a flood of calls at once is answered completely`() async throws {
        try await LifeTests.withHanging { _, _, _, client, name in
            try await withThrowingTaskGroup(of: String.self) { group in
                for index in 0..<100 {
                    group.addTask {
                        try await client.call(name, path, interface, "Echo", "\(index)", returning: String.self)
                    }
                }
                var seen: Set<String> = []
                for try await text in group { seen.insert(text) }
                #expect(seen.count == 100)
            }
        }
    }
}

extension Connection {
    var subscriptionCount: Int { core.subscriptions.elements.count }
}
