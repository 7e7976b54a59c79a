import DoseTapTestSupport
import Foundation
import Testing

@testable import SDBus

extension Connection {
    /// True while the service waits for the bus to name a caller.
    fileprivate var isAsking: Bool { core.desk.isAsking }
    /// The number of calls that the guard against floods has refused.
    fileprivate var refused: Int { Int(core.floodGuard?.refused ?? 0) }
}

@Suite struct CallPolicyTests {
    /// A service that counts its calls and lets in callers that the bus knows.
    struct Counting: Sendable {
        let calls = Recorder<String>()
        let gate = Recorder<Bool>()
        let phase = ExportedProperty("Phase", "quiet")

        var object: ExportedObject {
            ExportedObject(
                path,
                interfaces: [
                    ExportedInterface(
                        interface,
                        members: [
                            .method("Count") { [calls] (context: CallContext) async throws -> Void in
                                calls.append(context.sender ?? "")
                            },
                            .method("Wait") { [calls, gate] (context: CallContext) async throws -> Void in
                                calls.append(context.sender ?? "")
                                _ = try? await gate.wait(within: .seconds(20)) { !$0.isEmpty }
                            },
                            .synchronousMethod("Long", results: ["text"]) { [calls] (context: CallContext) -> String in
                                calls.append(context.sender ?? "")
                                return String(repeating: "x", count: 16_000)
                            },
                            .property(phase),
                        ])
                ])
        }
    }

    static func serve(
        _ fixture: Fixture, on loop: EventLoop, _ policy: CallPolicy
    ) async throws -> (Counting, Connection) {
        let counting = Counting()
        let service = try await Connection.open(.address(fixture.bus.address), on: loop)
        try await service.admit(by: policy)
        try await service.serve(counting.object)
        try await service.requestName("org.example")
        return (counting, service)
    }

    @Test func `a caller that is gone before it can be asked for is refused`() async throws {
        try await Fixture.run { fixture in
            let loop = try EventLoop.spawn(name: "service")
            let (counting, service) = try await Self.serve(fixture, on: loop, CallPolicy { _ in true })
            let patient = try await fixture.connect()
            let asleep = DispatchSemaphore(value: 0)
            for _ in 0..<5 {
                // The loop handles the call only after its sender has left the bus.
                let hold = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    loop.execute {
                        hold.signal(); asleep.wait()
                    }
                }
                Self.wait(hold)
                let hasty = try await fixture.connect()
                let name = try #require(await hasty.uniqueName)
                try await hasty.send("org.example", path, interface, "Count")
                await hasty.close()
                while (try? await patient.owner(of: name)) != nil {}
                asleep.signal()
            }
            try await patient.call("org.example", path, interface, "Count", returning: Void.self)
            #expect(counting.calls.elements.count == 1)
            await service.close()
            loop.stop()
        }
    }

    private static func wait(_ semaphore: DispatchSemaphore) { semaphore.wait() }

    /// The awaited state did not come.
    private struct TimedOut: Error {}

    /// Waits until a service asks the bus for a caller, or has the answer.
    private static func wait(until isAsking: Bool, _ service: Connection) async throws {
        for _ in 0..<20_000 {
            if await service.isAsking == isAsking { return }
            poll(nil, 0, 1)
        }
        throw TimedOut()
    }

    @Test func `a bus that does not say who calls lets nobody in`() async throws {
        try await Fixture.run { fixture in
            let loop = try EventLoop.spawn(name: "service")
            let (counting, service) = try await Self.serve(
                fixture, on: loop, CallPolicy(timeout: .seconds(2)) { _ in true })
            let client = try await fixture.connect()
            let asleep = DispatchSemaphore(value: 0)
            let hold = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                loop.execute {
                    hold.signal(); asleep.wait()
                }
            }
            Self.wait(hold)
            try await client.send("org.example", path, interface, "Count")
            // The answer to the next call shows that the bus has passed the call on.
            _ = try await client.owner(of: "org.example")
            kill(fixture.bus.processID, SIGSTOP)
            defer { kill(fixture.bus.processID, SIGCONT) }
            asleep.signal()
            try await Self.wait(until: true, service)
            try await Self.wait(until: false, service)
            kill(fixture.bus.processID, SIGCONT)
            #expect(counting.calls.elements.isEmpty)
            try await client.call("org.example", path, interface, "Count", returning: Void.self)
            #expect(counting.calls.elements.count == 1)
            await service.close()
            loop.stop()
        }
    }

    @Test func `properties are guarded like methods`() async throws {
        try await Fixture.run { fixture in
            let (_, service) = try await Self.serve(fixture, on: fixture.loop, CallPolicy { $0.userID != getuid() })
            let client = try await fixture.connect()
            let properties = "org.freedesktop.DBus.Properties"
            for (member, words) in [("Get", [interface, "Phase"]), ("GetAll", [interface]), ("GetAll", [""])] {
                await #expect(
                    performing: {
                        if words.count == 2 {
                            _ = try await client.call(
                                "org.example", path, properties, member, words[0], words[1], returning: (Variant).self)
                        } else {
                            _ = try await client.call(
                                "org.example", path, properties, member, words[0], returning: ([String: Variant]).self)
                        }
                    }, throws: { ($0 as? BusError)?.name == BusError.Name.accessDenied })
            }
            await #expect(
                performing: {
                    try await client.call(
                        "org.example", path, properties, "Set", interface, "Phase", Variant.string("x"),
                        returning: Void.self)
                }, throws: { ($0 as? BusError)?.name == BusError.Name.accessDenied })
            await service.close()
        }
    }

    @Test func `properties answer as the specification says`() async throws {
        try await Fixture.run { fixture in
            let (counting, service) = try await Self.serve(fixture, on: fixture.loop, CallPolicy { _ in true })
            let client = try await fixture.connect()
            let properties = "org.freedesktop.DBus.Properties"
            #expect(
                try await client.property("org.example", path, interface, "Phase", as: String.self)
                    == counting.phase.value)
            for name in [interface, ""] {
                let all = try await client.call(
                    "org.example", path, properties, "GetAll", name, returning: ([String: Variant]).self)
                #expect(all == ["Phase": "quiet"])
            }
            let none = try await client.call(
                "org.example", path, properties, "GetAll", "org.freedesktop.DBus.Peer",
                returning: ([String: Variant]).self)
            #expect(none.isEmpty)
            func error(_ member: String, _ words: Variant...) async -> String? {
                do {
                    switch words.count {
                    case 1:
                        _ = try await client.callAny(
                            "org.example", path, properties, member, words[0].stringValue ?? "")
                    case 2:
                        _ = try await client.callAny(
                            "org.example", path, properties, member, words[0].stringValue ?? "",
                            words[1].stringValue ?? "")
                    default:
                        _ = try await client.callAny(
                            "org.example", path, properties, member, words[0].stringValue ?? "",
                            words[1].stringValue ?? "", words[2])
                    }
                    return nil
                } catch { return error.name }
            }
            #expect(await error("Get", .string(interface), "Nothing") == BusError.Name.unknownProperty)
            #expect(await error("Get", "org.example.No", "Phase") == BusError.Name.unknownProperty)
            #expect(await error("GetAll", "org.example.No") == BusError.Name.unknownInterface)
            #expect(await error("Set", .string(interface), "Phase", "x") == BusError.Name.propertyReadOnly)
            #expect(await error("Get", .string(interface)) == BusError.Name.invalidArgs)
            #expect(await error("Nothing", .string(interface)) == BusError.Name.unknownMethod)
            await service.close()
        }
    }

    @Test func `one caller may have only so many calls waiting, others have theirs`() async throws {
        try await Fixture.run { fixture in
            let policy = CallPolicy(callsPerSender: 4) { _ in true }
            let (counting, service) = try await Self.serve(fixture, on: fixture.loop, policy)
            let greedy = try await fixture.connect()
            let refusals = Recorder<String>()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        do {
                            try await greedy.call("org.example", path, interface, "Wait", returning: Void.self)
                        } catch { refusals.append((error as? BusError)?.name ?? "") }
                    }
                }
                try await refusals.wait(within: .seconds(10)) { $0.count == 6 }
                let other = try await fixture.connect()
                try await other.call("org.example", path, interface, "Count", returning: Void.self)
                counting.gate.append(true)
                try await group.waitForAll()
            }
            #expect(refusals.elements.allSatisfy { $0 == BusError.Name.limitsExceeded })
            #expect(counting.calls.elements.count == 5)
            // A call that has ended is no longer counted.
            try await greedy.call("org.example", path, interface, "Wait", returning: Void.self)
            await service.close()
        }
    }

    @Test func `answers that nobody takes do not pile up before those of others`() async throws {
        try await Fixture.run { fixture in
            let loop = try EventLoop.spawn(name: "service")
            let (counting, service) = try await Self.serve(fixture, on: loop, CallPolicy { _ in true })
            let greedy = try await fixture.connect()
            // After this call the service knows the caller from the bus.
            _ = try await greedy.call("org.example", path, interface, "Long", returning: (String).self)
            let (hold, asleep) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            Thread.detachNewThread {
                loop.execute {
                    hold.signal(); asleep.wait()
                }
            }
            Self.wait(hold)
            // The bus of the tests allows 128 calls without an answer.
            let count = 120
            let calls = (0..<count).map { _ in
                Task.immediate {
                    _ = try? await greedy.call("org.example", path, interface, "Long", returning: (String).self)
                }
            }
            // The answer to the next call shows that the bus has passed the calls on. From here on the bus takes no
            // answer.
            _ = try await greedy.owner(of: "org.example")
            kill(fixture.bus.processID, SIGSTOP)
            defer { kill(fixture.bus.processID, SIGCONT) }
            asleep.signal()
            for _ in 0..<20_000 {
                if await service.refused + counting.calls.elements.count > count { break }
                poll(nil, 0, 1)
            }
            #expect(await service.refused > 0)
            #expect(counting.calls.elements.count < 64)
            kill(fixture.bus.processID, SIGCONT)
            let other = try await fixture.connect()
            _ = try await other.call("org.example", path, interface, "Long", returning: (String).self)
            for call in calls { call.cancel() }
            await service.close()
            loop.stop()
        }
    }
}
