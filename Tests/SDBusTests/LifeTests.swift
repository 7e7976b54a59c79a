import DoseTapTestSupport
import Glibc
import SDBus
import Testing

@Suite(.serialized) struct LifeTests {
    /// Serves `Hang`, which waits for the test, and `Echo`. `entered` has an element for every call of `Hang`.
    struct Hanging: Sendable {
        let entered: AsyncStream<Void>
        private let enteredEnd: AsyncStream<Void>.Continuation
        private let released: AsyncStream<Void>
        private let release: AsyncStream<Void>.Continuation

        init() {
            (entered, enteredEnd) = AsyncStream.makeStream(of: Void.self)
            (released, release) = AsyncStream.makeStream(of: Void.self)
        }

        func reply() { release.finish() }

        var object: ExportedObject {
            let (released, enteredEnd) = (released, enteredEnd)
            return ExportedObject(
                path,
                interfaces: [
                    ExportedInterface(
                        interface,
                        members: [
                            .method("Hang", results: ["text"]) { (_: CallContext) async throws -> String in
                                enteredEnd.yield()
                                for await _ in released {}
                                return "late"
                            },
                            .synchronousMethod("Echo", arguments: ["in"], results: ["out"]) {
                                (_: CallContext, text: String) -> String in text
                            },
                        ])
                ])
        }
    }

    static func withHanging(
        _ body:
            @Sendable @concurrent (Fixture, Hanging, _ service: Connection, _ client: Connection, String) async throws
            -> Void
    ) async throws {
        try await Fixture.run { fixture in
            let hanging = Hanging()
            let service = try await fixture.connect()
            try await service.serve(hanging.object)
            let client = try await fixture.connect()
            let name = try #require(await service.uniqueName)
            try await body(fixture, hanging, service, client, name)
            hanging.reply()
            await client.close()
            await service.close()
        }
    }

    @Test func `a call ends with its timeout`() async throws {
        try await Self.withHanging { _, _, _, client, name in
            let began = now(CLOCK_MONOTONIC)
            let error = await #expect(throws: BusError.self) {
                try await client.call(
                    name, path, interface, "Hang", returning: String.self, timeout: .milliseconds(50)
                )
            }
            #expect(error?.name == BusError.Name.timeout)
            #expect(now(CLOCK_MONOTONIC) - began >= 50_000)
        }
    }

    @Test func `cancelling the task ends the call`() async throws {
        try await Self.withHanging { fixture, hanging, _, client, name in
            let task = Task {
                try await client.call(name, path, interface, "Hang", returning: String.self)
            }
            let entered: Void? = try await first(hanging.entered, on: fixture.loop)
            #expect(entered != nil)
            task.cancel()
            let result = await task.result
            #expect(
                throws: BusError(name: BusError.Name.cancelled, message: "the call was cancelled", errno: ECANCELED)
            ) {
                try result.get()
            }
            // The second call is cancelled before it begins.
            let second = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await client.call(name, path, interface, "Hang", returning: String.self)
            }
            let early = await second.result
            #expect(throws: BusError.self) { try early.get() }
            let answer1 = try await client.call(name, path, interface, "Echo", "x", returning: String.self)
            #expect(answer1 == "x")
        }
    }

    @Test func `a handler whose caller vanished answers nobody`() async throws {
        try await Self.withHanging { fixture, hanging, service, client, name in
            let caller = try await fixture.connect()
            let task = Task { try await caller.call(name, path, interface, "Hang", returning: String.self) }
            let entered: Void? = try await first(hanging.entered, on: fixture.loop)
            #expect(entered != nil)
            await caller.close()
            let result = await task.result
            let error = #expect(throws: BusError.self) { try result.get() }
            #expect(error?.name == BusError.Name.disconnected)
            hanging.reply()
            let answer2 = try await client.call(name, path, interface, "Echo", "x", returning: String.self)
            #expect(answer2 == "x")
        }
    }

    @Test func `a handler may end after its own connection`() async throws {
        try await Self.withHanging { fixture, hanging, service, client, name in
            let task = Task { try await client.call(name, path, interface, "Hang", returning: String.self) }
            let entered: Void? = try await first(hanging.entered, on: fixture.loop)
            #expect(entered != nil)
            await service.close()
            let result = await task.result
            #expect(throws: BusError.self) { try result.get() }
            hanging.reply()
        }
    }

    @Test func `a connection may be closed inside its own handlers`() async throws {
        try await Fixture.run { fixture in
            let service = try await fixture.connect()
            try await service.serve(
                ExportedObject(
                    path,
                    interfaces: [
                        ExportedInterface(
                            interface,
                            members: [
                                .synchronousMethod("Close") { (context: CallContext) in
                                    context.connection.assumeIsolated { $0.abort() }
                                },
                                .synchronousMethod("Unserve") { (context: CallContext) in
                                    context.connection.assumeIsolated { $0.unserve(path) }
                                },
                            ])
                    ])
            )
            let name = try #require(await service.uniqueName)
            let client = try await fixture.connect()
            try await client.call(name, path, interface, "Unserve", returning: Void.self)
            try await service.serve(
                ExportedObject(
                    path,
                    interfaces: [
                        ExportedInterface(
                            interface,
                            members: [
                                .synchronousMethod("Close") { (context: CallContext) in
                                    context.connection.assumeIsolated { $0.abort() }
                                }
                            ])
                    ])
            )
            let error = await #expect(throws: BusError.self) {
                try await client.call(name, path, interface, "Close", returning: Void.self)
            }
            #expect(error?.name == BusError.Name.noReply)
            #expect(await !service.isOpen)
            await client.close()
        }
    }

    @Test func `a bus that is killed fails what waits, and a new connection goes on`() async throws {
        try await Self.withHanging { fixture, hanging, service, client, name in
            let signals = try await client.signals(SignalMatch(interface: interface))
            let (closed, closedEnd) = AsyncStream.makeStream(of: BusError.self)
            await client.onClose { closedEnd.yield($0) }
            let task = Task { try await client.call(name, path, interface, "Hang", returning: String.self) }
            let entered: Void? = try await first(hanging.entered, on: fixture.loop)
            #expect(entered != nil)
            fixture.bus.stop()
            let result = await task.result
            let error = #expect(throws: BusError.self) { try result.get() }
            #expect(error?.name == BusError.Name.disconnected)
            #expect(try await first(closed, on: fixture.loop)?.name == BusError.Name.disconnected)
            await service.waitUntilClosed()
            for await _ in signals {}
            let later = await #expect(throws: BusError.self) {
                try await client.call(name, path, interface, "Echo", "x", returning: String.self)
            }
            #expect(later?.name == BusError.Name.disconnected)
            let none = await #expect(throws: BusError.self) { try await fixture.connect() }
            #expect(none?.name == BusError.Name.noServer)
            try fixture.bus.start()
            let again = try await fixture.connect()
            try await again.serve(Hanging().object)
            try await again.requestName("org.example")
            let other = try await fixture.connect()
            let answer3 = try await other.call("org.example", path, interface, "Echo", "x", returning: String.self)
            #expect(answer3 == "x")
            await other.close()
            await again.close()
        }
    }

    @Test func `peers without a bus call each other both ways`() async throws {
        let loop = try EventLoop.spawn(name: "peers")
        defer { loop.stop() }
        var ends: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let server = try await Connection.open(.peer(fd: ends[0], server: true), on: loop)
        let thing = ServiceTests.Thing()
        try await server.serve(thing.object)
        let client = try await Connection.open(.peer(fd: ends[1], server: false), on: loop)
        try await client.serve(Hanging().object)
        let answer4 = try await client.call(nil, path, interface, "Greet", "you", returning: String.self)
        #expect(answer4 == "hello you")
        let answer5 = try await server.call(nil, path, interface, "Echo", "back", returning: String.self)
        #expect(answer5 == "back")
        let (sender, process, _) = try await client.call(
            nil, path, interface, "Who", returning: (String, Int32, UInt32).self
        )
        #expect(sender == "" && process == getpid())
        let answer6 = try await client.property(nil, path, interface, "Phase", as: String.self)
        #expect(answer6 == "idle")
        let signals = try await client.signals(SignalMatch(interface: interface, member: "Fired"))
        try await server.emit(thing.fired, from: path, "id", 7)
        #expect(try await first(signals, on: loop)?.arguments == ["id", .uint64(7)])
        await server.close()
        await client.waitUntilClosed()
    }

    @Test func `a flush that nobody can answer ends with its connection`() async throws {
        let loop = try EventLoop.spawn(name: "flush")
        defer { loop.stop() }
        var ends: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let client = try await Connection.open(.peer(fd: ends[0], server: false), on: loop)
        try await client.send(nil, path, interface, "Nothing")
        let began = now(CLOCK_MONOTONIC)
        let flush = Task(executorPreference: loop) { await client.flush(within: .seconds(60)) }
        // The job of the loop runs after the flush has begun, so only the closing can end the flush.
        try await loop.perform {}
        await Task(executorPreference: loop) { await client.abort() }.value
        await flush.value
        #expect(now(CLOCK_MONOTONIC) - began < 30_000_000)
        close(ends[1])
    }

    @Test func `a service that closes leaves no caller of its name in doubt`() async throws {
        try await Self.withHanging { fixture, hanging, service, client, _ in
            try await service.requestName("org.example.Closing")
            let names = hanging.entered
            let late = Task {
                try await client.call("org.example.Closing", path, interface, "Hang", returning: String.self)
            }
            for await _ in names { break }
            // Callers without a pause: some call is always in progress when the name is released.
            let (firstAnswers, firstAnswer) = AsyncStream.makeStream(of: Void.self)
            let callers = (0..<8).map { _ in
                Task { () async -> (answers: Int, end: String) in
                    guard let caller = try? await fixture.connect() else {
                        firstAnswer.yield()
                        return (0, "no connection")
                    }
                    var answers = 0
                    while true {
                        do throws(BusError) {
                            _ = try await caller.call(
                                "org.example.Closing", path, interface, "Echo", "x", returning: String.self)
                            answers += 1
                            if answers == 1 { firstAnswer.yield() }
                        } catch {
                            if answers == 0 { firstAnswer.yield() }
                            await caller.close()
                            return (answers, error.name)
                        }
                    }
                }
            }
            var answered = 0
            for await _ in firstAnswers {
                answered += 1
                if answered == callers.count { break }
            }
            let closing = Task { await service.close(releasing: "org.example.Closing", within: .seconds(20)) }
            for caller in callers {
                let (answers, end) = await caller.value
                #expect(answers > 0 && end == BusError.Name.serviceUnknown, "\(answers) answers, then \(end)")
            }
            #expect(await service.isOpen)
            hanging.reply()
            #expect(try await late.value == "late")
            await closing.value
            #expect(await !service.isOpen)
        }
    }

    @Test func `a name has one owner and a queue`() async throws {
        try await Fixture.run { fixture in
            let one = try await fixture.connect()
            let two = try await fixture.connect()
            let answer7 = try await one.requestName("org.example")
            #expect(answer7 == .primaryOwner)
            let answer8 = try await one.requestName("org.example")
            #expect(answer8 == .alreadyOwner)
            let error = await #expect(throws: BusError.self) { try await two.requestName("org.example") }
            #expect(error?.name == BusError.Name.nameExists)
            let answer9 = try await two.requestName("org.example", flags: .queue)
            #expect(answer9 == .inQueue)
            #expect(try await one.releaseName("org.example"))
            let heir = await two.uniqueName
            let owner = try await one.owner(of: "org.example")
            #expect(owner == heir)
            #expect(try await !one.releaseName("org.example"))
            await #expect(throws: BusError.self) { try await one.requestName("not a name") }
            await one.close()
            await two.close()
        }
    }
}
